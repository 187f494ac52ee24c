//! The verdict on a reply that was truncated or refused: it is unreadable, whatever its text is.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_dialog::{ParseError, ParseOutcome, Spans};
use mageyard_domain::ReplyEnding;

/// The outcome for a reply with this ending, without a look at its text; `None` if the text is to be read. The name of
/// the ending is the rule that failed.
pub fn unreadable_ending(ending: &ReplyEnding) -> Option<ParseOutcome> {
    let rule = ending.name().filter(|_| !ending.is_readable())?;
    let error = ParseError { rule: rule.to_owned(), why: ending.to_string(), at: None, near: Vec::new() };
    Some(ParseOutcome { result: Err(error), spans: Spans::default() })
}
