//! The numbers behind the permits of an endpoint.

use std::time::Duration;

use tokio::sync::Semaphore;

use super::EndpointLoad;
use super::ledger::{Ledger, Report};

#[derive(Default)]
pub(super) struct State {
    /// The largest number of permits: `ordered`, otherwise `given`.
    pub(super) most: usize,
    /// The largest number in the settings of the agents.
    pub(super) given: usize,
    /// The largest number that takes the place of those in the settings.
    pub(super) ordered: Option<usize>,
    /// The present number of permits of this process, taken ones included, without those in `excess`.
    pub(super) limit: usize,
    /// Taken permits that are to be destroyed when they are given back.
    pub(super) excess: usize,
    /// Successes since the limit changed.
    pub(super) successes: usize,
    /// How often the limit was halved.
    pub(super) halvings: u64,
    /// How often the server has limited the rate.
    pub(super) rate_limited: u64,
    /// The requests that wait for a permit.
    pub(super) waiting: usize,
    /// The share of the limit, if other processes share it.
    pub(super) share: Option<Share>,
}

/// What this process knows of the limit that it shares.
pub(super) struct Share {
    clock: fn() -> Duration,
    /// When the share ends unless it is renewed.
    until: Duration,
    /// The largest number of requests at once that were under way or waited since the last report.
    demand: usize,
    /// The demand in the last report.
    reported: usize,
    /// Successes that the others do not know of.
    pub(super) successes: usize,
    /// The halvings before a request whose rate the server has limited.
    pub(super) limited_after: Option<u64>,
    /// Until when the server has asked this process to wait.
    paused_until: Duration,
    /// The largest number and the limit of all processes together.
    all: (usize, usize),
    processes: usize,
    problem: Option<String>,
}

impl State {
    /// The permits in use.
    pub(super) fn taken(&self, permits: &Semaphore) -> usize {
        (self.limit + self.excess).saturating_sub(permits.available_permits())
    }

    /// Takes the largest number of permits from the settings or the order. The limit grows by as much as it does.
    pub(super) fn set_most(&mut self, permits: &Semaphore) {
        let most = self.ordered.unwrap_or(self.given);
        let added = most.saturating_sub(self.most);
        self.most = most;
        if self.share.is_none() {
            let limit = (self.limit + added).min(most);
            self.resize(limit, permits);
        }
    }

    /// Changes the limit by the result of a request.
    pub(super) fn change(&mut self, limit: usize, permits: &Semaphore) {
        self.successes = 0;
        self.resize(limit, permits);
    }

    /// Changes the number of permits. Those in use are kept until they are given back.
    pub(super) fn resize(&mut self, limit: usize, permits: &Semaphore) {
        let added = limit.saturating_sub(self.limit);
        let removed = self.limit.saturating_sub(limit);
        self.limit = limit;
        let kept = added.min(self.excess);
        self.excess -= kept;
        permits.add_permits(added - kept);
        self.excess += removed - permits.forget_permits(removed);
    }

    /// Notes how many permits are wanted; whether that is more than the others know of.
    pub(super) fn note_demand(&mut self, permits: &Semaphore) -> bool {
        let wanted = self.taken(permits) + self.waiting;
        let Some(share) = &mut self.share else { return false };
        share.demand = share.demand.max(wanted);
        wanted > share.reported.max(self.limit)
    }

    /// What this process says when it renews its share.
    pub(super) fn report(&mut self, permits: &Semaphore) -> Report {
        let most = self.most;
        let now = self.taken(permits) + self.waiting;
        let Some(share) = &mut self.share else { return Report::default() };
        share.reported = share.demand.max(now);
        share.demand = now;
        let pause = share.paused_until.saturating_sub((share.clock)());
        Report {
            most,
            wanted: share.reported,
            successes: share.successes,
            limited_after: share.limited_after,
            pause: u64::try_from(pause.as_millis()).ok().filter(|pause| *pause > 0),
            ..Report::default()
        }
    }

    /// Takes what the ledger says; the share lasts until then. What was reported has been counted.
    pub(super) fn take(&mut self, until: Duration, ledger: &Ledger, reported: &Report) {
        self.halvings = ledger.halvings;
        let Some(share) = &mut self.share else { return };
        share.until = until;
        share.successes -= reported.successes.min(share.successes);
        if share.limited_after.is_some_and(|after| after != ledger.halvings) {
            share.limited_after = None;
        }
        share.all = (ledger.most, ledger.limit);
        share.processes = ledger.processes.len();
        share.problem = None;
    }

    pub(super) fn load(&self) -> EndpointLoad {
        let rate_limited = self.rate_limited;
        match &self.share {
            None => {
                EndpointLoad { most: self.most, limit: self.limit, rate_limited, processes: 1, problem: None }
            }
            Some(share) => EndpointLoad {
                most: share.all.0,
                limit: share.all.1,
                rate_limited,
                processes: share.processes,
                problem: share.problem.clone(),
            },
        }
    }
}

impl Share {
    pub(super) fn new(clock: fn() -> Duration) -> Self {
        Self {
            clock,
            until: Duration::ZERO,
            demand: 0,
            reported: 0,
            successes: 0,
            limited_after: None,
            paused_until: Duration::ZERO,
            all: (0, 0),
            processes: 1,
            problem: None,
        }
    }

    /// Whether the share was not renewed in time.
    pub(super) fn is_over(&self) -> bool {
        (self.clock)() >= self.until
    }

    /// The server has asked this process to wait.
    pub(super) fn pause_for(&mut self, time: Duration) {
        self.paused_until = self.paused_until.max((self.clock)() + time);
    }

    /// The share could not be renewed.
    pub(super) fn fail(&mut self, why: String) {
        self.problem = Some(why);
    }
}
