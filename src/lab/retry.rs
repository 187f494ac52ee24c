//! The next try of an episode that failed: a fresh one that begins with the sentences of its verdict.

use std::path::Path;

use serde_json::Value;

use super::{Lab, recorded_episode, unix_time};
use mageyard_domain::Verdict;
use mageyard_engine::Head;

/// The head of the next try of the episode with this head and journal; `None` if it has not failed by a verdict with sentences, or if
/// its settings allow no further one. `head` is the planned one: the journal's has its files in its own session.
pub fn next_try(lab: &Lab, head: &Head, journal: &Path) -> Option<Head> {
    let rule = lab.environment(&head.environment)?.capabilities().episodes.retry?;
    let number = head.options.get(rule.number).and_then(Value::as_u64).unwrap_or(1);
    if number > u64::from((rule.tries)(&head.options)) {
        return None;
    }
    let summary = recorded_episode(lab, journal).summary()?;
    let verdict = summary.judgement.as_ref()?.verdict().filter(|verdict| has_failed(verdict))?;
    let mut head = Head { started: unix_time().as_secs(), ..head.clone() };
    head.options.insert(rule.number.to_owned(), (number + 1).into());
    head.options.insert(rule.data.to_owned(), verdict.feedback.clone().into());
    Some(head)
}

/// What cannot be judged has not failed.
fn has_failed(verdict: &Verdict) -> bool {
    verdict.score.is_some() && !verdict.success && !verdict.feedback.is_empty()
}
