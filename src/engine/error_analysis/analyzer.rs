//! Keeps the analysis of an episode up to date, step by step. A step is judged once, when it is finished; only the
//! step that is not finished is judged again at each update.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{ErrorAnalysis, Mark, MarkSet, plural};
use crate::distance::Distances;
use crate::episode::Episode;
use crate::event::Ending;
use crate::persistent_list::PersistentList;
use crate::repetition::{Repetition, RepetitionTracker};
use crate::step::Step;
use mageyard_domain::{ActProblem, Digest, EnvironmentSpec, Observation, RepetitionThresholds, Setting};

/// A proof that the goal is out of reach from a state: the reason as a sentence, or `None`.
pub type DeadStateProof<'a> = &'a dyn Fn(&Observation) -> Option<String>;

/// A finished step with what is known about it without a distance search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedStep {
    /// Its index in the episode.
    pub index: usize,
    /// Its marks.
    pub marks: MarkSet,
    /// Those of its marks that the step before it had already: it continues a repetition, or the goal was out of reach
    /// before.
    pub continued: MarkSet,
}

/// Analyzes an episode while it grows.
#[derive(Clone, Debug, Default)]
pub struct ErrorAnalyzer {
    thresholds: RepetitionThresholds,
    analysis: ErrorAnalysis,
    /// The parse errors of the finished steps.
    parse_errors: usize,
    /// The ignored parts of replies of the finished steps.
    dropped: usize,
    /// Whether the reader of the episode says that an ignored part is an invalid action.
    counts_dropped: bool,
    repetitions: RepetitionTracker,
    /// Whether the action that the repetition limit refused has been judged.
    judged_refused: bool,
    /// The first repetition, and the index of its last step so far.
    first_repetition: Option<(Repetition, usize)>,
    /// How many states were checked by the rules of the environment.
    checked: usize,
    reads_errors: bool,
    /// The actions with which alone an episode counts as repeating.
    one_sided: &'static [&'static str],
    /// The errors that the environment found in each state, if it does.
    found: PersistentList<MarkSet>,
    /// The states that are not dead by these rules: episodes come back to them.
    alive: FxHashSet<Digest>,
    /// The first state from which the goal is out of reach by the rules alone.
    dead_by_rules: Option<usize>,
    newest: Option<FinishedStep>,
}

impl ErrorAnalyzer {
    /// An analyzer for a new episode with these thresholds.
    pub fn new(thresholds: RepetitionThresholds) -> Self {
        Self { thresholds, ..Self::default() }
    }

    /// The analyzer with the errors that this environment finds itself, and those that only it has.
    #[must_use]
    pub fn with_errors_of(self, spec: &dyn EnvironmentSpec) -> Self {
        Self {
            reads_errors: spec.capabilities().scoring.finds_errors(),
            one_sided: spec.capabilities().episodes.one_sided_actions,
            ..self
        }
    }

    /// The analysis at the last update.
    pub fn analysis(&self) -> &ErrorAnalysis {
        &self.analysis
    }

    /// The analysis at the last update.
    pub fn into_analysis(self) -> ErrorAnalysis {
        self.analysis
    }

    /// The last finished step.
    pub fn newest(&self) -> Option<FinishedStep> {
        self.newest
    }

    /// Adds what happened in the episode since the last update. `proof` is called for each state until one is dead. It
    /// must always be the same episode.
    pub fn update(&mut self, episode: &Episode, proof: DeadStateProof<'_>) {
        let steps = episode.steps();
        self.counts_dropped = episode.head().rules.counts_dropped_as_invalid();
        for (index, step) in steps.iter().enumerate().skip(self.checked) {
            self.check_state(index, step, proof);
            if self.reads_errors {
                self.found.push(errors_of_environment(&step.observation));
            }
        }
        let from = self.analysis.finished;
        for (index, step) in steps.iter().enumerate().skip(from) {
            self.analysis.set_marks(index, self.own_marks(step).union(self.found_after(index)));
            if step.is_done() {
                self.finish(index, step);
            }
        }
        let open = steps.last().filter(|step| !step.is_done());
        self.analysis.parse_errors = self.parse_errors + open.map_or(0, |step| step.parse_errors());
        self.analysis.dropped = self.dropped + open.map_or(0, |step| step.dropped());
        self.judge_end(episode);
    }

    /// Adds the distances that became known at these indices.
    pub(crate) fn add_distances(&mut self, indices: impl IntoIterator<Item = usize>, distances: &Distances) {
        for index in indices {
            self.analysis.add_distance(index, distances);
        }
    }

    /// The errors that the environment found after the step at this index.
    fn found_after(&self, index: usize) -> MarkSet {
        self.found.get(index + 1).copied().unwrap_or_default()
    }

    fn check_state(&mut self, index: usize, step: &Step, proof: DeadStateProof<'_>) {
        self.checked = index + 1;
        if self.dead_by_rules.is_some() || self.alive.contains(&step.state) {
            return;
        }
        if let Some(why) = step.dead_state_reason(proof) {
            self.dead_by_rules = Some(index);
            self.analysis.set_dead_from(index, why);
        } else {
            self.alive.insert(step.state);
        }
    }

