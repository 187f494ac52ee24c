//! The dialog of models: choose one by name, look for servers, check what one supports, and save one as a profile. `sheet` is its
//! state, `keys` what keys and lines do, `draw` turns it into cells, and `lines` into text.

mod draw;
mod keys;
mod lines;
mod sheet;
#[cfg(test)]
mod tests;

pub(crate) use self::draw::draw;
pub(crate) use self::keys::{answer, answered, open, paste, press};
pub(crate) use self::lines::lines;
pub(crate) use self::sheet::ModelSheet;
