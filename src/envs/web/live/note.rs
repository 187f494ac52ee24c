//! The remark on a step for people: which nodes were met, and what happened in the browser.

use crate::look::{Course, Look};
use crate::nodes::Progress;
use crate::observation::{happening_words, state_reason};
use crate::page::PageState;

/// The remark; `None` if there is nothing to say. `of_window` is what a person did in the window before the act.
pub(super) fn note(look: &Look, course: &Course, of_window: Option<String>) -> Option<String> {
    let mut said: Vec<String> = rises(&course.before, &course.progress);
    said.extend(of_window);
    if look.state != PageState::Ok {
        said.push(format!("the page is {}{}", look.state, state_reason(look)));
    }
    said.extend(
        look.happened.iter().map(happening_words).map(|words| words.trim_end_matches('.').to_owned()),
    );
    said.extend(look.faults.iter().map(|fault| format!("not read: {fault}")));
    (!said.is_empty()).then(|| said.join("; "))
}

/// The nodes whose score has risen, in words.
pub(super) fn rises(before: &Progress, after: &Progress) -> Vec<String> {
    let earlier = |index: usize| before.nodes.get(index).map_or(0.0, |node| node.score);
    let risen = after.nodes.iter().enumerate().filter(|(index, node)| node.score > earlier(*index));
    risen
        .map(|(index, node)| {
            let share = if node.is_full() { String::new() } else { format!(" by {:.2}", node.score) };
            format!("node {} of {} met{share}", index + 1, after.nodes.len())
        })
        .collect()
}
