//! The marks of an action over a picture: in cells where the terminal gets no pixels; labels and boxes always.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::boxes;
use crate::model::Model;
use mageyard_domain::{ActionShape, sanitize};
use mageyard_terminal::{Placement, StyleRole, truncate};

/// The most columns of a label.
const MAX_LABEL: u16 = 16;
/// The tips of arrows: to the right, then on clockwise by an eighth of a turn.
const TIPS: [&str; 8] = ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"];
/// The way of an arrow: across, down, and any other.
const WAYS: [&str; 3] = ["━", "┃", "•"];
/// A place.
const PLACE: &str = "◎";

/// Draws the marks over the shown part of a picture in this area.
pub(super) fn draw(model: &Model, shapes: &[ActionShape], shown: Placement, area: Rect, buf: &mut Buffer) {
    let place = shown.area(area);
    let ground = model.style(StyleRole::Background).bg.unwrap_or(Color::Reset);
    let style = model.style(StyleRole::BoxFirst).bg(ground).add_modifier(Modifier::BOLD);
    let in_cells = !model.picture_form().0.has_pixels();
    let pen = Pen { shown, place, style };
    for shape in shapes {
        match shape {
            ActionShape::Arrow { from, to } if in_cells => pen.arrow(*from, *to, buf),
            ActionShape::Arrow { .. } => {}
            ActionShape::Area(part) => boxes::outline(model, [*part].into_iter(), shown, area, buf),
            ActionShape::Point { at, label } => {
                let (x, y) = pen.cell(*at);
                if in_cells {
                    pen.set((x, y), PLACE, buf);
                }
                let label = truncate(&sanitize(label), MAX_LABEL);
                for (step, letter) in (2..).zip(label.chars()) {
                    pen.set((x + step, y), letter.encode_utf8(&mut [0; 4]), buf);
                }
            }
        }
    }
}

/// The tip of an arrow in this direction, y down.
pub(crate) fn tip((dx, dy): (i64, i64)) -> &'static str {
    // An eighth begins where one axis is more than twice the other.
    let wide = dx.abs();
    let high = dy.abs();
    let eighth = match (dx > 0, dy > 0) {
        _ if wide > 2 * high => {
            if dx > 0 {
                0
            } else {
                4
            }
        }
        _ if high > 2 * wide => {
            if dy > 0 {
                2
            } else {
                6
            }
        }
        (true, true) => 1,
        (false, true) => 3,
        (false, false) => 5,
        (true, false) => 7,
    };
    TIPS[eighth]
}

struct Pen {
    shown: Placement,
    place: Rect,
    style: Style,
}

impl Pen {
    /// The cell of a pixel, from the upper left one of the place.
    fn cell(&self, (x, y): (i64, i64)) -> (i64, i64) {
        let (column, half) = self.shown.half_cell(x, y);
        (column, half.div_euclid(2))
    }

    fn arrow(&self, from: (i64, i64), to: (i64, i64), buf: &mut Buffer) {
        let start = self.cell(from);
        let end = self.cell(to);
        let dx = end.0 - start.0;
        let dy = end.1 - start.1;
        let steps = dx.abs().max(dy.abs());
        let way = WAYS[if dy == 0 {
            0
        } else if dx == 0 {
            1
        } else {
            2
        }];
        for step in 1..steps {
            let along = |start: i64, length: i64| start + (2 * length * step + steps).div_euclid(2 * steps);
            self.set((along(start.0, dx), along(start.1, dy)), way, buf);
        }
        self.set(end, tip((to.0 - from.0, to.1 - from.1)), buf);
    }

    fn set(&self, (x, y): (i64, i64), symbol: &str, buf: &mut Buffer) {
        let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { return };
        let at = (self.place.x.saturating_add(x), self.place.y.saturating_add(y));
        if self.place.contains(at.into())
            && let Some(cell) = buf.cell_mut(at)
        {
            cell.set_symbol(symbol).set_style(self.style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_has_the_tip_of_its_direction() {
        let ways = [(9, 1), (5, 4), (0, 3), (-2, 2), (-7, -1), (-1, -1), (1, -9), (3, -3)];
        assert_eq!(ways.map(tip), TIPS);
    }
}
