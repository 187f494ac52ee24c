//! Leads to a state by playing its actions from the start of its level.

use super::file::Suite;
use super::script::ScriptAgent;
use mageyard_config::{Config, Problem};
use mageyard_domain::Digest;
use mageyard_engine::{Driver, Head, Need, Store};
use mageyard_lab::{Lab, LabError, open_scripted};

/// A state that was reached by playing.
pub(super) struct ReachedState {
    /// The digest of the state.
    pub(super) digest: Digest,
    /// The number of the step that begins with it.
    pub(super) step: u32,
}

/// Plays the actions of a state, as this episode of a session or without a journal. Nothing is compared.
pub(super) async fn play_state(
    lab: &Lab,
    (suite, index): (&Suite, usize),
    head: Head,
    place: Option<(&Store, &std::path::Path, usize)>,
    config: &Config,
) -> Result<ReachedState, LabError> {
    let (agent, script) = ScriptAgent::new();
    let mut driver = open_scripted(lab, place, head, Box::new(agent), config)?;
    let actions = suite.states.get(index).and_then(|state| state.actions.as_deref());
    let missing = || suite.problem(index, "it has no actions, so only its recording opens it");
    let actions = actions.ok_or_else(missing)?;
    for (number, action) in (1..).zip(actions) {
        decision(&mut driver, suite, index, number).await?;
        let space = driver.episode().steps().last().map(|step| step.space.clone());
        let parsed = space.map(|space| space.parse_line(action));
        let parsed = parsed.and_then(Result::ok).ok_or_else(|| {
            let what = format!("action {number}, {action:?}, is not possible there");
            suite.problem(index, what).with_help("the suite belongs to another version of its environment")
        })?;
        script.send(parsed).map_err(LabError::failed)?;
        driver.advance().await.map_err(LabError::failed)?;
    }
    decision(&mut driver, suite, index, actions.len() + 1).await?;
    driver.flush().map_err(LabError::failed)?;
    driver.close().await;
    let last = driver.episode().steps().last().map(|step| (step.state, step.number));
    let (digest, step) = last.ok_or_else(|| suite.problem(index, "the level has no state"))?;
    Ok(ReachedState { digest, step })
}

/// Advances to the next decision.
async fn decision(driver: &mut Driver, suite: &Suite, index: usize, number: usize) -> Result<(), LabError> {
    while !matches!(driver.episode().need(), Need::Decide { attempt: 1, .. }) {
        let ended = match driver.episode().need() {
            Need::Nothing(ending) => Some(format!("{ending:?}")),
            Need::Decide { attempt, .. } => Some(format!("attempt {attempt} of a step")),
            _ => None,
        };
        if let Some(ended) = ended {
            return Err(early_end(suite, index, number, &ended).into());
        }
        driver.advance().await.map_err(LabError::failed)?;
    }
    Ok(())
}

fn early_end(suite: &Suite, index: usize, number: usize, ended: &str) -> Problem {
    let what = format!("the episode ends before action {number} ({ended})");
    suite.problem(index, what).with_help("play.max_steps must be more than the actions of the state")
}
