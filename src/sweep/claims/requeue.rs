//! Moves cells that have ended back to the queue.

use std::collections::HashSet;
use std::io;

use super::control::{Control, ENDED, QUEUE, foreign, queue_path};
use super::error::ClaimError;
use super::name::Held;
use crate::orders::RequeuedCell;

/// Moves the cells in this state that `wanted` accepts to the queue, and returns their names. A cell that another worker
/// moves at the same time is left to that one.
pub(super) fn requeue(
    control: &Control,
    state: &str,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<String>, ClaimError> {
    let mut moved = Vec::new();
    for name in control.list(state)? {
        let held = Held::parse(&name).ok_or_else(|| foreign(&*control.folder, state, &name))?;
        if wanted(&held.cell) && move_to_queue(control, state, &held)? {
            moved.push(held.cell);
        }
    }
    control.sync(QUEUE);
    Ok(moved)
}

/// Moves the cells to the queue that have ended with exactly these claims.
pub(super) fn requeue_ended(control: &Control, cells: &[RequeuedCell]) -> Result<(), ClaimError> {
    let claims: HashSet<(&str, &str, u32)> =
        cells.iter().map(|cell| (cell.cell.as_str(), cell.worker.as_str(), cell.claims)).collect();
    for state in &ENDED[1..] {
        for name in control.list(state)? {
            let held = Held::parse(&name).ok_or_else(|| foreign(&*control.folder, state, &name))?;
            if claims.contains(&(held.cell.as_str(), held.worker.as_str(), held.generation)) {
                move_to_queue(control, state, &held)?;
            }
        }
    }
    control.sync(QUEUE);
    Ok(())
}

fn move_to_queue(control: &Control, state: &str, held: &Held) -> Result<bool, ClaimError> {
    let path = format!("{state}/{held}");
    match control.folder.rename(&path, &queue_path(&held.cell, held.generation)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        moved => moved.map(|()| true).map_err(|source| control.disk(&path, source)),
    }
}
