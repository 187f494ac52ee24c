//! Repetition: how often the same action or the same reply came in a row.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::step::{Step, Steps};
use mageyard_domain::{Action, RepetitionThresholds};

/// What is compared from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Action,
    /// The reply text, also of a step that ended without an action.
    Reply,
}

/// One kind of repetition: what is compared, and whether only steps count that did not change the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RepetitionRule {
    compared: Compared,
    unchanged_only: bool,
}

/// All rules; the first that is reached describes the repetition.
const RULES: [RepetitionRule; 4] = [
    RepetitionRule { compared: Compared::Action, unchanged_only: true },
    RepetitionRule { compared: Compared::Action, unchanged_only: false },
    RepetitionRule { compared: Compared::Reply, unchanged_only: true },
    RepetitionRule { compared: Compared::Reply, unchanged_only: false },
];

/// A repetition that has reached its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repetition {
    /// The first rule that is reached.
    pub(super) rule: RepetitionRule,
    /// Its length in steps so far.
    pub(super) count: usize,
    /// How many steps, up to the present one, belong to a repetition and were not reported as part of it before.
    pub(super) added: usize,
}

/// Counts repetitions over the finished steps of an episode.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepetitionTracker([Streak; RULES.len()]);

/// The current length of one kind of repetition, and its last step.
#[derive(Clone, Debug, Default)]
struct Streak {
    last: Option<Arc<Step>>,
    count: usize,
}

impl RepetitionTracker {
    /// Adds the next finished step; returns the repetition it belongs to, if any.
    pub(crate) fn push(&mut self, step: &Arc<Step>, thresholds: RepetitionThresholds) -> Option<Repetition> {
        let mut reached: Option<Repetition> = None;
        for (rule, streak) in RULES.into_iter().zip(&mut self.0) {
            let count = streak.push(rule, step);
            let threshold = if rule.unchanged_only { thresholds.unchanged } else { thresholds.same };
            if count >= threshold {
                let added = if count > threshold { 1 } else { count };
                let first = reached.unwrap_or(Repetition { rule, count, added });
                reached = Some(Repetition { added: first.added.max(added), ..first });
            }
        }
        reached
    }
}

/// Whether this action of the current step would be as often in a row as the threshold for equal actions says, whatever they
/// did.
pub(crate) fn repeats_same(steps: &Steps, action: &Action, thresholds: RepetitionThresholds) -> bool {
    let before = steps.iter().rev().skip(1);
    let equal = before.take_while(|step| step.action.as_ref() == Some(action));
    let needed = thresholds.same.saturating_sub(1);
    equal.take(needed).count() == needed
}

impl Streak {
    fn push(&mut self, rule: RepetitionRule, step: &Arc<Step>) -> usize {
        let continues = self.last.as_ref().is_some_and(|last| rule.matches(last, step));
        self.count = match rule.applies_to(step) {
            false => 0,
            true if continues => self.count + 1,
            true => 1,
        };
        self.last = Some(step.clone()).filter(|_| self.count > 0);
        self.count
    }
}

impl RepetitionRule {
    fn applies_to(self, step: &Step) -> bool {
        let present = match self.compared {
            Compared::Action => step.action.is_some(),
            Compared::Reply => step.output().is_some(),
        };
        present && (!self.unchanged_only || step.is_unchanged() || step.skipped)
    }

    fn matches(self, last: &Step, step: &Step) -> bool {
        match self.compared {
            Compared::Action => last.action == step.action,
            Compared::Reply => last.output() == step.output(),
        }
    }

    /// A description: `Left 5 times in a row with the state unchanged`.
    pub(super) fn describe(self, step: &Step, count: usize) -> String {
        let what = match (self.compared, &step.action) {
            (Compared::Action, Some(action)) => action.to_string(),
            _ => "the same reply".to_owned(),
        };
        let how = if self.unchanged_only { " with the state unchanged" } else { "" };
        format!("{what} {count} times in a row{how}")
    }
}
