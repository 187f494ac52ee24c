//! The list of open episodes and recorded sessions, filtered by typing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::empty::{self, Empty};
use crate::layout::screen_dialog_area;
use crate::model::{EpisodeList, EpisodeRow, Model};
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// Maximum width of the dialog.
const MAX_WIDTH: u16 = 116;
/// Columns of the names, at most.
const NAME_WIDTH: usize = 44;
/// Rows besides the list: border, filter and empty line.
const OTHER_ROWS: u16 = 4;

fn modal_area(model: &Model, list: &EpisodeList, whole: Rect) -> Rect {
    // An empty list says why in two rows.
    let rows = to_cells(list.len().max(2) + usize::from(status_text(model, list).is_some()));
    super::centered_area(whole, MAX_WIDTH, rows.saturating_add(OTHER_ROWS))
}

/// Number of rows that are shown at a time.
pub(super) fn page(model: &Model, list: &EpisodeList) -> usize {
    let whole = screen_dialog_area(model);
    usize::from(modal_area(model, list, whole).height.saturating_sub(OTHER_ROWS)).max(1)
}

pub(super) fn draw(model: &Model, list: &EpisodeList, whole: Rect, buf: &mut Buffer) {
    let area = modal_area(model, list, whole);
    let footer = "type to filter · ↑ ↓ select · Enter opens · Esc closes";
    let inner = super::draw_border(model, "Episodes and sessions", footer, StyleRole::BorderFocus, area, buf);
    let status = status_text(model, list);
    let room = usize::from(inner.height.saturating_sub(2)).saturating_sub(usize::from(status.is_some()));
    let mut lines = vec![filter_line(model, list, inner.width), Line::default()];
    lines.extend(row_lines(model, list, room, inner.width));
    lines.extend(status.map(|text| Line::styled(truncate(&text, inner.width), model.style(StyleRole::Dim))));
    Text::from(lines).render(inner, buf);
}

fn filter_line(model: &Model, list: &EpisodeList, width: u16) -> Line<'static> {
    let filter = truncate(&sanitize(list.filter()), width.saturating_sub(10));
    Line::from(vec![
        Span::styled("filter: ", model.style(StyleRole::Dim)),
        Span::styled(filter, model.style(StyleRole::Text)),
        Span::styled("█", model.style(StyleRole::Key)),
    ])
}

fn row_lines(model: &Model, list: &EpisodeList, room: usize, width: u16) -> Vec<Line<'static>> {
    if list.len() == 0 {
        let what = if list.filter().is_empty() { Empty::Recordings } else { Empty::Filtered };
        return empty::lines(model, what, width);
    }
    let selected = list.selected();
    let from = selected.saturating_sub(room.saturating_sub(1));
    let name_width = list.name_width().min(NAME_WIDTH).min(usize::from(width / 2));
    let shown = (from..list.len()).take(room).filter_map(|index| Some((index, list.row(index)?)));
    shown.map(|(index, row)| row_line(model, row, index == selected, name_width, width)).collect()
}

fn row_line(model: &Model, row: &EpisodeRow, selected: bool, name_width: usize, width: u16) -> Line<'static> {
    let style = model.style(if selected { StyleRole::Selection } else { StyleRole::Text });
    let name = truncate(&row.name, to_cells(name_width));
    let gap = " ".repeat(name_width.saturating_sub(Span::raw(name.as_str()).width()) + 2);
    let mut line = Line::from(vec![
        Span::styled(if selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(name, style),
        Span::raw(gap),
    ]);
    for state in &row.states {
        line.spans.extend([state.span(&model.look.theme), Span::raw("  ")]);
    }
    let room = width.saturating_sub(to_cells(line.width()));
    line.spans.push(Span::styled(truncate(&row.details, room), model.style(StyleRole::Dim)));
    line
}

/// What is being read or opened, or what failed.
fn status_text(model: &Model, list: &EpisodeList) -> Option<String> {
    if let Some((missing, all)) = model.unlisted().filter(|_| list.opening.is_none()) {
        return Some(format!("reading the episodes: {} of {all} …", all - missing));
    }
    match (&list.opening, &model.recorded_sessions) {
        (Some(name), _) => Some(format!("opening {name} …")),
        (None, None) => Some("reading the recorded sessions …".to_owned()),
        (None, Some(Err(problem))) => Some(format!("cannot read the recorded sessions: {problem}")),
        (None, Some(Ok(_))) => None,
    }
}
