//! What the simulated workers share: the time, the control folder, the journals, and the record of what went wrong.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::time::Duration;

/// How often something happened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) operations: u64,
    pub(super) deaths: u64,
    pub(super) pauses: u64,
    pub(super) outages: u64,
    pub(super) lost_replies: u64,
    pub(super) takeovers: u64,
    /// Claims whose owner had ended, on the same machine.
    pub(super) found_ended: u64,
    /// Writes that the guard refused.
    pub(super) refused_writes: u64,
    /// Writes that came too late and went to a file without a name.
    pub(super) late_writes: u64,
}

pub(super) struct World {
    pub(super) now: Duration,
    random: u64,
    events: BinaryHeap<Reverse<(Duration, u64, usize)>>,
    scheduled: u64,
    /// The files of each subfolder.
    pub(super) files: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    /// The lines of every journal file, also of those without a name: which worker wrote it.
    pub(super) journals: Vec<Vec<String>>,
    /// The journal file of each cell.
    pub(super) journal_of: HashMap<String, usize>,
    /// The processes that were killed.
    pub(super) ended_processes: HashSet<String>,
    /// How many pauses are nested.
    pub(super) depth: usize,
    /// When a worker found that all cells have ended.
    pub(super) ended: Option<Duration>,
    pub(super) counts: Counts,
    pub(super) errors: Vec<String>,
}

impl World {
    pub(super) fn new(seed: u64, cells: &[String]) -> Self {
        let journal_of = cells.iter().cloned().zip(0..).collect();
        let files =
            super::super::control::SUBFOLDERS.iter().map(|name| ((*name).to_owned(), BTreeMap::new()));
        Self {
            now: Duration::ZERO,
            random: seed,
            events: BinaryHeap::new(),
            scheduled: 0,
            files: files.chain([(String::new(), BTreeMap::new())]).collect(),
            journals: vec![Vec::new(); cells.len()],
            journal_of,
            ended_processes: HashSet::new(),
            depth: 0,
            ended: None,
            counts: Counts::default(),
            errors: Vec::new(),
        }
    }

    /// A number from 0 to below 1 (`SplitMix64`).
    pub(super) fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from(u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or_default()) / 2_f64.powi(32)
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.random() < probability
    }

    /// A time between these, in seconds.
    pub(super) fn seconds(&mut self, from: f64, to: f64) -> Duration {
        Duration::from_secs_f64(from + self.random() * (to - from))
    }

    /// A pause: short, about as long as a lease, or long.
    pub(super) fn pause(&mut self) -> Duration {
        match self.random() {
            kind if kind < 0.3 => self.seconds(0.1, 10.0),
            kind if kind < 0.9 => self.seconds(24.0, 46.0),
            _ => self.seconds(60.0, 300.0),
        }
    }

    /// The next step of this worker is in `after`.
    pub(super) fn schedule(&mut self, worker: usize, after: Duration) {
        self.scheduled += 1;
        self.events.push(Reverse((self.now + after, self.scheduled, worker)));
    }

    /// The worker whose step is next, if it is before `end`; otherwise the time becomes `end`.
    pub(super) fn next_event(&mut self, end: Duration) -> Option<usize> {
        let due = self.events.peek().is_some_and(|Reverse((time, ..))| *time <= end);
        if !due || self.ended.is_some() {
            self.now = self.now.max(end);
            return None;
        }
        let Reverse((time, _, worker)) = self.events.pop()?;
        self.now = self.now.max(time);
        Some(worker)
    }

    /// Whether the cell is claimed by this worker, as its name in the control folder says.
    pub(super) fn owns(&self, cell: &str, worker: &str) -> bool {
        let prefix = format!("{cell}.{worker}.");
        let mut after = self.files["claimed"].range(prefix.clone()..);
        after.next().is_some_and(|(name, _)| name.starts_with(&prefix))
    }

    /// What is wrong with cells at the end: each must be done once, with a complete journal and nowhere else.
    pub(super) fn unfinished(&self, cells: &[String], complete: usize) -> Vec<String> {
        let mut errors = Vec::new();
        for state in ["queue", "claimed", "failed", "parked"] {
            errors.extend(self.files[state].keys().map(|name| format!("{state}/{name} at the end")));
        }
        let done = &self.files["done"];
        if done.len() != cells.len() {
            errors.push(format!("{} of {} cells are done", done.len(), cells.len()));
        }
        for cell in cells {
            let lines = &self.journals[self.journal_of[cell]];
            let name = done.range(format!("{cell}.")..).next();
            if !name.is_some_and(|(name, _)| name.starts_with(&format!("{cell}."))) || lines.len() != complete
            {
                errors.push(format!("{cell} has {} lines", lines.len()));
            }
        }
        errors
    }
}
