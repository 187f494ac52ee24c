//! The order in which the cells of a small change of a picture are written. Cells of the same colours one after the other
//! cost moves and save colours, which are longer.

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::style::Color;

use super::cell_style::{CellStyle, LOWER_HALF, PLAIN, UPPER_HALF, cheapest};
use super::moves::move_bytes;
use super::sgr::style_change;

/// The most cells whose order is chosen: each choice looks at all that are left.
const MOST: usize = 96;

/// A changed cell.
pub(super) type Change<'a> = (Position, &'a Cell);

/// Puts the cells of pictures last, each time the one that needs the fewest bytes. The others keep their order.
pub(super) fn by_bytes(changes: Vec<Change<'_>>) -> Vec<Change<'_>> {
    let (halves, mut ordered): (Vec<_>, Vec<_>) = changes.iter().partition(|(_, cell)| is_of_picture(cell));
    if halves.len() > MOST {
        return changes;
    }
    let mut left = halves;
    // Where the cursor is and which style the terminal has at the end of the others is not known here.
    let mut at = None;
    let mut style = PLAIN;
    let mut codes = String::new();
    while !left.is_empty() {
        let mut cost = |(place, cell): &Change<'_>| {
            codes.clear();
            style_change(&mut codes, style, cheapest(cell.symbol(), CellStyle::of(cell), style).1);
            (codes.len() + move_bytes(at, *place), place.y, place.x)
        };
        let costs = left.iter().map(&mut cost).enumerate();
        let Some((next, _)) = costs.min_by_key(|(_, cost)| *cost) else { break };
        let (place, cell) = left.swap_remove(next);
        style = cheapest(cell.symbol(), CellStyle::of(cell), style).1;
        at = Some(Position { x: place.x + 1, y: place.y });
        ordered.push((place, cell));
    }
    ordered
}

/// Whether a cell is a half block of two colours, or a blank of one.
fn is_of_picture(cell: &Cell) -> bool {
    let has_color = |color: Color| matches!(color, Color::Rgb(..) | Color::Indexed(_));
    has_color(cell.bg) && matches!(cell.symbol(), UPPER_HALF | LOWER_HALF | " ")
}
