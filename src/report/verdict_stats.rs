//! Counts of verdicts: how episodes were judged, and whether the agent ended them itself.

use mageyard_domain::Judgement;
use mageyard_engine::{Ending, EpisodeSummary};

/// How the episodes of a group were judged by their environments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictStats {
    /// Episodes with a verdict.
    pub judged: usize,
    /// Those that are done in full.
    pub successes: usize,
    /// Episodes that should have been judged and were not. They have no score.
    pub not_judged: usize,
    /// Episodes that the agent ended itself, judged or not (`AgentStudio`, active finish rate).
    pub active_finishes: usize,
    /// Those of them whose verdict is below full (`AgentStudio`, false finish).
    pub false_finishes: usize,
}

impl VerdictStats {
    /// Adds a finished episode.
    pub(super) fn add(&mut self, summary: &EpisodeSummary) {
        let Some(judgement) = &summary.judgement else { return };
        let success = judgement.verdict().map(|verdict| verdict.success);
        self.judged += usize::from(success.is_some());
        self.not_judged += usize::from(success.is_none());
        self.successes += usize::from(success == Some(true));
        let by_agent = summary.ending.is_some_and(ended_by_agent);
        self.active_finishes += usize::from(by_agent);
        self.false_finishes += usize::from(by_agent && success == Some(false));
    }

    /// Whether an episode was judged, or should have been.
    pub fn is_empty(&self) -> bool {
        self.judged + self.not_judged == 0
    }
}

/// Whether the agent declared that it does nothing more.
fn ended_by_agent(ending: Ending) -> bool {
    matches!(ending, Ending::Finished | Ending::Stood)
}

/// The name of an ending in reports. An agent that ends an episode below full has finished falsely, whatever it declared;
/// without a verdict one that gave up has.
pub fn ending_of(summary: &EpisodeSummary) -> Option<&'static str> {
    let ending = summary.ending?;
    let success = summary.judgement.as_ref().and_then(Judgement::verdict).map(|verdict| verdict.success);
    Some(match success {
        Some(true) if ended_by_agent(ending) => super::ending_name(Ending::Finished),
        Some(false) if ended_by_agent(ending) => super::ending_name(Ending::Stood),
        _ => super::ending_name(ending),
    })
}
