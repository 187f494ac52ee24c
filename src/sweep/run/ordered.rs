//! Follows the orders that people give while the sweep runs.

use std::time::Duration;

use tokio::time::Instant;

use super::event::{SweepEnd, SweepEvent};
use super::scheduler::{Scheduler, Search};
use crate::orders::{GivenOrder, Order, requeued};
use crate::unpriced_model;
use mageyard_lab::{LabError, SpendingLimits};

/// How often new orders are looked for while no episode starts.
const INTERVAL: Duration = Duration::from_secs(1);

/// What the scheduler knows of the orders, besides what they say.
pub(super) struct Orders {
    /// When new ones were looked for.
    looked: Instant,
    /// Why the newest ones cannot be read.
    unreadable: Option<String>,
    /// Why the limits cannot be kept.
    unlimited: Option<String>,
}

impl Orders {
    pub(super) fn new() -> Self {
        Self { looked: Instant::now(), unreadable: None, unlimited: None }
    }

    /// When to look for new ones.
    pub(super) fn next_look(&self) -> Instant {
        self.looked + INTERVAL
    }

    fn problem(&self) -> Option<&String> {
        self.unreadable.as_ref().or(self.unlimited.as_ref())
    }
}

impl Scheduler {
    /// The number of episodes at once.
    pub(super) fn jobs(&self) -> usize {
        self.options.orders.limits().jobs.max(1)
    }

    /// When the run ends, finished or not.
    pub(super) fn time_limit(&self) -> Option<Instant> {
        self.options.orders.limits().time.and_then(|time| self.started.checked_add(time))
    }

    /// Whether the orders allow that an episode starts.
    pub(super) fn may_start(&self) -> bool {
        self.orders.problem().is_none() && !self.options.orders.state().is_paused()
    }

    /// Follows the orders that were given before the run and are in force.
    pub(super) async fn begin_with_orders(&mut self) -> Result<(), LabError> {
        let in_force = self.options.orders.take_in_force();
        self.requeue(&in_force)?;
        self.use_limits().await?;
        for given in in_force.into_iter().filter(|given| !matches!(given.order, Order::Requeue { .. })) {
            self.say(given).await;
        }
        if let Some(cancel) = self.options.orders.cancelled_before() {
            let end = cancelled(cancel);
            self.end_early(end);
        }
        Ok(())
    }

    /// Reads new orders, and follows them. If one cannot be read, nothing starts until it can be.
    pub(super) async fn follow_orders(&mut self) -> Result<(), LabError> {
        loop {
            self.orders.looked = Instant::now();
            match self.options.orders.look() {
                Ok(new) if new.is_empty() => {
                    self.set_problem(|orders| orders.unreadable = None).await;
                    return Ok(());
                }
                Ok(new) => self.follow(new).await?,
                Err(error) => {
                    let why = error.to_string();
                    self.set_problem(|orders| orders.unreadable = Some(why)).await;
                    return Ok(());
                }
            }
        }
    }

    async fn follow(&mut self, orders: Vec<GivenOrder>) -> Result<(), LabError> {
        self.requeue(&orders)?;
        if orders.iter().any(|given| matches!(given.order, Order::Set { .. })) {
            self.use_limits().await?;
        }
        for given in orders {
            self.say(given).await;
        }
        if let Some(cancel) = self.options.orders.cancel() {
            let end = cancelled(cancel);
            self.end_early(end);
        }
        Ok(())
    }

    /// Moves the cells of these orders to the queue: the process that has ordered it may have been killed before it moved them.
    fn requeue(&mut self, orders: &[GivenOrder]) -> Result<(), LabError> {
        let cells: Vec<_> = requeued(orders).cloned().collect();
        if !cells.is_empty() {
            self.claims.requeue_ended(&cells).map_err(LabError::failed)?;
            self.search = Search::Now;
        }
        Ok(())
    }

    async fn say(&self, given: GivenOrder) {
        if given.order != Order::Cancel {
            self.send(SweepEvent::Ordered(given)).await;
        }
    }

    /// Uses the limits that are in force now. A limit of the cost needs the prices of all models.
    async fn use_limits(&mut self) -> Result<(), LabError> {
        let limits = self.options.orders.limits().clone();
        self.lab.models.set_most_connections(limits.max_connections);
        self.options.spending.set_limits(SpendingLimits { cost: limits.cost, tokens: limits.tokens });
        let unpriced = match limits.cost {
            Some(_) => unpriced_model(&self.lab, &self.plan, self.options.spending.prices())?,
            None => None,
        };
        let why = unpriced.map(|model| {
            format!(
                "cost-limit was ordered, and the price of {model:?} is unknown here; add it to prices.toml of this machine \
                 and start this process again, or order cost-limit=none"
            )
        });
        self.set_problem(|orders| orders.unlimited = why).await;
        Ok(())
    }

    /// Changes what is known to be wrong, and says it once.
    async fn set_problem(&mut self, change: impl FnOnce(&mut Orders)) {
        let before = self.orders.problem().cloned();
        change(&mut self.orders);
        match (before, self.orders.problem().cloned()) {
            (before, Some(why)) if before.as_ref() != Some(&why) => {
                tracing::warn!(
                    why,
                    "an order of the sweep cannot be followed; nothing starts until it can be"
                );
                self.send(SweepEvent::Blocked(why)).await;
            }
            (Some(_), None) => self.send(SweepEvent::Unblocked).await,
            _ => {}
        }
    }
}

fn cancelled(cancel: &GivenOrder) -> SweepEnd {
    SweepEnd::Cancelled(format!("the sweep was cancelled by {}", cancel.person_and_reason()))
}
