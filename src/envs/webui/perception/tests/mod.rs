//! Views, questions, misreadings and claims of stored pages.

mod questions;
mod stated;
mod stored;
mod views;
