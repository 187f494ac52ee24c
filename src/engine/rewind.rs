//! Brings an environment to the state of an earlier step: from a checkpoint or from the start, by repeating actions.

use std::sync::Arc;

use thiserror::Error;

use super::step::{Step, Steps};
use mageyard_domain::{
    Action, Checkpoint, Digest, Environment, EnvironmentContext, EnvironmentError, Opening,
};

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
/// with the number of the step that it was saved at; without one, the environment is opened. Every observation on the way
/// is compared with the recorded one.
pub async fn rewind(
    environment: &mut dyn Environment,
    context: &EnvironmentContext,
    steps: &Steps,
    step: u32,
    from: Option<(u32, &Checkpoint)>,
) -> Result<Opening, RewindError> {
    if let Some(broken) = between(steps, step, from).find(|recorded| recorded.is_interrupted()) {
        return Err(RewindError::Interrupted(broken.number));
    }
    let mut seen = begin(environment, context, from).await?.map(|opening| opening.observation.state());
    for recorded in between(steps, step.saturating_add(1), from) {
        seen = reach(environment, context, recorded, seen).await?;
        let Some(action) = finished_action(recorded).filter(|_| recorded.number < step) else { continue };
        seen = Some(environment.act(action, context).await?.observation.state());
    }
    let seen = environment.look(context).await?;
    compare(steps, step, seen.observation.state())?;
    Ok(seen)
}

/// Repeats a change of the state by a person at the start of a step, and compares the state.
async fn reach(
    environment: &mut dyn Environment,
    context: &EnvironmentContext,
    step: &Step,
    seen: Option<Digest>,
) -> Result<Option<Digest>, RewindError> {
    let now = match &step.state_set {
        Some(text) => Some(environment.set_state(text, context).await?.observation.state()),
        None => seen,
    };
    let changed = |now| RewindError::Changed { step: step.number, recorded: step.state, now };
    match now {
        Some(now) if now != step.state => Err(changed(now)),
        _ => Ok(None),
    }
}

/// The same without a comparison. Interrupted actions are left out.
pub(super) async fn repeat(
    environment: &mut dyn Environment,
    context: &EnvironmentContext,
    steps: &Steps,
    step: u32,
    from: Option<(u32, &Checkpoint)>,
) -> Result<Opening, EnvironmentError> {
    begin(environment, context, from).await?;
    for recorded in between(steps, step.saturating_add(1), from) {
        if let Some(text) = &recorded.state_set {
            environment.set_state(text, context).await?;
        }
        if let Some(action) = finished_action(recorded).filter(|_| recorded.number < step) {
            environment.act(action, context).await?;
        }
    }
    environment.look(context).await
}

/// How many actions are carried out again on the way from the checkpoint, or from the start, to the step.
pub fn repeated_actions(steps: &Steps, step: u32, checkpoint: Option<u32>) -> usize {
    let first = checkpoint.unwrap_or(1);
    let on_the_way = steps.iter().filter(|recorded| (first..step).contains(&recorded.number));
    on_the_way.filter(|recorded| recorded.action.is_some() && recorded.effect.is_some()).count()
}

/// Restores the checkpoint; without one, opens the environment and returns what is seen.
async fn begin(
    environment: &mut dyn Environment,
    context: &EnvironmentContext,
    from: Option<(u32, &Checkpoint)>,
) -> Result<Option<Opening>, EnvironmentError> {
    match from {
        Some((_, checkpoint)) => environment.restore(checkpoint, context).await.map(|()| None),
        None => environment.open(context).await.map(Some),
    }
}

/// Compares a state with the one that the step began with.
fn compare(steps: &Steps, step: u32, now: Digest) -> Result<(), RewindError> {
    let recorded = steps.numbered(step).ok_or(RewindError::NoStep(step))?.state;
    if now == recorded { Ok(()) } else { Err(RewindError::Changed { step, recorded, now }) }
}

/// The action of a step, if it was carried out to its end.
fn finished_action(step: &Step) -> Option<&Action> {
    let is_done =
        |step: &Step| step.effect.as_ref().is_some_and(|effect| !effect.interrupted && !effect.withheld);
    step.action.as_ref().filter(|_| is_done(step))
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
