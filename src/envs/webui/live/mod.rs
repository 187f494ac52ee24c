//! The environment in a real browser: pages in temporary folders, walks through their states, and scores.
//!
//! Both pages load, are acted on and wait at the same time, and each state waits for the slower one. A timeout is
//! believed only when it happens twice: a busy machine must not cost points. An act is atomic: a state is three
//! files, the last observation and its points.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "it uses files and waits")]

mod check;
mod environment;
mod judge;
mod judgement;
mod observing;
mod open_page;
mod pages;
mod reopening;
mod scoring;
mod site;
mod targets;
mod walk;

pub(super) use self::check::Check;
pub(super) use self::environment::WebUi;
pub use self::pages::{PageSource, ScoreError, ScoredPages, score_pages};
use mageyard_domain::EnvironmentError;

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn failed(error: impl ToString) -> EnvironmentError {
    EnvironmentError::Failed(error.to_string())
}
