//! The findings of the reader, as lines: the rule, the positions, and the nearest actions of an error.

use std::ops::Range;

use crate::model::EpisodeView;
use mageyard_dialog::{BlockSpan, ParseError, Spans};
use mageyard_domain::{Action, Arg, ReplyEnding, RequestOutcome, sanitize};
use mageyard_engine::{Attempt, Step};
use mageyard_terminal::StyleRole;

/// The most arguments whose positions are listed.
const MAX_ARGUMENTS: usize = 8;

/// The most ignored members of a reply that are quoted.
const MAX_DROPPED: usize = 5;

/// The most characters of the span in error that are quoted above the reply.
const MAX_QUOTED: usize = 40;

/// Why a reply that was read does not count.
pub(in crate::panes) const REPLACED: &str = "↺ the agent was asked again; this reply does not count";

/// The findings of the reader, one per line.
pub(crate) fn findings(viewed: &EpisodeView, step: &Step, attempt: &Attempt) -> Vec<(String, StyleRole)> {
    let rules = &viewed.snapshot.head.rules;
    let mut found = match &attempt.verdict {
        _ if attempt.cancelled => vec![(cancelled_text(attempt), StyleRole::Warn)],
        None if attempt.continued => {
            vec![("… odd number of code fences: the agent was asked to continue".into(), StyleRole::Warn)]
        }
        None => vec![("… not parsed yet".into(), StyleRole::Dim)],
        Some(Ok(actions)) => accepted_findings(&rules.to_string(), actions, attempt),
        Some(Err(_)) if attempt.is_unread() => {
            vec![(format!("✗ not parsed: {}", attempt.ending), StyleRole::MarkUnread)]
        }
        Some(Err(failure)) => rejected_findings(&rules.to_string(), failure, step, attempt),
    };
    found.extend(attempt.replaced.then(|| (REPLACED.to_owned(), StyleRole::Warn)));
    found.extend(remarks(attempt).into_iter().map(|words| (words, StyleRole::Warn)));
    found
}

/// Why a reply does not count.
pub(in crate::panes) fn cancelled_text(attempt: &Attempt) -> String {
    if let Some(failed) = attempt.failure() {
        return format!("✗ no reply: {}; not counted", sanitize(&failed.why));
    }
    match &attempt.ending {
        ReplyEnding::Complete if attempt.last_try == Some(RequestOutcome::Lost) => {
            "✗ the reply was lost, because the program ended; not counted".to_owned()
        }
        ReplyEnding::Complete => "✂ cancelled; not counted".to_owned(),
        ending => format!("✂ {ending}; the episode stopped, the reply is not counted"),
    }
}

/// What is unusual about a reply that was read: its end, and what was repaired.
pub(in crate::panes) fn remarks(attempt: &Attempt) -> Vec<String> {
    let is_read = !attempt.is_unread() && !attempt.ending.is_complete();
    let how =
        if attempt.ending.is_readable() { "it was parsed as usual" } else { "what has come was parsed" };
    let ending = is_read.then(|| format!("· {}; {how}", attempt.ending));
    ending.into_iter().chain(attempt.notes.iter().map(|note| format!("· {note}"))).collect()
}

pub(super) fn accepted_findings(
    rules: &str,
    actions: &[Action],
    attempt: &Attempt,
) -> Vec<(String, StyleRole)> {
    let names: Vec<String> = actions.iter().take(8).map(shown_action).collect();
    let more = if actions.len() > names.len() { ", …" } else { "" };
    let mut found = vec![(format!("✓ parsed by {rules} as {}{more}", names.join(", ")), StyleRole::Ok)];
    found.extend(attempt.marks.fallback.iter().map(|fallback| {
        let position = position_text(&attempt.reply, &fallback.span);
        (format!("· fallback rule {:?} matched {position}", fallback.rule), StyleRole::Warn)
    }));
    let places = [("analysis", &attempt.marks.analysis), ("action", &attempt.marks.action)];
    let places = places.into_iter().filter_map(|(word, range)| Some((word, range.clone()?)));
    found.extend(places.map(|(word, range)| {
        (format!("· {word}: {}", position_text(&attempt.reply, &range)), StyleRole::Text)
    }));
    found
        .extend(attempt.action_odds().map(|odds| (format!("· odds of the action: {odds}"), StyleRole::Text)));
    found.extend(attempt.marks.blocks.iter().take(MAX_ARGUMENTS).map(|block| {
        let role =
            if block.parameter.is_some() && !block.replaced { StyleRole::Text } else { StyleRole::Warn };
        (format!("· {}", block_text(&attempt.reply, block)), role)
    }));
    let args = attempt.marks.args.iter().filter(|_| attempt.marks.blocks.is_empty());
    found.extend(args.take(MAX_ARGUMENTS).map(|arg| {
        let position = position_text(&attempt.reply, &arg.at);
        (format!("· argument {}: {position}", arg.parameter), StyleRole::Text)
    }));
    found.extend(applied_leniencies(&attempt.marks).map(|words| (format!("· {words}"), StyleRole::Warn)));
    found.extend(dropped_text(attempt).map(|words| (format!("· {words}"), StyleRole::Warn)));
    found
}

