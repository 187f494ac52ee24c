//! Error analysis: which errors the agent made in an episode, by name (`MageBench`, error analysis).
//! Steps are judged here and nowhere else: filmstrip, filters, reports and breakpoints use these marks.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod mark;
#[cfg(test)]
mod tests;

pub use mark::{Mark, MarkSet};

use std::sync::Arc;

use serde::Serialize;

use super::distance::Detour;
use super::distance::Distances;
use super::episode::Episode;
use super::event::Ending;
use super::repetition::Repetition;
use super::repetition::RepetitionTracker;
use super::step::Step;
use crate::domain::EnvironmentSpec;
use crate::domain::Observation;
use crate::domain::RepetitionThresholds;
use crate::domain::Setting;

/// The error analysis of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorAnalysis {
    /// The marks of each step, in step order.
    pub marks: Vec<MarkSet>,
    /// Replies that could not be read, over all attempts.
    pub parse_errors: usize,
    /// Why it counts as invalid action (IA), if it does.
    pub invalid: Option<String>,
    /// Why it counts as repeating action (RA), if it does.
    pub repeating: Option<String>,
    /// Since when the goal is out of reach, if that is proven.
    pub dead_state: Option<DeadState>,
    /// The known detours from the shortest path.
    pub detours: Vec<Detour>,
}

/// The reason for a dead state that a search proves.
const UNSOLVABLE: &str = "a search proved that the goal is out of reach";

/// Since when the goal is out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeadState {
    /// The step that made the level unsolvable; 0 if it was unsolvable when it opened.
    pub step: u32,
    /// The reason, as a sentence.
    pub why: String,
}

impl ErrorAnalysis {
    /// How many steps have this mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.marks.iter().filter(|marked| marked.has(mark)).count()
    }

    /// The marks of the step at this index; empty if there is none.
    pub fn at(&self, index: usize) -> MarkSet {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// The analysis with the results of distance searches for the same steps: detours, and an earlier dead state if
    /// a search proves one.
    #[must_use]
    pub fn with_distances(mut self, steps: &[Arc<Step>], distances: &Distances) -> Self {
        self.detours = distances.detours();
        for detour in &self.detours {
            let index = usize::try_from(detour.step).unwrap_or(usize::MAX).saturating_sub(1);
            self.marks
                .get_mut(index)
                .into_iter()
                .for_each(|marked| *marked = marked.with(Mark::OffPath, true));
        }
        let Some(first) = distances.first_unreachable() else { return self };
        let step = number_before(first);
        if self.dead_state.as_ref().is_none_or(|dead| step < dead.step) {
            self.dead_state = Some(DeadState { step, why: UNSOLVABLE.to_owned() });
            mark_dead(steps, first, &mut self.marks);
        }
        self
    }

    /// Why the episode has this mark, as a sentence; `None` if no step has it.
    pub fn reason(&self, mark: Mark) -> Option<String> {
        let count = Some(self.count(mark)).filter(|count| *count > 0);
        match mark {
            Mark::ParseError => count.map(|steps| {
                format!(
                    "{} could not be read, at {}",
                    plural(self.parse_errors, "reply"),
                    plural(steps, "step")
                )
            }),
            Mark::InvalidAction => self.invalid.clone(),
            Mark::RepeatedAction => self.repeating.clone(),
            Mark::Unchanged => {
                count.map(|steps| format!("{} did not change the state", plural(steps, "action")))
            }
            Mark::OffPath => count.map(|_| describe_detours(&self.detours)),
            Mark::Edited => count.map(|steps| format!("{} edited by a person", plural(steps, "step"))),
            Mark::Dead => self.dead_state.as_ref().map(|dead| match dead.step {
                0 => format!("when the level opened: {}", dead.why),
                step => format!("since step {step}: {}", dead.why),
            }),
        }
    }
}

