//! The style of a cell, and the cheapest equivalent way to draw it.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// Attributes that show the foreground colour even on a blank.
pub(super) const VISIBLE_ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT).union(Modifier::HIDDEN);

pub(super) const UPPER_HALF: &str = "▀";
pub(super) const LOWER_HALF: &str = "▄";

/// Colours and attributes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellStyle {
    pub(super) fg: Color,
    pub(super) bg: Color,
    pub(super) underline: Color,
    pub(super) attributes: Modifier,
}

/// The style of a terminal after a reset.
pub(super) const PLAIN: CellStyle =
    CellStyle { fg: Color::Reset, bg: Color::Reset, underline: Color::Reset, attributes: Modifier::empty() };

impl CellStyle {
    /// The style of a cell.
    pub(super) fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, underline: cell.underline_color, attributes: cell.modifier }
    }
}

/// The symbol and style that look like `wanted` and need the fewest changes from `held`.
pub(super) fn cheapest(symbol: &str, wanted: CellStyle, held: CellStyle) -> (&str, CellStyle) {
    let CellStyle { fg: ink, bg: paper, underline, attributes } = wanted;
    match symbol {
        " " if !attributes.intersects(VISIBLE_ON_BLANKS) => {
            // Bold, italic and the foreground do not show on a blank.
            let kept = held.attributes.difference(VISIBLE_ON_BLANKS);
            (symbol, CellStyle { bg: paper, attributes: kept, underline: held.underline, fg: held.fg })
        }
        // The default foreground and background cannot be swapped.
        UPPER_HALF | LOWER_HALF if attributes.is_empty() && ink != Color::Reset && paper != Color::Reset => {
            if ink == paper && held.attributes.is_empty() {
                return (" ", CellStyle { bg: paper, ..held });
            }
            let turned = CellStyle { fg: paper, bg: ink, underline, attributes };
            let other = if symbol == UPPER_HALF { LOWER_HALF } else { UPPER_HALF };
            let changes =
                |style: CellStyle| usize::from(style.fg != held.fg) + usize::from(style.bg != held.bg);
            if changes(turned) < changes(wanted) { (other, turned) } else { (symbol, wanted) }
        }
        _ => (symbol, wanted),
    }
}
