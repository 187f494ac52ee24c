//! What processes that share the limit of an endpoint need: a place for its document, names, and times.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::ledger::Ledger;

/// A document and what tells it from earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedDocument {
    /// Never the same for two documents, one after the other, with the same name.
    pub version: Vec<u8>,
    /// Empty if there was none yet.
    pub content: Vec<u8>,
}

/// Documents that several processes replace. Calls may block.
pub trait SharedDocuments: Send + Sync {
    /// The present document with this name, of letters, digits and dashes.
    fn read(&self, name: &str) -> io::Result<SharedDocument>;
    /// Replaces the document if it is still that of this version; whether it was.
    fn replace(&self, name: &str, version: &[u8], content: &[u8]) -> io::Result<bool>;
}

/// How a process shares the limits of its endpoints with others.
#[derive(Clone)]
pub struct SharedPermits {
    /// Where the documents are.
    pub documents: Arc<dyn SharedDocuments>,
    /// The name of this process, which no other has.
    pub process: String,
    /// How often a share is renewed at least.
    pub heartbeat: Duration,
    /// How long a process may use its share after the start of its last renewal.
    pub lease: Duration,
    /// How long the others must see no renewal before the share is theirs; longer than the lease.
    pub takeover: Duration,
    /// The time since a fixed moment, which need not be that of other processes.
    pub clock: fn() -> Duration,
}

impl SharedPermits {
    /// The time between two renewals, which grows with the number of processes, because they take turns.
    pub(super) fn interval(&self, processes: usize) -> Duration {
        let turns = Duration::from_millis(50).saturating_mul(u32::try_from(processes).unwrap_or(u32::MAX));
        (self.heartbeat / 5 + turns).min(self.heartbeat)
    }
}

/// When each share was renewed last, as this process has seen it. Only durations on its own clock are compared.
#[derive(Default)]
pub(super) struct Observed(HashMap<String, (u64, Duration)>);

impl Observed {
    /// Removes the shares of the processes that have not renewed them for as long as they last.
    pub(super) fn remove_ended(&mut self, ledger: &mut Ledger, own: &str, now: Duration) {
        self.0.retain(|process, _| ledger.processes.contains_key(process));
        ledger.processes.retain(|process, share| {
            let seen = self.0.entry(process.clone()).or_insert((share.beat, now));
            if seen.0 != share.beat {
                *seen = (share.beat, now);
            }
            process == own || now.saturating_sub(seen.1) < Duration::from_millis(share.lasts)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::ledger::Report;
    use super::*;

    #[test]
    fn a_share_that_is_not_renewed_goes_to_the_others() {
        let seconds = Duration::from_secs;
        let mut ledger = Ledger::default();
        let mut observed = Observed::default();
        let report = Report { most: 4, wanted: 4, lasts: 10_000, ..Report::default() };
        let granted = ledger.renew("a", &report);
        ledger.hold("a", granted);
        for now in [100, 105, 109] {
            observed.remove_ended(&mut ledger, "b", seconds(now));
            let own = Report { lasts: 1000, ..report };
            assert_eq!(ledger.renew("b", &own), 0, "{now}: the time of the other process counts");
        }
        ledger.renew("a", &report);
        observed.remove_ended(&mut ledger, "b", seconds(110));
        assert_eq!(ledger.processes.len(), 2, "it was renewed");
        observed.remove_ended(&mut ledger, "b", seconds(120));
        assert_eq!((ledger.processes.len(), ledger.renew("b", &report)), (1, 4));
    }
}
