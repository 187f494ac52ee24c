//! Renews the share of this process in the limit of an endpoint: at intervals, and at once when more requests wait or the
//! server has limited the rate.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::time::Duration;

use tokio::task::spawn_blocking;

use super::Connections;
use super::ledger::{Ledger, Report};
use super::shared::{Observed, SharedDocument, SharedPermits};

/// How often one renewal tries again after another process was faster.
const TRIES: u32 = 50;
/// The longest wait before it tries again after the first of these.
const TURN: Duration = Duration::from_millis(4);

/// The renewal of one share.
pub(in crate::model) struct Renewal {
    permits: SharedPermits,
    /// The name of the document.
    name: String,
    observed: Observed,
}

impl Renewal {
    /// The renewal for the endpoint with this document.
    pub(in crate::model) fn new(permits: SharedPermits, name: String) -> Self {
        Self { permits, name, observed: Observed::default() }
    }

    /// Renews the share once, and waits until the next time. Returns for how long the server has asked another process to
    /// wait.
    pub(in crate::model) async fn renew(&mut self, connections: &Connections) -> Option<Duration> {
        match self.try_renew(connections).await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::warn!(%error, "the share of the requests at once could not be renewed; it is tried again");
                connections.update(|state, permits| {
                    if state.share.as_ref().is_some_and(super::Share::is_over) {
                        state.resize(0, permits);
                    }
                    if let Some(share) = &mut state.share {
                        share.fail(error.to_string());
                    }
                });
                None
            }
        }
    }

    /// Waits until the share is to be renewed again.
    pub(in crate::model) async fn wait(&self, connections: &Connections) {
        let interval = self.permits.interval(connections.load().processes);
        tokio::time::sleep(interval / 10).await;
        tokio::select! {
            () = connections.demand.notified() => {}
            () = tokio::time::sleep(interval.saturating_sub(interval / 10)) => {}
        }
    }

    async fn try_renew(&mut self, connections: &Connections) -> io::Result<Option<Duration>> {
        for tried in 0..TRIES {
            if tried > 0 {
                tokio::time::sleep(TURN.saturating_mul(tried).mul_f64(random())).await;
            }
            let start = (self.permits.clock)();
            let document = self.read().await?;
            let mut ledger = parse(&document)?;
            self.observed.remove_ended(&mut ledger, &self.permits.process, start);
            let report = Report { lasts: self.lasts(), ..connections.report() };
            let granted = ledger.renew(&self.permits.process, &report);
            // Nothing more is sent before the others know what is in use.
            let taken = connections.shrink(granted);
            ledger.hold(&self.permits.process, granted.max(taken));
            if self.replace(document.version, ledger.to_bytes()).await? {
                connections.update(|state, permits| {
                    state.take(start + self.permits.lease, &ledger, &report);
                    state.resize(granted, permits);
                });
                return Ok(self.pause_of_others(&ledger));
            }
        }
        Err(io::Error::other("other processes renewed their shares each time"))
    }

    /// The milliseconds without a renewal after which the share is over for the others.
    fn lasts(&self) -> u64 {
        u64::try_from(self.permits.takeover.as_millis()).unwrap_or(u64::MAX)
    }

    /// The longest time for which the server has asked one of the others to wait.
    fn pause_of_others(&self, ledger: &Ledger) -> Option<Duration> {
        let others = ledger.processes.iter().filter(|(name, _)| **name != self.permits.process);
        others.filter_map(|(_, share)| share.pause).max().map(Duration::from_millis)
    }

    /// Gives the share back, so that the others need not wait until it ends.
    pub(in crate::model) async fn leave(&self) -> io::Result<()> {
        for tried in 0..TRIES {
            tokio::time::sleep(TURN.saturating_mul(tried).mul_f64(random())).await;
            let document = self.read().await?;
            let mut ledger = parse(&document)?;
            let is_there = ledger.processes.remove(&self.permits.process).is_some();
            if !is_there || self.replace(document.version, ledger.to_bytes()).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn read(&self) -> io::Result<SharedDocument> {
        let documents = self.permits.documents.clone();
        let name = self.name.clone();
        blocking(move || documents.read(&name)).await
    }

    async fn replace(&self, version: Vec<u8>, content: Vec<u8>) -> io::Result<bool> {
        let documents = self.permits.documents.clone();
        let name = self.name.clone();
        blocking(move || documents.replace(&name, &version, &content)).await
    }
}

fn parse(document: &SharedDocument) -> io::Result<Ledger> {
    Ledger::parse(&document.content).map_err(|why| io::Error::other(format!("the shared limit: {why}")))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// From 0 to 1, different in each call, so that processes do not try at the same time.
fn random() -> f64 {
    let drawn = u32::try_from(RandomState::new().hash_one(0) >> 32).unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}
