//! The effects of breakpoints: whether what they name exists, before a run begins.

use super::ForkChanges;
use super::Lab;
use crate::config::Config;
use crate::config::Problem;
use crate::engine::BreakEffect;

impl Lab {
    /// Whether the effect of a breakpoint names an agent that exists, or changes that a branch can have.
    pub(super) fn check_effect(&self, effect: &BreakEffect, config: &Config) -> Result<(), Problem> {
        match effect {
            BreakEffect::Pause | BreakEffect::Tag(_) => Ok(()),
            BreakEffect::Seat(name, _) => self.check_seat(name),
            BreakEffect::Fork(changes) => {
                let ForkChanges { given, request } = self.fork_changes(changes, 1)?;
                self.refuse_other_settings("the episode", &request.given)?;
                config.with_overrides(&given).map(drop)
            }
        }
    }

    /// Refuses the name of an agent that no environment has, with similar names.
    fn check_seat(&self, name: &str) -> Result<(), Problem> {
        let (base, known) = (name.split_once(':').map_or(name, |(base, _)| base), self.agent_names());
        if known.contains(&base) {
            return Ok(());
        }
        Err(Problem::new(format!("there is no agent {base:?}")).with_suggestions(base, known))
    }
}
