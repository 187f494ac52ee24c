//! Invariants of parsing for every reply, reader and action space.

use std::ops::Range;

use mageyard_dialog::{ParseOutcome, ReaderRules, parse_reply};
use mageyard_domain::{ActionSpace, ReplyFormat};

/// Parses a reply and asserts all invariants of the result.
pub(super) fn assert_invariants(
    rules: &ReaderRules,
    form: &ReplyFormat,
    reply: &str,
    space: &ActionSpace,
) -> ParseOutcome {
    let reading = parse_reply(rules, form, reply, space);
    assert_eq!(reading, parse_reply(rules, form, reply, space), "reading {reply:?} twice by {rules}");
    if let Ok(actions) = &reading.result {
        assert!(!actions.is_empty() && (form.list || actions.len() == 1), "{actions:?}");
        for action in actions {
            assert!(space.allows(action), "{action} is not allowed: {reply:?} by {rules}");
        }
    }
    if let Err(failure) = &reading.result {
        if let Some(range) = &failure.at {
            assert_within(range, reply);
        }
        let about_actions = matches!(failure.rule.as_str(), "action" | "list");
        let strange = failure.near.iter().find(|name| about_actions && space.spec(name).is_none());
        assert_eq!(strange, None, "it is near and not allowed: {reply:?} by {rules}");
    }
    let marks = &reading.spans;
    for range in marks.analysis.iter().chain(&marks.action).chain(&marks.dropped) {
        assert_within(range, reply);
    }
    if let (Some(analysis), Some(action)) = (&marks.analysis, &marks.action) {
        let apart = analysis.end <= action.start || action.end <= analysis.start;
        assert!(apart, "{analysis:?} and {action:?} overlap: {reply:?} by {rules}");
    }
    if let Some(found) = &marks.fallback {
        assert_within(&found.span, reply);
        let action = marks.action.as_ref().unwrap();
        let contains = found.span.start <= action.start && action.end <= found.span.end;
        assert!(contains && reading.result.is_ok(), "{marks:?}: {reply:?} by {rules}");
    }
    let inside = |part: &Range<usize>| {
        marks.action.as_ref().is_none_or(|whole| whole.start <= part.start && part.end <= whole.end)
    };
    assert!(marks.dropped.iter().all(inside), "{marks:?}: {reply:?} by {rules}");
    assert!(marks.args.iter().all(|arg| inside(&arg.at)), "{marks:?}: {reply:?} by {rules}");
    for arg in &marks.args {
        assert_within(&arg.at, reply);
    }
    assert!(
        marks.dropped.windows(2).all(|pair| pair[0].end <= pair[1].start),
        "{:?} are out of order: {reply:?} by {rules}",
        marks.dropped
    );
    reading
}

/// Asserts that the range is valid in the reply.
fn assert_within(range: &Range<usize>, reply: &str) {
    assert!(range.start <= range.end && reply.get(range.clone()).is_some(), "{range:?} of {reply:?}");
}
