//! Home: a tree of what can be continued, played, looked at and learnt, with a preview of the selected item beside it. It is a
//! view of the screen: `tree` makes the rows, `view` is its part of the model with what keys and lines do, `draw` turns it
//! into cells, and `lines` into text.

mod actions;
mod draw;
mod lines;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod welcome;

pub(crate) use self::actions::{answer_deletion, deleted};
pub(crate) use self::draw::{draw, picture};
pub(crate) use self::lines::news;
pub(crate) use self::view::{Home, enter, listed, open, paste, press, previewed, sessions_read};
pub(crate) use self::welcome::played;
