//! The answers as marks on the frame: an arrow, an outline or a place for each variant that gave one. An arrow is the thicker the
//! larger its share is, it begins with the number of its variant, and has its colour; with one variant its share is at its tip.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::cells::variant_style;
use super::shares::{answers, bars};
use super::sheet::AskGrid;
use crate::model::Model;
use crate::panes::{arrow_tip, outline};
use mageyard_domain::ActionShape;
use mageyard_terminal::{Placement, StyleRole};

/// The most variants whose arrows are beside each other; of more only that of the selected column is drawn.
const MOST_LANES: usize = 3;
/// The ways of an arrow by its share: below a quarter, below a half, below three quarters, and above.
const ACROSS: [&str; 4] = ["╌", "─", "━", "█"];
const DOWN: [&str; 4] = ["╎", "│", "┃", "█"];
const SLANTED: [&str; 4] = ["·", "•", "●", "●"];
/// A place.
const PLACE: &str = "◎";

/// The share of an answer of a variant.
struct Mark {
    variant: usize,
    share: f64,
}

/// The sign of the direction of an answer, if it has one.
pub(super) fn direction(shapes: &[ActionShape]) -> Option<&'static str> {
    shapes.iter().find_map(|shape| match shape {
        ActionShape::Arrow { from, to } => Some(arrow_tip((to.0 - from.0, to.1 - from.1))),
        ActionShape::Area(_) | ActionShape::Point { .. } => None,
    })
}

/// The variants whose marks are drawn.
fn drawn_variants(grid: &AskGrid) -> Vec<usize> {
    if grid.view.rows.len() > MOST_LANES {
        return grid.selected().map(|row| row.number).into_iter().collect();
    }
    grid.view.rows.iter().map(|row| row.number).collect()
}

/// What the marks are, in one line; nothing if no answer has a place.
pub(super) fn legend(grid: &AskGrid) -> Option<String> {
    let has_place = answers(grid).iter().any(|answer| !grid.shapes(answer).is_empty());
    let which = match grid.view.rows.len() {
        0 | 1 => String::new(),
        count if count > MOST_LANES => format!(" of variant {}", drawn_variants(grid).first()?),
        _ => ", number: variant".to_owned(),
    };
    has_place.then(|| format!("{} {} {} {} share{which}", ACROSS[0], ACROSS[1], ACROSS[2], ACROSS[3]))
}

/// Draws the marks over the picture that is shown in this area.
pub(super) fn draw(model: &Model, grid: &AskGrid, shown: Placement, area: Rect, buf: &mut Buffer) {
    let variants = drawn_variants(grid);
    let ground = model.style(StyleRole::Background).bg.unwrap_or(Color::Reset);
    let pen = Pen { shown, place: shown.area(area), ground };
    let mut labels = Labels::default();
    for answer in answers(grid) {
        let marks: Vec<Mark> = bars(grid, &answer)
            .filter(|(row, bar)| variants.contains(&row.number) && bar.share[0] > 0.0)
            .map(|(row, bar)| Mark { variant: row.number, share: bar.share[0] })
            .collect();
        for shape in grid.shapes(&answer).iter().filter(|_| !marks.is_empty()) {
            match shape {
                ActionShape::Arrow { from, to } => {
                    pen.arrows(model, (*from, *to), &marks, variants.len() == 1, buf);
                }
                ActionShape::Area(part) => {
                    outline(model, [*part].into_iter(), shown, area, buf);
                    pen.labels(model, labels.row_at(pen.cell((part.left, part.top))), &marks, buf);
                }
                ActionShape::Point { at, .. } => {
                    let (x, y) = pen.cell(*at);
                    pen.set((x, y), PLACE, model.style(StyleRole::BoxFirst), buf);
                    pen.labels(model, labels.row_at((x + 2, y)), &marks, buf);
                }
            }
        }
    }
}

/// The rows that have labels, so that none is over another at the same place.
#[derive(Default)]
struct Labels(Vec<(i64, i64)>);

impl Labels {
    /// The first free row at this place or below it.
    fn row_at(&mut self, (x, y): (i64, i64)) -> (i64, i64) {
        let below = |row: i64| self.0.contains(&(x, row));
        let last = y + i64::try_from(self.0.len()).unwrap_or(0);
        let row = (y..=last).find(|row| !below(*row)).unwrap_or(y);
        self.0.push((x, row));
        (x, row)
    }
}

/// The place of a share among the ways of an arrow.
fn weight(share: f64) -> usize {
    [0.25, 0.5, 0.75].iter().filter(|least| share >= **least).count()
}

struct Pen {
    shown: Placement,
    place: Rect,
    ground: Color,
}

impl Pen {
    /// The cell of a pixel, from the upper left one of the place.
    fn cell(&self, (x, y): (i64, i64)) -> (i64, i64) {
        let (column, half) = self.shown.half_cell(x, y);
        (column, half.div_euclid(2))
    }

