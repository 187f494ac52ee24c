//! Something went wrong: it stands until it is dismissed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::config::Place;
use crate::config::Problem;
use crate::tui::command::Deed;
use crate::tui::figures::cells;
use crate::tui::model::Fault;
use crate::tui::model::Model;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;
use crate::tui::wrap::wrap;

pub(super) fn draw(model: &Model, fault: &Fault, whole: Rect, buf: &mut Buffer) {
    let width = 76.min(whole.width.saturating_sub(4));
    let lines = lines(model, &fault.problem(), width.saturating_sub(4));
    let place = super::middle(whole, width, cells(lines.len()).saturating_add(2));
    let inner = super::open(model, fault.title(), &foot(model), Role::Fault, place, buf);
    Text::from(lines).render(inner, buf);
}

fn foot(model: &Model) -> String {
    let palette = model.look.keys.keys(Deed::Palette).into_iter().next();
    palette.map_or("Esc closes".into(), |key| format!("Esc closes · {key} commands"))
}

fn lines(model: &Model, problem: &Problem, width: u16) -> Vec<Line<'static>> {
    let mut lines = wrap(&problem.what, width, &Span::raw(""), model.style(Role::Text));
    if let Some(place) = &problem.place {
        lines.push(Line::default());
        lines.extend(excerpt(model, place, width));
    }
    if let Some(help) = &problem.help {
        lines.push(Line::default());
        lines.extend(wrap(help, width, &Span::styled("→ ", model.style(Role::Key)), model.style(Role::Text)));
    }
    lines
}

/// The file and line, the line itself, and a mark below the place.
fn excerpt(model: &Model, place: &Place, width: u16) -> Vec<Line<'static>> {
    let file = place.file.display().to_string();
    let dim = model.style(Role::Dim);
    if place.text.is_empty() {
        return vec![Line::styled(clip(&file, width), dim)];
    }
    let start = place.text.floor_char_boundary(place.span.start.min(place.text.len()));
    let before = place.text[..start].rsplit('\n').next().unwrap_or_default();
    let line = place.text.lines().nth(place.line() - 1).unwrap_or_default();
    let indent = Span::raw(clip(before, width)).width();
    let marked = place.span.len().clamp(1, line.len().saturating_sub(before.len()).max(1));
    vec![
        Line::styled(clip(&format!("{file}, line {}", place.line()), width), dim),
        Line::styled(clip(line, width), model.style(Role::Heading)),
        Line::styled(
            clip(&format!("{}{}", " ".repeat(indent), "^".repeat(marked)), width),
            model.style(Role::Fault),
        ),
    ]
}