/// How many members of a list or code blocks were ignored, and the first of them.
pub(in crate::panes) fn dropped_text(attempt: &Attempt) -> Option<String> {
    let count = attempt.dropped();
    let words: Vec<String> = attempt
        .dropped_words()
        .iter()
        .take(MAX_DROPPED)
        .map(|word| format!("⟦{}⟧", sanitize(word)))
        .collect();
    let more = if count > words.len() { " …" } else { "" };
    let members = if count == 1 { "member" } else { "members" };
    (count > 0).then(|| format!("dropped {count} {members} that name no action: {}{more}", words.join(" ")))
}

/// The action in written form; code in it is only counted.
fn shown_action(action: &Action) -> String {
    let counted = |arg: &Arg| match arg {
        Arg::Code(code) => Arg::Text(format!("{} characters", code.chars().count())),
        arg => arg.clone(),
    };
    let args = action.args.iter().map(|(name, arg)| (name.clone(), counted(arg)));
    Action { args: args.collect(), ..action.clone() }.to_string()
}

/// What a code block was read as, by which rule, and where it is.
fn block_text(reply: &str, block: &BlockSpan) -> String {
    let name = block.parameter.as_deref().unwrap_or("none");
    let replaced = if block.replaced { ", replaced by a later block" } else { "" };
    let label = with_visible_blanks(reply.get(block.label.clone()).unwrap_or_default());
    let label = if label.is_empty() { String::new() } else { format!(" ⟦{label}⟧") };
    format!("block {name} ({}{label}{replaced}): {}", block.rule, position_text(reply, &block.at))
}

fn rejected_findings(
    rules: &str,
    failure: &ParseError,
    step: &Step,
    attempt: &Attempt,
) -> Vec<(String, StyleRole)> {
    let mut found = vec![(
        format!("✗ rejected by rule {} of {rules}: {}", failure.rule, failure.why),
        StyleRole::MarkUnread,
    )];
    found.extend(failure.at.clone().filter(|range| attempt.reply.get(range.clone()).is_some()).map(
        |range| {
            let text = with_visible_blanks(&attempt.reply[range.clone()]);
            (format!("· error at {}: ⟦{text}⟧", position_text(&attempt.reply, &range)), StyleRole::MarkUnread)
        },
    ));
    found.extend(
        suggested_actions(failure, step)
            .map(|words| (format!("· {words} (suggestion only)"), StyleRole::Text)),
    );
    found
}

/// The fallback rule and the deviations that the reader tolerated, or `None` for an exact reply.
pub(in crate::panes) fn applied_leniencies(marks: &Spans) -> Option<String> {
    let words: Vec<String> = marks.liberties.iter().map(ToString::to_string).collect();
    let tolerated = (!words.is_empty()).then(|| format!("tolerated: {}", words.join(", ")));
    let fallback = marks.fallback.as_ref().map(|found| format!("fallback rule {:?}", found.rule));
    let found: Vec<String> = fallback.into_iter().chain(tolerated).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// The nearest actions or, if there are none, all actions; `None` when the error is not about actions.
pub(in crate::panes) fn suggested_actions(failure: &ParseError, step: &Step) -> Option<String> {
    let about_actions = matches!(failure.rule.as_str(), "action" | "list");
    match failure.near.as_slice() {
        [] => about_actions
            .then(|| format!("the actions are {}", step.space.names().collect::<Vec<_>>().join(", "))),
        near if about_actions => Some(format!("nearest actions: {}", near.join(", "))),
        near => Some(format!("nearest names: {}", near.join(", "))),
    }
}

/// The position of a span: characters and line counted from 1, and bytes from 0 as in the journal.
pub(super) fn position_text(reply: &str, range: &Range<usize>) -> String {
    let before = reply.get(..range.start).unwrap_or(reply);
    let inside = reply.get(range.clone()).unwrap_or_default();
    let first = before.chars().count() + 1;
    let line = before.matches('\n').count() + 1;
    let characters = match inside.chars().count() {
        0 => format!("before character {first}"),
        1 => format!("character {first}"),
        count => format!("characters {first} to {}", first + count - 1),
    };
    format!("{characters}, line {line} (bytes {}..{})", range.start, range.end)
}

/// The text with visible spaces, tabs and line breaks. Other control characters are made visible when drawn.
pub(super) fn with_visible_blanks(text: &str) -> String {
    let sign = |c: char| match c {
        ' ' => '·',
        '\t' => '⇥',
        '\n' => '⏎',
        c => c,
    };
    let mut shown: String = text.chars().take(MAX_QUOTED).map(sign).collect();
    shown.extend(text.chars().nth(MAX_QUOTED).map(|_| '…'));
    shown
}
