//! The workshop of a prompt: its text, edited in place; beside it the request that the draft makes in a pinned state, with what the
//! edit changed; and below what its versions were answered. `sheet` is its state, `keys` what keys do, `answers` what comes
//! back, `lines` what it is in lines, and `draw` with `request_lines` and `version_lines` turns it into cells.

mod answers;
mod draw;
mod keys;
mod lines;
mod open;
mod request_lines;
mod sheet;
#[cfg(test)]
mod tests;
mod text;
mod version_lines;

pub(crate) use self::answers::{answered, asked};
pub(crate) use self::draw::{draw, pictures};
pub(crate) use self::keys::{editor_returned, paste, press};
pub(crate) use self::lines::{answer, lines};
pub(crate) use self::open::{open, open_prompt};
pub(crate) use self::sheet::WorkshopSheet;
