//! Repetition: how often the same action or the same reply has come in a row.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::step::Step;
use crate::domain::Thresholds;

/// What is the same from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alike {
    Action,
    /// The reply, whatever was read in it. A step that ended without an action counts too.
    Reply,
}

/// A sort of repetition: what is the same, and whether only steps count that left the state as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    alike: Alike,
    still: bool,
}

/// The sorts, the plainest to name first.
const SORTS: [Sort; 4] = [
    Sort { alike: Alike::Action, still: true },
    Sort { alike: Alike::Action, still: false },
    Sort { alike: Alike::Reply, still: true },
    Sort { alike: Alike::Reply, still: false },
];

/// A repetition that has reached its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The plainest sort that has.
    pub(super) sort: Sort,
    /// How many steps it is long by now.
    pub(super) count: usize,
    /// How many steps the longest is, of all sorts that have reached theirs.
    pub(super) longest: usize,
}

/// Follows the steps of an episode as they are done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeats([Row; SORTS.len()]);

/// How often one sort has come in a row, and the last step of it.
#[derive(Clone, Debug, Default)]
struct Row {
    last: Option<Arc<Step>>,
    count: usize,
}

impl Repeats {
    /// Takes the next step, which is done; what repetition it belongs to, if to any.
    pub(crate) fn take(&mut self, step: &Arc<Step>, thresholds: Thresholds) -> Option<Reached> {
        let mut reached: Option<Reached> = None;
        for (sort, row) in SORTS.into_iter().zip(&mut self.0) {
            let count = row.take(sort, step);
            let wanted = if sort.still { thresholds.unchanged } else { thresholds.same };
            if count >= wanted {
                let first = reached.unwrap_or(Reached { sort, count, longest: 0 });
                reached = Some(Reached { longest: first.longest.max(count), ..first });
            }
        }
        reached
    }
}

impl Row {
    fn take(&mut self, sort: Sort, step: &Arc<Step>) -> usize {
        let goes_on = self.last.as_ref().is_some_and(|last| sort.is_same(last, step));
        self.count = match sort.counts(step) {
            false => 0,
            true if goes_on => self.count + 1,
            true => 1,
        };
        self.last = Some(step.clone()).filter(|_| self.count > 0);
        self.count
    }
}

impl Sort {
    fn counts(self, step: &Step) -> bool {
        let there = match self.alike {
            Alike::Action => step.action.is_some(),
            Alike::Reply => step.output().is_some(),
        };
        there && (!self.still || step.is_unchanged() || step.passed)
    }

    fn is_same(self, last: &Step, step: &Step) -> bool {
        match self.alike {
            Alike::Action => last.action == step.action,
            Alike::Reply => last.output() == step.output(),
        }
    }

    /// The repetition in words: `Left 5 times in a row with the state unchanged`.
    pub(super) fn words(self, step: &Step, count: usize) -> String {
        let what = match (self.alike, &step.action) {
            (Alike::Action, Some(action)) => action.to_string(),
            _ => "the same reply".to_owned(),
        };
        let how = if self.still { " with the state unchanged" } else { "" };
        format!("{what} {count} times in a row{how}")
    }
}
