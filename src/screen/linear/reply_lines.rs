//! A reply in lines: its reasoning, its analysis, and how it was read.

use crate::linear::text::{labelled, shortened, without_sign};
use crate::model::EpisodeView;
use crate::panes;
use mageyard_domain::RequestOutcome;
use mageyard_engine::{Attempt, Step};
use mageyard_terminal::StyleRole;

/// Whether a reply can be told: it was read, cancelled, or is continued by the next one.
pub(super) fn is_complete(attempt: &Attempt) -> bool {
    attempt.verdict.is_some() || attempt.cancelled || attempt.continued
}

/// The lines of the reply with this index.
pub(super) fn lines(viewed: &EpisodeView, step: &Step, index: usize, attempt: &Attempt) -> Vec<String> {
    let mut lines = Vec::new();
    if index > 0 || attempt.is_refused() || attempt.replaced {
        let name = panes::reply_name(viewed.snapshot.head.conduct.attempts, step, index);
        lines.push(format!("Reply: {}", name.trim_start_matches("reply ")));
    }
    if let Some(from) = &attempt.picked_from {
        lines.extend(labelled("Picked", &format!("a person picked this reply from {from}")));
    }
    if attempt.is_edited() {
        lines.push("Edited: a person changed this reply; raw also prints the agent's own".to_owned());
    }
    let thinking = attempt.thinking();
    if !thinking.trim().is_empty() {
        lines.extend(shortened("Reasoning", &thinking));
    }
    let part = |range: &std::ops::Range<usize>| attempt.reply.get(range.clone()).unwrap_or_default().trim();
    let analysis = attempt.marks.analysis.as_ref().map(part).filter(|text| !text.is_empty());
    match analysis {
        Some(text) if attempt.verdict.as_ref().is_some_and(Result::is_ok) => {
            lines.extend(shortened("Analysis", text));
        }
        _ if attempt.reply.trim().is_empty() => lines.push("Reply text: none".to_owned()),
        _ => lines.extend(shortened("Reply text", &attempt.reply)),
    }
    lines.extend(verdict(viewed, step, attempt));
    lines
}

/// The findings of the reader: all of a reply that was rejected, of another one what is unusual.
fn verdict(viewed: &EpisodeView, step: &Step, attempt: &Attempt) -> Vec<String> {
    let findings = panes::findings(viewed, step, attempt).into_iter();
    let is_told = |role: StyleRole| attempt.is_refused() || role == StyleRole::Warn;
    let mut words = findings.filter(|(_, role)| is_told(*role)).map(|(words, _)| words);
    let mut lines = Vec::new();
    if let Some(first) = words.next() {
        lines.extend(labelled(label(attempt), without_sign(&first)));
    }
    lines.extend(words.flat_map(|words| labelled("Reader", without_sign(&words))));
    lines
}

fn label(attempt: &Attempt) -> &'static str {
    match attempt {
        attempt if attempt.failure().is_some() => "Failed",
        Attempt { cancelled: true, last_try: Some(RequestOutcome::Lost), .. } => "Lost",
        Attempt { cancelled: true, .. } => "Cancelled",
        attempt if attempt.is_refused() => "Parse error",
        _ => "Reader",
    }
}
