//! The readers side by side on the stored replies of a session: what each reads, which replies one refuses by their shapes, a
//! reply with what was read in it, and a draft of a reader whose counts change as it is written. `sheet` is its state, `keys`
//! what keys do, `lines` what it is in lines, and `draw` turns it into cells. No model is called.

mod draft;
mod draw;
mod keys;
mod lines;
mod sheet;
#[cfg(test)]
mod tests;

pub(crate) use self::draft::{editor_returned, paste};
pub(crate) use self::draw::draw;
pub(crate) use self::keys::{answered, open, press};
pub(crate) use self::lines::{answer, lines};
pub(crate) use self::sheet::ReaderSheet;
