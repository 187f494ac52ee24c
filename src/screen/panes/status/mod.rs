//! The status: the level, the agent, the next request, the state of the session and the next key.

mod state;
mod summary;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

pub(super) use self::state::{next_text, state_span, state_words};
pub(super) use self::summary::summary;
use crate::command::CommandId;
use crate::model::{EpisodeView, Model};
use mageyard_engine::Distance;
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// Draws the status into one line, or into two on a narrow terminal.
pub(crate) fn status(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, model.style(StyleRole::Status));
    let Some(viewed) = model.episode() else { return };
    let mode = state_span(model, viewed);
    let (next, style) = next_text(model, viewed);
    if area.height > 1 {
        let lines = [area.rows().next(), area.rows().nth(1)];
        let [Some(first), Some(second)] = lines else { return };
        let traffic = traffic_span(model);
        let used = to_cells(traffic.iter().map(Span::width).sum());
        let summary = summary(model, viewed, area.width.saturating_sub(2 + used));
        draw_left_and_right(vec![status_span(model, &summary, StyleRole::Status)], traffic, first, buf);
        let position = position(model, viewed, second.width.saturating_sub(to_cells(mode.width())), &next);
        let room = second.width.saturating_sub(to_cells(mode.width() + position.width()) + 2);
        let next = status_span(model, &truncate(&next, room), style);
        draw_left_and_right(vec![mode, next], vec![position], second, buf);
    } else {
        let position = position(model, viewed, area.width / 3, "");
        let fixed = to_cells(mode.width() + position.width());
        let next = truncate(&next, area.width.saturating_sub(fixed) / 3);
        let next = status_span(model, &next, style);
        let room = area.width.saturating_sub(fixed + to_cells(next.width()) + 2);
        let summary = match traffic_span(model).pop() {
            Some(traffic) => status_span(model, &truncate(traffic.content.trim(), room), StyleRole::Status),
            None => status_span(model, &summary(model, viewed, room), StyleRole::Status),
        };
        draw_left_and_right(vec![mode, next], vec![summary, position], area, buf);
    }
}

/// Draws one part on the left and one on the right; the left one is cut if they overlap.
fn draw_left_and_right(left: Vec<Span<'static>>, right: Vec<Span<'static>>, area: Rect, buf: &mut Buffer) {
    let right = Line::from(right);
    let used = to_cells(right.width()).min(area.width);
    Line::from(left).render(Rect { width: area.width - used, ..area }, buf);
    right.render(Rect { x: area.right() - used, width: used, ..area }, buf);
}

/// The bytes written to the terminal, if they are to be shown.
fn traffic_span(model: &Model) -> Vec<Span<'static>> {
    let shown = model.device.link.is_shown && !model.device.link.traffic.is_empty();
    shown.then(|| status_span(model, &model.device.link.traffic, StyleRole::StatusDim)).into_iter().collect()
}

fn status_span(model: &Model, text: &str, role: StyleRole) -> Span<'static> {
    let style = model.style(StyleRole::Status).patch(model.style(role));
    Span::styled(truncate(&format!(" {text} "), u16::MAX), style)
}

/// The distance from the state in view to the goal, such as `distance 14 · `; empty if it is not searched.
fn distance(viewed: &EpisodeView) -> String {
    let distances = &viewed.snapshot.distances;
    let index = viewed.index();
    let words = match (distances.at(index), distances.dead_step()) {
        (None, _) if viewed.step().is_some() && distances.is_pending(index) => "distance …".to_owned(),
        (None, _) => return String::new(),
        (Some(Distance::Unreachable), Some(0)) => "dead from the start".to_owned(),
        (Some(Distance::Unreachable), Some(step)) => format!("dead since step {step}"),
        (Some(Distance::Unknown(_)), _) => "distance ?".to_owned(),
        (Some(Distance::Unreachable), None) => "dead".to_owned(),
        (Some(Distance::Exact(moves)), _) => format!("distance {moves}"),
    };
    format!("{words} · ")
}

/// The step in view and the distance to the goal, which is left out where it does not fit beside the next key. An
/// earlier step is highlighted.
fn position(model: &Model, viewed: &EpisodeView, room: u16, next: &str) -> Span<'static> {
    let (step, role) = match viewed.step().filter(|_| viewed.looks_back()) {
        Some(step) => {
            let back = model.key_or_name(CommandId::Newest);
            let last = viewed.last_step();
            (format!("viewing step {} of {last}, {back} newest", step.number), StyleRole::StatusBack)
        }
        None => (viewed.step_label(), StyleRole::StatusDim),
    };
    let full = format!(" {}{step} ", distance(viewed));
    let used = Span::raw(next).width() + Span::raw(&full).width() + 2;
    let text = if used <= usize::from(room) { full } else { format!(" {step} ") };
    Span::styled(text, model.style(role))
}
