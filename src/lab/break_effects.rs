//! The effects of breakpoints: whether what they name exists, before a run begins.

use super::{ForkChanges, Lab};
use crate::fork::refuse_other_settings;
use crate::read_fork_changes;
use crate::seat::agent_names;
use mageyard_config::{Config, Problem};
use mageyard_engine::BreakEffect;

/// Whether the effect of a breakpoint names an agent that exists, or changes that a branch can have.
pub(crate) fn check_break_effect(lab: &Lab, effect: &BreakEffect, config: &Config) -> Result<(), Problem> {
    match effect {
        BreakEffect::Pause | BreakEffect::Tag(_) => Ok(()),
        BreakEffect::Seat(name, _) => check_seat(lab, name),
        BreakEffect::Fork(changes) => {
            let ForkChanges { given, request } = read_fork_changes(lab, changes, 1)?;
            refuse_other_settings(lab, "the episode", &request.given)?;
            config.with_overrides(&given).map(drop)
        }
    }
}

/// Refuses the name of an agent that no environment has, with similar names.
fn check_seat(lab: &Lab, name: &str) -> Result<(), Problem> {
    let base = name.split_once(':').map_or(name, |(base, _)| base);
    let known = agent_names(lab);
    if known.contains(&base) {
        return Ok(());
    }
    Err(Problem::new(format!("there is no agent {base:?}")).with_suggestions(base, known))
}
