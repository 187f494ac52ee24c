//! What all studies have in common: they are planned before anything is sent or played, make what is missing, and have a
//! table at any time. A new kind of study is a plan that implements [`Study`] and the columns of its [`StudyTable`].

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::{AskCall, AskOutcome, AskStop, EndedContinuation, StudyTable};
use mageyard_lab::{Lab, LabError};

/// What a study makes, and what the rows of its table are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StudySort {
    /// Single replies of variants at one step.
    #[default]
    Replies,
    /// Single replies of variants at all states of a suite.
    Suite,
    /// Single replies about states, each with help and with questions, and what they say of it.
    States,
    /// Branches of variants that are played to their end.
    ToEnd,
    /// Branches of the steps of an episode that are played to their end, to find the step that lost it.
    Blame,
}

impl StudySort {
    /// Whether its rows have replies, and not branches.
    pub fn has_replies(self) -> bool {
        matches!(self, Self::Replies | Self::Suite | Self::States)
    }
}

/// A study before its first call or branch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedStudy {
    /// What it makes.
    pub sort: StudySort,
    /// What is asked, what cannot be, and what the calls need.
    pub lines: Vec<String>,
    /// The calls, or the branches, that are missing.
    pub left: u64,
    /// What these need, in a few words; empty where only the lines say it.
    pub brief: String,
    /// The targets that the environment offers besides actions, as they are written; empty if targets are not asked about.
    pub targets: Vec<&'static str>,
}

/// What happens while a study is made.
#[derive(Clone, Copy, Debug)]
pub enum StudyEvent<'a> {
    /// Another step is tried; some of its branches may be there.
    Began,
    /// A call has come back: the index of its state, and the call.
    Call(usize, &'a AskCall),
    /// A branch has ended.
    Branch(&'a EndedContinuation),
}

/// Gets what happens, with how many calls or branches are there.
pub type StudyReport<'a> = dyn FnMut(StudyEvent<'_>, usize) + Send + 'a;

/// How a study ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyEnd {
    /// Everything is there.
    Complete,
    /// A call has no reply, or a branch is not over.
    Partial,
    /// It was stopped.
    Cancelled,
    /// Calls kept failing; the last error.
    Failing(String),
    /// Not every branch came to its end; the first error.
    Unfinished(String),
}

impl StudyEnd {
    /// Why the study is not complete, if it failed.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Failing(why) => Some(format!("calls keep failing: {why}")),
            Self::Unfinished(why) => Some(format!("not every branch came to its end: {why}")),
            Self::Complete | Self::Partial | Self::Cancelled => None,
        }
    }

    /// How asks ended together.
    pub(crate) fn of_asks(outcomes: &[AskOutcome]) -> Self {
        let failed = |outcome: &AskOutcome| outcome.ask.calls.iter().any(|call| call.reply.is_none());
        match outcomes.iter().find_map(|outcome| outcome.stopped.as_ref()) {
            Some(AskStop::Failing(why)) => Self::Failing(why.clone()),
            Some(AskStop::Cancelled(_)) => Self::Cancelled,
            None if outcomes.iter().any(failed) => Self::Partial,
            None => Self::Complete,
        }
    }
}

/// Variants with several samples each: calls to models, or branches that are played to their end.
#[async_trait]
pub trait Study: Send + Sync {
    /// What it makes.
    fn sort(&self) -> StudySort;

    /// What is asked, what cannot be, and what is missing.
    fn plan_lines(&self) -> Vec<String>;

    /// What the missing calls need, in a few words; empty where only the lines of the plan say it.
    fn brief(&self) -> String {
        String::new()
    }

    /// The targets that the environment offers besides actions, as they are written.
    fn targets(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What was found out before it was planned, if that is to be said first.
    fn note(&self) -> Option<String> {
        None
    }

    /// How many calls or branches are there, and how many there are when it is complete.
    fn counts(&self) -> (usize, usize);

    /// The calls or branches that would be made.
    fn left(&self) -> u64;

    /// Makes what is missing. Cancelling keeps what came back, and the same study goes on with it.
    async fn run(
        &self,
        lab: &Lab,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError>;

    /// The table of what there is now.
    fn table(&self, samples: Samples) -> StudyTable;

    /// What is known before anything is made.
    fn planned(&self) -> PlannedStudy {
        let lines = self.note().into_iter().chain(self.plan_lines()).collect();
        PlannedStudy {
            sort: self.sort(),
            lines,
            left: self.left(),
            brief: self.brief(),
            targets: self.targets(),
        }
    }
}

/// Whether a table has each call and branch, or only their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// Each of them, with its text.
    All,
    /// None: only the rows.
    None,
}

/// What a study knows, also after a panic of whoever held it.
pub(crate) fn lock<T>(known: &Mutex<T>) -> MutexGuard<'_, T> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}
