//! Drawings in cells: what an environment shows people where a terminal has no pixels. A drawing is data, symbols with
//! their meanings, and viewers choose the styles of meanings. Agents never get one.

mod grid;
mod lines;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

pub use self::grid::{CellGrid, DrawnCell, SECOND_COLUMN};
use super::{Action, Glyph};

/// A state that can be drawn in cells, in any size.
pub trait CellDrawing: fmt::Debug + Send + Sync {
    /// The drawing in at most so many columns and rows, with this action, if it has a place. A cell is twice as high as
    /// wide.
    fn draw(&self, columns: u16, rows: u16, action: Option<&Action>) -> CellGrid;
    /// The pixel of the picture that this cell stands for, in a drawing of so many columns and rows; `None` where it stands for
    /// none.
    fn pixel_at(&self, size: (u16, u16), cell: (u16, u16)) -> Option<(u32, u32)> {
        let _ = (size, cell);
        None
    }
}

/// What a drawn cell means, for its style. Symbols differ where meanings do, so that no style is needed to read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellRole {
    /// A text.
    Text,
    /// A secondary text, such as a legend.
    Note,
    /// A line of the ground, or around a thing.
    Line,
    /// A thing of the environment.
    Thing(Glyph),
    /// Where something was before.
    Trail,
    /// An action.
    Action,
    /// The first of two things that are compared.
    First,
    /// The second of two things that are compared.
    Second,
    /// A score of things that are alike.
    Alike,
    /// A score of things that differ.
    Differing,
}

/// A drawing that several owners share. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct SharedDrawing(Arc<dyn CellDrawing>);

impl SharedDrawing {
    /// Shares a drawing.
    pub fn new(drawing: impl CellDrawing + 'static) -> Self {
        Self(Arc::new(drawing))
    }

    /// The drawing in at most so many columns and rows.
    pub fn draw(&self, columns: u16, rows: u16, action: Option<&Action>) -> CellGrid {
        self.0.draw(columns, rows, action)
    }

    /// The pixel of the picture that this cell stands for.
    pub fn pixel_at(&self, size: (u16, u16), cell: (u16, u16)) -> Option<(u32, u32)> {
        self.0.pixel_at(size, cell)
    }
}

impl PartialEq for SharedDrawing {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
