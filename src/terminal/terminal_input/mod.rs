//! The input of the terminal: keys, the mouse, pasted text, and answers to questions.
//!
//! Bytes are read here and parsed by `termina`: the parser of crossterm is private, and would wait without end on
//! some answers of terminals.

mod answer;
mod events;
mod filter;
mod late_answers;
mod questions;

pub use self::answer::TerminalAnswer;
pub use self::events::{TerminalEvent, TerminalInput};
pub(crate) use self::late_answers::read_late_answers;
pub use self::late_answers::{ANSWER_TIME, AwaitedAnswers};
pub use self::questions::{ask_terminal, measure_link, probe_terminal};
