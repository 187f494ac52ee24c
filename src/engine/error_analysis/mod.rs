//! Error analysis: which errors the agent made in an episode, by name (`MageBench`, error analysis).
//! Steps are judged here and nowhere else: filmstrip, filters, reports and breakpoints use these marks.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod analyzer;
mod mark;
#[cfg(test)]
mod tests;

pub use analyzer::{DeadStateProof, ErrorAnalyzer, FinishedStep};
pub use mark::{Mark, MarkSet};

use serde::{Deserialize, Serialize};

use super::distance::{Detour, Distances};
use super::episode::Episode;
use super::persistent_list::PersistentList;
use mageyard_domain::{EnvironmentSpec, RepetitionThresholds};

/// The error analysis of an episode. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorAnalysis {
    /// The marks of each step, in step order.
    marks: PersistentList<MarkSet>,
    /// How many steps have each mark, in the order of [`Mark::ALL`].
    counts: [usize; Mark::ALL.len()],
    /// How many steps are finished.
    finished: usize,
    /// Replies that could not be read, over all attempts.
    pub parse_errors: usize,
    /// Parts of replies that were ignored.
    pub dropped: usize,
    /// Why it counts as invalid action (IA), if it does.
    pub invalid: Option<String>,
    /// Why it counts as repeating action (RA), if it does.
    pub repeating: Option<String>,
    /// Since when the goal is out of reach, if that is proven.
    pub dead_state: Option<DeadState>,
    /// The known detours from the shortest path.
    pub detours: DetourTotals,
}

/// The known detours of an episode together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetourTotals {
    /// The steps with extra moves.
    pub steps: usize,
    /// Their extra moves.
    pub extra_moves: usize,
    /// The step that made the level unsolvable.
    pub fatal_step: Option<u32>,
}

/// The reason for a dead state that a search proves.
const UNSOLVABLE: &str = "a search proved that the goal is out of reach";

/// Since when the goal is out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadState {
    /// The step that made the level unsolvable; 0 if it was unsolvable when it opened.
    pub step: u32,
    /// The reason, as a sentence.
    pub why: String,
}

