//! Search in the text of a pane, a dialog or a step: where a query occurs in rows as they are drawn, and whether a text
//! has it. Words that are wrapped onto two rows are found.

mod query;
mod rows;
mod steps;

pub(crate) use self::query::Query;
pub(crate) use self::rows::{Match, find_in_rows};
pub(crate) use self::steps::{excerpt, lines_with, step_excerpt, steps_with};
