//! The policies choose what their names say, and the search earns what it promises.

use std::sync::atomic::AtomicBool;

use super::POLICIES;
use crate::scene;
use crate::world::{FootballWorld, Settings};
use mageyard_domain::{Action, Observation, Options, Policy, World};

static GO: AtomicBool = AtomicBool::new(false);
/// The carrier is alone before an empty goal.
const CHANCE: &str = "scene chance\nball 0.9 0\nleft GK -0.98 0\nleft CF 0.875 0.004\nright GK -0.2 0.3";

fn policy(name: &str) -> Box<dyn Policy> {
    (POLICIES.iter().find(|policy| policy.name == name).unwrap().create)()
}

fn world() -> FootballWorld {
    let options = Options::from([("actions".to_owned(), "full".into())]);
    FootballWorld::new(&scene::read_one(CHANCE).unwrap(), &Settings::read(&options).unwrap(), 2)
}

fn choose(
    policy: &mut dyn Policy,
    step: u32,
    seen: &Observation,
    world: &FootballWorld,
) -> Option<(Action, String)> {
    policy.next_action(step, seen, &world.space(), &GO).unwrap()
}

#[test]
fn fixed_policies_repeat_themselves() {
    let mut world = world();
    let seen = world.observe();
    let names = |name: &str| {
        let mut policy = policy(name);
        let plan = policy.plan(&seen, &world.space(), 3, &GO).unwrap().0;
        for (step, action) in (1..).zip(&plan) {
            assert_eq!(choose(policy.as_mut(), step, &seen, &world).unwrap().0, *action);
        }
        plan.into_iter().map(|action| action.name).collect::<Vec<_>>()
    };
    assert_eq!(names("idle"), ["action_idle"; 3]);
    assert_eq!(names("sprint"), ["action_sprint", "action_right", "action_right"]);
    assert_eq!(names("builtin"), ["action_builtin_ai"; 3]);
}

/// Plays to the end and returns the sum of rewards.
fn played(name: &str) -> f64 {
    let mut world = world();
    let mut policy = policy(name);
    let mut sum = 0.0;
    for step in 1..=400 {
        let seen = world.observe();
        match choose(policy.as_mut(), step, &seen, &world) {
            Some((action, reason)) => {
                assert!(reason.ends_with('.'), "{reason}");
                sum += world.step(&action).unwrap().0;
            }
            None => break,
        }
        if world.status() != mageyard_domain::Status::Running {
            break;
        }
    }
    sum
}

#[test]
fn the_search_earns_at_least_what_the_games_own_player_earns() {
    let oracle = played("oracle");
    let builtin = played("builtin");
    assert!(oracle >= builtin - 1e-9, "{oracle} {builtin}");
    assert!(oracle > 40.0, "a goal from a chance: {oracle}");
}

#[test]
fn a_search_needs_the_game() {
    let seen = Observation::from_parts(vec![], "", serde_json::Value::Null);
    let error = policy("oracle").next_action(1, &seen, &world().space(), &GO).unwrap_err();
    assert!(error.to_string().contains("the game of this observation is gone"), "{error}");
}
