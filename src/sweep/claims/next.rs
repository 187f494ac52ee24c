//! Finding the next cell: first in the queue, then among the claims whose heartbeat has stopped.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::add::complete_adding;
use super::claim::Claim;
use super::control::{CLAIMED, Control, ENDED, QUEUE, WORKERS, claim_path, foreign, own_number, queue_path};
use super::error::ClaimError;
use super::fence::fence;
use super::lease::Lease;
use super::name::{Held, WorkerName, check_cell_name, parse_claimed, parse_queued};
use super::order::CellOrder;

/// How many cells of a list are tried that others have claimed already, before the queue is listed again.
const MISSES: usize = 8;

/// The result of a search for a cell.
pub enum Next {
    /// This worker owns the cell now.
    Claimed(Claim),
    /// Other workers own what is left. Search again after this time.
    Wait(Duration),
    /// Every cell is done, failed or parked.
    Ended,
}

/// What a worker knows of the cells of its plan.
#[derive(Default)]
pub(super) struct Search {
    order: Arc<CellOrder>,
    /// The places of cells that were in the queue, in the order of the plan, with the number of earlier claims.
    candidates: VecDeque<(usize, u32)>,
    /// The cells that are claimed only when another one is done, which is the value.
    required: HashMap<String, String>,
    /// The names of claims, and when each was seen first.
    seen: HashMap<String, Duration>,
    /// The processes of other workers, as far as they have said which they are.
    processes: HashMap<WorkerName, Option<Vec<u8>>>,
}

/// The cells in these states.
fn ended_cells(control: &Control, states: &[&str]) -> Result<HashSet<String>, ClaimError> {
    let mut cells = HashSet::new();
    for state in states {
        for name in control.list(state)? {
            let held = Held::parse(&name).ok_or_else(|| foreign(&*control.folder, state, &name))?;
            cells.insert(held.cell);
        }
    }
    Ok(cells)
}

impl Search {
    /// Starts the search for these cells.
    pub(super) fn start(&mut self, order: Arc<CellOrder>) {
        *self = Self { order, required: std::mem::take(&mut self.required), ..Self::default() };
    }

