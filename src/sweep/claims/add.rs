//! Adding cells, each exactly once however many workers do it at the same time.
//!
//! A worker first makes a file of its own in `adding`. Then it creates `known/CELL`, which contains its name: of several
//! workers only one can. Only the file of that worker is moved to the queue, by any worker that finds it: so a cell
//! whose worker was killed in between is completed by another, and a cell that has been queued once is never queued
//! again by this way.

use std::io;

use super::control::{ADDING, Control, KNOWN, QUEUE, foreign, own_number, queue_path};
use super::error::ClaimError;
use super::name::{check_cell_name, parse_adding};
use super::order::CellOrder;

/// Queues those of the cells that were never added. Returns their number.
pub(super) fn add(control: &Control, order: &CellOrder) -> Result<usize, ClaimError> {
    let mut known = known(control, order)?;
    let mut added = 0;
    // Workers that start together begin at different places, so that they share the work.
    let cells = order.cells();
    let start = own_number(&control.worker, cells.len());
    for place in (start..cells.len()).chain(0..start) {
        if known[place] {
            continue;
        }
        if add_cell(control, &cells[place])? {
            added += 1;
        } else {
            // Another worker adds the same cells now.
            known = self::known(control, order)?;
        }
    }
    complete_adding(control)?;
    if added > 0 {
        control.sync(KNOWN);
        control.sync(QUEUE);
    }
    Ok(added)
}

/// Which cells were added, by their place.
fn known(control: &Control, order: &CellOrder) -> Result<Vec<bool>, ClaimError> {
    let mut known = vec![false; order.cells().len()];
    for name in control.list(KNOWN)? {
        match order.place(&name) {
            Some(place) => known[place] = true,
            None if check_cell_name(&name).is_ok() => {}
            None => return Err(foreign(&*control.folder, KNOWN, &name)),
        }
    }
    Ok(known)
}

/// Whether this worker has added the cell; otherwise another has.
fn add_cell(control: &Control, cell: &str) -> Result<bool, ClaimError> {
    let own = format!("{ADDING}/{cell}.{}", control.worker);
    match control.folder.create_empty(&own) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(control.disk(&own, error)),
        _ => {}
    }
    let known = format!("{KNOWN}/{cell}");
    match control.folder.create_new(&known, control.worker.as_str().as_bytes()) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(control.disk(&known, error)),
    }
    settle(control, cell, control.worker.as_str())
}

/// Queues the cell if this worker is the one that added it, and otherwise removes its file.
fn settle(control: &Control, cell: &str, worker: &str) -> Result<bool, ClaimError> {
    let own = format!("{ADDING}/{cell}.{worker}");
    let known = format!("{KNOWN}/{cell}");
    let adder = match control.folder.read(&known) {
        // It is not decided yet which worker adds the cell.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        adder => adder.map_err(|source| control.disk(&known, source))?,
    };
    let first = adder == worker.as_bytes();
    let settled =
        if first { control.folder.rename(&own, &queue_path(cell, 0)) } else { control.folder.remove(&own) };
    match settled {
        // Another worker completed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(first),
        settled => settled.map(|()| first).map_err(|source| control.disk(&own, source)),
    }
}

/// Completes what killed workers have begun to add.
pub(super) fn complete_adding(control: &Control) -> Result<(), ClaimError> {
    for name in control.list(ADDING)? {
        let parsed = parse_adding(&name).ok_or_else(|| foreign(&*control.folder, ADDING, &name))?;
        settle(control, parsed.0, parsed.1)?;
    }
    Ok(())
}
