//! Interactions of a benchmark task: a Python file with functions of browser calls and a list of those to use. It is
//! read as data: nothing of it is run, and a call without an equivalent is refused by name.

use serde::Serialize;

use super::calls::Caller;
use super::functions::Functions;
use mageyard_browser::Step;
pub use mageyard_kit::SourceError as ActionError;
use mageyard_kit::python;

/// An interaction that was read. Its JSON is an entry of `steps.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImportedAction {
    /// The name of its function, with spaces.
    pub name: String,
    /// Its steps, at least one.
    pub steps: Vec<Step>,
    /// How long to wait after them, in milliseconds.
    pub wait_ms: u64,
}

/// Reads the interactions of a file in the order of its list.
///
/// # Errors
/// The first call, statement or name that is not read, with its line.
pub fn read_actions(text: &str) -> Result<Vec<ImportedAction>, ActionError> {
    let functions = Functions::of_lines(python::lines(text)?)?;
    functions.used.iter().map(|name| action(&functions, name)).collect()
}

fn action(functions: &Functions, name: &str) -> Result<ImportedAction, ActionError> {
    let error = |line, reason: &str| ActionError { line, reason: format!("{name} {reason}") };
    let function = functions
        .by_name
        .get(name)
        .ok_or_else(|| error(functions.list_line, "is in the list, but no function of this file"))?;
    let mut caller = Caller::new(functions);
    caller.call(function)?;
    let mut steps = caller.steps;
    if steps.is_empty() {
        return Err(error(function.line, "has no call that does anything with the page"));
    }
    let wait_ms = match steps.as_slice() {
        [_, .., Step::WaitMs(wait)] => wait.get(),
        _ => 0,
    };
    steps.truncate(steps.len() - usize::from(wait_ms > 0));
    Ok(ImportedAction { name: name.replace('_', " "), steps, wait_ms })
}