    pub(super) fn require<'a>(&mut self, cells: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let own = |(cell, required): (&str, &str)| (cell.to_owned(), required.to_owned());
        self.required.extend(cells.into_iter().map(own));
    }

    /// Claims a cell.
    pub(super) fn next(&mut self, control: &Control) -> Result<Next, ClaimError> {
        if let Some(claim) = self.claim_candidate(control)? {
            return Ok(Next::Claimed(claim));
        }
        complete_adding(control)?;
        self.list_queue(control)?;
        if let Some(claim) = self.claim_candidate(control)? {
            return Ok(Next::Claimed(claim));
        }
        if let Some(claim) = self.take_over(control)? {
            return Ok(Next::Claimed(claim));
        }
        let ended = !self.owns_any() && self.all_ended(control)?;
        Ok(if ended { Next::Ended } else { Next::Wait(self.wait(control)) })
    }

    /// Lists the queue again before the next claim: other cells are in it now.
    pub(super) fn forget_queue(&mut self) {
        self.candidates.clear();
    }

    fn list_queue(&mut self, control: &Control) -> Result<(), ClaimError> {
        let mut claims = vec![None; self.order.cells().len()];
        for name in control.list(QUEUE)? {
            let queued = parse_queued(&name);
            match queued.and_then(|(cell, claims)| Some((self.order.place(cell)?, claims))) {
                Some((place, earlier)) => claims[place] = Some(earlier),
                None if queued.is_some_and(|(cell, _)| check_cell_name(cell).is_ok()) => {}
                None => return Err(foreign(&*control.folder, QUEUE, &name)),
            }
        }
        self.candidates = (0..).zip(claims).filter_map(|(place, claims)| Some((place, claims?))).collect();
        if !self.required.is_empty() {
            let done = ended_cells(control, &ENDED[..1])?;
            let cells = self.order.cells();
            let required = &self.required;
            let is_ready = |place: usize| required.get(&cells[place]).is_none_or(|cell| done.contains(cell));
            self.candidates.retain(|(place, _)| is_ready(*place));
        }
        Ok(())
    }

    /// Claims the first of the candidates that is still in the queue. After a miss others are at the same place, so it
    /// goes on at another one; after several the list is out of date.
    fn claim_candidate(&mut self, control: &Control) -> Result<Option<Claim>, ClaimError> {
        for miss in 0..MISSES {
            let Some((place, claims)) = self.candidates.pop_front() else { break };
            let cell = self.order.cells()[place].clone();
            let held = Held { cell, worker: control.worker.clone(), generation: claims.saturating_add(1) };
            let start = control.clock.now();
            if control.rename(&queue_path(&held.cell, claims), &claim_path(&held, 0))? {
                return Ok(Some(Claim::new(Lease::new(control.clone(), held, start), false)));
            }
            let len = self.candidates.len();
            self.candidates.rotate_left(own_number(&(&control.worker, miss, len), len));
        }
        self.candidates.clear();
        Ok(None)
    }

    /// Notes which heartbeats there are.
    pub(super) fn observe(&mut self, control: &Control) -> Result<Vec<(Held, u64)>, ClaimError> {
        let mut claims = Vec::new();
        let names = control.list(CLAIMED)?;
        // The time after the list was read: each of its names existed before.
        let now = control.clock.now();
        let mut seen = HashMap::with_capacity(names.len());
        for name in names {
            let claim = parse_claimed(&name).ok_or_else(|| foreign(&*control.folder, CLAIMED, &name))?;
            if self.order.place(&claim.0.cell).is_some() {
                claims.push(claim);
                let first = self.seen.get(&name).copied().unwrap_or(now);
                seen.insert(name, first);
            }
        }
        self.seen = seen;
        Ok(claims)
    }

    /// Takes over a cell whose claim has had the same heartbeat for longer than its owner may write, or whose owner has
    /// ended. The name of the
    /// claim contains the heartbeat, so this fails if the owner renews it at the same time.
    fn take_over(&mut self, control: &Control) -> Result<Option<Claim>, ClaimError> {
        let claims = self.observe(control)?;
        for (owner, beat) in claims {
            let path = claim_path(&owner, beat);
            let start = control.clock.now();
            let since = path.split_once('/').and_then(|(_, name)| self.seen.get(name)).copied();
            let is_due = |since: Duration| start.saturating_sub(since) >= control.timing.takeover();
            if !since.is_some_and(is_due) && !self.has_ended(control, &owner.worker) {
                continue;
            }
            let generation = owner.generation.saturating_add(1);
            let held = Held { cell: owner.cell, worker: control.worker.clone(), generation };
            if !control.rename(&path, &claim_path(&held, 0))? {
                continue;
            }
            match fence(control, &held) {
                Err(error) if error.is_lost() => {}
                fenced => {
                    fenced?;
                    return Ok(Some(Claim::new(Lease::new(control.clone(), held, start), true)));
                }
            }
        }
        Ok(None)
    }

    /// Whether the process of a worker has ended for certain. What cannot be read is not certain.
    fn has_ended(&mut self, control: &Control, worker: &WorkerName) -> bool {
        if *worker == control.worker {
            return false;
        }
        let identity = self.processes.entry(worker.clone()).or_insert_with(|| {
            let read = control.folder.read(&format!("{WORKERS}/{worker}"));
            read.ok()
        });
        identity.as_ref().is_some_and(|identity| control.processes.has_ended(identity))
    }

    fn owns_any(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Whether every cell of the plan is in a state in which it stays. That it is in none of the others proves nothing: a
    /// list of names may miss one that is renamed meanwhile.
    fn all_ended(&self, control: &Control) -> Result<bool, ClaimError> {
        let ended = ended_cells(control, &ENDED)?;
        // What requires a cell that cannot be completed now cannot be started.
        let blocking =
            if self.required.is_empty() { HashSet::new() } else { ended_cells(control, &ENDED[1..])? };
        let is_blocked = |cell: &String| self.required.get(cell).is_some_and(|cell| blocking.contains(cell));
        Ok(self.order.cells().iter().all(|cell| ended.contains(cell) || is_blocked(cell)))
    }

    /// Until the first claim can be taken over if its heartbeat has stopped, but a heartbeat at most.
    fn wait(&self, control: &Control) -> Duration {
        let now = control.clock.now();
        let takeover = control.timing.takeover();
        let left = self.seen.values().map(|since| (*since + takeover).saturating_sub(now));
        let longest = control.timing.heartbeat;
        left.min().unwrap_or(longest).clamp(longest / 10, longest)
    }
}
