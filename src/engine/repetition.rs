//! Repetition: how often the same action or the same reply has come in a row.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::step::Step;
use crate::domain::RepetitionThresholds;

/// What is the same from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Action,
    /// The reply, whatever was read in it. A step that ended without an action counts too.
    Reply,
}

/// A sort of repetition: what is the same, and whether only steps count that left the state as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RepetitionRule {
    compared: Compared,
    unchanged_only: bool,
}

/// The sorts, the plainest to name first.
const RULES: [RepetitionRule; 4] = [
    RepetitionRule { compared: Compared::Action, unchanged_only: true },
    RepetitionRule { compared: Compared::Action, unchanged_only: false },
    RepetitionRule { compared: Compared::Reply, unchanged_only: true },
    RepetitionRule { compared: Compared::Reply, unchanged_only: false },
];

/// A repetition that has reached its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repetition {
    /// The plainest sort that has.
    pub(super) rule: RepetitionRule,
    /// How many steps it is long by now.
    pub(super) count: usize,
    /// How many steps the longest is, of all sorts that have reached theirs.
    pub(super) longest: usize,
}

/// Follows the steps of an episode as they are done.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepetitionTracker([Streak; RULES.len()]);

/// How often one sort has come in a row, and the last step of it.
#[derive(Clone, Debug, Default)]
struct Streak {
    last: Option<Arc<Step>>,
    count: usize,
}

impl RepetitionTracker {
    /// Takes the next step, which is done; what repetition it belongs to, if to any.
    pub(crate) fn push(&mut self, step: &Arc<Step>, thresholds: RepetitionThresholds) -> Option<Repetition> {
        let mut reached: Option<Repetition> = None;
        for (sort, row) in RULES.into_iter().zip(&mut self.0) {
            let count = row.push(sort, step);
            let wanted = if sort.unchanged_only { thresholds.unchanged } else { thresholds.same };
            if count >= wanted {
                let first = reached.unwrap_or(Repetition { rule: sort, count, longest: 0 });
                reached = Some(Repetition { longest: first.longest.max(count), ..first });
            }
        }
        reached
    }
}

impl Streak {
    fn push(&mut self, sort: RepetitionRule, step: &Arc<Step>) -> usize {
        let goes_on = self.last.as_ref().is_some_and(|last| sort.matches(last, step));
        self.count = match sort.applies_to(step) {
            false => 0,
            true if goes_on => self.count + 1,
            true => 1,
        };
        self.last = Some(step.clone()).filter(|_| self.count > 0);
        self.count
    }
}

impl RepetitionRule {
    fn applies_to(self, step: &Step) -> bool {
        let there = match self.compared {
            Compared::Action => step.action.is_some(),
            Compared::Reply => step.output().is_some(),
        };
        there && (!self.unchanged_only || step.is_unchanged() || step.skipped)
    }

    fn matches(self, last: &Step, step: &Step) -> bool {
        match self.compared {
            Compared::Action => last.action == step.action,
            Compared::Reply => last.output() == step.output(),
        }
    }

    /// The repetition in words: `Left 5 times in a row with the state unchanged`.
    pub(super) fn describe(self, step: &Step, count: usize) -> String {
        let what = match (self.compared, &step.action) {
            (Compared::Action, Some(action)) => action.to_string(),
            _ => "the same reply".to_owned(),
        };
        let how = if self.unchanged_only { " with the state unchanged" } else { "" };
        format!("{what} {count} times in a row{how}")
    }
}
