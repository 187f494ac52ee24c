//! The `random` policy: it chooses actions uniformly. A program is nothing to choose: where an agent can only write
//! programs it writes none, and scores what `idle` scores, as in `MageBench` (Table 1, WebUI: 0.00).

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::atomic::AtomicBool;

use super::policy_agent::PolicyAgent;
use super::random_arguments::draw_action;
use super::seeded_choice::SeededChoice;
use super::{AgentRow, CreatedAgent};
use mageyard_domain::{Action, ActionSpace, NarrowedSpace, Observation, Policy, PolicyError};

pub(super) const ROW: AgentRow = AgentRow::new(
    "random",
    "chooses uniformly from the allowed actions, by seed; writes no programs",
    |context| {
        let choice = SeededChoice::new(context.seed, &context.salt);
        let policy = Box::new(RandomPolicy { choice, narrowed: context.narrowed });
        Ok(CreatedAgent::alone(PolicyAgent::immediate("random", policy)))
    },
);

/// Chooses only by seed, level and step.
struct RandomPolicy {
    choice: SeededChoice,
    narrowed: Option<NarrowedSpace>,
}

impl RandomPolicy {
    fn space(&self, seen: &Observation, space: &ActionSpace) -> ActionSpace {
        self.narrowed.map_or_else(|| space.clone(), |narrowed| narrowed(seen, space))
    }

    fn draw(&self, step: u32, space: &ActionSpace) -> Option<Action> {
        let purpose = [step];
        let choices: Vec<_> = space.specs().iter().filter(|spec| !spec.is_program()).collect();
        let spec = self.choice.pick(&purpose, &choices)?;
        Some(draw_action(&self.choice, &purpose, spec))
    }
}

impl Policy for RandomPolicy {
    fn next_action(
        &mut self,
        step: u32,
        seen: &Observation,
        space: &ActionSpace,
        _: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let space = &self.space(seen, space);
        let reason = |action| (action, format!("I choose one of {} actions at random.", space.specs().len()));
        Ok(self.draw(step, space).map(reason))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        space: &ActionSpace,
        limit: u32,
        _: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let space = &self.space(seen, space);
        let actions: Vec<Action> = (1..=limit).map_while(|step| self.draw(step, space)).collect();
        let reason = format!("I choose {} actions at random from {}.", actions.len(), space.specs().len());
        Ok((actions, reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::{ActionSpec, ParamKind, ParamSpec};

    fn random(seed: u64, salt: &str) -> RandomPolicy {
        RandomPolicy { choice: SeededChoice::new(seed, salt), narrowed: None }
    }

    fn draws(seed: u64, salt: &str, count: u32) -> Vec<String> {
        let space = ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")]);
        let random = random(seed, salt);
        (1..=count).map(|step| random.draw(step, &space).unwrap().name).collect()
    }

    #[test]
    fn a_seed_gives_the_same_actions_on_every_platform() {
        assert_eq!(draws(7, "#@$.#", 8), GOLDEN);
        assert_eq!(draws(7, "#@$.#", 4), GOLDEN[..4]);
        assert_ne!(draws(8, "#@$.#", 8), GOLDEN);
        assert_ne!(draws(7, "other", 8), GOLDEN);
    }

    #[test]
    fn no_program_is_written_in_either_setting() {
        let code = ParamSpec::new("html", "", ParamKind::Code { language: "html".into() }).optional();
        let write: ActionSpace = [ActionSpec::new("write", "").with_param(code)].into_iter().collect();
        let mut random = random(7, "");
        let seen = Observation::from_parts(Vec::new(), "a page", ());
        let stop = AtomicBool::new(false);
        assert_eq!(random.next_action(1, &seen, &write, &stop), Ok(None));
        assert_eq!(random.plan(&seen, &write, 4, &stop).unwrap().0, []);
    }

    #[test]
    fn an_environment_can_say_what_is_worth_choosing() {
        let narrowed: NarrowedSpace = |_, space| space.specs()[1..2].to_vec().into();
        let mut random = RandomPolicy { narrowed: Some(narrowed), ..random(7, "") };
        let space = ActionSpace::new(&[("Left", ""), ("Right", "")]);
        let seen = Observation::from_parts(Vec::new(), "", ());
        let stop = AtomicBool::new(false);
        let (actions, reason) = random.plan(&seen, &space, 8, &stop).unwrap();
        assert!(
            actions.iter().all(|action| action.name == "Right") && reason.ends_with("from 1."),
            "{reason}"
        );
    }

    const GOLDEN: [&str; 8] = ["Left", "Left", "Down", "Right", "Down", "Down", "Left", "Right"];

    #[test]
    fn draws_are_roughly_uniform() {
        let drawn = draws(1, "", 4000);
        for name in ["Left", "Right", "Up", "Down"] {
            let count = drawn.iter().filter(|drawn| *drawn == name).count();
            assert!((900..1100).contains(&count), "{name}: {count} of 4000");
        }
    }
}
