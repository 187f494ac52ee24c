//! What the solver of an environment would have done at a step, once the step was taken.

use crate::known_environment;
use std::sync::atomic::AtomicBool;

use super::Lab;
use mageyard_domain::Action;
use mageyard_engine::Step;

/// The action that the solver would have taken, and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleOpinion {
    /// The action; `None` if it would have stopped.
    pub action: Option<String>,
    /// The reason, in a sentence.
    pub reason: String,
}

/// What the solver of this environment would have done at a finished step. It may search for long; `stop` ends that.
/// The error says why there is no opinion.
pub fn oracle_opinion(
    lab: &Lab,
    environment: &str,
    taken: &Step,
    stop: &AtomicBool,
) -> Result<OracleOpinion, String> {
    if !taken.is_done() {
        return Err("the oracle's opinion on a step is shown when the step was taken".to_owned());
    }
    let spec = known_environment(lab, environment).map_err(|problem| problem.to_string())?;
    let oracle = spec.capabilities().policies.create_oracle();
    let mut oracle = oracle.ok_or("this environment has no solver, so the oracle has no opinion")?;
    let seen = taken.observation.for_one_use();
    let said = oracle.next_action(taken.number, &seen, &taken.space, stop);
    let (action, reason) = said.map_err(|error| error.to_string())?.unzip();
    Ok(OracleOpinion { action: action.as_ref().map(Action::to_string), reason: reason.unwrap_or_default() })
}

/// `Left: the shortest solution from here takes 7 moves`.
impl std::fmt::Display for OracleOpinion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.action.as_deref().unwrap_or("nothing"))?;
        if self.reason.is_empty() { Ok(()) } else { write!(f, ": {}", self.reason) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{new_head, open_without_journal, select_level};
    use mageyard_config::{Config, Folders};

    #[tokio::test]
    async fn the_oracle_would_have_done_what_it_did_and_says_nothing_before_a_step_is_taken() {
        let root = tempfile::tempdir().unwrap();
        let lab = crate::testing::lab();
        let config = Config::shipped(Folders::under(root.path())).unwrap();
        let level = select_level(&lab, config.folders(), "sokoban/full/2").unwrap();
        let head = new_head(&lab, &config, &level, 0).unwrap();
        assert_eq!(head.agent.name, "oracle");
        let mut driver = open_without_journal(&lab, head, &config).unwrap();
        while driver.episode().steps_done() < 1 {
            driver.advance().await.unwrap();
        }
        let never = AtomicBool::new(false);
        let steps = driver.episode().steps();
        let said = oracle_opinion(&lab, "sokoban", &steps[0], &never).unwrap();
        assert_eq!(said.action, steps[0].action.as_ref().map(ToString::to_string));
        assert!(said.to_string().contains("shortest solution"), "{said}");
        let early = oracle_opinion(&lab, "sokoban", &steps[1], &never).unwrap_err();
        assert!(early.contains("when the step was taken"), "{early}");
        let none = oracle_opinion(&lab, "football", &steps[0], &never).unwrap_err();
        assert!(none.contains("has no solver"), "{none}");
    }
}
