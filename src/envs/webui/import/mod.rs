//! Import of tasks of the benchmark: the files of a task folder become those of a page of ours. Pages and pictures stay
//! as they are; interactions, written as Python browser calls, are read as data. Files are given here and never opened.

mod actions;
mod calls;
mod chain;
mod checkout;
mod functions;
mod keys;
mod places;
mod scripts;
mod task;
mod waiting;

#[cfg(test)]
mod tests;

pub use self::actions::{ActionError, ImportedAction, read_actions};
pub use self::task::{ImportedTask, LeftOutFile, TaskError, read_task};
