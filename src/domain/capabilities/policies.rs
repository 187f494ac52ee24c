//! Agents without a model that only one environment has.

use crate::{Mistakes, NamedPolicy, Policy};

/// The policies of an environment.
#[derive(Clone, Copy)]
pub struct Policies {
    /// Policies that are played as agents, by name.
    pub named: &'static [NamedPolicy],
    /// Makes the best policy that the environment has, for the agent `oracle`.
    pub oracle: Option<fn() -> Box<dyn Policy>>,
    /// Actions that are wrong in the ways of this environment, for the agent `faulty`.
    pub mistakes: Option<&'static dyn Mistakes>,
}

impl Policies {
    /// No policy.
    pub const NONE: Self = Self { named: &[], oracle: None, mistakes: None };

    /// A new oracle, if the environment has one.
    pub fn create_oracle(&self) -> Option<Box<dyn Policy>> {
        self.oracle.map(|create| create())
    }
}
