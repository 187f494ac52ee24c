//! Policies that always do the same, whatever happens.

use std::sync::atomic::AtomicBool;

use crate::EngineAction;
use mageyard_domain::{Action, ActionSpace, Observation, Policy, PolicyError};

/// One action, perhaps after another one at the first step.
pub(super) struct Fixed {
    pub(super) first: Option<EngineAction>,
    pub(super) then: EngineAction,
    pub(super) reason: &'static str,
}

impl Fixed {
    fn at(&self, step: u32) -> Action {
        Action::plain(self.first.filter(|_| step == 1).unwrap_or(self.then).name())
    }
}

impl Policy for Fixed {
    fn next_action(
        &mut self,
        step: u32,
        _seen: &Observation,
        _space: &ActionSpace,
        _stop: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        Ok(Some((self.at(step), self.reason.to_owned())))
    }

    fn plan(
        &mut self,
        _seen: &Observation,
        _space: &ActionSpace,
        limit: u32,
        _stop: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        Ok(((1..=limit).map(|step| self.at(step)).collect(), self.reason.to_owned()))
    }
}
