//! The ledger of an endpoint: one limit for all processes, and the share of each. It is a document that each process
//! replaces in turn, and this module is what it may say. It is pure.
//!
//! A process sends no more requests at once than its share, so the sum of the shares bounds those of all. A share grows
//! only into what the others leave, and what is in use is never taken away: after the limit has shrunk, the sum of the
//! shares follows as requests end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::division::divide;

/// The version of the document.
const FORMAT: u32 = 1;
/// How often each process renews its share before the rest of a division goes to another one.
const ROUNDS: u64 = 30;

/// The limit for requests at once, and the processes that share it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ledger {
    format: u32,
    /// The largest number, from the settings of the processes.
    pub(super) most: usize,
    /// The present number.
    pub(super) limit: usize,
    /// Successes since the limit changed.
    successes: usize,
    /// How often the limit was halved.
    pub(super) halvings: u64,
    /// How often the document was replaced.
    revision: u64,
    pub(super) processes: BTreeMap<String, Share>,
}

/// What one process may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Share {
    /// How often it was renewed; it is over when this stands still for too long.
    pub(super) beat: u64,
    /// The largest number, from the settings of the process.
    most: usize,
    /// The requests at once that it wants.
    wanted: usize,
    /// The requests at once that it may have.
    held: usize,
    /// The milliseconds without a renewal after which it is over. Processes may have different ones.
    pub(super) lasts: u64,
    /// The milliseconds for which the server has asked it to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pause: Option<u64>,
}

/// What a process says when it renews its share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// The largest number, from its settings.
    pub(super) most: usize,
    /// The requests at once that it wants, or wanted since its last report.
    pub(super) wanted: usize,
    /// The milliseconds without a renewal after which its share is over.
    pub(super) lasts: u64,
    /// Its successes since its last report.
    pub(super) successes: usize,
    /// The server has limited the rate of a request that was sent after this many halvings.
    pub(super) limited_after: Option<u64>,
    /// The milliseconds for which the server has asked it to wait.
    pub(super) pause: Option<u64>,
}

impl Default for Ledger {
    fn default() -> Self {
        let processes = BTreeMap::new();
        Self { format: FORMAT, most: 0, limit: 0, successes: 0, halvings: 0, revision: 0, processes }
    }
}

impl Ledger {
    /// Reads a document; an empty one is that of a new endpoint.
    pub(super) fn parse(document: &[u8]) -> Result<Self, String> {
        if document.is_empty() {
            return Ok(Self::default());
        }
        let ledger: Self = serde_json::from_slice(document).map_err(|error| error.to_string())?;
        match ledger.format {
            FORMAT => Ok(ledger),
            newer => Err(format!("format {newer} is newer than {FORMAT}: use a newer mageyard")),
        }
    }

    /// The document.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // The keys are texts, so this cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Takes the report of a process, and returns how many requests at once it may have. The caller then says with
    /// [`Ledger::hold`] how many it keeps.
    pub(super) fn renew(&mut self, process: &str, report: &Report) -> usize {
        self.revision = self.revision.wrapping_add(1);
        let share = self.processes.entry(process.to_owned()).or_default();
        share.beat = share.beat.wrapping_add(1);
        (share.most, share.wanted) = (report.most, report.wanted);
        (share.lasts, share.pause) = (report.lasts, report.pause);
        self.set_most();
        self.adapt(report);
        self.granted(process)
    }

    /// The number of requests at once that the process has from now on.
    pub(super) fn hold(&mut self, process: &str, share: usize) {
        if let Some(own) = self.processes.get_mut(process) {
            own.held = share;
        }
    }

    /// Processes with different settings share the largest number.
    fn set_most(&mut self) {
        let most = self.processes.values().map(|share| share.most).max().unwrap_or_default();
        self.limit = (self.limit + most.saturating_sub(self.most)).min(most);
        self.most = most;
    }

    /// Additive increase, multiplicative decrease. Requests that were sent before the limit was halved do not halve it
    /// again.
    fn adapt(&mut self, report: &Report) {
        if report.limited_after == Some(self.halvings) {
            self.limit -= self.limit / 2;
            (self.halvings, self.successes) = (self.halvings + 1, 0);
        }
        self.successes = self.successes.saturating_add(report.successes);
        while self.limit < self.most && self.successes >= self.limit {
            self.successes -= self.limit;
            self.limit += 1;
        }
        if self.limit == self.most {
            self.successes = 0;
        }
    }

