//! Errors with names: what went wrong in an episode by the agent's own doing (`MageBench`, error analysis).
//! Every step is judged here and nowhere else: filmstrip, filters, reports and verdicts ask for its marks.

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

/// The verdict on an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorAnalysis {
    /// The marks of each step, in the order of the steps.
    pub marks: Vec<MarkSet>,
    /// Replies that could not be read, over all attempts.
    pub parse_errors: usize,
    /// Why it counts as invalid action (IA), if it does.
    pub invalid: Option<String>,
    /// Why it counts as repeating action (RA), if it does.
    pub repeating: Option<String>,
    /// From when on the goal was out of reach, if that is proven.
    pub dead_state: Option<DeadState>,
    /// The steps that left the best path, as far as searches have told.
    pub detours: Vec<Detour>,
}

/// What a search proves, in a sentence.
const UNSOLVABLE: &str = "a search proved that no way to the goal is left";

/// The moment from which on the goal was out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeadState {
    /// The step that lost it; 0 for a level that was beyond solving when it opened.
    pub step: u32,
    /// Why, in a sentence.
    pub why: String,
}

impl ErrorAnalysis {
    /// How many steps have this mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.marks.iter().filter(|marked| marked.has(mark)).count()
    }

    /// The marks of the step at this index; none for one that does not exist.
    pub fn at(&self, index: usize) -> MarkSet {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// The same with what searches have told of these steps, from which the verdict is: those that left the
    /// best path, and the loss of the level where they prove it for an earlier step.
    #[must_use]
    pub fn with_distances(mut self, steps: &[Arc<Step>], distances: &Distances) -> Self {
        self.detours = distances.detours();
        for off in &self.detours {
            let index = usize::try_from(off.step).unwrap_or(usize::MAX).saturating_sub(1);
            self.marks
                .get_mut(index)
                .into_iter()
                .for_each(|marked| *marked = marked.with(Mark::OffPath, true));
        }
        let Some(first) = distances.first_unreachable() else { return self };
        let step = number_before(first);
        if self.dead_state.as_ref().is_none_or(|lost| step < lost.step) {
            self.dead_state = Some(DeadState { step, why: UNSOLVABLE.to_owned() });
            mark_dead(steps, first, &mut self.marks);
        }
        self
    }

    /// Why a step of the episode has this mark, in a sentence; `None` where no step has.
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
                count.map(|steps| format!("{} left the state as it was", plural(steps, "action")))
            }
            Mark::OffPath => count.map(|_| describe_detours(&self.detours)),
            Mark::Edited => count.map(|steps| format!("{} by a person's hand", plural(steps, "step"))),
            Mark::Dead => self.dead_state.as_ref().map(|lost| match lost.step {
                0 => format!("when the level opened: {}", lost.why),
                step => format!("since step {step}: {}", lost.why),
            }),
        }
    }
}

/// What so many steps off the best path cost together.
fn describe_detours(off: &[Detour]) -> String {
    let wastes: Vec<usize> = off.iter().filter_map(|off| usize::try_from(off.extra_moves()?).ok()).collect();
    let detours =
        format!("{} wasted at {}", plural(wastes.iter().sum(), "move"), plural(wastes.len(), "step"));
    let lost =
        off.iter().find(|off| off.after.is_none()).map(|off| format!("step {} lost the level", off.step));
    let parts = [Some(detours).filter(|_| !wastes.is_empty()), lost];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn plural(count: usize, what: &str) -> String {
    match (count, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// Judges every step of an episode in this kind of environment by these thresholds.
pub fn analyze(
    episode: &Episode,
    kind: &dyn EnvironmentSpec,
    thresholds: RepetitionThresholds,
) -> ErrorAnalysis {
    analyze_with(episode, &|seen| kind.dead_state_reason(seen), thresholds)
}

/// Judges every step of an episode. States are held against the proof until one is lost.
pub fn analyze_with(
    episode: &Episode,
    proof: &dyn Fn(&Observation) -> Option<String>,
    thresholds: RepetitionThresholds,
) -> ErrorAnalysis {
    let steps = episode.steps();
    let lost = steps
        .iter()
        .enumerate()
        .find_map(|(index, step)| Some((index, step.dead_state_reason(proof)?.to_owned())));
    let mut marks: Vec<MarkSet> = steps.iter().map(|step| own_marks(step)).collect();
    if let Some(unread) = marks.last_mut().filter(|_| episode.ending() == Some(Ending::Unreadable)) {
        *unread = unread.with(Mark::InvalidAction, true);
    }
    if let Some((first, _)) = &lost {
        mark_dead(steps, *first, &mut marks);
    }
    let repeating = mark_repetitions(steps, thresholds, &mut marks);
    let invalid = marks.iter().position(|marked| marked.has(Mark::InvalidAction));
    ErrorAnalysis {
        parse_errors: steps.iter().map(|step| step.parse_errors()).sum(),
        invalid: invalid.map(|index| no_action_reason(&steps[index], episode)),
        repeating,
        dead_state: lost.map(|(index, why)| DeadState { step: number_before(index), why }),
        detours: Vec::new(),
        marks,
    }
}

/// Marks the steps from the one that led to the state at this index on as dead.
fn mark_dead(steps: &[Arc<Step>], first: usize, marks: &mut [MarkSet]) {
    let dead = steps.iter().zip(marks).skip(first.saturating_sub(1));
    dead.for_each(|(step, marked)| *marked = marked.with(Mark::Dead, step.is_done()));
}

/// What can be seen of a step by itself.
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

/// Marks the steps of every repetition; the words are those of the first.
fn mark_repetitions(
    steps: &[Arc<Step>],
    thresholds: RepetitionThresholds,
    marks: &mut [MarkSet],
) -> Option<String> {
    let mut repeats = RepetitionTracker::default();
    let mut first: Option<(Repetition, usize)> = None;
    for (index, step) in steps.iter().enumerate().take_while(|(_, step)| step.is_done()) {
        let Some(reached) = repeats.push(step, thresholds) else { continue };
        let from = (index + 1).saturating_sub(reached.longest);
        marks[from..=index].iter_mut().for_each(|marked| *marked = marked.with(Mark::RepeatedAction, true));
        first = match first {
            Some((before, at)) if at + 1 != index || before.rule != reached.rule => Some((before, at)),
            _ => Some((reached, index)),
        };
    }
    let (Repetition { rule: sort, count, .. }, at) = first?;
    let step = steps.get(at)?;
    let from = step.number.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX)) + 1;
    Some(format!("{}, steps {from} to {}", sort.describe(step, count), step.number))
}
