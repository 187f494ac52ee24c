//! The action in cells: an arrow for a run, a pass or a shot, otherwise its name beside the controlled player.

use super::ground::Pitch;
use super::{PitchDrawing, Place};
use crate::{EngineAction, METRES};
use mageyard_domain::{CellGrid, CellRole};

/// The metres of the arrows of a run and of a pass.
const RUN: f64 = 8.0;
const PASS: f64 = 16.0;
/// The middle of the goal at which the agent shoots.
const OPPONENTS_GOAL: Place = [1.0, 0.0];
/// The tips by their direction: right, then clockwise.
const TIPS: [char; 8] = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'];
/// The lines to them.
const LINES: [char; 4] = ['-', '\\', '|', '/'];
/// The least columns and rows of an arrow: a shorter one would be covered by its player.
const LEAST: [i32; 2] = [5, 2];

/// Where an action leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    from: Place,
    to: Place,
}

impl Way {
    /// The way of an action; `None` if it has none.
    pub(super) fn of(drawing: &PitchDrawing, action: EngineAction) -> Option<Self> {
        let from = *drawing.left.get(drawing.active)?;
        let ahead = |way: [f64; 2], metres: f64| {
            let to = [0, 1].map(|axis| from[axis] + way[axis] * metres / METRES[axis]);
            Self { from, to }
        };
        if let Some(way) = action.direction() {
            return Some(ahead(way, RUN));
        }
        let held = drawing.sticky.direction().and_then(EngineAction::direction);
        match held {
            Some(way) if action.is_pass() => Some(ahead(way, PASS)),
            _ if action == EngineAction::Shot => Some(Self { from, to: OPPONENTS_GOAL }),
            _ => None,
        }
    }

    /// Draws the arrow and returns the cell of its tip; `None` if that is the player's own.
    pub(super) fn draw(self, pitch: &Pitch, grid: &mut CellGrid) -> Option<[i32; 2]> {
        let from = pitch.cell(self.from);
        let exact = pitch.cell(self.to);
        let by = [0, 1].map(|axis| exact[axis] - from[axis]);
        let octant = octant(by)?;
        let tip = if by[0].abs() < LEAST[0] && by[1].abs() < LEAST[1] {
            [0, 1].map(|axis| from[axis] + by[axis].signum() * LEAST[axis])
        } else {
            exact
        };
        let by = [0, 1].map(|axis| tip[axis] - from[axis]);
        let steps = by[0].abs().max(by[1].abs());
        for step in 1..steps {
            let [x, y] = [0, 1].map(|axis| from[axis] + rounded(by[axis] * step, steps));
            grid.put(x, y, LINES[octant % LINES.len()], CellRole::Action);
        }
        grid.put(tip[0], tip[1], TIPS[octant], CellRole::Action);
        Some(tip)
    }
}

/// Writes the name of an action beside the controlled player.
pub(super) fn name(drawing: &PitchDrawing, pitch: &Pitch, action: EngineAction, grid: &mut CellGrid) {
    let Some([x, y]) = drawing.left.get(drawing.active).map(|place| pitch.cell(*place)) else { return };
    let words = words(action);
    let length = i32::try_from(words.len()).unwrap_or(i32::MAX);
    let last = i32::from(pitch.size()[0]) - 1;
    let row = if y > 2 { y - 1 } else { y + 1 };
    let start = (x + 1).min(last - length).max(1);
    grid.write((start, row), (last - start).max(0), &words, CellRole::Action);
}

/// The name of an action without its prefix: `top right`.
pub(super) fn words(action: EngineAction) -> String {
    let name = action.name();
    name.strip_prefix("action_").unwrap_or(name).replace('_', " ")
}

/// The nearest of eight directions on the screen, where a row counts as two columns.
fn octant([x, y]: [i32; 2]) -> Option<usize> {
    let down = 2 * y;
    let steep = |long: i32, short: i32| 12 * short.abs() <= 5 * long.abs();
    match (x, down) {
        (0, 0) => None,
        _ if steep(x, down) => Some(if x > 0 { 0 } else { 4 }),
        _ if steep(down, x) => Some(if y > 0 { 2 } else { 6 }),
        _ if y > 0 => Some(if x > 0 { 1 } else { 3 }),
        _ => Some(if x > 0 { 7 } else { 5 }),
    }
}

/// A share of a whole, rounded.
fn rounded(value: i32, whole: i32) -> i32 {
    (2 * value + value.signum() * whole) / (2 * whole)
}
