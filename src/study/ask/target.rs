//! The question of an ask: which answers count. It is fixed before the first call, as a set of actions.

use mageyard_lab::new_environment;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::state::FrozenState;
use mageyard_config::{Config, Problem};
use mageyard_domain::{Action, EnvironmentContext, Observation, Recovery, Status};
use mageyard_engine::{Distance, JournalReader, restore_step, search_distance};
use mageyard_lab::{Lab, LabError, search_limits};

/// Which answers count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskTarget {
    /// As it was written: an action, `optimal`, `legal` or `readable`.
    pub written: String,
    /// The answers that count; `None` for every answer that can be read.
    pub actions: Option<BTreeSet<String>>,
}

impl AskTarget {
    /// Whether an answer counts. A reply that cannot be read never does.
    pub fn is_met(&self, answer: Option<&str>) -> bool {
        answer.is_some_and(|answer| self.actions.as_ref().is_none_or(|actions| actions.contains(answer)))
    }
}

/// What an action leads to.
pub(super) struct ActionResult {
    pub(super) action: String,
    pub(super) changes: bool,
    pub(super) observation: Observation,
    pub(super) status: Status,
}

/// Reads a target. `legal` and `optimal` try each action in an environment of its own, so they need one whose actions can
/// be repeated.
pub(crate) async fn ask_target(
    lab: &Lab,
    written: &str,
    state: &FrozenState,
    config: &Config,
) -> Result<AskTarget, LabError> {
    let actions = match written {
        "readable" => None,
        "legal" => {
            let results = action_results(lab, state).await?;
            Some(results.into_iter().filter(|result| result.changes).map(|result| result.action).collect())
        }
        "optimal" => Some(optimal_actions(lab, state, config).await?),
        action => {
            let parsed = state.step.space.parse_line(action);
            let unknown = |error| {
                Problem::new(format!("--target: {error}"))
                    .with_help("a target is optimal, legal, readable or an action")
            };
            Some([parsed.map_err(unknown)?.to_string()].into())
        }
    };
    Ok(AskTarget { written: written.to_owned(), actions })
}

/// The actions after which a shortest solution is one action shorter.
async fn optimal_actions(
    lab: &Lab,
    state: &FrozenState,
    config: &Config,
) -> Result<BTreeSet<String>, LabError> {
    let Some(before) = distance(state, &state.step.observation, config).await? else {
        return Err(refused("the goal is out of reach from this state").into());
    };
    let mut optimal = BTreeSet::new();
    for result in action_results(lab, state).await? {
        let after = match result.status {
            Status::Won => Some(0),
            Status::Running => distance(state, &result.observation, config).await?,
            Status::Lost | Status::TimeUp | Status::Finished => None,
        };
        if after.is_some_and(|after| after < before) {
            optimal.insert(result.action);
        }
    }
    Ok(optimal)
}

/// What each action leads to.
pub(super) async fn action_results(lab: &Lab, state: &FrozenState) -> Result<Vec<ActionResult>, LabError> {
    let mut results = Vec::new();
    for spec in state.step.space.specs() {
        if !spec.is_plain() {
            let action = spec.signature();
            return Err(refused(&format!("{action} has parameters, so not all actions can be tried")).into());
        }
        results.push(action_result(lab, state, &Action::plain(spec.name.clone())).await?);
    }
    Ok(results)
}

async fn action_result(lab: &Lab, state: &FrozenState, action: &Action) -> Result<ActionResult, LabError> {
    let reader = JournalReader::open(&state.journal)?;
    let (spec, mut environment) = new_environment(lab, &state.journal, reader.head())?;
    if environment.recovery() != Recovery::Replay {
        let name = spec.name();
        return Err(refused(&format!("{name} cannot return to the state to try actions")).into());
    }
    let restored = restore_step(reader, environment.as_mut(), state.step.number).await;
    restored.map_err(LabError::failed)?;
    let outcome = environment.act(action, &EnvironmentContext::default()).await.map_err(LabError::failed)?;
    environment.close().await;
    Ok(ActionResult {
        action: action.to_string(),
        changes: outcome.observation.state() != state.step.state,
        observation: outcome.observation,
        status: outcome.status,
    })
}

/// The length of a shortest solution from a state; `None` if there is none.
async fn distance(state: &FrozenState, seen: &Observation, config: &Config) -> Result<Option<u32>, Problem> {
    let limits = search_limits(state.spec, &state.head, config);
    match search_distance(state.spec, seen.for_one_use(), limits).await {
        Some(Distance::Exact(actions)) => Ok(Some(actions)),
        Some(Distance::Unreachable) => Ok(None),
        Some(Distance::Unknown(why)) => Err(refused(&why)),
        None => Err(refused(&format!("{} has no solver that can read the state", state.spec.name()))),
    }
}

/// Why the target cannot be fixed.
fn refused(why: &str) -> Problem {
    Problem::new(format!("--target: {why}")).with_help("use an action, or readable, as the target")
}
