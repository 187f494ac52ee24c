//! Pictures made of characters, sent in parts: the cells of a picture that are not sent yet keep what they showed.

use std::collections::HashMap;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};

/// A cell of a picture as it was drawn, and what was there before.
#[derive(Debug)]
pub(super) struct DrawnCell {
    at: Position,
    under: Cell,
    drawn: Cell,
}

/// The cells of an area before a picture is drawn over them.
pub(super) fn cells_of(area: Rect, buffer: &Buffer) -> Vec<(Position, Cell)> {
    let places = area.intersection(buffer.area).positions();
    places.filter_map(|at| Some((at, buffer.cell(at)?.clone()))).collect()
}

/// The cells of a picture that was drawn over others.
pub(super) fn drawn_cells(under: Vec<(Position, Cell)>, buffer: &Buffer) -> Vec<DrawnCell> {
    let drawn = |(at, under)| Some(DrawnCell { at, under, drawn: buffer.cell(at)?.clone() });
    under.into_iter().filter_map(drawn).collect()
}

/// What the cells of pictures show.
#[derive(Debug, Default)]
pub(super) struct HeldCells(HashMap<Position, Cell>);

impl HeldCells {
    /// The terminal shows nothing.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Leaves at most so many changed cells of the pictures on a finished screen. Returns whether others are left. Cells
    /// that something else covers do not count.
    pub(super) fn limit(&mut self, pictures: Vec<DrawnCell>, most: usize, buffer: &mut Buffer) -> bool {
        let before = std::mem::take(&mut self.0);
        let mut changed = 0;
        for DrawnCell { at, under, drawn } in pictures {
            let Some(target) = buffer.cell_mut(at).filter(|target| **target == drawn) else { continue };
            let shown = before.get(&at);
            if shown != Some(&drawn) {
                changed += 1;
                if changed > most {
                    *target = shown.cloned().unwrap_or(under);
                }
            }
            if changed <= most || shown.is_some() {
                self.0.insert(at, target.clone());
            }
        }
        changed > most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { x: 1, y: 0, width: 4, height: 2 };

    /// Draws a picture of this letter, covered at one place, and returns the screen and whether a rest is left.
    fn draw(held: &mut HeldCells, letter: &str, most: usize) -> (String, bool) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 2));
        let under = cells_of(AREA, &buffer);
        for at in AREA.positions() {
            buffer[at].set_symbol(letter);
        }
        let drawn = drawn_cells(under, &buffer);
        buffer[(4, 1)].set_symbol("x");
        let rest = held.limit(drawn, most, &mut buffer);
        (buffer.content.iter().map(Cell::symbol).collect(), rest)
    }

    #[test]
    fn a_picture_arrives_in_parts_and_what_covers_it_at_once() {
        let mut held = HeldCells::default();
        assert_eq!(draw(&mut held, "a", 5), (" aaaa  a  x ".into(), true));
        assert_eq!(draw(&mut held, "a", 5), (" aaaa  aaax ".into(), false));
        assert_eq!(draw(&mut held, "b", 3), (" bbba  aaax ".into(), true));
        assert_eq!(
            draw(&mut held, "c", 3),
            (" ccca  aaax ".into(), true),
            "the newest picture replaces the rest"
        );
        held.clear();
        assert_eq!(draw(&mut held, "c", 1), (" c        x ".into(), true));
    }
}
