//! An error message, shown until it is closed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::command::CommandId;
use crate::model::{Fault, Model};
use mageyard_config::{Problem, SourceLocation};
use mageyard_terminal::{StyleRole, to_cells, truncate, wrap};

pub(super) fn draw(model: &Model, fault: &Fault, whole: Rect, buf: &mut Buffer) {
    let width = 76.min(whole.width.saturating_sub(4));
    let lines = lines(model, &fault.problem(), width.saturating_sub(4));
    let place = super::centered_area(whole, width, to_cells(lines.len()).saturating_add(2));
    let inner = super::draw_border(model, fault.title(), &footer(model, fault), StyleRole::Fault, place, buf);
    Text::from(lines).render(inner, buf);
}

fn footer(model: &Model, fault: &Fault) -> String {
    let asks = if model.asks_again(fault) { "Enter asks again · " } else { "" };
    let palette = model.appearance.keys.keys(CommandId::Palette).into_iter().next();
    let commands = palette.map_or_else(String::new, |key| format!(" · {key} commands"));
    format!("{asks}Esc closes{commands}")
}

fn lines(model: &Model, problem: &Problem, width: u16) -> Vec<Line<'static>> {
    let mut lines = wrap(&problem.message, width, &Span::raw(""), model.style(StyleRole::Text));
    if let Some(place) = &problem.location {
        lines.push(Line::default());
        lines.extend(excerpt(model, place, width));
    }
    if let Some(help) = &problem.help {
        lines.push(Line::default());
        lines.extend(wrap(
            help,
            width,
            &Span::styled("→ ", model.style(StyleRole::Key)),
            model.style(StyleRole::Text),
        ));
    }
    lines
}

/// The file and line, the text of the line, and a mark below the position.
fn excerpt(model: &Model, place: &SourceLocation, width: u16) -> Vec<Line<'static>> {
    let file = place.file.display().to_string();
    let dim = model.style(StyleRole::Dim);
    if place.text.is_empty() {
        return vec![Line::styled(truncate(&file, width), dim)];
    }
    let start = place.text.floor_char_boundary(place.span.start.min(place.text.len()));
    let before = place.text[..start].rsplit('\n').next().unwrap_or_default();
    let line = place.text.lines().nth(place.line() - 1).unwrap_or_default();
    let indent = Span::raw(truncate(before, width)).width();
    let marked = place.span.len().clamp(1, line.len().saturating_sub(before.len()).max(1));
    vec![
        Line::styled(truncate(&format!("{file}, line {}", place.line()), width), dim),
        Line::styled(truncate(line, width), model.style(StyleRole::Heading)),
        Line::styled(
            truncate(&format!("{}{}", " ".repeat(indent), "^".repeat(marked)), width),
            model.style(StyleRole::Fault),
        ),
    ]
}
