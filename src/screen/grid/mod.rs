//! Asking again at a step as one dialog: chips say what is asked, beside them is what that needs, the frame has the answers as
//! marks, variants are columns and replies rows, and the selected reply is below. `chips` is what is asked, `sheet` what came
//! back and what is selected, `keys` and `choosing` what keys do, `uses` what is done with a reply, `answers` what the lab says,
//! `draw`, `head`, `cells`, `shares`, `marks` and `pages` what is drawn, and `lines` what it is in lines.

mod answers;
mod cells;
mod chips;
mod choosing;
mod draw;
mod head;
mod keys;
mod lines;
mod marks;
mod pages;
mod shares;
mod sheet;
#[cfg(test)]
mod tests;
mod uses;

pub(crate) use self::answers::{answered, list_stored, models_listed};
pub(crate) use self::choosing::paste;
pub(crate) use self::draw::{draw, draw_marks, pictures};
pub(crate) use self::keys::{open, open_candidates, press};
pub(crate) use self::lines::{answer, lines};
pub(crate) use self::sheet::AskGrid;
#[cfg(test)]
pub(crate) use self::sheet::{Focus, Page};
