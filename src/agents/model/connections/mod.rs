//! How many requests one endpoint gets at once. The number adapts to the server: it is halved when the server limits the
//! rate, and grows by one after as many successes as it allows (additive increase, multiplicative decrease). It never
//! exceeds the setting `model.max_connections`, or the number that was ordered in place of it.
//!
//! The number is that of this process, or of several that share it (`SharedPermits`): then this process has a share of it,
//! which `renewal` renews.

mod division;
mod ledger;
mod renewal;
mod shared;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, SemaphorePermit};

use self::ledger::Report;
pub(super) use self::renewal::Renewal;
pub use self::shared::{SharedDocument, SharedDocuments, SharedPermits};
use self::state::{Share, State};
use super::lock::lock;

/// The permits of an endpoint.
pub(super) struct Connections {
    permits: Semaphore,
    state: Mutex<State>,
    /// Wakes the renewal of the share.
    demand: Notify,
}

/// The requests at once that an endpoint gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointLoad {
    /// The largest number, from the settings.
    pub most: usize,
    /// The present limit, for all processes that share it.
    pub limit: usize,
    /// How often the server has limited the rate of this process.
    pub rate_limited: u64,
    /// The number of processes that share the limit, this one included.
    pub processes: usize,
    /// Why the share of this process cannot be renewed at present.
    pub problem: Option<String>,
}

/// A permit for one request.
pub(super) struct ConnectionPermit<'a> {
    permit: Option<SemaphorePermit<'a>>,
    connections: &'a Connections,
    /// How often the limit had been halved when the permit was given.
    halvings: u64,
}

/// Counts a request that waits for a permit.
struct Waiting<'a>(&'a Connections);

impl Connections {
    /// Permits of this process alone; none before [`Connections::allow`].
    pub(super) fn new() -> Self {
        Self { permits: Semaphore::new(0), state: Mutex::default(), demand: Notify::new() }
    }

    /// Permits of a share, which is empty until it is granted.
    pub(super) fn shared(clock: fn() -> Duration) -> Self {
        let state = State { share: Some(Share::new(clock)), ..State::default() };
        Self { state: Mutex::new(state), ..Self::new() }
    }

    /// Allows at least this many requests at once. Agents with different settings share the largest number.
    pub(super) fn allow(&self, connections: usize) {
        let mut state = lock(&self.state);
        state.given = state.given.max(connections);
        state.set_most(&self.permits);
    }

    /// Allows at most this many requests at once in place of the numbers of [`Connections::allow`], or those again.
    /// Requests above it that were sent are finished.
    pub(super) fn order(&self, most: Option<usize>) {
        let mut state = lock(&self.state);
        if state.ordered != most {
            state.ordered = most;
            state.set_most(&self.permits);
            self.demand.notify_one();
        }
    }

    /// Waits for a permit, in the order of the calls. Cancel safe.
    pub(super) async fn acquire(&self) -> Option<ConnectionPermit<'_>> {
        let _waiting = Waiting::new(self);
        loop {
            // The semaphore is never closed, so this is always a permit.
            let permit = self.permits.acquire().await.ok()?;
            let mut state = lock(&self.state);
            let halvings = state.halvings;
            let over = state.share.as_ref().is_some_and(Share::is_over);
            if over {
                state.resize(0, &self.permits);
            }
            drop(state);
            let permit = ConnectionPermit { permit: Some(permit), connections: self, halvings };
            if !over {
                return Some(permit);
            }
            self.demand.notify_one();
        }
    }

    /// Whether this process has no more than one request under way or waiting.
    pub(super) fn is_alone(&self) -> bool {
        let state = lock(&self.state);
        state.taken(&self.permits) + state.waiting <= 1
    }

    /// A request has succeeded.
    pub(super) fn succeeded(&self) {
        let mut state = lock(&self.state);
        if let Some(share) = &mut state.share {
            share.successes += 1;
        } else if state.limit < state.most {
            state.successes += 1;
            if state.successes >= state.limit {
                let limit = state.limit + 1;
                state.change(limit, &self.permits);
            }
        }
    }

    /// The server has limited the rate of a request that had this permit. Requests that were under way when the limit was
    /// halved do not halve it again.
    pub(super) fn rate_limited(&self, permit: &ConnectionPermit<'_>) {
        let mut state = lock(&self.state);
        state.rate_limited += 1;
        if permit.halvings != state.halvings {
            return;
        }
        if let Some(share) = &mut state.share {
            share.limited_after = Some(permit.halvings);
            self.demand.notify_one();
        } else {
            state.halvings += 1;
            let limit = state.limit - state.limit / 2;
            state.change(limit, &self.permits);
        }
    }

    /// The server has asked this process to wait; the others that share the limit wait too.
    pub(super) fn paused(&self, time: Duration) {
        if let Some(share) = &mut lock(&self.state).share {
            share.pause_for(time);
            self.demand.notify_one();
        }
    }

    pub(super) fn load(&self) -> EndpointLoad {
        lock(&self.state).load()
    }

    /// What this process says when it renews its share.
    fn report(&self) -> Report {
        lock(&self.state).report(&self.permits)
    }

    /// Gives no more permits than this from now on, and returns how many are in use.
    fn shrink(&self, limit: usize) -> usize {
        let mut state = lock(&self.state);
        let limit = limit.min(state.limit);
        state.resize(limit, &self.permits);
        state.taken(&self.permits)
    }

    /// Changes the state with the permits.
    fn update<T>(&self, change: impl FnOnce(&mut State, &Semaphore) -> T) -> T {
        change(&mut lock(&self.state), &self.permits)
    }

    #[cfg(test)]
    pub(super) fn free(&self) -> usize {
        self.permits.available_permits()
    }
}

impl<'a> Waiting<'a> {
    fn new(connections: &'a Connections) -> Self {
        let mut state = lock(&connections.state);
        state.waiting += 1;
        if state.note_demand(&connections.permits) {
            connections.demand.notify_one();
        }
        Self(connections)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).waiting -= 1;
    }
}

impl Drop for ConnectionPermit<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.connections.state);
        if let Some(left) = state.excess.checked_sub(1) {
            state.excess = left;
            if let Some(permit) = self.permit.take() {
                permit.forget();
            }
        }
    }
}
