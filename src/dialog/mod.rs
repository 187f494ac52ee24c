//! Pure text between an engine and an agent: how a reply is read, and what the memory window keeps.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod memory;
mod reader;

pub use memory::{Fate, Ledger, Row, ledger};
pub use reader::{Failure, Marks, Reading, Rules, read};
