//! What holds for every reply, every rule set and every action space.

use std::ops::Range;

use mageyard::dialog::Reading;
use mageyard::dialog::Rules;
use mageyard::dialog::read;
use mageyard::domain::ActionSpace;
use mageyard::domain::Form;

/// Reads the reply, and panics if anything of what came of it is not as it must be.
pub(super) fn lawful(rules: &Rules, form: &Form, reply: &str, space: &ActionSpace) -> Reading {
    let reading = read(rules, form, reply, space);
    assert_eq!(reading, read(rules, form, reply, space), "reading {reply:?} twice by {rules}");
    if let Ok(actions) = &reading.verdict {
        assert!(!actions.is_empty() && (form.list || actions.len() == 1), "{actions:?}");
        for action in actions {
            assert!(space.allows(action), "{action} is not allowed: {reply:?} by {rules}");
        }
    }
    if let Err(failure) = &reading.verdict {
        failure.at.iter().for_each(|range| within(range, reply));
        let strange = failure.near.iter().find(|name| space.find(name).is_none());
        assert_eq!(strange, None, "it is near and not allowed: {reply:?} by {rules}");
    }
    let marks = &reading.marks;
    for range in marks.analysis.iter().chain(&marks.action).chain(&marks.dropped) {
        within(range, reply);
    }
    if let (Some(analysis), Some(action)) = (&marks.analysis, &marks.action) {
        let apart = analysis.end <= action.start || action.end <= analysis.start;
        assert!(apart, "{analysis:?} and {action:?} overlap: {reply:?} by {rules}");
    }
    let inside = |part: &Range<usize>| {
        marks.action.as_ref().is_none_or(|whole| whole.start <= part.start && part.end <= whole.end)
    };
    assert!(marks.dropped.iter().all(inside), "{marks:?}: {reply:?} by {rules}");
    assert!(
        marks.dropped.windows(2).all(|pair| pair[0].end <= pair[1].start),
        "{:?} are out of order: {reply:?} by {rules}",
        marks.dropped
    );
    reading
}

/// The range can be cut out of the reply.
fn within(range: &Range<usize>, reply: &str) {
    assert!(range.start <= range.end && reply.get(range.clone()).is_some(), "{range:?} of {reply:?}");
}
