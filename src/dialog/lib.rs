//! The text of requests and replies: prompts, the memory window, composed requests, and the reader that parses replies.
//!
//! Pure functions from text to text: no file, no clock, no randomness, and no protocol of a server. Bytes for a server are
//! made in `agents`; when a request is composed is decided in `engine`.
//!
//! Start with [`compose()`], which builds a request with its ledger; [`verify()`] compares what is to be sent with that
//! ledger. [`ReaderRules`] are the readers, and [`Prompt`] the prompt variants, as files that people edit.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod compose;
#[cfg(test)]
mod golden;
mod layout;
mod left_out;
mod memory;
mod person;
mod prompt;
mod reader;
mod request_diff;
mod request_diff_text;
mod request_parts;
mod rules;
mod side;
mod verify;

pub use compose::{CurrentStep, PastStep, Request, RequestSpec, compose};
pub use layout::{DroppedFrame, EmptyReply, RequestLayout, ThoughtMemory};
pub use left_out::LeftOut;
pub use memory::{
    FeedbackMemory, History, Inclusion, Keep, KeepError, KeepRule, Ledger, LedgerPart, LedgerRow,
    LedgerRules, LedgerStep, PromptImages, build_ledger, older_row,
};
pub use person::{OpenQuestion, PersonAnswer, PersonError, PersonLine, PersonQuestion, PersonReply};
pub use prompt::{Prompt, PromptError, PromptMark, VariableValues, prompt_marks};
pub use reader::announced_action;
pub use reader::{
    ArgumentSpan, BlockRule, BlockSpan, FallbackMatch, Leniency, ParseError, ParseOutcome, Spans, parse_reply,
};
pub use request_diff::{PartDiff, RequestDiff, TurnDiff, WordChange, image_key};
pub use request_diff_text::{DiffCounts, parameter_line, part_name, part_text, segment_name, word_text};
pub use request_parts::PartSort;
pub use rules::{ReaderRules, ReaderRulesError};
pub use side::{SidePrompt, compose_probe, compose_side, read_answer, read_probe_answer};
pub use verify::{Mismatch, verify};
