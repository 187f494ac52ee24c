//! A frame in a few cells, apart from its episode: its board, or what its environment draws. A picture or a page has none.

use ratatui::layout::Size;

use crate::panes::Board;
use mageyard_domain::{CellGrid, Observation, Presentation, SharedDrawing};

/// The frame of a step that is drawn small.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmallFrame(Drawn);

#[derive(Clone, Debug, Default, PartialEq)]
enum Drawn {
    #[default]
    Nothing,
    Board(Board),
    Drawing(SharedDrawing),
}

impl SmallFrame {
    /// The frame of an observation. Reading it can take milliseconds, so this is for tasks beside the screen.
    pub fn of(observation: &Observation, presentation: &Presentation) -> Self {
        let board = Board::of_text(observation.text(), presentation.glyphs).map(Drawn::Board);
        let drawing = || presentation.inspector.and_then(|inspector| inspector.drawing(observation));
        Self(board.or_else(|| drawing().map(Drawn::Drawing)).unwrap_or_default())
    }

    /// The drawing in at most this many columns and rows; `None` where nothing can be drawn.
    pub(crate) fn draw(&self, room: Size) -> Option<CellGrid> {
        let grid = match &self.0 {
            Drawn::Nothing => return None,
            Drawn::Board(board) => board.cells(board.viewport(room, (0, 0))),
            Drawn::Drawing(drawing) => drawing.draw(room.width, room.height, None),
        };
        (grid.columns() > 0 && grid.rows().len() > 1).then_some(grid)
    }
}