    fn finish(&mut self, index: usize, step: &Arc<Step>) {
        let repeated_before =
            index.checked_sub(1).is_some_and(|last| self.analysis.at(last).has(Mark::RepeatedAction));
        let dead = self.dead_by_rules.filter(|first| index >= first.saturating_sub(1));
        let dead_before = dead.is_some_and(|first| index > 0 && index >= first);
        self.analysis.finish_step(index);
        self.parse_errors += step.parse_errors();
        self.dropped += step.dropped();
        self.add_repetition(index, step);
        self.judge_action(step);
        let own = self.own_marks(step).union(self.found_after(index));
        let repeats = self.analysis.at(index).has(Mark::RepeatedAction);
        self.newest = Some(FinishedStep {
            index,
            marks: own.with(Mark::RepeatedAction, repeats).with(Mark::Dead, dead.is_some()),
            continued: MarkSet::default()
                .with(Mark::RepeatedAction, repeats && repeated_before)
                .with(Mark::Dead, dead_before),
        });
    }

    /// Describes the first invalid action.
    fn judge_action(&mut self, step: &Step) {
        let number = step.number;
        let why = match step.dropped() {
            _ if step.skipped => format!("step {number} ended without a legal action"),
            _ if step.problem().is_some_and(ActProblem::is_refused) => {
                format!("the environment refused the action of step {number}")
            }
            dropped if dropped > 0 && self.counts_dropped => {
                let what = plural(dropped, "dropped member");
                format!("step {number} has {what}, which the reader counts as an invalid action")
            }
            _ => return,
        };
        self.analysis.invalid.get_or_insert(why);
    }

    /// The marks that depend on one step alone.
    fn own_marks(&self, step: &Step) -> MarkSet {
        let dropped = step.dropped() > 0;
        let is_refused = step.problem().is_some_and(ActProblem::is_refused);
        MarkSet::default()
            .with(Mark::ParseError, step.parse_errors() > 0)
            .with(Mark::IncompleteReply, step.has_incomplete_reply())
            .with(Mark::Dropped, dropped)
            .with(Mark::InvalidAction, step.skipped || dropped && self.counts_dropped || is_refused)
            .with(Mark::FailedInteraction, step.problem().is_some_and(|problem| !problem.is_refused()))
            .with(Mark::Unchanged, step.is_unchanged())
            .with(Mark::Edited, step.is_edited())
    }

    /// Marks the steps of a repetition and describes the first one.
    fn add_repetition(&mut self, index: usize, step: &Arc<Step>) {
        let Some(reached) = self.repetitions.push(step, self.thresholds) else { return };
        let from = (index + 1).saturating_sub(reached.added);
        for index in from..=index {
            self.analysis.add_mark(index, Mark::RepeatedAction);
        }
        let continues = |(before, at): (Repetition, usize)| at + 1 == index && before.rule == reached.rule;
        if self.first_repetition.is_none_or(continues) {
            self.first_repetition = Some((reached, index));
            let from = step.number.saturating_sub(u32::try_from(reached.count).unwrap_or(u32::MAX)) + 1;
            let what = reached.rule.describe(step, reached.count);
            self.analysis.repeating = Some(format!("{what}, steps {from} to {}", step.number));
        }
    }

    /// An action that the repetition limit refused is the last of its repetition, though its step is not finished.
    fn judge_refused(&mut self, episode: &Episode) {
        let refused = episode.steps().last().filter(|step| step.over_limit);
        if let Some(step) = refused {
            let index = episode.steps().len() - 1;
            if !std::mem::replace(&mut self.judged_refused, true) {
                self.add_repetition(index, step);
            }
        }
    }

    /// An episode that is over and has actions of one kind only, at least two, is a repetition (`MageBench`, error
    /// analysis).
    fn judge_variety(&mut self, episode: &Episode) {
        if self.one_sided.is_empty() || episode.ending().is_none() || self.analysis.repeating.is_some() {
            return;
        }
        let names = |step: &Arc<Step>| step.action.as_ref().map(|action| action.name.clone());
        let names: Vec<String> = episode.steps().iter().filter_map(names).collect();
        let is_known = |name: &String| self.one_sided.contains(&name.as_str());
        if names.len() < 2 || !names.iter().all(is_known) {
            return;
        }
        let which: Vec<&str> =
            self.one_sided.iter().copied().filter(|known| names.iter().any(|name| name == known)).collect();
        self.analysis.repeating =
            Some(format!("all {} actions of the episode are {}", names.len(), which.join(" or ")));
        let acted = episode.steps().iter().enumerate().filter(|(_, step)| step.action.is_some());
        for (index, _) in acted {
            self.analysis.add_mark(index, Mark::RepeatedAction);
        }
    }

    /// An episode that ends as unreadable has an invalid action at its last step.
    fn judge_end(&mut self, episode: &Episode) {
        self.judge_refused(episode);
        self.judge_variety(episode);
        let Some(last) =
            episode.steps().last().filter(|_| episode.ending().is_some_and(Ending::is_unreadable))
        else {
            return;
        };
        self.analysis.add_mark(episode.steps().len() - 1, Mark::InvalidAction);
        self.analysis.invalid.get_or_insert_with(|| match episode.head().setting {
            Setting::Global => "the plan could not be read in any attempt".to_owned(),
            Setting::Online => format!("step {} ended without a legal action", last.number),
        });
    }
}

/// The errors that the facts of a state name.
fn errors_of_environment(observation: &Observation) -> MarkSet {
    let names = observation.facts().get("errors").and_then(serde_json::Value::as_array);
    let has = |mark: &Mark| names.is_some_and(|names| names.iter().any(|name| *name == mark.name()));
    Mark::OF_ENVIRONMENT.into_iter().filter(has).collect()
}
