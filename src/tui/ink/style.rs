//! How a cell is drawn, and the cheapest of the ways that look the same.

use ratatui::buffer::Cell;
use ratatui::style::Color;
use ratatui::style::Modifier;

/// Attributes by which a blank shows its ink.
const ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT).union(Modifier::HIDDEN);

pub(super) const UPPER: &str = "▀";
pub(super) const LOWER: &str = "▄";

/// How a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) ink: Color,
    pub(super) paper: Color,
    pub(super) underline: Color,
    pub(super) attributes: Modifier,
}

/// What a terminal draws with after a reset.
pub(super) const PLAIN: Style =
    Style { ink: Color::Reset, paper: Color::Reset, underline: Color::Reset, attributes: Modifier::empty() };

impl Style {
    /// As the cell wants it.
    pub(super) fn of(cell: &Cell) -> Self {
        Self { ink: cell.fg, paper: cell.bg, underline: cell.underline_color, attributes: cell.modifier }
    }
}

/// The cheapest way to draw a symbol so that it looks as wanted, when the pen draws with `held`.
pub(super) fn thrifty(symbol: &str, wanted: Style, held: Style) -> (&str, Style) {
    let Style { ink, paper, underline, attributes } = wanted;
    match symbol {
        " " if !attributes.intersects(ON_BLANKS) => {
            // Weight and slant do not show on a blank, and neither does the ink.
            let kept = held.attributes.difference(ON_BLANKS);
            (symbol, Style { paper, attributes: kept, underline: held.underline, ink: held.ink })
        }
        // The default ink and the default paper are different colours that cannot change places.
        UPPER | LOWER if attributes.is_empty() && ink != Color::Reset && paper != Color::Reset => {
            if ink == paper && held.attributes.is_empty() {
                return (" ", Style { paper, ..held });
            }
            let turned = Style { ink: paper, paper: ink, underline, attributes };
            let other = if symbol == UPPER { LOWER } else { UPPER };
            let changes =
                |style: Style| usize::from(style.ink != held.ink) + usize::from(style.paper != held.paper);
            if changes(turned) < changes(wanted) { (other, turned) } else { (symbol, wanted) }
        }
        _ => (symbol, wanted),
    }
}