    /// The part of this process, as far as the others leave it.
    fn granted(&self, process: &str) -> usize {
        let wanted: Vec<usize> = self.processes.values().map(|share| share.wanted).collect();
        let rounds = self.revision / (ROUNDS * wanted.len().max(1) as u64);
        let first = usize::try_from(rounds).unwrap_or_default() % wanted.len().max(1);
        let parts = self.processes.keys().zip(divide(self.limit, &wanted, first));
        let part = parts.filter(|(name, _)| *name == process).map(|(_, part)| part).sum::<usize>();
        let others = self.processes.iter().filter(|(name, _)| *name != process);
        let others: usize = others.map(|(_, share)| share.held).sum();
        part.min(self.limit.saturating_sub(others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(most: usize, wanted: usize) -> Report {
        Report { most, wanted, ..Report::default() }
    }

    /// Renews and keeps what is granted, or what is in use.
    fn renew(ledger: &mut Ledger, process: &str, report: &Report, in_use: usize) -> usize {
        let granted = ledger.renew(process, report);
        ledger.hold(process, granted.max(in_use));
        granted
    }

    #[test]
    fn a_share_grows_only_into_what_the_others_leave() {
        let mut ledger = Ledger::default();
        assert_eq!(renew(&mut ledger, "a", &report(8, 20), 0), 8, "it is alone");
        assert_eq!(renew(&mut ledger, "b", &report(8, 20), 0), 0, "nothing is left");
        assert_eq!(renew(&mut ledger, "a", &report(8, 20), 8), 4, "it may send no more");
        assert_eq!(renew(&mut ledger, "b", &report(8, 20), 0), 0, "eight are still in use");
        assert_eq!(renew(&mut ledger, "a", &report(8, 20), 6), 4);
        assert_eq!(renew(&mut ledger, "b", &report(8, 20), 0), 2);
        assert_eq!(renew(&mut ledger, "a", &report(8, 0), 0), 0, "it wants nothing");
        assert_eq!(renew(&mut ledger, "b", &report(8, 7), 2), 7);
        assert_eq!(renew(&mut ledger, "a", &report(8, 0), 0), 1, "what no process wants is divided too");
    }

    #[test]
    fn the_limit_is_halved_once_for_all_requests_that_were_under_way() {
        let mut ledger = Ledger::default();
        renew(&mut ledger, "a", &report(16, 20), 0);
        let limited = |after| Report { limited_after: Some(after), ..report(16, 20) };
        renew(&mut ledger, "a", &limited(0), 16);
        assert_eq!((ledger.limit, ledger.halvings), (8, 1));
        assert_eq!(renew(&mut ledger, "b", &limited(0), 0), 0);
        assert_eq!((ledger.limit, ledger.halvings), (8, 1), "sent before the limit was halved");
        renew(&mut ledger, "b", &limited(1), 0);
        assert_eq!((ledger.limit, ledger.halvings), (4, 2));
        for limit in [2, 1, 1] {
            let again = limited(ledger.halvings);
            renew(&mut ledger, "a", &again, 0);
            assert_eq!(ledger.limit, limit);
        }
    }

    #[test]
    fn successes_of_all_processes_let_the_limit_grow_up_to_the_setting() {
        let mut ledger = Ledger { most: 4, limit: 1, ..Ledger::default() };
        let mut limits = Vec::new();
        for process in ["a", "b", "a", "b", "a", "b", "a", "b"] {
            renew(&mut ledger, process, &Report { successes: 1, ..report(4, 9) }, 0);
            limits.push(ledger.limit);
        }
        assert_eq!(limits, [2, 2, 3, 3, 3, 4, 4, 4]);
        renew(&mut ledger, "a", &report(6, 9), 0);
        assert_eq!((ledger.limit, ledger.most), (6, 6), "the largest setting counts");
        ledger.processes.remove("a");
        renew(&mut ledger, "b", &report(4, 9), 0);
        assert_eq!((ledger.limit, ledger.most), (4, 4));
    }

    #[test]
    fn more_processes_than_requests_take_turns() {
        let mut ledger = Ledger::default();
        let names = ["a", "b", "c"];
        let mut held = [0; 3];
        for _ in 0..200 {
            for (index, name) in names.iter().enumerate() {
                held[index] += renew(&mut ledger, name, &report(2, 5), 0);
                assert!(ledger.processes.values().map(|share| share.held).sum::<usize>() <= 2);
            }
        }
        assert!(held.iter().all(|held| *held > 80), "{held:?}");
    }

    #[test]
    fn a_document_is_read_as_it_was_written_and_a_newer_one_is_refused() {
        let mut ledger = Ledger::default();
        renew(&mut ledger, "a", &Report { pause: Some(7), ..report(16, 20) }, 0);
        assert_eq!(Ledger::parse(&ledger.to_bytes()), Ok(ledger));
        assert_eq!(Ledger::parse(b""), Ok(Ledger::default()));
        assert!(Ledger::parse(b"[]").is_err());
        let newer = Ledger { format: 2, ..Ledger::default() };
        assert!(Ledger::parse(&newer.to_bytes()).unwrap_err().contains("newer"));
    }
}
