//! The frame as a drawing in cells: symbols in the styles of their meanings, centred in the pane.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::board::style_role;
use super::frame_text::board_and_words;
use crate::model::{EpisodeView, Model};
use mageyard_domain::{CellGrid, CellRole, DrawnCell, SECOND_COLUMN};
use mageyard_terminal::{StyleRole, Theme, to_cells, wrap};

/// The least columns for words below a drawing.
const WORDS_WIDTH: u16 = 38;

/// What the frame pane draws.
struct CellFrame {
    grid: CellGrid,
    /// The words below it, with an empty line above them.
    words: Vec<Line<'static>>,
}

/// The drawing for a pane of this size, if the frame is shown so. What the environment says below its map is below the
/// drawing too, as much as fits.
fn frame(model: &Model, room: Size) -> Option<CellFrame> {
    let drawing = model.shown_drawing()?;
    let action = model.marked_step().and_then(|step| step.action.as_ref());
    let grid = drawing.draw(room.width, room.height, action);
    let spare = usize::from(room.height).saturating_sub(grid.rows().len());
    let words = words(model, room.width, spare);
    Some(CellFrame { grid, words })
}

/// The words of the observation in at most so many rows. While a film is shown their rows stay empty: they are those of
/// its last frame.
fn words(model: &Model, width: u16, rows: usize) -> Vec<Line<'static>> {
    let text = model.episode().and_then(EpisodeView::step).map(|step| step.observation.text().clone());
    let Some(text) = text.filter(|_| model.fitted_text().is_some() && rows > 1) else { return Vec::new() };
    let (_, words) = board_and_words(&text, true);
    let mut lines = wrap(words.trim_end(), width, &Span::raw(""), model.style(StyleRole::Text));
    lines.insert(0, Line::default());
    if lines.len() > rows {
        lines.truncate(rows - 1);
        lines.push(Line::styled("…", model.style(StyleRole::Dim)));
    }
    if model.film_frame().is_some() {
        lines.fill(Line::default());
    }
    lines
}

/// The columns and rows that the drawing takes of this room, with its words.
pub(super) fn size(model: &Model, room: Size) -> Option<Size> {
    let CellFrame { grid, words } = frame(model, room)?;
    let columns = to_cells(grid.columns()).max(if words.is_empty() { 0 } else { WORDS_WIDTH });
    Some(Size::new(columns.min(room.width), to_cells(grid.rows().len() + words.len())))
}

/// The rows of the drawing and its words, if the frame is shown so.
pub(super) fn lines(model: &Model, room: Size) -> Option<Vec<Line<'static>>> {
    let CellFrame { grid, words } = frame(model, room)?;
    Some(grid.rows().map(|row| line(model, row)).chain(words).collect())
}

/// The pixel of the picture that a cell of the drawing stands for, if the frame is shown so.
pub(super) fn pixel_at(model: &Model, area: Rect, at: Position) -> Option<(u32, u32)> {
    let CellFrame { grid, words } = frame(model, area.as_size()).filter(|_| area.contains(at))?;
    let [columns, rows] = [to_cells(grid.columns()), to_cells(grid.rows().len())];
    let top = area.y + area.height.saturating_sub(rows + to_cells(words.len())) / 2;
    let left = area.x + area.width.saturating_sub(columns) / 2;
    let cell = (at.x.checked_sub(left)?, at.y.checked_sub(top)?);
    model.shown_drawing()?.pixel_at((columns, rows), cell)
}

/// Draws the frame in cells; false if it is not shown so.
pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) -> bool {
    let Some(CellFrame { grid, words }) = frame(model, area.as_size()) else { return false };
    let top = area.height.saturating_sub(to_cells(grid.rows().len() + words.len())) / 2;
    let widest = words.iter().map(Line::width).max().unwrap_or(0);
    let rows = grid.rows().map(|row| (line(model, row), grid.columns()));
    let rows = rows.chain(words.into_iter().map(|line| (line, widest)));
    for ((row, width), y) in rows.zip(area.y + top..area.bottom()) {
        let left = area.width.saturating_sub(to_cells(width)) / 2;
        let place = Rect { x: area.x + left, y, width: area.width - left, height: 1 };
        row.render(place, buf);
    }
    true
}

/// A row in the styles of the screen.
pub(crate) fn line(model: &Model, row: &[DrawnCell]) -> Line<'static> {
    cells_line(&model.look.theme, row)
}

/// A row in the styles of a theme, with a span for each run of cells of the same meaning.
pub(crate) fn cells_line(theme: &Theme, row: &[DrawnCell]) -> Line<'static> {
    let runs = row.chunk_by(|one, other| one.role == other.role);
    let span = |run: &[DrawnCell]| {
        let symbols = run.iter().map(|cell| cell.symbol).filter(|symbol| *symbol != SECOND_COLUMN);
        let role = run.first().map_or(StyleRole::Text, |cell| cell_style(cell.role));
        Span::styled(symbols.collect::<String>(), theme.style(role))
    };
    runs.map(span).collect()
}

/// The style of a meaning.
fn cell_style(role: CellRole) -> StyleRole {
    match role {
        CellRole::Text => StyleRole::Text,
        CellRole::Note => StyleRole::Dim,
        CellRole::Line => StyleRole::BoardObstacle,
        CellRole::Thing(glyph) => style_role(glyph),
        CellRole::Trail => StyleRole::BoardBall,
        CellRole::Action => StyleRole::Action,
        CellRole::First => StyleRole::BoxFirst,
        CellRole::Second => StyleRole::BoxSecond,
        CellRole::Alike => StyleRole::Ok,
        CellRole::Differing => StyleRole::Warn,
    }
}
