//! Brings an environment to the state of an earlier step: from a checkpoint or from the start, by repeating actions.

use std::sync::Arc;

use thiserror::Error;

use super::step::Step;
use super::step::Steps;
use crate::domain::Checkpoint;
use crate::domain::Digest;
use crate::domain::Environment;
use crate::domain::EnvironmentContext;
use crate::domain::EnvironmentError;
use crate::domain::Opening;

/// Why an environment cannot return to a step.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RewindError {
    /// The episode has no such step.
    #[error("there is no step {0}")]
    NoStep(u32),
    /// An action before the step was interrupted, so it cannot be repeated.
    #[error("the action of step {0} was interrupted and cannot be repeated")]
    Interrupted(u32),
    /// The state is not the recorded one.
    #[error(
        "the state of step {step} was recorded as {recorded} and is {now} now: the environment has changed"
    )]
    Changed {
        /// The step.
        step: u32,
        /// The recorded state.
        recorded: Digest,
        /// The state that was reached.
        now: Digest,
    },
    /// The environment failed.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
}

/// Brings an environment to the state that `step` began with, and returns what is seen there. `from` is a checkpoint
/// with the number of the step that it was saved at; without one, the environment is opened. The result is compared
/// with the recorded state.
pub async fn rewind(
    environment: &mut dyn Environment,
    context: &EnvironmentContext,
    steps: &Steps,
    step: u32,
    from: Option<(u32, &Checkpoint)>,
) -> Result<Opening, RewindError> {
    let target = steps.iter().find(|recorded| recorded.number == step).ok_or(RewindError::NoStep(step))?;
    if let Some(broken) = between(steps, step, from).find(|recorded| recorded.is_interrupted()) {
        return Err(RewindError::Interrupted(broken.number));
    }
    let seen = repeat(environment, context, steps, step, from).await?;
    let now = seen.observation.digest();
    if now == target.state {
        return Ok(seen);
    }
    Err(RewindError::Changed { step, recorded: target.state, now })
}

/// The same without a comparison. Interrupted actions are left out.
pub(super) async fn repeat(
    environment: &mut dyn Environment,
    context: &EnvironmentContext,
    steps: &Steps,
    step: u32,
    from: Option<(u32, &Checkpoint)>,
) -> Result<Opening, EnvironmentError> {
    match from {
        Some((_, checkpoint)) => environment.restore(checkpoint, context).await?,
        None => drop(environment.open(context).await?),
    }
    for recorded in between(steps, step, from).filter(|recorded| !recorded.is_interrupted()) {
        if let (Some(action), Some(_)) = (&recorded.action, &recorded.effect) {
            environment.act(action, context).await?;
        }
    }
    environment.look(context).await
}

/// The steps whose actions lead from the checkpoint to the step.
fn between<'a>(
    steps: &'a Steps,
    step: u32,
    from: Option<(u32, &Checkpoint)>,
) -> impl Iterator<Item = &'a Arc<Step>> {
    let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    steps.range(index(from.map_or(1, |(first, _)| first))..index(step))
}
