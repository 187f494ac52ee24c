//! Pure text between an engine and an agent: how a reply is read, and what the memory window keeps.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod compose;
#[cfg(test)]
mod golden;
mod memory;
mod prompt;
mod proof;
mod reader;
mod rules;

pub use compose::{Brief, DroppedFrame, Layout, Now, Past, Request, compose};
pub use memory::{Fate, Ledger, Row, ledger};
pub use prompt::{Prompt, PromptError, Words};
pub use proof::{Mismatch, prove};
pub use reader::{Failure, Liberty, Marks, Reading, read};
pub use rules::{Rules, RulesError};
