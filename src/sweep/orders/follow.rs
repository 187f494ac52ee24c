//! The orders as a worker follows them.

use std::collections::BTreeSet;
use std::path::Path;

use super::change::WorkerLimits;
use super::control::ControlState;
use super::error::OrderError;
use super::given::{GivenOrder, Order};
use super::log::OrderLog;
use super::requeue::RequeuedCell;
use crate::claims::WorkerName;

/// The orders of a sweep that a worker has read, and what they say together.
pub struct FollowedOrders {
    log: OrderLog,
    worker: String,
    /// The number of the newest order that was read.
    last: u32,
    state: ControlState,
    at_start: WorkerLimits,
    limits: WorkerLimits,
    /// The first cancel since the start.
    cancel: Option<GivenOrder>,
    in_force: Vec<GivenOrder>,
}

impl FollowedOrders {
    /// Reads the orders of the sweep in this folder. The worker follows those that come later; of earlier ones, a pause, a
    /// cancel and the limits are in force. `at_start` are the limits of its command line and settings.
    pub fn start(folder: &Path, worker: &WorkerName, at_start: WorkerLimits) -> Result<Self, OrderError> {
        let mut this = Self {
            log: OrderLog::of_sweep(folder),
            worker: worker.to_string(),
            last: 0,
            state: ControlState::Running,
            limits: at_start.clone(),
            at_start,
            cancel: None,
            in_force: Vec::new(),
        };
        let mut earlier = Vec::new();
        loop {
            let more = this.look()?;
            if more.is_empty() {
                break;
            }
            earlier.extend(more);
        }
        this.cancel = None;
        let mut later = BTreeSet::new();
        let is_in_force = |given: &GivenOrder| match &given.order {
            Order::Set { values, .. } => values.is_in_force(&mut later),
            Order::Requeue { .. } => true,
            _ => this.state.order() == Some(given),
        };
        this.in_force = earlier.into_iter().rev().filter(is_in_force).collect();
        this.in_force.reverse();
        Ok(this)
    }

    /// Reads the orders since the last time, and returns those that this worker follows. If one cannot be read, those before
    /// it are returned; the next call fails then, and reads it again.
    pub fn look(&mut self) -> Result<Vec<GivenOrder>, OrderError> {
        let newest = self.log.newest()?;
        if newest < self.last {
            tracing::warn!(newest, "orders of the sweep were removed; the other ones are read again");
            (self.last, self.state, self.limits) = (0, ControlState::Running, self.at_start.clone());
        }
        let mut followed = Vec::new();
        while self.last < newest {
            let given = match self.log.read(self.last.saturating_add(1)) {
                Err(_) if !followed.is_empty() => break,
                read => read?,
            };
            self.last = given.number;
            if self.follow(&given) {
                followed.push(given);
            }
        }
        Ok(followed)
    }

    /// Takes an order; whether it concerns this worker.
    fn follow(&mut self, given: &GivenOrder) -> bool {
        match &given.order {
            Order::Requeue { .. } => true,
            Order::Set { values, worker } => {
                let is_meant = worker.as_deref().is_none_or(|worker| self.worker.starts_with(worker));
                if is_meant {
                    values.apply(&self.at_start, &mut self.limits);
                }
                is_meant
            }
            Order::Pause | Order::Resume | Order::Cancel => {
                let before = std::mem::take(&mut self.state);
                self.state = before.clone().after(given);
                if given.order == Order::Cancel {
                    self.cancel.get_or_insert_with(|| given.clone());
                }
                self.state != before
            }
        }
    }

    /// Whether episodes may start.
    pub fn state(&self) -> &ControlState {
        &self.state
    }

    /// The limits of this worker.
    pub fn limits(&self) -> &WorkerLimits {
        &self.limits
    }

    /// The cancel that was in force at the start, until the sweep is resumed.
    pub(crate) fn cancelled_before(&self) -> Option<&GivenOrder> {
        match &self.state {
            ControlState::Cancelled { by } => Some(by),
            _ => None,
        }
    }

    /// The first cancel since the start, also if the sweep was resumed after it.
    pub fn cancel(&self) -> Option<&GivenOrder> {
        self.cancel.as_ref()
    }

    /// The orders before the start that are in force: the pause or cancel, limits that were not changed again, and all that
    /// requeue cells, which have their effect once.
    pub fn take_in_force(&mut self) -> Vec<GivenOrder> {
        std::mem::take(&mut self.in_force)
    }
}

/// The cells that these orders requeue.
pub(crate) fn requeued(orders: &[GivenOrder]) -> impl Iterator<Item = &RequeuedCell> {
    orders.iter().flat_map(|given| match &given.order {
        Order::Requeue { cells } => cells.as_slice(),
        _ => &[],
    })
}
