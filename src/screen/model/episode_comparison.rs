//! Two episodes side by side, aligned by state: a row has the steps of both that begin in one state, or the next ones of
//! each.

use std::sync::Arc;

use super::frame_pair::FramePair;
use mageyard_domain::{Digest, Picture, SequenceChange, sequence_changes};
use mageyard_engine::{Snapshot, Step};

/// An episode or branch that is compared.
#[derive(Clone, Debug)]
pub(crate) struct ComparedEpisode {
    /// How it is called.
    pub(crate) name: String,
    pub(crate) snapshot: Arc<Snapshot>,
}

/// Two episodes, and the row that is shown.
#[derive(Clone, Debug)]
pub(crate) struct EpisodeComparison {
    pub(crate) sides: [ComparedEpisode; 2],
    /// The indices of the steps of each row.
    rows: Vec<[Option<usize>; 2]>,
    at: usize,
    pub(crate) scroll: u16,
    /// What differs between both frames of the row.
    pub(crate) pair: Option<FramePair>,
}

impl EpisodeComparison {
    /// Compares two episodes, and shows the first row that differs.
    pub(crate) fn new(old: ComparedEpisode, new: ComparedEpisode) -> Self {
        let rows = aligned(&old.snapshot, &new.snapshot);
        let mut this = Self { sides: [old, new], rows, at: 0, scroll: 0, pair: None };
        this.show(this.first_difference().unwrap_or(0));
        this
    }

    /// The index of the first row with another state or another action.
    pub(crate) fn first_difference(&self) -> Option<usize> {
        (0..self.rows.len()).find(|row| self.differs(*row))
    }

    /// Whether the steps of a row differ in state or action.
    pub(crate) fn differs(&self, row: usize) -> bool {
        match self.steps(row) {
            [Some(old), Some(new)] => (old.state, &old.action) != (new.state, &new.action),
            _ => true,
        }
    }

    /// The index of the shown row, and how many there are.
    pub(crate) fn position(&self) -> (usize, usize) {
        (self.at, self.rows.len())
    }

    /// The steps of a row.
    pub(crate) fn steps(&self, row: usize) -> [Option<&Arc<Step>>; 2] {
        let indices = self.rows.get(row).copied().unwrap_or_default();
        [0, 1].map(|side| self.sides[side].snapshot.steps.get(indices[side]?))
    }

    /// The steps of the shown row.
    pub(crate) fn shown_steps(&self) -> [Option<&Arc<Step>>; 2] {
        self.steps(self.at)
    }

    /// The first frame of each step of the shown row.
    pub(crate) fn pictures(&self) -> [Option<&Arc<Picture>>; 2] {
        self.shown_steps().map(|step| step?.observation.images().next().map(|(_, picture)| picture))
    }

    /// Shows a row; the last one if there are fewer.
    pub(crate) fn show(&mut self, row: usize) {
        self.at = row.min(self.rows.len().saturating_sub(1));
        self.scroll = 0;
        let pair = match self.pictures() {
            [Some(old), Some(new)] => Some(FramePair::of(old, new)),
            _ => None,
        };
        self.pair = pair;
    }

    /// Moves along both; it stops at both ends.
    pub(crate) fn move_by(&mut self, by: isize) {
        self.show(self.at.saturating_add_signed(by));
    }
}

/// The rows: equal states beside each other, and the steps between them beside each other in their order.
fn aligned(old: &Snapshot, new: &Snapshot) -> Vec<[Option<usize>; 2]> {
    let states = |snapshot: &Snapshot| snapshot.steps.iter().map(|step| step.state).collect::<Vec<Digest>>();
    let mut rows = Vec::new();
    let mut gap = [Vec::new(), Vec::new()];
    for change in sequence_changes(&states(old), &states(new)) {
        match change {
            SequenceChange::Removed(index) => gap[0].push(index),
            SequenceChange::Added(index) => gap[1].push(index),
            SequenceChange::Same(one, other) => {
                take_gap(&mut gap, &mut rows);
                rows.push([Some(one), Some(other)]);
            }
        }
    }
    take_gap(&mut gap, &mut rows);
    rows
}

fn take_gap(gap: &mut [Vec<usize>; 2], rows: &mut Vec<[Option<usize>; 2]>) {
    let [old, new] = std::mem::take(gap);
    let row = |at: usize| [old.get(at).copied(), new.get(at).copied()];
    rows.extend((0..old.len().max(new.len())).map(row));
}
