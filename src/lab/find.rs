//! Finds the steps of recorded episodes that have a mark.

use serde_json::Value;

use super::DistanceAfter;
use super::LabError;
use super::RecordedEpisode;
use crate::config::Config;
use crate::domain::RepetitionThresholds;
use crate::engine::Distances;
use crate::engine::ErrorAnalysis;
use crate::engine::Mark;
use crate::engine::MarkSet;
use crate::engine::Step;
use crate::engine::analyze;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct StepQuery {
    /// A step needs one of these marks.
    pub marks: MarkSet,
    /// The thresholds of repetition; `None` for those of the episode.
    pub thresholds: Option<RepetitionThresholds>,
    /// Whether the distance of each state is searched.
    pub distances: bool,
}

/// The steps of an episode that have a mark.
pub struct FoundSteps {
    /// The name of the environment.
    pub environment: String,
    /// The steps, in order.
    pub steps: Vec<FoundStep>,
    /// The number of steps whose distance the search could not tell; `None` without a search or a solver.
    pub unjudged: Option<usize>,
}

/// A step with a mark.
#[derive(Clone, Debug)]
pub struct FoundStep {
    /// The fields that identify the step.
    pub identity: Value,
    /// Its number, from 1.
    pub step: u32,
    /// All its marks.
    pub marks: MarkSet,
    /// The action, if there was one.
    pub action: Option<String>,
    /// The reason for the marks, if there is one to state.
    pub note: Option<String>,
    /// The distance after the step, if it was searched.
    pub distance: Option<DistanceAfter>,
}

impl RecordedEpisode {
    /// Finds the steps with one of the marks.
    pub async fn find(&self, query: StepQuery, config: &Config) -> Result<FoundSteps, LabError> {
        if let Some(found) = self.nothing_to_find(query) {
            return Ok(found);
        }
        let restored = self.restore().await?;
        let (spec, episode, id) = (restored.spec, &restored.episode, self.id());
        let thresholds = query.thresholds.unwrap_or(episode.head().conduct.thresholds);
        let distances = if query.distances { restored.distances(config).await } else { None };
        let mut faults = analyze(episode, spec, thresholds);
        if let Some(distances) = &distances {
            faults = faults.with_distances(distances);
        }
        let marked = (1..).zip(episode.steps()).zip(faults.marks());
        let marked = marked.filter(|(_, marks)| marks.intersects(query.marks));
        let steps = marked.map(|((after, step), marks)| FoundStep {
            identity: id.step_fields(episode.head(), step),
            step: step.number,
            marks: *marks,
            action: step.action.as_ref().map(ToString::to_string),
            note: note(step, *marks, &faults, distances.as_ref()),
            distance: distances.as_ref().map(|distances| DistanceAfter::after(distances, after)),
        });
        let (environment, steps) = (spec.name().to_owned(), steps.collect());
        Ok(FoundSteps {
            environment,
            steps,
            unjudged: distances.as_ref().map(|distances| distances.unjudged().1),
        })
    }

    /// The result for an episode whose summary has none of the marks.
    fn nothing_to_find(&self, query: StepQuery) -> Option<FoundSteps> {
        let summary = self.summary().filter(|_| !query.distances)?;
        let same = query.thresholds.is_none_or(|thresholds| thresholds == summary.thresholds);
        let none = query.marks.iter().all(|mark| summary.count(mark) == 0);
        let environment = self.head().ok().filter(|_| same && none)?.environment;
        Some(FoundSteps { environment, steps: Vec::new(), unjudged: None })
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
