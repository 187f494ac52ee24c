//! Moving the borders of the focused pane by keys.

use super::screen_areas;
use crate::model::Model;
use mageyard_terminal::Divider;

/// The columns and rows by which a border moves at a time.
const STEP: (i32, i32) = (4, 2);

/// In which direction a pane changes its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// In its columns; where it fills the width, in its rows.
    Any,
    Rows,
}

/// Enlarges or, with a negative number, shrinks the focused pane; false if that is not possible.
pub(crate) fn resize(model: &mut Model, axis: Axis, by: i32) -> bool {
    let Some(areas) = screen_areas(model) else { return false };
    let (columns, rows): (Vec<_>, Vec<_>) =
        areas.dividers.into_iter().partition(|divider| divider.between_columns);
    match axis {
        Axis::Any => match best(model, &columns, by * STEP.0) {
            Outcome::Moved => true,
            Outcome::Fixed => false,
            Outcome::Elsewhere => best(model, &rows, by * STEP.1) == Outcome::Moved,
        },
        Axis::Rows => best(model, &rows, by * STEP.1) == Outcome::Moved,
    }
}

/// What became of a try to move one of some borders.
#[derive(PartialEq, Eq)]
enum Outcome {
    Moved,
    /// The pane has such a border, and it cannot move further.
    Fixed,
    /// The pane has none of these borders.
    Elsewhere,
}

/// Moves the first of these borders that changes the size of the focused pane as wanted.
fn best(model: &mut Model, dividers: &[Divider], by: i32) -> Outcome {
    let before = model.panes.proportions;
    let size = extent(model);
    let mut changes_size = false;
    for by_sign in [by, -by] {
        for divider in dividers {
            model.panes.proportions = divider.resized(before, by_sign);
            let grown = extent(model) - size;
            if grown.signum() == by.signum() {
                return Outcome::Moved;
            }
            changes_size |= grown != 0;
        }
    }
    model.panes.proportions = before;
    if changes_size { Outcome::Fixed } else { Outcome::Elsewhere }
}

/// The cells of the focused pane.
fn extent(model: &Model) -> i32 {
    let panes = screen_areas(model).map(|areas| areas.panes).unwrap_or_default();
    let shown = panes.into_iter().find(|(pane, _)| *pane == model.panes.focus);
    shown.map_or(0, |(_, area)| i32::from(area.width) * i32::from(area.height))
}
