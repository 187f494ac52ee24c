//! The tags and comments of a step: lines of the agent pane, the sign of a tick, and counts for lists.

use ratatui::text::Line;

use super::paragraph::hanging_indent;
use crate::model::{EpisodeView, Model};
use mageyard_engine::StepAnnotations;
use mageyard_terminal::{StyleRole, count_of};

/// The sign of a step that people have tagged or commented on; none if there is neither.
pub(super) fn annotation_sign(annotations: Option<&StepAnnotations>) -> Option<&'static str> {
    let own = annotations.filter(|own| !own.is_empty())?;
    Some(if own.tags.is_empty() { ";" } else { "#" })
}

/// The tags of the shown step in one paragraph, then its comments.
pub(super) fn lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let Some(own) = viewed.shown_annotations() else { return Vec::new() };
    let mut lines = Vec::new();
    if !own.tags.is_empty() {
        let names = own.tag_names().collect::<Vec<_>>().join(" ");
        lines.extend(hanging_indent(model, &format!("# {names}"), StyleRole::Key, width));
    }
    for comment in &own.comments {
        lines.extend(hanging_indent(model, &format!("; {}", comment.text), StyleRole::Notice, width));
    }
    lines.extend((!lines.is_empty()).then(Line::default));
    lines
}

/// `2 tags, 1 comment`; empty if there are none.
pub(crate) fn counts((tags, comments): (usize, usize)) -> String {
    let words = [(tags, "tag"), (comments, "comment")];
    let words = words.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| count_of(count, noun));
    words.collect::<Vec<_>>().join(", ")
}
