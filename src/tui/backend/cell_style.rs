//! How a cell is drawn, and the cheapest of the ways that look the same.

use ratatui::buffer::Cell;
use ratatui::style::Color;
use ratatui::style::Modifier;

/// Attributes by which a blank shows its ink.
const VISIBLE_ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT).union(Modifier::HIDDEN);

pub(super) const UPPER_HALF: &str = "▀";
pub(super) const LOWER_HALF: &str = "▄";

/// How a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellStyle {
    pub(super) fg: Color,
    pub(super) bg: Color,
    pub(super) underline: Color,
    pub(super) attributes: Modifier,
}

/// What a terminal draws with after a reset.
pub(super) const PLAIN: CellStyle =
    CellStyle { fg: Color::Reset, bg: Color::Reset, underline: Color::Reset, attributes: Modifier::empty() };

impl CellStyle {
    /// As the cell wants it.
    pub(super) fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, underline: cell.underline_color, attributes: cell.modifier }
    }
}

/// The cheapest way to draw a symbol so that it looks as wanted, when the pen draws with `held`.
pub(super) fn cheapest(symbol: &str, wanted: CellStyle, held: CellStyle) -> (&str, CellStyle) {
    let CellStyle { fg: ink, bg: paper, underline, attributes } = wanted;
    match symbol {
        " " if !attributes.intersects(VISIBLE_ON_BLANKS) => {
            // Weight and slant do not show on a blank, and neither does the ink.
            let kept = held.attributes.difference(VISIBLE_ON_BLANKS);
            (symbol, CellStyle { bg: paper, attributes: kept, underline: held.underline, fg: held.fg })
        }
        // The default ink and the default paper are different colours that cannot change places.
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
