//! A step in a few cells, for the transcript: its board, or what its environment draws. A picture or a page has none.

use ratatui::layout::Size;

use super::board::Board;
use crate::model::{EpisodeView, Model};
use mageyard_domain::CellGrid;
use mageyard_engine::Step;

/// The most columns and rows.
const MOST: Size = Size::new(22, 7);
/// The least columns.
const LEAST_WIDTH: u16 = 12;

/// The drawing of a step in at most so many columns.
pub(super) fn small_drawing(
    model: &Model,
    viewed: &EpisodeView,
    step: &Step,
    width: u16,
) -> Option<CellGrid> {
    let room = Size::new(width.min(MOST.width), MOST.height);
    if room.width < LEAST_WIDTH || model.appearance.settings.linear {
        return None;
    }
    let grid = match Board::of_step(viewed, step) {
        Some(board) => board.cells(board.viewport(room, (0, 0))),
        None => model.step_drawing(step)?.draw(room.width, room.height, None),
    };
    (grid.columns() > 0 && grid.rows().len() > 1).then_some(grid)
}
