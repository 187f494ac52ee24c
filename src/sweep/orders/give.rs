//! Gives orders.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Duration;

use super::control::{ControlState, control_state};
use super::error::OrderError;
use super::given::{GivenOrder, Order};
use super::log::{MAX_TEXT, OrderLog};
use mageyard_agents::KeyLookup;
use mageyard_lab::unix_time;

/// Why `sweep run` lifts a cancel.
const STARTED_AGAIN: &str = "the sweep was run again";

/// Records an order for all workers of the sweep in this folder, which was started; `by` says who gives it
/// (see [`person_at_host`]), and `why` for which reason, in at most 2000 bytes. Workers follow it within about a second. An
/// order without an effect, such as to resume a sweep that is running, is recorded too. Refused are a pause of a cancelled
/// sweep, and limits of a single worker that all have together. Cells are requeued with
/// [`requeue_cells`](super::requeue_cells), which finds them.
pub fn give_order(
    folder: &Path,
    order: Order,
    by: &str,
    why: Option<&str>,
) -> Result<GivenOrder, OrderError> {
    let mut given = new_order(order, by, why);
    check(&given)?;
    let log = OrderLog::of_sweep(folder);
    loop {
        let earlier = log.after(0)?;
        if given.order == Order::Pause
            && let ControlState::Cancelled { by } = control_state(&earlier)
        {
            let what = format!(
                "the sweep was cancelled by {}, so it cannot be paused; `mageyard sweep resume` or `sweep run` goes on",
                by.person()
            );
            return Err(OrderError::Refused(what));
        }
        given.number = next_number(&earlier);
        if create(&log, &given)? {
            return Ok(given);
        }
    }
}

/// Lifts the cancel of the sweep in this folder, if it is cancelled: a person runs it again. A cancel that another person
/// orders at the same time stays in force.
pub fn lift_cancel(folder: &Path, by: &str) -> Result<Option<GivenOrder>, OrderError> {
    let log = OrderLog::of_sweep(folder);
    let mut given = new_order(Order::Resume, by, Some(STARTED_AGAIN));
    let mut first = None;
    loop {
        let earlier = log.after(0)?;
        let ControlState::Cancelled { by: cancel } = control_state(&earlier) else { return Ok(None) };
        if *first.get_or_insert(cancel.number) != cancel.number {
            return Ok(None);
        }
        given.number = next_number(&earlier);
        if create(&log, &given)? {
            return Ok(Some(given));
        }
    }
}

/// The user and the host of this process, such as `ada@node1`, from the variables `USER` or `LOGNAME`, which `lookup`
/// returns, otherwise from the number of the user.
pub fn person_at_host(lookup: &KeyLookup) -> String {
    let named = ["USER", "LOGNAME"].into_iter().find_map(|name| lookup(name).filter(|user| !user.is_empty()));
    let user = named.unwrap_or_else(|| rustix::process::getuid().as_raw().to_string());
    format!("{user}@{}", rustix::system::uname().nodename().to_string_lossy())
}

/// An order of now without its number.
fn new_order(order: Order, by: &str, why: Option<&str>) -> GivenOrder {
    // Files have milliseconds.
    let at = Duration::from_millis(u64::try_from(unix_time().as_millis()).unwrap_or(u64::MAX));
    GivenOrder { number: 0, order, by: by.to_owned(), at, why: why.map(str::to_owned) }
}

fn next_number(earlier: &[GivenOrder]) -> u32 {
    earlier.last().map_or(0, |last| last.number).saturating_add(1)
}

/// Writes an order; whether its number was free.
fn create(log: &OrderLog, given: &GivenOrder) -> Result<bool, OrderError> {
    // The hasher has a random state.
    let id = format!("{:016x}", RandomState::new().hash_one((&given.by, given.at)));
    log.create(given, &id)
}

fn check(given: &GivenOrder) -> Result<(), OrderError> {
    let is_long = |text: &String| text.len() > MAX_TEXT;
    if is_long(&given.by) || given.why.as_ref().is_some_and(is_long) {
        return Err(OrderError::Refused(format!("the reason is longer than {MAX_TEXT} bytes; shorten it")));
    }
    match &given.order {
        Order::Set { values, worker: Some(worker) } if values.has_common() => {
            let what = format!(
                "cost-limit and max-tokens are for all workers together, so they cannot be set for {worker:?} alone"
            );
            Err(OrderError::Refused(what))
        }
        _ => Ok(()),
    }
}
