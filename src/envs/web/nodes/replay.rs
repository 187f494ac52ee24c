//! Compares a task with all acts of a stored episode.

use mageyard_domain::{Answered, Question};

use super::{Comparison, NodeSettings, Progress, examine};
use crate::facts::ActFacts;
use crate::task::Task;

/// The result of the acts of an episode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replayed {
    /// The progress after all acts, or before the first one that has questions.
    pub progress: Progress,
    /// For each node that is not met in full, the last comparison that failed, in the order of the task.
    pub failed: Vec<Comparison>,
    /// What the judge must answer before the acts can be examined to their end; empty at the end. Each act asks only what the
    /// acts before it left open, as in the episode itself.
    pub questions: Vec<Question>,
}

/// Compares a task with these acts, oldest first, without a browser. `answers` are all that are known.
pub fn final_progress<'a>(
    task: &Task,
    settings: NodeSettings,
    acts: impl IntoIterator<Item = &'a ActFacts>,
    answers: &[Answered],
) -> Replayed {
    let mut progress = Progress::of(task);
    let mut failed: Vec<Option<Comparison>> = vec![None; task.nodes.len()];
    let mut questions = Vec::new();
    for act in acts {
        let examination = examine(task, settings, act, &progress, answers);
        if !examination.questions.is_empty() {
            questions = examination.questions;
            break;
        }
        progress = examination.progress;
        for comparison in examination.comparisons.into_iter().filter(Comparison::has_failed) {
            if let Some(last) = failed.get_mut(comparison.node) {
                *last = Some(comparison);
            }
        }
    }
    let is_open =
        |comparison: &Comparison| progress.nodes.get(comparison.node).is_some_and(|node| !node.is_full());
    let failed = failed.into_iter().flatten().filter(is_open).collect();
    Replayed { progress, failed, questions }
}
