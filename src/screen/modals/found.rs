//! The list of steps of everything stored that meet a condition, which grows while it is searched.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::empty::{self, Empty};
use crate::layout::screen_dialog_area;
use crate::model::{FindEnd, FoundList, MAX_FOUND, Model};
use crate::requests::FoundRow;
use mageyard_domain::sanitize;
use mageyard_terminal::{StyleRole, column_window, count_of, to_cells, truncate};

/// Maximum width of the dialog.
const MAX_WIDTH: u16 = 116;
/// Rows besides the list: border, state and empty line.
const OTHER_ROWS: u16 = 4;
/// Columns of the references, at most.
const RUN_WIDTH: u16 = 52;

fn modal_area(whole: Rect) -> Rect {
    super::centered_area(whole, MAX_WIDTH, whole.height)
}

/// Number of rows that are shown at a time.
pub(crate) fn page(model: &Model) -> usize {
    usize::from(modal_area(screen_dialog_area(model)).height.saturating_sub(OTHER_ROWS)).max(1)
}

pub(super) fn draw(model: &Model, list: &FoundList, whole: Rect, buf: &mut Buffer) {
    let area = modal_area(whole);
    let foot = if list.is_searching() {
        "↑ ↓ select · Enter opens · Esc stops and closes"
    } else if list.suite.is_some() {
        "Enter makes the suite and asks about it · Esc goes back"
    } else {
        "↑ ↓ select · Enter opens · s a suite of them · Esc closes, :find shows it again"
    };
    let title = sanitize(&list.title);
    let inner = super::draw_border(model, &title, foot, StyleRole::BorderFocus, area, buf);
    let (state, role) = match &list.end {
        Some(FindEnd::Failed(_)) => (state(list), StyleRole::Fault),
        _ => (state(list), StyleRole::Dim),
    };
    let mut lines = vec![Line::styled(truncate(&state, inner.width), model.style(role)), Line::default()];
    let is_empty = list.rows().is_empty() && matches!(list.end, Some(FindEnd::Complete));
    lines.extend(if is_empty {
        empty::lines(model, Empty::Found, inner.width)
    } else {
        row_lines(model, list, inner)
    });
    Text::from(lines).render(inner, buf);
}

/// How far the search is, in one line.
pub(crate) fn state(list: &FoundList) -> String {
    let found = count_of(list.rows().len(), "step");
    let unknown = list.unknown.as_ref().map_or_else(String::new, |why| format!(" · {why}"));
    let words = match &list.end {
        _ if list.is_collecting => format!("making a suite of {found} …"),
        _ if list.suite.is_some() => {
            format!("name of the suite of {found}: {}█", list.suite.as_deref().unwrap_or_default())
        }
        _ if list.said.is_some() => list.said.clone().unwrap_or_default(),
        _ if list.is_opening => "opening the recording …".to_owned(),
        None => format!("searching … {found} in {}", count_of(list.episodes, "episode")),
        Some(FindEnd::Complete) if list.rows().is_empty() => {
            format!("no step in {} meets it", count_of(list.episodes, "episode"))
        }
        Some(FindEnd::Complete) => format!("{found} in {}", count_of(list.episodes, "episode")),
        Some(FindEnd::Full) => format!("the first {MAX_FOUND} steps; a narrower condition finds the others"),
        Some(FindEnd::Stopped) => format!("stopped: {found} in {}", count_of(list.episodes, "episode")),
        Some(FindEnd::Failed(problem)) => problem.to_string(),
    };
    sanitize(&format!("{words}{unknown}")).replace('\n', " ")
}

fn row_lines(model: &Model, list: &FoundList, inner: Rect) -> Vec<Line<'static>> {
    let room = usize::from(inner.height.saturating_sub(2));
    let selected = list.selected();
    let from = selected.saturating_sub(room.saturating_sub(1));
    let shown = list.rows().iter().enumerate().skip(from).take(room);
    let widest = shown.clone().map(|(_, row)| Span::raw(row.run.as_str()).width()).max().unwrap_or(0);
    let run_width = to_cells(widest).min(RUN_WIDTH).min(inner.width / 2);
    shown.map(|(index, row)| row_line(model, row, index == selected, run_width, inner.width)).collect()
}

fn row_line(model: &Model, row: &FoundRow, selected: bool, run_width: u16, width: u16) -> Line<'static> {
    let style = model.style(if selected { StyleRole::Selection } else { StyleRole::Text });
    // Its end says most: the level, the agent, the episode and the step.
    let cut = Span::raw(row.run.as_str()).width().saturating_sub(run_width.into());
    let run = column_window(&row.run, cut, run_width);
    let gap = " ".repeat(usize::from(run_width).saturating_sub(Span::raw(run.as_str()).width()) + 2);
    Line::from(vec![
        Span::styled(if selected { "▸ " } else { "  " }, model.style(StyleRole::Key)),
        Span::styled(run, style),
        Span::raw(gap),
        Span::styled(truncate(&row.facts, width.saturating_sub(run_width + 4)), model.style(StyleRole::Dim)),
    ])
}