    /// The arrows of the variants, beside each other.
    fn arrows(
        &self,
        model: &Model,
        (from, to): ((i64, i64), (i64, i64)),
        marks: &[Mark],
        with_share: bool,
        buf: &mut Buffer,
    ) {
        let start = self.cell(from);
        let end = self.cell(to);
        let is_across = (end.0 - start.0).abs() >= (end.1 - start.1).abs();
        let count = i64::try_from(marks.len()).unwrap_or(1);
        for (lane, mark) in (0..).zip(marks) {
            // A cell is twice as high as it is wide.
            let offset = 2 * lane - (count - 1);
            let moved =
                |(x, y): (i64, i64)| if is_across { (x, y + offset.div_euclid(2)) } else { (x + offset, y) };
            let style = variant_style(model, mark.variant).add_modifier(Modifier::BOLD);
            self.arrow((moved(start), moved(end)), (from, to), (mark, style), buf);
            if with_share {
                let words = format!("{:.0}%", 100.0 * mark.share);
                self.write(after(moved(end), (from, to), &words), &words, style, buf);
            }
        }
    }

    fn arrow(
        &self,
        (start, end): ((i64, i64), (i64, i64)),
        (from, to): ((i64, i64), (i64, i64)),
        (mark, style): (&Mark, Style),
        buf: &mut Buffer,
    ) {
        let dx = end.0 - start.0;
        let dy = end.1 - start.1;
        let steps = dx.abs().max(dy.abs());
        let ways = match (dx, dy) {
            (_, 0) => ACROSS,
            (0, _) => DOWN,
            _ => SLANTED,
        };
        let along = |start: i64, length: i64, step: i64| {
            start + (2 * length * step + steps).div_euclid(2 * steps.max(1))
        };
        for step in 1..steps {
            let at = (along(start.0, dx, step), along(start.1, dy, step));
            self.set(at, ways[weight(mark.share)], style, buf);
        }
        self.set(end, arrow_tip((to.0 - from.0, to.1 - from.1)), style, buf);
        self.write(start, &mark.variant.to_string(), style, buf);
    }

    /// The numbers of the variants with their shares, beside each other.
    fn labels(&self, model: &Model, (mut x, y): (i64, i64), marks: &[Mark], buf: &mut Buffer) {
        for mark in marks {
            let words = format!("{}:{:.0}% ", mark.variant, 100.0 * mark.share);
            let style = variant_style(model, mark.variant).add_modifier(Modifier::BOLD);
            self.write((x, y), &words, style, buf);
            x += i64::try_from(words.len()).unwrap_or(0);
        }
    }

    /// Writes ASCII letters from a cell on.
    fn write(&self, (x, y): (i64, i64), words: &str, style: Style, buf: &mut Buffer) {
        for (step, letter) in (0..).zip(words.chars()) {
            self.set((x + step, y), letter.encode_utf8(&mut [0; 4]), style, buf);
        }
    }

    fn set(&self, (x, y): (i64, i64), symbol: &str, style: Style, buf: &mut Buffer) {
        let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { return };
        let at = (self.place.x.saturating_add(x), self.place.y.saturating_add(y));
        if self.place.contains(at.into())
            && let Some(cell) = buf.cell_mut(at)
        {
            cell.set_symbol(symbol).set_style(style.bg(self.ground));
        }
    }
}

/// Where words about an arrow begin: behind its tip.
fn after((x, y): (i64, i64), (from, to): ((i64, i64), (i64, i64)), words: &str) -> (i64, i64) {
    let length = i64::try_from(words.len()).unwrap_or(0);
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if dx.abs() < dy.abs() {
        return (x - length / 2, y + dy.signum());
    }
    (if dx < 0 { x - length } else { x + 1 }, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_is_thicker_the_larger_its_share_is() {
        let ways = [0.0, 0.24, 0.25, 0.5, 0.74, 0.75, 1.0].map(|share| ACROSS[weight(share)]);
        assert_eq!(ways, ["╌", "╌", "─", "━", "━", "█", "█"]);
    }

    #[test]
    fn the_share_is_behind_the_tip() {
        let right = ((0, 0), (9, 0));
        assert_eq!(after((5, 5), right, "60%"), (6, 5));
        assert_eq!(after((5, 5), ((0, 0), (-9, 0)), "60%"), (2, 5));
        assert_eq!(after((5, 5), ((0, 0), (0, 9)), "60%"), (4, 6));
        assert_eq!(after((5, 5), ((0, 0), (0, -9)), "100%"), (3, 4));
    }

    #[test]
    fn labels_at_one_place_are_below_each_other() {
        let mut labels = Labels::default();
        let places = [(4, 2), (4, 2), (9, 2), (4, 3)].map(|at| labels.row_at(at));
        assert_eq!(places, [(4, 2), (4, 3), (9, 2), (4, 4)]);
    }
}
