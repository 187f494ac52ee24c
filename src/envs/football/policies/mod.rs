//! Policies without a model: doing nothing, sprinting to the right, the game's own player, and a search with rollouts.

mod fixed;
mod oracle;
mod plan;

#[cfg(test)]
mod tests;

use super::{EngineAction, world};
use fixed::Fixed;
use mageyard_domain::NamedPolicy;

/// All actions are needed by policies that do nothing or let the game's own player decide.
const ALL_ACTIONS: &[(&str, &str)] = &[(world::ACTIONS, world::FULL)];

/// The policies that are played as agents.
pub(super) const POLICIES: &[NamedPolicy] = &[
    NamedPolicy {
        name: "idle",
        summary: "presses nothing: the benchmark's lowest baseline",
        options: ALL_ACTIONS,
        create: || Box::new(Fixed { first: None, then: EngineAction::Idle, reason: "I press nothing." }),
    },
    NamedPolicy {
        name: "sprint",
        summary: "sprints to the right all the time",
        options: &[],
        create: || {
            let first = Some(EngineAction::Sprint);
            Box::new(Fixed { first, then: EngineAction::Right, reason: "I sprint to the right." })
        },
    },
    NamedPolicy {
        name: "builtin",
        summary: "lets the game's own player decide at every frame",
        options: ALL_ACTIONS,
        create: || {
            let then = EngineAction::BuiltinAi;
            Box::new(Fixed { first: None, then, reason: "I let the game's own player decide." })
        },
    },
    NamedPolicy {
        name: "oracle",
        summary: "tries plans on copies of the game and plays the best; never worse than builtin",
        options: ALL_ACTIONS,
        create: || Box::new(oracle::Oracle),
    },
];
