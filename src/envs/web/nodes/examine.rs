//! Compares the open nodes of a task with one act.

use mageyard_domain::{Answered, Question};
use serde::{Deserialize, Serialize};

use super::finding::{Answer, Finding};
use super::judge::{Judged, judged};
use super::quoted::quoted;
use super::{Comparison, NodeSettings, Progress, element, page_address, text};
use crate::facts::ActFacts;
use crate::task::{Node, Target, Task};

/// The result of an act for the nodes of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Examination {
    /// The progress after the act, without what the judge has not answered.
    pub progress: Progress,
    /// One for each node that was open, in the order of the task.
    pub comparisons: Vec<Comparison>,
    /// What the judge must answer, each question once. Then the act is examined again, from the same progress as before, with
    /// all answers.
    pub questions: Vec<Question>,
}

/// Compares the open nodes of a task with an act. `progress` is that before the act; one of another number of nodes counts as
/// none. `answers` are those of the judge so far. An opening, which has no verb, is not an act and changes nothing.
pub fn examine(
    task: &Task,
    settings: NodeSettings,
    act: &ActFacts,
    progress: &Progress,
    answers: &[Answered],
) -> Examination {
    let progress = if progress.fits(task) { progress.clone() } else { Progress::of(task) };
    let mut examination = Examination { progress, ..Examination::default() };
    if act.verb.is_empty() {
        return examination;
    }
    examination.progress.acts += 1;
    let before = examination.progress.clone();
    let open =
        task.nodes.iter().zip(&before.nodes).enumerate().filter(|(_, (_, progress))| !progress.is_full());
    for (index, (node, _)) in open {
        let findings = findings(node, settings, act);
        let has_raised = findings.iter().any(|finding| matches!(finding.answer, Answer::Raised(_)));
        let comparisons =
            findings.into_iter().map(|finding| examination.comparison(index, node, finding, answers));
        let comparisons: Vec<Comparison> = comparisons.collect();
        examination.add(comparisons);
        if has_raised {
            break;
        }
    }
    examination
}

/// The same with several acts, oldest first. The questions are those of all of them.
pub fn examine_all<'a>(
    task: &Task,
    settings: NodeSettings,
    acts: impl IntoIterator<Item = &'a ActFacts>,
    progress: &Progress,
    answers: &[Answered],
) -> Examination {
    let mut all = Examination { progress: progress.clone(), ..Examination::default() };
    for act in acts {
        let examination = examine(task, settings, act, &all.progress, answers);
        all.progress = examination.progress;
        all.comparisons.extend(examination.comparisons);
        for question in examination.questions {
            if !all.questions.contains(&question) {
                all.questions.push(question);
            }
        }
    }
    all
}

fn findings(node: &Node, settings: NodeSettings, act: &ActFacts) -> Vec<Finding> {
    match node.function.target {
        Target::Address => page_address::findings(node, settings, act),
        Target::Path => vec![element::path_finding(node, settings.rules, act)],
        Target::Value => vec![element::value_finding(node, settings.rules, act)],
        Target::CachedData | Target::FinalAnswer => vec![text::finding(node, settings.rules, act)],
    }
}

impl Examination {
    /// The comparison of a finding; a question without an answer is kept.
    fn comparison(
        &mut self,
        index: usize,
        node: &Node,
        finding: Finding,
        answers: &[Answered],
    ) -> Comparison {
        let Finding { when, found, answer } = finding;
        let (score, sentence) = match answer {
            Answer::Decided(is_right, sentence) => (Some(if is_right { 1.0 } else { 0.0 }), sentence),
            Answer::Raised(sentence) => {
                (Some(0.0), format!("{sentence}; the nodes after it are not compared with this act"))
            }
            Answer::Asked(question) => self.ask(question, found.as_deref().unwrap_or_default(), answers),
        };
        Comparison { node: index, when, expected: node.reference.clone(), found, score, sentence }
    }

    fn ask(&mut self, question: Question, found: &str, answers: &[Answered]) -> (Option<f64>, String) {
        let found = quoted(found);
        match judged(&question, answers) {
            Judged::Score(score) => (Some(score), format!("the judge gives {found} {score}")),
            Judged::Unread(reason) => (
                Some(0.0),
                format!("the answer of the judge on {found} cannot be read, which counts 0: {reason}"),
            ),
            Judged::Waiting => {
                if !self.questions.contains(&question) {
                    self.questions.push(question);
                }
                (None, format!("the judge has not answered on {found}"))
            }
        }
    }

    /// Adds the comparisons of one node: each can raise it, and the best is kept for people.
    fn add(&mut self, comparisons: Vec<Comparison>) {
        for comparison in &comparisons {
            self.progress.raise(comparison.node, comparison.score.unwrap_or_default());
        }
        // What waits for an answer may be the best one; of equal ones the last is the newest.
        let rank = |comparison: &Comparison| match (comparison.score, &comparison.found) {
            (Some(score), found) => (score, found.is_some()),
            (None, _) => (0.0, true),
        };
        let best =
            comparisons.into_iter().reduce(|best, next| if rank(&next) < rank(&best) { best } else { next });
        self.comparisons.extend(best);
    }
}
