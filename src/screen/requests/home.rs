//! What home shows: what can be continued, played, looked at and learnt.

use std::sync::Arc;

use super::suites::SuiteEntry;
use super::values::SessionSummary;
use crate::sweep::SweepPreview;
use mageyard_engine::Snapshot;

/// Everything that home lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HomeContents {
    /// The newest sessions that can be continued, newest first, by their names.
    pub unfinished: Vec<String>,
    /// All levels, by their references.
    pub levels: Vec<String>,
    /// The recorded sessions, newest first, then the sweeps.
    pub sessions: Vec<SessionSummary>,
    /// The suites.
    pub suites: Vec<SuiteEntry>,
    /// The prompt variants: the environment, and the name.
    pub prompts: Vec<(String, String)>,
    /// The models that can be played, by their names.
    pub models: Vec<String>,
    /// What could not be listed, and why.
    pub problems: Vec<String>,
}

/// An item of home.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HomeItem {
    /// A section of the tree.
    Section(HomeSection),
    /// An environment or a level set: the beginning of the references of its levels.
    Levels(String),
    /// A level, by its reference.
    Level(String),
    /// A session that can be continued.
    Unfinished(String),
    /// A recorded session.
    Session(String),
    /// A sweep.
    Sweep(String),
    /// A suite.
    Suite(String),
    /// The prompt variants of an environment.
    Prompts(String),
    /// A prompt variant: the environment, and the name.
    Prompt(String, String),
    /// A model.
    Model(String),
    /// A lesson.
    Lesson(&'static str),
}

/// A section of home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HomeSection {
    /// Unfinished sessions.
    Continue,
    /// Levels.
    Play,
    /// Sessions and sweeps.
    Recordings,
    /// Suites of states.
    Suites,
    /// Prompt variants.
    Prompts,
    /// Models.
    Models,
    /// The lessons of the tutor.
    Learn,
}

/// What is shown beside the tree for an item.
#[derive(Clone, Debug, Default)]
pub struct HomePreview {
    /// An episode, at its last frame.
    pub episode: Option<Arc<Snapshot>>,
    /// A sweep.
    pub sweep: Option<SweepPreview>,
    /// Lines of text.
    pub lines: Vec<String>,
}
