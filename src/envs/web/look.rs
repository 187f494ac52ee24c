//! What was seen of the browser at one moment, before it becomes an observation.

use mageyard_browser::web::{DocumentState, Happening, RequestCounts, TabInfo};
use serde::{Deserialize, Serialize};

use crate::facts::ActFacts;
use crate::nodes::{Comparison, Progress};
use crate::page::{PageReading, PageState};

/// What was seen of the browser.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The address of the current page.
    pub(crate) url: String,
    pub(crate) tabs: Vec<TabInfo>,
    pub(crate) document: DocumentState,
    pub(crate) reading: PageReading,
    pub(crate) state: PageState,
    /// The screenshot as PNG; `None` if the page could not be drawn.
    pub(crate) picture: Option<Vec<u8>>,
    /// The HTML of the page; `None` if it could not be read.
    pub(crate) html: Option<String>,
    /// The requests of the session so far.
    pub(crate) requests: RequestCounts,
    /// What happened since the look before.
    pub(crate) happened: Vec<Happening>,
    /// Why something of the page could not be read.
    pub(crate) faults: Vec<String>,
}

/// How far an episode is, beside the page: what comes back with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Course {
    /// What a person did in the window of the browser before the last act, since the observation before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<ActFacts>,
    /// The last act; one without a verb for the opening.
    pub(crate) act: ActFacts,
    /// What a person did in the window after it, before this observation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) later: Vec<ActFacts>,
    /// The progress before all these.
    pub(crate) before: Progress,
    /// The progress after them, without what a judge must answer.
    pub(crate) progress: Progress,
    /// The points that no reward has yet: what was achieved by what a person did after the last act.
    #[serde(skip_serializing_if = "is_nothing")]
    pub(crate) unpaid: f64,
    /// What they were compared with.
    pub(crate) comparisons: Vec<Comparison>,
    /// The last comparison that failed, of each node that is open.
    pub(crate) failed: Vec<Comparison>,
    /// Texts that the agent keeps.
    pub(crate) kept: Vec<String>,
    /// Whether the agent has declared that it is done.
    pub(crate) signalled: bool,
    /// Whether a page was blocked so far.
    pub(crate) blocked: bool,
    /// The observations so far whose tree was cut.
    pub(crate) cut_trees: u32,
    /// The steps of the recorded workflow that were done.
    pub(crate) recorded: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_nothing(points: &f64) -> bool {
    *points == 0.0
}

impl Course {
    /// Everything that was done since the observation before, oldest first.
    pub(crate) fn acts(&self) -> impl Iterator<Item = &ActFacts> {
        let act = Some(&self.act).filter(|act| !act.verb.is_empty());
        self.earlier.iter().chain(act).chain(&self.later)
    }

    /// Whether the act is that of another course, which has less of what was done after it.
    pub(crate) fn continues(&self, other: &Self) -> bool {
        let acts = |course: &Self| {
            let later = u32::try_from(course.later.len()).unwrap_or(u32::MAX);
            course.progress.acts.saturating_sub(later)
        };
        acts(self) == acts(other)
    }

    /// The course that facts of an observation have.
    pub(crate) fn of_facts(facts: &serde_json::Value) -> Self {
        serde_json::from_value(facts[COURSE].clone()).unwrap_or_default()
    }

    /// Takes in the comparisons of an act.
    pub(crate) fn compared(&mut self, comparisons: Vec<Comparison>) {
        for comparison in comparisons.iter().filter(|comparison| comparison.has_failed()) {
            self.failed.retain(|earlier| earlier.node != comparison.node);
            self.failed.push(comparison.clone());
        }
        let nodes = &self.progress.nodes;
        self.failed.retain(|failed| nodes.get(failed.node).is_some_and(|node| !node.is_full()));
        self.failed.sort_by_key(|failed| failed.node);
        self.comparisons = comparisons;
    }
}

/// The fact with the course.
pub(crate) const COURSE: &str = "course";