/// Describes the cost of these detours together.
fn describe_detours(detours: &[Detour]) -> String {
    let extra: Vec<usize> =
        detours.iter().filter_map(|detour| usize::try_from(detour.extra_moves()?).ok()).collect();
    let sum = format!("{} at {}", plural(extra.iter().sum(), "extra move"), plural(extra.len(), "step"));
    let dead = detours.iter().find(|detour| detour.after.is_none());
    let dead = dead.map(|detour| format!("step {} made the level unsolvable", detour.step));
    let parts = [Some(sum).filter(|_| !extra.is_empty()), dead];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn plural(count: usize, what: &str) -> String {
    match (count, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// Analyzes an episode in this environment with these thresholds.
pub fn analyze(
    episode: &Episode,
    kind: &dyn EnvironmentSpec,
    thresholds: RepetitionThresholds,
) -> ErrorAnalysis {
    analyze_with(episode, &|observation| kind.dead_state_reason(observation), thresholds)
}

/// Analyzes an episode with a proof of dead states, which is called for each state until one is dead.
pub fn analyze_with(
    episode: &Episode,
    proof: &dyn Fn(&Observation) -> Option<String>,
    thresholds: RepetitionThresholds,
) -> ErrorAnalysis {
    let steps = episode.steps();
    let dead = steps
        .iter()
        .enumerate()
        .find_map(|(index, step)| Some((index, step.dead_state_reason(proof)?.to_owned())));
    let mut marks: Vec<MarkSet> = steps.iter().map(|step| own_marks(step)).collect();
    if let Some(unread) = marks.last_mut().filter(|_| episode.ending() == Some(Ending::Unreadable)) {
        *unread = unread.with(Mark::InvalidAction, true);
    }
    if let Some((first, _)) = &dead {
        mark_dead(steps, *first, &mut marks);
    }
    let repeating = mark_repetitions(steps, thresholds, &mut marks);
    let invalid = marks.iter().position(|marked| marked.has(Mark::InvalidAction));
    ErrorAnalysis {
        parse_errors: steps.iter().map(|step| step.parse_errors()).sum(),
        invalid: invalid.map(|index| no_action_reason(&steps[index], episode)),
        repeating,
        dead_state: dead.map(|(index, why)| DeadState { step: number_before(index), why }),
        detours: Vec::new(),
        marks,
    }
}

/// Marks the steps as dead from the one that led to the state at this index.
fn mark_dead(steps: &[Arc<Step>], first: usize, marks: &mut [MarkSet]) {
    let dead = steps.iter().zip(marks).skip(first.saturating_sub(1));
    dead.for_each(|(step, marked)| *marked = marked.with(Mark::Dead, step.is_done()));
}

/// The marks that depend on one step alone.
fn own_marks(step: &Step) -> MarkSet {
    MarkSet::default()
        .with(Mark::ParseError, step.parse_errors() > 0)
        .with(Mark::InvalidAction, step.skipped)
        .with(Mark::Unchanged, step.is_unchanged())
        .with(Mark::Edited, step.is_edited())
}

/// The number of the step that led to the state at this index.
fn number_before(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn no_action_reason(step: &Step, episode: &Episode) -> String {
    if episode.head().setting == Setting::Global {
        return "the plan could not be read in any attempt".to_owned();
    }
    format!("step {} ended without a legal action", step.number)
}

/// Marks the steps of every repetition and describes the first one.
fn mark_repetitions(
    steps: &[Arc<Step>],
    thresholds: RepetitionThresholds,
    marks: &mut [MarkSet],
) -> Option<String> {
    let mut tracker = RepetitionTracker::default();
    let mut first: Option<(Repetition, usize)> = None;
    for (index, step) in steps.iter().enumerate().take_while(|(_, step)| step.is_done()) {
        let Some(reached) = tracker.push(step, thresholds) else { continue };
        let from = (index + 1).saturating_sub(reached.longest);
        marks[from..=index].iter_mut().for_each(|marked| *marked = marked.with(Mark::RepeatedAction, true));
        first = match first {
            Some((before, at)) if at + 1 != index || before.rule != reached.rule => Some((before, at)),
            _ => Some((reached, index)),
        };
    }
    let (Repetition { rule, count, .. }, at) = first?;
    let step = steps.get(at)?;
    let from = step.number.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX)) + 1;
    Some(format!("{}, steps {from} to {}", rule.describe(step, count), step.number))
}
