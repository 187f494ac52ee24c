//! The text of requests and replies: prompts, the memory window, composed requests, and the reader that parses
//! replies. Pure functions: no I/O, no clock, no randomness.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod compose;
#[cfg(test)]
mod golden;
mod layout;
mod left_out;
mod memory;
mod prompt;
mod reader;
mod request_parts;
mod rules;
mod verify;

pub use compose::{CurrentStep, PastStep, Request, RequestSpec, compose};
pub use layout::{DroppedFrame, EmptyReply, RequestLayout, ThoughtMemory};
pub use left_out::LeftOut;
pub use memory::{
    History, Inclusion, Ledger, LedgerPart, LedgerRow, LedgerRules, LedgerStep, PromptImages, build_ledger,
    older_row,
};
pub use prompt::{Prompt, PromptError, VariableValues};
pub use reader::{
    ArgumentSpan, BlockRule, BlockSpan, FallbackMatch, Leniency, ParseError, ParseOutcome, Spans, parse_reply,
};
pub use request_parts::PartSort;
pub use rules::{ReaderRules, ReaderRulesError};
pub use verify::{Mismatch, verify};
