//! Errors with names: what went wrong in an episode by the agent's own doing (`MageBench`, error analysis).
//! Every step is judged here and nowhere else: filmstrip, filters, reports and verdicts ask for its marks.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod mark;
#[cfg(test)]
mod tests;

pub use mark::{Mark, Marked};

use std::sync::Arc;

use serde::Serialize;

use super::distance::Distances;
use super::distance::Off;
use super::episode::Episode;
use super::event::Ending;
use super::repeats::Reached;
use super::repeats::Repeats;
use super::step::Step;
use crate::domain::Kind;
use crate::domain::Observation;
use crate::domain::Setting;
use crate::domain::Thresholds;

/// The verdict on an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The marks of each step, in the order of the steps.
    pub marks: Vec<Marked>,
    /// Replies that could not be read, over all attempts.
    pub parse_errors: usize,
    /// Why it counts as invalid action (IA), if it does.
    pub invalid: Option<String>,
    /// Why it counts as repeating action (RA), if it does.
    pub repeating: Option<String>,
    /// From when on the goal was out of reach, if that is proven.
    pub lost: Option<Lost>,
    /// The steps that left the best path, as far as searches have told.
    pub off: Vec<Off>,
}

/// What a search proves, in a sentence.
const NO_WAY: &str = "a search proved that no way to the goal is left";

/// The moment from which on the goal was out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// The step that lost it; 0 for a level that was beyond solving when it opened.
    pub step: u32,
    /// Why, in a sentence.
    pub why: String,
}

impl Faults {
    /// How many steps have this mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.marks.iter().filter(|marked| marked.has(mark)).count()
    }

    /// The marks of the step at this index; none for one that does not exist.
    pub fn at(&self, index: usize) -> Marked {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// The same with what searches have told of these steps, from which the verdict is: those that left the
    /// best path, and the loss of the level where they prove it for an earlier step.
    #[must_use]
    pub fn along(mut self, steps: &[Arc<Step>], distances: &Distances) -> Self {
        self.off = distances.offs();
        for off in &self.off {
            let index = usize::try_from(off.step).unwrap_or(usize::MAX).saturating_sub(1);
            self.marks.get_mut(index).into_iter().for_each(|marked| *marked = marked.and(Mark::Off, true));
        }
        let Some(first) = distances.gone() else { return self };
        let step = number_before(first);
        if self.lost.as_ref().is_none_or(|lost| step < lost.step) {
            self.lost = Some(Lost { step, why: NO_WAY.to_owned() });
            bury(steps, first, &mut self.marks);
        }
        self
    }

    /// Why a step of the episode has this mark, in a sentence; `None` where no step has.
    pub fn why(&self, mark: Mark) -> Option<String> {
        let count = Some(self.count(mark)).filter(|count| *count > 0);
        match mark {
            Mark::Unread => count.map(|steps| {
                format!("{} could not be read, at {}", many(self.parse_errors, "reply"), many(steps, "step"))
            }),
            Mark::Invalid => self.invalid.clone(),
            Mark::Repeating => self.repeating.clone(),
            Mark::Same => count.map(|steps| format!("{} left the state as it was", many(steps, "action"))),
            Mark::Off => count.map(|_| astray(&self.off)),
            Mark::Edited => count.map(|steps| format!("{} by a person's hand", many(steps, "step"))),
            Mark::Dead => self.lost.as_ref().map(|lost| match lost.step {
                0 => format!("when the level opened: {}", lost.why),
                step => format!("since step {step}: {}", lost.why),
            }),
        }
    }
}

/// What so many steps off the best path cost together.
fn astray(off: &[Off]) -> String {
    let wastes: Vec<usize> = off.iter().filter_map(|off| usize::try_from(off.waste()?).ok()).collect();
    let detours = format!("{} wasted at {}", many(wastes.iter().sum(), "move"), many(wastes.len(), "step"));
    let lost =
        off.iter().find(|off| off.after.is_none()).map(|off| format!("step {} lost the level", off.step));
    let parts = [Some(detours).filter(|_| !wastes.is_empty()), lost];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn many(count: usize, what: &str) -> String {
    match (count, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// Judges every step of an episode in this kind of environment by these thresholds.
pub fn faults(episode: &Episode, kind: &dyn Kind, thresholds: Thresholds) -> Faults {
    judge(episode, &|seen| kind.lost(seen), thresholds)
}

/// Judges every step of an episode. States are held against the proof until one is lost.
pub fn judge(
    episode: &Episode,
    proof: &dyn Fn(&Observation) -> Option<String>,
    thresholds: Thresholds,
) -> Faults {
    let steps = episode.steps();
    let lost = steps.iter().enumerate().find_map(|(index, step)| Some((index, step.lost(proof)?.to_owned())));
    let mut marks: Vec<Marked> = steps.iter().map(|step| alone(step)).collect();
    if let Some(unread) = marks.last_mut().filter(|_| episode.ending() == Some(Ending::Unreadable)) {
        *unread = unread.and(Mark::Invalid, true);
    }
    if let Some((first, _)) = &lost {
        bury(steps, *first, &mut marks);
    }
    let repeating = repeating(steps, thresholds, &mut marks);
    let invalid = marks.iter().position(|marked| marked.has(Mark::Invalid));
    Faults {
        parse_errors: steps.iter().map(|step| step.parse_errors()).sum(),
        invalid: invalid.map(|index| without_action(&steps[index], episode)),
        repeating,
        lost: lost.map(|(index, why)| Lost { step: number_before(index), why }),
        off: Vec::new(),
        marks,
    }
}

/// Marks the steps from the one that led to the state at this index on as dead.
fn bury(steps: &[Arc<Step>], first: usize, marks: &mut [Marked]) {
    let dead = steps.iter().zip(marks).skip(first.saturating_sub(1));
    dead.for_each(|(step, marked)| *marked = marked.and(Mark::Dead, step.is_done()));
}

/// What can be seen of a step by itself.
fn alone(step: &Step) -> Marked {
    Marked::default()
        .and(Mark::Unread, step.parse_errors() > 0)
        .and(Mark::Invalid, step.passed)
        .and(Mark::Same, step.is_unchanged())
        .and(Mark::Edited, step.is_edited())
}

/// The number of the step that led to the state at this index.
fn number_before(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn without_action(step: &Step, episode: &Episode) -> String {
    if episode.head().setting == Setting::Global {
        return "the plan could not be read in any attempt".to_owned();
    }
    format!("step {} ended without a legal action", step.number)
}

/// Marks the steps of every repetition; the words are those of the first.
fn repeating(steps: &[Arc<Step>], thresholds: Thresholds, marks: &mut [Marked]) -> Option<String> {
    let mut repeats = Repeats::default();
    let mut first: Option<(Reached, usize)> = None;
    for (index, step) in steps.iter().enumerate().take_while(|(_, step)| step.is_done()) {
        let Some(reached) = repeats.take(step, thresholds) else { continue };
        let from = (index + 1).saturating_sub(reached.longest);
        marks[from..=index].iter_mut().for_each(|marked| *marked = marked.and(Mark::Repeating, true));
        first = match first {
            Some((before, at)) if at + 1 != index || before.sort != reached.sort => Some((before, at)),
            _ => Some((reached, index)),
        };
    }
    let (Reached { sort, count, .. }, at) = first?;
    let step = steps.get(at)?;
    let from = step.number.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX)) + 1;
    Some(format!("{}, steps {from} to {}", sort.words(step, count), step.number))
}