impl ErrorAnalysis {
    /// How many steps have this mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.counts[mark as usize]
    }

    /// The marks to list, in display order: all, but dropped members and what only some environments find only where there
    /// are any.
    pub fn listed(&self) -> impl Iterator<Item = Mark> {
        let is_seldom = |mark: &Mark| *mark == Mark::Dropped || Mark::OF_ENVIRONMENT.contains(mark);
        Mark::ALL.into_iter().filter(move |mark| !is_seldom(mark) || self.count(*mark) > 0)
    }

    /// The marks of each step, in step order.
    pub fn marks(&self) -> &PersistentList<MarkSet> {
        &self.marks
    }

    /// The marks of the step at this index; empty if there is none.
    pub fn at(&self, index: usize) -> MarkSet {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// The analysis without what only a solver knows: dead states and detours.
    #[must_use]
    pub fn without_solver(mut self) -> Self {
        for index in 0..self.marks.len() {
            self.set_marks(index, self.at(index).with(Mark::Dead, false).with(Mark::OffPath, false));
        }
        Self { dead_state: None, detours: DetourTotals::default(), ..self }
    }

    /// The analysis with the results of distance searches for the same steps: detours, and an earlier dead state if
    /// a search proves one.
    #[must_use]
    pub fn with_distances(mut self, distances: &Distances) -> Self {
        for index in 0..self.marks.len() {
            self.add_distance(index, distances);
        }
        self
    }

    /// Adds the distance at this index: the detours before and after it, and a dead state if it proves one.
    fn add_distance(&mut self, index: usize, distances: &Distances) {
        for step in index.saturating_sub(1)..=index {
            if let Some(detour) = distances.detour(step).filter(|_| !self.at(step).has(Mark::OffPath)) {
                self.add_mark(step, Mark::OffPath);
                self.detours.add(&detour);
            }
        }
        if let Some(first) = distances.first_unreachable() {
            self.set_dead_from(first, UNSOLVABLE);
        }
    }

    /// Replaces the marks of the step at this index, or adds them if it is the next step.
    fn set_marks(&mut self, index: usize, marks: MarkSet) {
        let before = self.at(index);
        for (mark, count) in Mark::ALL.into_iter().zip(&mut self.counts) {
            *count = (*count + usize::from(marks.has(mark))).saturating_sub(before.has(mark).into());
        }
        match self.marks.get_mut(index) {
            Some(marked) => *marked = marks,
            None => self.marks.push(marks),
        }
    }

    fn add_mark(&mut self, index: usize, mark: Mark) {
        if index < self.marks.len() {
            self.set_marks(index, self.at(index).with(mark, true));
        }
    }

    /// Notes that the step at this index is finished; it is dead if the goal is out of reach after it.
    fn finish_step(&mut self, index: usize) {
        self.finished = index + 1;
        if self.first_dead_step().is_some_and(|first| index >= first) {
            self.add_mark(index, Mark::Dead);
        }
    }

    /// The goal is out of reach from the state at this index on. Ignored if it is known of this or an earlier state.
    fn set_dead_from(&mut self, state: usize, why: &str) {
        let step = u32::try_from(state).unwrap_or(u32::MAX);
        if self.dead_state.as_ref().is_some_and(|dead| dead.step <= step) {
            return;
        }
        let marked_from = self.first_dead_step().unwrap_or(self.finished).min(self.finished);
        self.dead_state = Some(DeadState { step, why: why.to_owned() });
        for index in state.saturating_sub(1)..marked_from {
            self.add_mark(index, Mark::Dead);
        }
    }

    /// The index of the step that led to the first dead state.
    fn first_dead_step(&self) -> Option<usize> {
        let state = self.dead_state.as_ref()?.step;
        Some(usize::try_from(state).unwrap_or(usize::MAX).saturating_sub(1))
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
            Mark::IncompleteReply => {
                count.map(|steps| format!("{} with a reply that is not complete", plural(steps, "step")))
            }
            Mark::Dropped => count.map(|steps| {
                format!("{}, at {}", plural(self.dropped, "dropped member"), plural(steps, "step"))
            }),
            Mark::InvalidAction => self.invalid.clone(),
            Mark::RepeatedAction => self.repeating.clone(),
            Mark::Unchanged => {
                count.map(|steps| format!("{} did not change the state", plural(steps, "action")))
            }
            Mark::NotRendered => {
                count.map(|steps| format!("the result of {} cannot be shown", plural(steps, "action")))
            }
            Mark::FailedInteraction => {
                count.map(|steps| format!("an interaction fails after {}", plural(steps, "action")))
            }
            Mark::OffPath => count.map(|_| self.detours.describe()),
            Mark::Edited => count.map(|steps| format!("{} edited by a person", plural(steps, "step"))),
            Mark::Dead => self.dead_state.as_ref().map(|dead| match dead.step {
                0 => format!("when the level opened: {}", dead.why),
                step => format!("since step {step}: {}", dead.why),
            }),
        }
    }
}

impl DetourTotals {
    fn add(&mut self, detour: &Detour) {
        match detour.extra_moves() {
            Some(moves) => {
                self.steps += 1;
                self.extra_moves += usize::try_from(moves).unwrap_or(usize::MAX);
            }
            None => self.fatal_step = Some(detour.step),
        }
    }

    /// A description: `5 extra moves at 2 steps; step 9 made the level unsolvable`.
    fn describe(&self) -> String {
        let sum = format!("{} at {}", plural(self.extra_moves, "extra move"), plural(self.steps, "step"));
        let fatal = self.fatal_step.map(|step| format!("step {step} made the level unsolvable"));
        let parts = [Some(sum).filter(|_| self.steps > 0), fatal];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
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
    let mut analyzer = ErrorAnalyzer::new(thresholds).with_errors_of(kind);
    analyzer.update(episode, &|observation| kind.capabilities().scoring.dead_state_reason(observation));
    analyzer.into_analysis()
}

/// Analyzes an episode with a proof of dead states, which is called for each state until one is dead.
pub fn analyze_with(
    episode: &Episode,
    proof: DeadStateProof<'_>,
    thresholds: RepetitionThresholds,
) -> ErrorAnalysis {
    let mut analyzer = ErrorAnalyzer::new(thresholds);
    analyzer.update(episode, proof);
    analyzer.into_analysis()
}
