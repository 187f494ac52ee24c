//! The linear mode: the screen as lines of text, for screen readers, logs and terminals that cannot move the cursor.
//! Every event is a line that begins with its label, dialogs are numbered questions, and answers are lines.
//!
//! It has no state of its own besides what was said: the model, its messages and its effects are those of the full
//! screen. The entry point is [`Narrator`], which compares the model with what it said last.

mod ask_questions;
mod dialog_text;
mod frame_lines;
mod input;
mod narrator;
mod output;
mod pane_lines;
mod questions;
mod reply_lines;
mod search_lines;
mod step_lines;
mod suite_questions;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use self::input::LineDecoder;
pub(crate) use self::narrator::{Narrator, close_what_was_read};
pub(crate) use self::output::LinearOutput;
pub(crate) use self::pane_lines::Reading;
pub(crate) use self::text::{choices, labelled, one_line};
