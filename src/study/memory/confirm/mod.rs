//! Whole episodes that confirm that a smaller memory window is not worse than a larger one by more than a margin.
//!
//! The episodes are the cells of a sweep, so a stopped comparison goes on where it was. What is compared, the margin and the
//! looks are fixed beforehand; `docs/memory.md` describes the procedure.

mod apply;
mod args;
mod design;
mod evaluation;
mod needs;
mod played;
mod records;
mod run;
mod sheet;
mod source;
mod study;
#[cfg(test)]
mod tests;
mod text;
mod window;

pub use self::apply::write_window;
pub use self::args::{CandidateWindows, ConfirmArgs, MarginSize};
pub use self::records::{ConfirmPlanRecord, ConfirmResultRecord, ConfirmedWindowRecord};
pub use self::study::{ConfirmSubject, MemoryConfirm};
pub use self::window::KeptWindow;
