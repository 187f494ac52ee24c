//! What each action leads to from a state, where the environment can try it and its solver can judge the result.

use super::action_verdict::{ActionVerdict, ActionVerdicts};
use super::plan::AskPlan;
use super::state::FrozenState;
use super::target::ActionResult;
use crate::ask::action_results;
use mageyard_config::Config;
use mageyard_domain::{ActionSpec, Observation, Recovery, Status};
use mageyard_engine::{Distance, search_distance};
use mageyard_lab::{Lab, LabError, search_limits};

/// How far away the goal is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Actions(u32),
    OutOfReach,
    Unknown,
}

/// Judges the actions of a planned ask, and keeps that with what is stored of it.
pub async fn judge_ask(lab: &Lab, plan: &mut AskPlan, config: &Config) -> Result<(), LabError> {
    plan.record.verdicts = action_verdicts(lab, &plan.state, config).await?;
    Ok(())
}

/// What each action leads to; `None` if the environment cannot try them.
pub(crate) async fn action_verdicts(
    lab: &Lab,
    state: &FrozenState,
    config: &Config,
) -> Result<Option<ActionVerdicts>, LabError> {
    if state.recovery != Recovery::Replay || !state.step.space.specs().iter().all(ActionSpec::is_plain) {
        return Ok(None);
    }
    let before = goal(state, &state.step.observation, config).await;
    let mut verdicts = ActionVerdicts::new();
    for result in action_results(lab, state).await? {
        let after = match result.status {
            Status::Won => Goal::Actions(0),
            Status::Lost => Goal::OutOfReach,
            Status::Running => goal(state, &result.observation, config).await,
            Status::TimeUp | Status::Finished => Goal::Unknown,
        };
        let verdict = verdict(&result, before, after);
        verdicts.insert(result.action, verdict);
    }
    Ok(Some(verdicts))
}

fn verdict(result: &ActionResult, before: Goal, after: Goal) -> ActionVerdict {
    match (before, after) {
        _ if !result.changes => ActionVerdict::Illegal,
        (_, Goal::OutOfReach) => ActionVerdict::Losing,
        (Goal::Actions(before), Goal::Actions(after)) if after < before => ActionVerdict::Optimal,
        (Goal::Actions(_), Goal::Actions(_)) => ActionVerdict::Wasteful,
        _ => ActionVerdict::Legal,
    }
}

async fn goal(state: &FrozenState, seen: &Observation, config: &Config) -> Goal {
    let limits = search_limits(state.spec, &state.head, config);
    match search_distance(state.spec, seen.for_one_use(), limits).await {
        Some(Distance::Exact(actions)) => Goal::Actions(actions),
        Some(Distance::Unreachable) => Goal::OutOfReach,
        Some(Distance::Unknown(_)) | None => Goal::Unknown,
    }
}
