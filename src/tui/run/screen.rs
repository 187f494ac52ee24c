//! The running screen: what it waits for, and how it begins and ends.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::engine::Order;
use crate::engine::Session;
use crate::engine::Snapshot;
use crate::tui::canvas::Canvas;
use crate::tui::canvas::Whom;
use crate::tui::exit::Exit;
use crate::tui::exit::ScreenError;
use crate::tui::handed::Handed;
use crate::tui::inbox::Arrival;
use crate::tui::inbox::Inbox;
use crate::tui::inbox::Sign;
use crate::tui::look::House;
use crate::tui::look::Look;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::picture::Gallery;
use crate::tui::update::Msg;

/// How long sessions may take to leave.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the screen opens on.
pub struct Sitting {
    /// The episodes, oldest first. At least one.
    pub sessions: Vec<Session>,
    /// The episode shown at first, from 0.
    pub first: usize,
    /// The step to look at, by its number; `None` follows the newest.
    pub step: Option<u32>,
}

impl Sitting {
    /// One session, followed.
    pub fn of(session: Session) -> Self {
        Self { sessions: vec![session], first: 0, step: None }
    }
}

/// The running screen. Generic over where it draws so that tests need no terminal.
pub(super) struct Screen<'a, C> {
    pub(super) house: &'a mut dyn House,
    pub(super) canvas: &'a mut C,
    pub(super) inbox: Inbox,
    pub(super) sessions: Vec<Session>,
    pub(super) model: Model,
    pub(super) gallery: Gallery,
    pub(super) drawn: Option<Instant>,
    /// Whether the terminal is given back for now.
    pub(super) suspended: bool,
    /// A text on its way to the person's own editor.
    pub(super) handed: Option<Handed>,
}

impl<'a, C: Canvas> Screen<'a, C> {
    pub(super) fn new(
        house: &'a mut dyn House,
        sitting: Sitting,
        look: Look,
        inbox: Inbox,
        canvas: &'a mut C,
    ) -> Result<Self, ScreenError> {
        let model = Model::new(look, canvas.size()?, Vec::new());
        let gallery = Gallery::default();
        let mut this = Self {
            house,
            canvas,
            inbox,
            sessions: Vec::new(),
            model,
            gallery,
            drawn: None,
            suspended: false,
            handed: None,
        };
        this.model.levels = this.house.levels();
        this.model.themes = this.house.themes();
        for session in sitting.sessions {
            let live = session.orders.is_some();
            let snapshot = this.seat(session);
            this.model.episodes.push(Viewed::new(snapshot, live));
        }
        this.begin(sitting.first, sitting.step);
        Ok(this)
    }

    fn begin(&mut self, first: usize, step: Option<u32>) {
        self.model.at = first.min(self.model.episodes.len().saturating_sub(1));
        if let (Some(number), Some(viewed)) = (step, self.model.viewed_mut()) {
            viewed.cursor = viewed.snapshot.steps.iter().position(|step| step.number == number);
        }
    }

    /// Listens to a session and keeps the way to order it.
    pub(super) fn seat(&mut self, mut session: Session) -> Arc<Snapshot> {
        let snapshot = session.snapshots.borrow_and_update().clone();
        self.inbox.follow(session.snapshots.clone());
        self.sessions.push(session);
        snapshot
    }

    /// Runs until somebody leaves.
    pub(super) async fn run(mut self) -> Result<Exit, ScreenError> {
        let exit = match self.turn_around().await {
            // Drawing can be told before the signal that the terminal has gone.
            Err(ScreenError::Terminal(error)) if has_gone(&error) => Ok(Exit::HungUp),
            exit => exit,
        };
        self.canvas.release();
        self.dismiss().await;
        exit
    }

    pub(super) async fn turn_around(&mut self) -> Result<Exit, ScreenError> {
        loop {
            let due = self.draw_if_due()?;
            let arrivals = match due {
                Some(due) => tokio::time::timeout_at(due, self.inbox.take()).await.unwrap_or_default(),
                None => self.inbox.take().await,
            };
            for arrival in arrivals {
                if let Some(exit) = self.take(arrival)? {
                    return Ok(exit);
                }
                if let Some(exit) = self.hand_over().await? {
                    return Ok(exit);
                }
            }
            if self.canvas.is_broken() {
                return Err(ScreenError::Broken);
            }
        }
    }

    pub(super) fn take(&mut self, arrival: Arrival) -> Result<Option<Exit>, ScreenError> {
        match arrival {
            Arrival::Msg(msg) => self.tell(msg),
            Arrival::Sign(Sign::Interrupt) => Ok(Some(Exit::Interrupted)),
            Arrival::Sign(Sign::Terminate) => Ok(Some(Exit::Terminated)),
            Arrival::Sign(Sign::HangUp) | Arrival::Gone => Ok(Some(Exit::HungUp)),
            Arrival::Sign(Sign::Stop) => self.suspend(Whom::Program).map(|()| None),
            Arrival::Sign(Sign::Continue) => self.resume().map(|()| None),
            Arrival::Sign(Sign::Resize) => {
                let size = self.canvas.size()?;
                self.tell(Msg::Resized(size))
            }
        }
    }

    /// Tells every live session to leave, all at once, and waits a while for them.
    async fn dismiss(self) {
        for orders in self.sessions.iter().filter_map(|session| session.orders.as_ref()) {
            // One that has ended by itself is gone already.
            let _ = orders.send(Order::Leave);
        }
        let live = self.sessions.into_iter().filter(|session| session.orders.is_some());
        let all = live.map(|session| ended(session.snapshots));
        // What is not done by then is picked up from the journal, which is whole at every event.
        let _ = tokio::time::timeout(PATIENCE, futures_util::future::join_all(all)).await;
    }
}

/// Waits until nobody makes snapshots any more: the session has ended.
async fn ended(mut snapshots: watch::Receiver<Arc<Snapshot>>) {
    while snapshots.changed().await.is_ok() {}
}

fn has_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error())
}
