//! The end of a run of a sweep: what is said, and the exit code.

use std::collections::BTreeMap;
use std::path::Path;

use crate::exit::{Exit, Failure};
use crate::output::count_noun;
use mageyard_config::Problem;
use mageyard_lab::Spent;
use mageyard_sweep::claims::{State, cell_states};
use mageyard_sweep::{SweepEnd, SweepPlan, spent_text};

/// How many cells of a plan are in each state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StateCounts(BTreeMap<State, usize>);

impl StateCounts {
    /// The states of the cells of a plan in the folder of its sweep.
    pub(super) fn of(plan: &SweepPlan, folder: &Path) -> Result<Self, Failure> {
        let states = cell_states(folder).map_err(Failure::running)?;
        let mut counts = BTreeMap::new();
        for cell in &plan.cells {
            let state = states.get(&cell.name).map_or(State::Queued, |cell| cell.state);
            *counts.entry(state).or_default() += 1;
        }
        Ok(Self(counts))
    }

    fn count(&self, state: State) -> usize {
        self.0.get(&state).copied().unwrap_or_default()
    }

    /// The sentence about all cells, with what was spent.
    pub(super) fn text(&self, spent: &Spent) -> String {
        let parts = State::ALL.into_iter().rev().filter(|state| self.count(*state) > 0);
        let parts: Vec<String> =
            parts.map(|state| format!("{} {}", self.count(state), state.name())).collect();
        let cells = self.0.values().sum();
        format!("{}: {}{}", count_noun(cells, "cell", "cells"), parts.join(", "), spent_text(spent))
    }
}

/// The exit code, or the failure that ended the run.
pub(super) fn exit(end: SweepEnd, counts: &StateCounts, again: &str) -> Result<Exit, Failure> {
    let help = format!("`{again}` completes what is missing");
    match end {
        SweepEnd::Complete if counts.count(State::Failed) + counts.count(State::Parked) > 0 => {
            Ok(Exit::Partial)
        }
        SweepEnd::Complete | SweepEnd::Stopped => Ok(Exit::Done),
        SweepEnd::Limit(why) => Err(Failure::Problem(Exit::Limit, Problem::new(why).with_help(help))),
        SweepEnd::Cancelled(why) => {
            let help = format!("{help}; `mageyard sweep resume` lets `sweep work` start again");
            Err(Failure::Problem(Exit::Limit, Problem::new(why).with_help(help)))
        }
        SweepEnd::Mismatch(why) => Err(Failure::Problem(Exit::Mismatch, Problem::new(why))),
        SweepEnd::Endpoint(failure) => {
            let what = match failure.count {
                1 => format!("the sweep stopped: {}", failure.last),
                count => format!("the sweep stopped after {count} failures in a row: {}", failure.last),
            };
            let exit = if counts.count(State::Done) > 0 { Exit::Partial } else { Exit::Failed };
            Err(Failure::Problem(exit, Problem::new(what).with_help(help)))
        }
    }
}

/// The failure after a signal.
pub(super) fn stopped(exit: Exit, again: &str) -> Failure {
    let problem = Problem::new("stopped; every log is complete up to its last event");
    Failure::Problem(exit, problem.with_help(format!("`{again}` completes what is missing")))
}
