//! Agents without a model: the cell of the task's file, and one that does the task wrongly.

use std::sync::atomic::AtomicBool;

use mageyard_domain::{Action, ActionSpace, Mistakes, Observation, Policy, PolicyError};

use crate::actions::run;
use crate::observation::{ORACLE, WRONG};

/// Runs the written cell, and says that the task is done.
pub(crate) struct Oracle;

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _: u32,
        seen: &Observation,
        _: &ActionSpace,
        _: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let cell = seen.facts()[ORACLE].as_str();
        Ok(cell.map(|cell| (run(ended(cell)), "The file of the task has this cell.".to_owned())))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _: &ActionSpace,
        _: u32,
        _: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let cell = seen.facts()[ORACLE].as_str();
        let cell = cell.ok_or_else(|| PolicyError::GaveUp("the task has no written cell".to_owned()))?;
        Ok((vec![run(ended(cell))], "The file of the task has this cell.".to_owned()))
    }
}

/// A cell that says at its end that the task is done.
fn ended(cell: &str) -> String {
    let cell = cell.trim_end();
    if cell.ends_with("exit()") { cell.to_owned() } else { format!("{cell}\nexit()") }
}

/// Does the task wrongly, or runs cells that fail.
pub(crate) struct WrongCells;

impl Mistakes for WrongCells {
    fn make(&self, number: u64, seen: &Observation) -> Option<(Action, String)> {
        let wrong = seen.facts()[WRONG].as_str();
        let (cell, reason) = match (number % 3, wrong) {
            (0, Some(cell)) => return Some((run(ended(cell)), "I do something else.".to_owned())),
            (1, _) => ("raise ValueError('wrong')", "I make a mistake."),
            (2, _) => ("print(", "I do not finish the cell."),
            _ => ("exit()", "I say that it is done."),
        };
        Some((run(cell), reason.to_owned()))
    }
}
