//! The plan of an episode in the Global setting: the actions of its one reply.

use ratatui::text::{Line, Span};

use crate::model::{EpisodeView, Model};
use mageyard_domain::{Setting, sanitize};
use mageyard_terminal::{StyleRole, count_of, truncate};

/// All actions of a plan in the Global setting: done, current, remaining.
pub(super) fn lines(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let steps = &viewed.snapshot.steps;
    if viewed.snapshot.head.setting != Setting::Global || steps.iter().all(|step| step.action.is_none()) {
        return Vec::new();
    }
    let here = viewed.index();
    let done = steps.iter().enumerate().filter_map(|(index, step)| Some((index, step.action.as_ref()?)));
    let remaining = viewed.snapshot.plan.iter().map(|action| (usize::MAX, action));
    let actions: Vec<_> = done.chain(remaining).collect();
    let words = actions.iter().map(|(index, action)| {
        let name = sanitize(&action.label()).into_owned();
        match *index {
            index if index == here => (format!("▶{name}"), StyleRole::Action),
            index if steps.get(index).is_some_and(|step| step.is_done()) => (name, StyleRole::Dim),
            _ => (name, StyleRole::Text),
        }
    });
    let mut lines = vec![Line::styled(
        format!("plan: {}", count_of(actions.len(), "action")),
        model.style(StyleRole::Heading),
    )];
    lines.extend(flow(model, words, width));
    lines.push(Line::default());
    lines
}

/// Styled words, wrapped into lines.
fn flow(model: &Model, words: impl Iterator<Item = (String, StyleRole)>, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    for (word, role) in words {
        let span = Span::styled(truncate(&word, width), model.style(role));
        let used = lines.last().map_or(0, Line::width);
        if used > 0 && used + 1 + span.width() > usize::from(width) {
            lines.push(Line::default());
        }
        let Some(line) = lines.last_mut() else { break };
        if line.width() > 0 {
            line.push_span(" ");
        }
        line.push_span(span);
    }
    lines
}
