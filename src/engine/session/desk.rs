//! What orders may change while the driver is busy.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::Order;
use super::Terms;
use crate::domain::Action;
use crate::domain::Kind;
use crate::engine::driver::Driver;
use crate::engine::snapshot::Mode;
use crate::engine::snapshot::Snapshot;
use crate::engine::snapshot::Waiting;

/// Everything of a session beside its driver.
pub(super) struct Desk {
    pub(super) kind: &'static dyn Kind,
    pub(super) person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    pub(super) inbox: mpsc::UnboundedReceiver<Order>,
    /// Orders that came while the driver was busy and need it.
    pub(super) later: VecDeque<Order>,
    /// Whether the decision under way is a person's, to be applied at once.
    pub(super) by_hand: bool,
    pub(super) mode: Mode,
    pub(super) pace: Duration,
    pub(super) fault: Option<String>,
    pub(super) leaving: bool,
    pub(super) folder: PathBuf,
}

impl Desk {
    pub(super) fn new(terms: Terms, inbox: mpsc::UnboundedReceiver<Order>) -> Self {
        Self {
            kind: terms.kind,
            person: terms.person,
            inbox,
            later: VecDeque::new(),
            by_hand: false,
            mode: Mode::Standing,
            pace: terms.pace,
            fault: None,
            leaving: false,
            folder: terms.folder,
        }
    }

    pub(super) fn stand(&mut self, fault: String) {
        self.fault = Some(fault);
        self.mode = Mode::Standing;
    }

    /// Orders that concern the desk alone.
    pub(super) fn take(&mut self, order: Order) {
        match order {
            Order::Run(left) => self.mode = Mode::Running { left },
            Order::Pause | Order::Cancel => self.mode = Mode::Standing,
            Order::Pace(pace) => self.pace = pace,
            Order::Leave => self.leaving = true,
            Order::Step | Order::Play(_) | Order::Window(_) | Order::Prompt(_) | Order::Abandon => {
                self.later.push_back(order);
            }
        }
    }

    /// An order that came during a thought; true when the thought is to be cut.
    pub(super) fn meanwhile(&mut self, order: Option<Order>) -> bool {
        match order {
            None => {
                self.leaving = true;
                true
            }
            Some(Order::Play(actions)) => {
                // With a person in the seat the thought under way is that person's own.
                let unheard = match &self.person {
                    Some(person) => person.send(actions).err().map(|error| error.0),
                    None => Some(actions),
                };
                self.by_hand = unheard.is_none();
                self.later.extend(unheard.map(Order::Play));
                false
            }
            // Asked already: a second Enter must not apply what is not there yet.
            Some(Order::Step) => false,
            Some(order) => {
                let cuts = matches!(order, Order::Cancel | Order::Leave | Order::Abandon);
                self.take(order);
                cuts
            }
        }
    }

    /// One step less to run.
    pub(super) fn count(&mut self) {
        if let Mode::Running { left: Some(left) } = self.mode {
            self.mode = match left.saturating_sub(1) {
                0 => Mode::Standing,
                left => Mode::Running { left: Some(left) },
            };
        }
    }

    /// Waits, but not longer than until the next order.
    pub(super) async fn rest(&mut self, until: Instant) {
        let order = tokio::select! {
            biased;
            order = self.inbox.recv() => order,
            () = tokio::time::sleep_until(until) => return,
        };
        match order {
            Some(order) => self.later.push_back(order),
            None => self.leaving = true,
        }
    }

    pub(super) fn snapshot(&self, driver: &Driver, thinking: bool) -> Snapshot {
        let episode = driver.episode();
        let waiting = if thinking { Waiting::Thinking } else { Waiting::of(episode.need()) };
        let mode = if episode.ending().is_some() { Mode::Standing } else { self.mode };
        let seen = Snapshot::of(episode, self.kind, &self.folder);
        let seen = seen.with(mode, waiting, self.pace, self.fault.clone());
        Snapshot {
            person: self.person.is_some(),
            prompts: driver.prompts().clone(),
            form: Some(driver.form().clone()),
            ..seen
        }
    }
}
