//! Pure text between an engine and an agent: how a reply is read, and what the memory window keeps.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod compose;
#[cfg(test)]
mod golden;
mod memory;
mod prompt;
mod reader;
mod rules;
mod verify;

pub use compose::{CurrentStep, DroppedFrame, PastStep, Request, RequestLayout, RequestSpec, compose};
pub use memory::{Inclusion, Ledger, LedgerRow, build_ledger};
pub use prompt::{Prompt, PromptError, VariableValues};
pub use reader::{Leniency, ParseError, ParseOutcome, Spans, parse_reply};
pub use rules::{ReaderRules, ReaderRulesError};
pub use verify::{Mismatch, verify};
