//! How long the cells of a sweep may take: from what recorded episodes of the same agent and model in the same environment and
//! setting took. Nothing is played, and no journal is replayed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::cell::{PlannedCell, SweepPlan};
use super::super::summary::cell_summary;
use crate::folder::sweep_stores;
use mageyard_config::Problem;
use mageyard_domain::Setting;
use mageyard_engine::{Ending, EpisodeSummary, Head, Store};
use mageyard_lab::{Lab, RecordedEpisode, config_for, recorded_episode};

/// The most sessions of a store, or cells of a sweep, that are looked at; the newest ones.
const MOST_SESSIONS: usize = 500;

/// How long an episode of a cell takes, as it was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredTime {
    /// The mean of its episodes in seconds, with thinking and waiting.
    pub seconds: f64,
    /// The mean of the input and output tokens of its episodes; `None` if those of a request are unknown.
    pub tokens: Option<(f64, f64)>,
    /// The number of these episodes.
    pub episodes: u32,
    /// The session that has them: the newest one that fits.
    pub session: String,
}

impl MeasuredTime {
    /// How long so many episodes take one after the other, in seconds.
    pub fn of_episodes(&self, count: usize) -> f64 {
        self.seconds * u32::try_from(count).map_or(f64::INFINITY, f64::from)
    }
}

/// What an episode's time depends on most.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    agent: String,
    model: Option<String>,
    environment: String,
    setting: String,
}

impl Subject {
    fn of_episode(head: &Head) -> Self {
        Self::new(&head.agent.name, head.model(), &head.environment, head.setting)
    }

    fn of_cell(lab: &Lab, cell: &PlannedCell) -> Result<Self, Problem> {
        let summary = cell_summary(lab, cell)?;
        Ok(Self::new(&summary.agent, summary.model.as_deref(), cell.environment(), summary.setting))
    }

    fn new(agent: &str, model: Option<&str>, environment: &str, setting: Setting) -> Self {
        Self {
            agent: agent.to_owned(),
            model: model.map(str::to_owned),
            environment: environment.to_owned(),
            setting: setting.to_string(),
        }
    }
}

/// A session whose first episode has a subject.
struct Candidate {
    name: String,
    journals: Vec<PathBuf>,
    head: Head,
}

/// How long an episode of each cell takes, in their order; `None` if this store has no finished episode of the same agent and
/// model in the same environment and setting. Sessions with the same number of steps come first, then newer ones.
pub fn measured_times(
    lab: &Lab,
    plan: &SweepPlan,
    store: &Store,
) -> Result<Vec<Option<MeasuredTime>>, Problem> {
    let subjects =
        plan.cells.iter().map(|cell| Subject::of_cell(lab, cell)).collect::<Result<Vec<_>, _>>()?;
    let mut candidates: BTreeMap<Subject, Vec<Candidate>> = BTreeMap::new();
    for candidate in stores(store).iter().flat_map(|store| sessions(lab, store)) {
        let subject = Subject::of_episode(&candidate.head);
        if subjects.contains(&subject) {
            candidates.entry(subject).or_default().push(candidate);
        }
    }
    let mut times = Vec::new();
    for (cell, subject) in plan.cells.iter().zip(&subjects) {
        let found = candidates.get_mut(subject);
        times.push(match found {
            Some(found) => measured(lab, cell, subject, found)?,
            None => None,
        });
    }
    Ok(times)
}

/// The store and those of its sweeps. A folder that cannot be read has no time to offer.
fn stores(store: &Store) -> Vec<Store> {
    let sweeps = sweep_stores(store).unwrap_or_default();
    std::iter::once(Store::new(store.root())).chain(sweeps).collect()
}

/// The newest sessions of a store that can be read.
fn sessions(lab: &Lab, store: &Store) -> Vec<Candidate> {
    let names = store.newest_sessions(MOST_SESSIONS).unwrap_or_default();
    let candidate = |name: String| {
        let journals = store.journals(&name).ok()?;
        let head = recorded_episode(lab, journals.first()?).head().ok()?;
        Some(Candidate { name, journals, head })
    };
    names.into_iter().filter_map(candidate).collect()
}

/// The time of the best of these sessions that has a finished episode.
fn measured(
    lab: &Lab,
    cell: &PlannedCell,
    subject: &Subject,
    candidates: &mut [Candidate],
) -> Result<Option<MeasuredTime>, Problem> {
    let Some(level) = cell.levels.first() else { return Ok(None) };
    let steps = config_for(lab, &cell.config, level.spec)?.settings().play.max_steps;
    candidates.sort_by_key(|one| (one.head.max_steps == steps, one.head.started));
    Ok(candidates.iter().rev().find_map(|candidate| session_time(lab, subject, candidate, steps)))
}

/// The mean time of the finished episodes of a session that no person changed, with a limit of so many steps.
fn session_time(lab: &Lab, subject: &Subject, candidate: &Candidate, limit: u32) -> Option<MeasuredTime> {
    let fits = |recording: &RecordedEpisode| {
        recording.head().is_ok_and(|head| Subject::of_episode(&head) == *subject)
    };
    let time = |journal: &Path| {
        let recording = recorded_episode(lab, journal);
        let summary = recording.summary().filter(|summary| summary.ending.is_some() && !summary.mixed)?;
        fits(&recording).then(|| (seconds(&summary, limit), tokens(&summary, limit)))
    };
    let measured: Vec<_> = candidate.journals.iter().filter_map(|journal| time(journal)).collect();
    let episodes = u32::try_from(measured.len()).ok().filter(|count| *count > 0)?;
    let seconds = measured.iter().map(|(seconds, _)| seconds).sum::<f64>() / f64::from(episodes);
    let tokens: Option<Vec<(f64, f64)>> = measured.iter().map(|(_, tokens)| *tokens).collect();
    let tokens = tokens.map(|all| {
        let sum = all.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (sum.0 / f64::from(episodes), sum.1 / f64::from(episodes))
    });
    Some(MeasuredTime { seconds, tokens, episodes, session: candidate.name.clone() })
}

/// The input and output tokens that an episode would have had with a limit of so many steps, as its time is estimated;
/// `None` if those of a request are unknown.
#[allow(clippy::cast_precision_loss, reason = "an episode has fewer than 2^52 tokens")]
fn tokens(summary: &EpisodeSummary, limit: u32) -> Option<(f64, f64)> {
    // Side requests have an estimate of their own.
    let spent = summary.spent_on_decisions();
    let usage = spent.usage;
    let share = share_of_steps(summary, limit);
    (spent.unmetered == 0).then_some((usage.input as f64 * share, usage.output as f64 * share))
}

/// The seconds that an episode would have taken with a limit of so many steps. One that ended at its step limit goes on to this
/// one at the same speed; any other one ends as it did, or at this limit.
fn seconds(summary: &EpisodeSummary, limit: u32) -> f64 {
    let measured = std::time::Duration::from_millis(summary.milliseconds).as_secs_f64();
    measured * share_of_steps(summary, limit)
}

/// The steps that an episode would have made with a limit of so many, in parts of those that it made.
fn share_of_steps(summary: &EpisodeSummary, limit: u32) -> f64 {
    let made = summary.steps.max(1);
    let expected = if summary.ending == Some(Ending::StepLimit) { limit } else { made.min(limit) };
    f64::from(expected) / f64::from(made)
}
