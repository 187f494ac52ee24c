//! The memory pane: one row per step, newest first, with whether its output and its frame are in the request,
//! and why not.

mod legend;
mod marks;
mod request;
mod rows;
mod size;
mod words;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::Widget;

use self::legend::legend;
pub(crate) use self::legend::thoughts_text;
pub(crate) use self::marks::part_note;
use self::request::ShownRequest;
pub(super) use self::request::{next_request, shown_request};
use self::rows::{Columns, ledger_line, row_text};
use self::size::count_outputs_and_parts;
pub(crate) use self::size::{count_parts, request_size};
pub(super) use self::words::{row_words, summary};
use super::scrolling::draw_scrolled_rows;
use crate::empty::{self, Empty};
use crate::model::{EpisodeView, Model};
use crate::pane::Pane;
use mageyard_dialog::{Ledger, LedgerRow};
use mageyard_domain::{ObservationPart, Setting};
use mageyard_engine::Step;
use mageyard_terminal::{StyleRole, count_of, to_cells, truncate};

pub(super) fn info(viewed: &EpisodeView) -> String {
    // The window of the request in the rows, which may differ from that of the next one.
    let window = shown_request(viewed).map_or(viewed.window(), |request| request.window);
    format!("AM {} · OM {}", window.am(), window.om())
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    let Some(request) = shown_request(viewed) else {
        return Text::from(empty::lines(model, Empty::Memory, area.width)).render(area, buf);
    };
    let foot = legend(model, viewed, &request, area.width);
    let [head, rows, below] = split(area, foot.len());
    Text::from(header(model, viewed, &request, area.width)).render(head, buf);
    let columns = Columns::new(&request, area.width);
    let line = |index| match request.row(viewed, index) {
        Some(row) => ledger_line(model, viewed, &request, &row, columns),
        None => Line::default(),
    };
    draw_scrolled_rows(model, Pane::Memory, request.rows(), line, rows, buf);
    Text::from(foot).render(below, buf);
}

/// All rows of the request.
pub(super) fn row_lines(model: &Model, area: Rect) -> Vec<Line<'static>> {
    let Some((viewed, request)) = model.episode().and_then(|viewed| Some((viewed, shown_request(viewed)?)))
    else {
        return Vec::new();
    };
    let columns = Columns::new(&request, area.width);
    let rows = (0..request.rows()).filter_map(|index| request.row(viewed, index));
    rows.map(|row| ledger_line(model, viewed, &request, &row, columns)).collect()
}

/// The index of the step whose row is at this cell.
pub(super) fn step_at(model: &Model, area: Rect, at: Position) -> Option<usize> {
    let viewed = model.episode()?;
    let request = shown_request(viewed)?;
    let foot = legend(model, viewed, &request, area.width).len();
    let rows = split(area, foot)[1];
    let line = usize::from(at.y.checked_sub(rows.y).filter(|_| rows.contains(at))?);
    let hidden = request.rows().saturating_sub(usize::from(rows.height));
    let from = usize::from(model.panes.scroll[Pane::Memory as usize]).min(hidden);
    let row = request.row(viewed, from + line)?;
    viewed.snapshot.steps.iter().position(|step| step.number == row.step)
}

fn split(area: Rect, foot: usize) -> [Rect; 3] {
    let foot = if area.height >= 14 { to_cells(foot) } else { 0 };
    Layout::vertical([Constraint::Length(4), Constraint::Fill(1), Constraint::Length(foot)]).areas(area)
}

pub(super) fn scroll_extent(model: &Model, area: Rect) -> (usize, u16) {
    let Some((viewed, request)) = model.episode().and_then(|viewed| Some((viewed, shown_request(viewed)?)))
    else {
        return (0, area.height);
    };
    let foot = legend(model, viewed, &request, area.width).len();
    (request.rows(), split(area, foot)[1].height)
}

fn header(model: &Model, viewed: &EpisodeView, request: &ShownRequest, width: u16) -> Vec<Line<'static>> {
    let line = |text: &str, role| Line::styled(truncate(text, width), model.style(role));
    let columns = Columns::new(request, width);
    let which: String = match request {
        ShownRequest { step, .. } if viewed.previews() => format!("preview, step {step}"),
        ShownRequest { hypothetical: true, .. } => "not sent: it is over".into(),
        ShownRequest { .. } if viewed.snapshot.head.setting == Setting::Global => "the only request".into(),
        ShownRequest { step, is_next: true, .. } => format!("next request, step {step}"),
        ShownRequest { step, .. } => format!("request of step {step}"),
    };
    vec![
        line(&which, StyleRole::Dim),
        line(&counts(&request.ledger, width), StyleRole::Title),
        line(&window_change(viewed, request).unwrap_or_default(), StyleRole::Warn),
        line(&row_text(columns, "step", "output", observation_noun(viewed)), StyleRole::Heading),
    ]
}

/// The outputs and parts of a request, by kind where there is room.
fn counts(ledger: &Ledger, width: u16) -> String {
    let words = count_outputs_and_parts(ledger);
    if words.chars().count() <= usize::from(width) {
        return words;
    }
    let parts = ledger.rows().iter().map(LedgerRow::parts_included).sum();
    format!("{}, {}", count_of(ledger.outputs(), "output"), count_of(parts, "part"))
}

/// What the next request will contain, if its window differs from that of the request shown.
fn window_change(viewed: &EpisodeView, request: &ShownRequest) -> Option<String> {
    let window = viewed.window();
    let next = next_request(viewed).filter(|_| window != request.window)?;
    let images = count_of(next.ledger.images(), "image");
    Some(format!("next AM {} OM {}: {images}", window.am(), window.om()))
}

/// What the last column shows: observations are frames in most environments.
fn observation_noun(viewed: &EpisodeView) -> &'static str {
    let frame = |step: &Step| matches!(step.observation.parts(), [] | [ObservationPart::Image(_)]);
    if viewed.step().is_none_or(|step| frame(step)) { "frame" } else { "parts" }
}
