//! Finds the steps of recorded episodes that meet a condition.

use std::collections::BTreeSet;

use super::{DistanceAfter, EpisodeFields, LabError, RecordedEpisode, RestoredEpisode, search_distances};
use mageyard_config::Config;
use mageyard_domain::RepetitionThresholds;
use mageyard_engine::{
    Condition, DamagedAnnotation, Distances, Episode, EpisodeAnnotations, ErrorAnalysis, FinishedStep, Known,
    Mark, MarkSet, Step, StepAnnotations, StepView, Truth, UNKNOWN_DISTANCE, analyze,
};

/// What is looked for.
#[derive(Clone, Debug)]
pub struct StepQuery {
    /// What a step must meet.
    pub condition: Condition,
    /// What the condition knows beside the episode.
    pub known: Known,
    /// The thresholds of repetition; `None` for those of the episode.
    pub thresholds: Option<RepetitionThresholds>,
    /// Whether the distance of each state is searched.
    pub distances: bool,
}

/// The steps of an episode that meet a condition.
pub struct FoundSteps {
    /// The name of the environment.
    pub environment: String,
    /// The steps, in order.
    pub steps: Vec<FoundStep>,
    /// The number of steps whose distance the search could not tell; `None` without a search or a solver.
    pub unjudged: Option<usize>,
    /// Why the condition is unknown at further steps, apart from their distances.
    pub unknown: BTreeSet<String>,
    /// The lines of the session's annotations that cannot be read, if the condition asks for annotations.
    pub damaged: Vec<DamagedAnnotation>,
}

/// A step that meets a condition.
#[derive(Clone, Debug)]
pub struct FoundStep {
    /// The fields that identify the step.
    pub identity: EpisodeFields,
    /// Its number, from 1.
    pub step: u32,
    /// All its marks.
    pub marks: MarkSet,
    /// The action, if there was one.
    pub action: Option<String>,
    /// The reason for the marks, if there is one to state.
    pub note: Option<String>,
    /// What makes the condition true, in words.
    pub facts: Vec<String>,
    /// The distance after the step, if it was searched.
    pub distance: Option<DistanceAfter>,
}

/// What is known of an episode beside its steps.
struct Beside<'a> {
    errors: &'a ErrorAnalysis,
    distances: Option<&'a Distances>,
    /// Those of the step.
    annotations: Option<&'a StepAnnotations>,
}

impl RecordedEpisode {
    /// Finds the steps that meet the condition.
    pub async fn find(&self, query: &StepQuery, config: &Config) -> Result<FoundSteps, LabError> {
        let annotations = if query.condition.reads_annotations() { Some(self.annotations()?) } else { None };
        let annotations = annotations.unwrap_or_default();
        if let Some(found) = self.nothing_to_find(query, &annotations) {
            return Ok(found);
        }
        // The environment is dropped: it cannot be shared with another thread while distances are searched.
        let RestoredEpisode { spec, episode, .. } = self.restore().await?;
        let episode = &episode;
        let thresholds = query.thresholds.unwrap_or(episode.head().conduct.thresholds);
        let distances = if query.distances { search_distances(spec, episode, config).await } else { None };
        let mut errors = analyze(episode, spec, thresholds);
        if let Some(distances) = &distances {
            errors = errors.with_distances(distances);
        }
        let mut found = FoundSteps {
            environment: spec.name().to_owned(),
            steps: Vec::new(),
            unjudged: distances.as_ref().map(|distances| distances.unjudged().1),
            unknown: BTreeSet::new(),
            damaged: annotations.damaged.clone(),
        };
        for (index, step) in episode.steps().iter().enumerate() {
            if step.is_done() || !step.attempts.is_empty() || !step.side.is_empty() {
                let beside = Beside {
                    errors: &errors,
                    distances: distances.as_ref(),
                    annotations: annotations.step(step.number),
                };
                self.judge(query, episode, &beside, (index, step), &mut found);
            }
        }
        Ok(found)
    }

    /// Adds the step if it meets the condition, or why that is unknown.
    fn judge(
        &self,
        query: &StepQuery,
        episode: &Episode,
        Beside { errors, distances, annotations }: &Beside<'_>,
        (index, step): (usize, &Step),
        found: &mut FoundSteps,
    ) {
        let marks = errors.at(index);
        let none = Distances::default();
        let view = StepView {
            head: episode.head(),
            steps: episode.steps(),
            prompt: episode.prompt(),
            step: FinishedStep { index, marks, continued: MarkSet::default() },
            is_finished: step.is_done(),
            errors,
            distances: distances.unwrap_or(&none),
            known: &query.known,
            annotations: *annotations,
        };
        let judgement = query.condition.judge(&view);
        match judgement.truth {
            Truth::False => {}
            Truth::True => found.steps.push(FoundStep {
                identity: EpisodeFields::of_step(&self.id(), episode.head(), step),
                step: step.number,
                marks,
                action: step.action.as_ref().map(ToString::to_string),
                note: note(step, marks, errors, *distances),
                facts: judgement.facts,
                distance: distances.map(|distances| DistanceAfter::after(distances, index + 1)),
            }),
            // A missing distance is counted for the whole episode.
            Truth::NeedsDistance | Truth::Unknown => {
                found.unknown.extend(judgement.facts.into_iter().filter(|fact| fact != UNKNOWN_DISTANCE));
            }
        }
    }

    /// The result for an episode that has none of the annotations, or whose summary has none of the marks, that a step
    /// needs.
    fn nothing_to_find(&self, query: &StepQuery, annotations: &EpisodeAnnotations) -> Option<FoundSteps> {
        let steps = Vec::new();
        let unjudged = None;
        let unknown = BTreeSet::new();
        let damaged = annotations.damaged.clone();
        if query.condition.needs_annotations() && annotations.steps.is_empty() {
            let environment = self.head().ok()?.environment;
            return Some(FoundSteps { environment, steps, unjudged, unknown, damaged });
        }
        let marks = query.condition.needed_marks()?;
        let summary = self.summary().filter(|_| !query.distances)?;
        let same = query.thresholds.is_none_or(|thresholds| thresholds == summary.thresholds);
        let none = marks.iter().all(|mark| summary.count(mark) == 0);
        let environment = self.head().ok().filter(|_| same && none)?.environment;
        Some(FoundSteps { environment, steps, unjudged, unknown, damaged })
    }
}

/// The reason for the marks of a step: what led to the dead state, why a reply could not be read, or its
/// extra moves.
fn note(
    step: &Step,
    marks: MarkSet,
    faults: &ErrorAnalysis,
    distances: Option<&Distances>,
) -> Option<String> {
    let lost =
        faults.dead_state.as_ref().filter(|lost| marks.has(Mark::Dead) && lost.step.max(1) == step.number);
    let unread = || {
        let mut verdicts = step.attempts.iter().rev().filter_map(|attempt| attempt.verdict.as_ref());
        verdicts.find_map(|verdict| verdict.as_ref().err()).map(|failure| failure.why.clone())
    };
    let off = || Some(distances?.detour_of(step.number)?.describe());
    lost.map(|lost| lost.why.clone()).or_else(unread).or_else(off)
}
