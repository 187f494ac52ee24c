//! Blame by the solver: the distance of every state of the episode is searched.

use mageyard_lab::recorded_episode;
use std::path::Path;

use mageyard_config::Config;
use mageyard_engine::{Detour, Distance, Distances, Episode};
use mageyard_lab::{Lab, LabError, search_distances};

/// What the solver says of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverVerdict {
    /// The environment has no solver that can read its states.
    NoSolver,
    /// The goal was reached.
    Won,
    /// It was out of reach from the start.
    NeverPossible,
    /// A step put it out of reach, which is proven.
    Lost {
        /// The step, from 1.
        step: u32,
        /// Its action.
        action: String,
        /// The actions of a shortest solution before it.
        before: u32,
    },
    /// It was within reach to the end.
    StillPossible {
        /// The actions of a shortest solution at the end.
        left: u32,
        /// The steps that left the shortest path.
        detours: Vec<Detour>,
    },
    /// The solver gave up at some states.
    Unknown {
        /// The last step at whose start the goal is proven to be within reach; 0 if that is known of none.
        after: u32,
        /// The first step after which it is proven to be out of reach; `None` if that is known of none.
        until: Option<u32>,
        /// Why it gave up.
        why: String,
    },
}

/// What the solver says of an episode, within the limits of the settings.
pub async fn blame_by_solver(lab: &Lab, journal: &Path, config: &Config) -> Result<SolverVerdict, LabError> {
    let recorded = recorded_episode(lab, journal).restore().await?;
    let episode = &recorded.episode;
    if episode.is_solved() {
        return Ok(SolverVerdict::Won);
    }
    let distances = search_distances(recorded.spec, episode, config).await;
    Ok(distances.map_or(SolverVerdict::NoSolver, |distances| verdict(episode, &distances)))
}

fn verdict(episode: &Episode, distances: &Distances) -> SolverVerdict {
    let done = usize::try_from(episode.steps_done()).unwrap_or(usize::MAX);
    match (distances.dead_step(), distances.at(done)) {
        (Some(0), _) => SolverVerdict::NeverPossible,
        (Some(step), _) => SolverVerdict::Lost {
            step,
            action: action(episode, step),
            before: exact(distances, step - 1).unwrap_or_default(),
        },
        (None, Some(Distance::Exact(left))) => SolverVerdict::StillPossible {
            left: *left,
            detours: (0..done).filter_map(|index| distances.detour(index)).collect(),
        },
        (None, _) => unknown(distances, done),
    }
}

fn action(episode: &Episode, step: u32) -> String {
    let taken = episode.steps().numbered(step).and_then(|step| step.action.as_ref());
    taken.map_or_else(|| "no action".to_owned(), ToString::to_string)
}

/// The distance at the state after this many steps.
fn exact(distances: &Distances, steps: u32) -> Option<u32> {
    match distances.at(usize::try_from(steps).ok()?)? {
        Distance::Exact(moves) => Some(*moves),
        Distance::Unreachable | Distance::Unknown(_) => None,
    }
}

fn unknown(distances: &Distances, done: usize) -> SolverVerdict {
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let last = (0..=done).rev().find(|index| matches!(distances.at(*index), Some(Distance::Exact(_))));
    let why = (0..=done).find_map(|index| match distances.at(index) {
        Some(Distance::Unknown(why)) => Some(why.to_string()),
        _ => None,
    });
    SolverVerdict::Unknown {
        after: last.map_or(0, |index| number(index) + 1),
        until: distances.first_unreachable().map(number),
        why: why.unwrap_or_else(|| "the search was stopped".to_owned()),
    }
}
