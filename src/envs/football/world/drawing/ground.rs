//! The lines of the pitch in cells, in its proportions.

use super::Place;
use mageyard_domain::{CellGrid, CellRole};

/// The lines about the pitch in public units.
const LINES: Place = [1.011, 0.4306];
/// The columns of a row of the pitch, which is 110 m long and 72 m wide, in cells that are twice as high as wide.
const COLUMNS_OF_ROW: f64 = 110.0 / 72.0 * 2.0;
/// The depth and half the width of the areas before the goals, and half the width of a goal, in public units.
const AREAS: [Place; 2] = [[0.303, 0.241], [0.101, 0.1096]];
const GOAL: f64 = 0.0443;
/// The radius of the circle in public units along and across the pitch.
const CIRCLE: Place = [0.1682, 0.1095];
/// Points of the circle.
const POINTS: u16 = 120;
/// The least rows for the larger areas, and for all lines.
const AREA_ROWS: i32 = 9;
const ALL_ROWS: i32 = 15;

/// Where the pitch is in a grid. A goal takes a column beside each goal line.
#[derive(Debug)]
pub(super) struct Pitch {
    columns: u16,
    rows: u16,
    top: i32,
}

impl Pitch {
    /// The largest pitch in so many cells; a flat room has a pitch that is too long. It is below a title, if there is one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded by the room")]
    pub(super) fn fitted(columns: u16, rows: u16, has_title: bool) -> Self {
        let wanted = (f64::from(columns.saturating_sub(2)) / COLUMNS_OF_ROW).round() as u16;
        let rows = rows.min(wanted.max(4));
        let longest = (f64::from(rows) * COLUMNS_OF_ROW * 1.4).round() as u16;
        Self { columns: columns.min(longest.max(20)), rows, top: i32::from(has_title) }
    }

    /// Its columns and rows.
    pub(super) fn size(&self) -> [u16; 2] {
        [self.columns, self.rows]
    }

    /// Column and row of the upper left corner, and of the lower right one.
    fn corners(&self) -> [[i32; 2]; 2] {
        let right = i32::from(self.columns) - 2;
        [[1, self.top], [right, self.top + i32::from(self.rows) - 1]]
    }

    /// The cell of a place; of one outside, the nearest on the edge.
    #[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
    pub(super) fn cell(&self, place: Place) -> [i32; 2] {
        let [first, last] = self.corners();
        [0, 1].map(|axis| {
            let share = ((place[axis] + LINES[axis]) / (2.0 * LINES[axis])).clamp(0.0, 1.0);
            first[axis] + (share * f64::from((last[axis] - first[axis]).max(0))).round() as i32
        })
    }

    /// Draws the lines that are apart in this size.
    pub(super) fn draw(&self, grid: &mut CellGrid) {
        let [first, last] = self.corners();
        let rows = last[1] - first[1] + 1;
        grid.outline(first, last, CellRole::Line);
        if rows >= ALL_ROWS {
            self.circle(grid);
        }
        let middle = self.cell([0.0, 0.0])[0];
        grid.vertical(middle, first[1], last[1], CellRole::Line);
        let shown = if rows >= ALL_ROWS { &AREAS[..] } else { &AREAS[..usize::from(rows >= AREA_ROWS)] };
        for [depth, half] in shown {
            for side in [-1.0, 1.0] {
                let [inner, top] = self.cell([side * (LINES[0] - depth), -half]);
                let [outer, bottom] = self.cell([side * LINES[0], *half]);
                grid.horizontal(top, inner.min(outer), inner.max(outer), CellRole::Line);
                grid.horizontal(bottom, inner.min(outer), inner.max(outer), CellRole::Line);
                grid.vertical(inner, top, bottom, CellRole::Line);
            }
        }
        self.goals(grid);
    }

    fn circle(&self, grid: &mut CellGrid) {
        for point in 0..POINTS {
            let angle = f64::from(point) / f64::from(POINTS) * std::f64::consts::TAU;
            let [x, y] = self.cell([CIRCLE[0] * libm::cos(angle), CIRCLE[1] * libm::sin(angle)]);
            grid.put(x, y, '·', CellRole::Line);
        }
    }

    /// Draws the goals in at least two rows about the middle.
    fn goals(&self, grid: &mut CellGrid) {
        let [first, last] = self.corners();
        let [_, top] = self.cell([0.0, -GOAL]);
        let [_, bottom] = self.cell([0.0, GOAL]);
        let bottom = if top == bottom { bottom + 1 } else { bottom };
        for y in top..=bottom {
            grid.put(first[0] - 1, y, '[', CellRole::Line);
            grid.put(last[0] + 1, y, ']', CellRole::Line);
        }
    }
}
