//! The verdict on an episode: its score, what was met, and the figures from which measures of sets are made.

use std::collections::BTreeMap;

use mageyard_domain::{Ending, Verdict};
use serde_json::json;

use super::summary::share;
use super::{TaskScore, TaskStatus};
use crate::nodes::{Comparison, NodeProgress, Progress, Replayed, quoted};
use crate::task::{Node, Task};

/// The figures of a verdict. Shares are 0 or 1.
pub const METRICS: &[&str] = &[
    "achieved",
    "nodes",
    "steps",
    "reference_length",
    "near_success",
    "length_score",
    "human_alignment",
    "signalled",
    "too_early",
    "too_late",
    "looped",
    "blocked",
];

/// What is known of an episode beside its acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpisodeFacts {
    /// The recorded steps, refused and failed ones included.
    pub steps: u32,
    /// How it ended. [`Ending::Finished`] is the signal: the agent has answered, or the reward module says that it is done.
    pub ending: Ending,
    /// Whether a page was met that a person must pass or that refuses, such as a captcha.
    pub blocked: bool,
    /// Whether the agent repeated itself.
    pub looped: bool,
}

impl EpisodeFacts {
    /// Whether the agent has signalled the end.
    pub fn is_signalled(&self) -> bool {
        self.ending == Ending::Finished
    }

    /// What was achieved with this progress.
    pub fn score(&self, task: &Task, progress: &Progress) -> TaskScore {
        TaskScore {
            achieved: progress.achieved(),
            nodes: u32::try_from(task.nodes.len()).unwrap_or(u32::MAX),
            steps: self.steps,
            reference_length: Some(task.reference_length),
            signalled: self.is_signalled(),
        }
    }
}

/// The verdict on an episode whose acts are examined. Its score is the completion rate of the task in percent. While the judge
/// has not answered, it has the questions and no score.
pub fn verdict(task: &Task, replayed: &Replayed, facts: EpisodeFacts) -> Verdict {
    let progress = &replayed.progress;
    if !replayed.questions.is_empty() {
        return Verdict { questions: replayed.questions.clone(), ..Verdict::default() };
    }
    let score = facts.score(task, progress);
    let status = TaskStatus::of(score.is_complete(), facts.blocked, facts.ending);
    Verdict {
        score: Some(100.0 * score.rate()),
        success: score.is_complete(),
        feedback: feedback(task, replayed),
        figures: figures(&score, facts),
        details: json!({"status": status.name(), "progress": progress}),
        questions: Vec::new(),
    }
}

fn figures(score: &TaskScore, facts: EpisodeFacts) -> BTreeMap<String, f64> {
    let complete = score.is_complete();
    let values = [
        ("achieved", score.achieved),
        ("nodes", f64::from(score.nodes)),
        ("steps", f64::from(score.steps)),
        ("reference_length", f64::from(score.reference_length.unwrap_or_default())),
        ("near_success", share(score.is_near_success())),
        ("length_score", score.length_score().unwrap_or_default()),
        ("human_alignment", score.human_alignment()),
        ("signalled", share(score.signalled)),
        ("too_early", share(score.signalled && !complete)),
        ("too_late", share(complete && !score.signalled)),
        ("looped", share(facts.looped)),
        ("blocked", share(facts.blocked)),
    ];
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

/// A sentence for each node, in the order of the task.
fn feedback(task: &Task, replayed: &Replayed) -> Vec<String> {
    let nodes = task.nodes.iter().zip(&replayed.progress.nodes).enumerate();
    nodes
        .map(|(index, (node, progress))| {
            let failed = replayed.failed.iter().find(|comparison| comparison.node == index);
            sentence(index, node, *progress, failed)
        })
        .collect()
}

fn sentence(index: usize, node: &Node, progress: NodeProgress, failed: Option<&Comparison>) -> String {
    let name = format!("node {}, {} {}", index + 1, node.function.name(), quoted(&node.reference));
    let result = match progress.act {
        Some(act) if progress.is_full() => return format!("{name}: met at act {act}"),
        Some(act) => format!("{} at act {act}", progress.score),
        None => "not met".to_owned(),
    };
    let last = failed.map_or(String::new(), |comparison| format!("; compared last: {}", comparison.sentence));
    format!("{name}: {result}{last}")
}
