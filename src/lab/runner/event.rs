//! What happens in the episodes of a run.

use std::fmt;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::{EpisodeId, LabError};
use mageyard_dialog::OpenQuestion;
use mageyard_domain::{RewardTerms, sanitize};
use mageyard_engine::{DriverError, EpisodeSummary, Head, Step};

/// An event of one episode of a run. The events of one episode are in order; those of different episodes mix.
pub struct EpisodeEvent {
    /// The index of the episode in the plan.
    pub index: usize,
    /// The episode.
    pub id: EpisodeId,
    /// What happened.
    pub event: RunEvent,
}

/// What happened in an episode. The last event of each episode that was begun is one of those that end it.
pub enum RunEvent {
    /// A remark: a torn journal, or a breakpoint that could not be checked.
    Note(String),
    /// A step was completed; with what the terms of its reward are, if the environment names them.
    Step(Arc<Head>, Arc<Step>, Option<RewardTerms>),
    /// The end: it is over.
    Finished(Box<FinishedEpisode>),
    /// A person is asked, who answers in a line. Without an answer the episode is parked.
    Asks(AskedPerson),
    /// The end: it was parked.
    Parked(Arc<Head>, Parking),
    /// The end: it failed and can be resumed.
    Failed(Arc<Head>, DriverError),
    /// The end: the run was stopped; it can be resumed.
    Stopped,
    /// The end: it could not be opened or left in order.
    Refused(LabError),
    /// The end: a bug in this program; other episodes go on.
    Crashed,
}

/// An episode that is over.
pub struct FinishedEpisode {
    /// The settings it was started with.
    pub head: Arc<Head>,
    /// Its results.
    pub summary: EpisodeSummary,
}

impl RunEvent {
    /// Whether this is the last event of its episode.
    pub fn is_end(&self) -> bool {
        !matches!(self, Self::Note(_) | Self::Step(..) | Self::Asks(_))
    }
}

/// A question to a person in an episode of a run.
pub struct AskedPerson {
    /// The level of the episode, and the step.
    pub place: String,
    /// The question.
    pub asked: OpenQuestion,
    /// Why the answer before this one was not taken.
    pub problem: Option<String>,
    /// Takes the answer, as it was written.
    pub answer: oneshot::Sender<String>,
}

/// Where an episode was parked, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parking {
    /// At a breakpoint.
    Breakpoint(String),
    /// At a question, because no person is there who answers.
    Question(String),
}

impl Parking {
    /// The parking of an episode that asks this.
    pub(super) fn at(asked: &OpenQuestion) -> Self {
        let text = sanitize(&asked.text).replace('\n', " ");
        let rest = if text.chars().count() > MOST_CHARACTERS { "…" } else { "" };
        let begin: String = text.chars().take(MOST_CHARACTERS).collect();
        Self::Question(format!("{} {begin}{rest}", asked.question.title()))
    }

    /// Its kind, in a word.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Breakpoint(_) => "breakpoint",
            Self::Question(_) => "question",
        }
    }

    /// The reason.
    pub fn why(&self) -> &str {
        match self {
            Self::Breakpoint(why) | Self::Question(why) => why,
        }
    }
}

impl fmt::Display for Parking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self {
            Self::Breakpoint(_) => "at a breakpoint",
            Self::Question(_) => "at a question to a person",
        };
        write!(f, "{place}: {}", self.why())
    }
}

/// Most characters of a question in a message.
const MOST_CHARACTERS: usize = 120;
