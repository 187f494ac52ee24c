//! Help: a cheat sheet of every key, by what one wants, with what the selected command does in full. `sheet` is its state and
//! its entries, `keys` what keys do in it, and `draw` turns it into cells.

mod draw;
mod keys;
mod sheet;
#[cfg(test)]
mod tests;

pub(crate) use self::draw::draw;
pub(crate) use self::keys::press;
pub(crate) use self::sheet::HelpSheet;
