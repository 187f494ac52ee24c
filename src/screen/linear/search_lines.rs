//! A search in lines: every text of the episode that has the words, with its step.

use super::text::one_line;
use crate::model::Model;
use crate::pane::Pane;
use crate::search::lines_with;
use mageyard_domain::sanitize;

/// The most lines that are listed.
const MAX_LINES: usize = 40;

/// The lines of the present search.
pub(super) fn search_lines(model: &Model) -> Vec<String> {
    let Some((viewed, search)) = model.episode().zip(model.search.as_ref()) else { return Vec::new() };
    let Some(query) = search.query() else { return Vec::new() };
    let mut found = lines_with(viewed, Pane::Steps, &query);
    let number = |index: usize| viewed.snapshot.steps.get(index).map_or(0, |step| step.number);
    let line = |(index, name, part): (usize, &str, String)| {
        format!("Match: step {}, {name}: {}", number(index), one_line(&part))
    };
    let mut lines: Vec<String> = found.by_ref().take(MAX_LINES).map(line).collect();
    let more = found.count();
    let text = sanitize(search.text());
    if lines.is_empty() {
        lines.push(format!("Match: none of {text:?}"));
    }
    lines.extend((more > 0).then(|| format!("Match: {more} more are not listed; a longer text finds fewer")));
    lines
}
