//! The input of the terminal: keys, the mouse, pasted text, and answers to questions.

mod answer;
mod events;
mod filter;
mod questions;

pub use self::answer::Answer;
pub use self::events::TerminalEvent;
pub use self::events::TerminalInput;
pub use self::questions::ask_terminal;
pub use self::questions::measure_link;
pub use self::questions::probe_terminal;
