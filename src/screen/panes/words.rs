//! What the panes show, in words: for the linear mode, where it is told in lines.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{agent, memory, score, status};
use crate::model::Model;

/// A width at which no line is cut.
const WIDTH: u16 = 4096;

/// The replies of the shown step as the agent pane has them: raw, or the code that was written.
pub(crate) fn agent_lines(model: &Model) -> Vec<Line<'static>> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    agent::lines(model, viewed, Rect::new(0, 0, WIDTH, u16::MAX))
}

/// What the request of the shown step has, in one line.
pub(crate) fn memory_summary(model: &Model) -> Option<String> {
    memory::summary(model.episode()?)
}

/// The rows of the memory pane and what they mean.
pub(crate) fn memory_rows(model: &Model) -> Vec<String> {
    memory::row_words(model)
}

/// The sums of the score.
pub(crate) fn score_lines(model: &Model) -> Vec<Line<'static>> {
    model.episode().map_or_else(Vec::new, |viewed| score::lines(model, viewed, WIDTH))
}

/// What is played, in one line.
pub(crate) fn status_summary(model: &Model) -> Option<String> {
    model.episode().map(|viewed| status::summary(model, viewed, WIDTH))
}

/// The state of the session, and what comes next.
pub(crate) fn state_words(model: &Model) -> Option<(String, String)> {
    let viewed = model.episode()?;
    Some((status::state_words(model, viewed), status::next_text(model, viewed).0))
}
