//! The form that builds a sweep: levels, models, prompts, windows, settings and repeats are selected, the plan with its price and
//! time is beside them and follows each change, and the file that says the same is written. `form` is its state, `keys` what keys
//! and answers do, `lines` what it is in lines, and `draw` turns it into cells.

mod draw;
mod form;
mod keys;
mod lines;
#[cfg(test)]
mod tests;

pub(crate) use self::draw::draw;
pub(crate) use self::form::SweepForm;
pub(crate) use self::keys::{answered, open, paste, press};
pub(crate) use self::lines::{answer, lines};
