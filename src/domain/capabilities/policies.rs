//! Agents without a model that only one environment has.

use crate::{ActionSpace, Mistakes, NamedPolicy, Observation, Policy};

/// The policies of an environment.
#[derive(Clone, Copy)]
pub struct Policies {
    /// Policies that are played as agents, by name.
    pub named: &'static [NamedPolicy],
    /// Makes the best policy that the environment has, for the agent `oracle`.
    pub oracle: Option<fn() -> Box<dyn Policy>>,
    /// Actions that are wrong in the ways of this environment, for the agent `faulty`.
    pub mistakes: Option<&'static dyn Mistakes>,
    /// What the agent `random` chooses from in a state, where most actions of the space would be refused, such as numbers that
    /// no element has. It is within the action space; `None` if all of that is worth choosing.
    pub narrowed: Option<NarrowedSpace>,
}

/// The part of an action space that is worth choosing from in a state.
pub type NarrowedSpace = fn(&Observation, &ActionSpace) -> ActionSpace;

impl Policies {
    /// No policy.
    pub const NONE: Self = Self { named: &[], oracle: None, mistakes: None, narrowed: None };

    /// A new oracle, if the environment has one.
    pub fn create_oracle(&self) -> Option<Box<dyn Policy>> {
        self.oracle.map(|create| create())
    }
}
