//! What the screen orders and what it is answered about asking again; answers about a planned study are the same for suites.

use std::path::PathBuf;
use std::sync::Arc;

use mageyard_config::Problem;
use mageyard_domain::{ModelTotals, Rating};
use mageyard_study::{PartMark, PlannedStudy, StudyTable};

/// What a person wants with asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskOrder {
    /// Plan an ask, in place of the one before; the answer is [`AskAnswer::Planned`].
    Plan(PlannedWords),
    /// Look for the step that lost an episode, in place of the ask before; the answer is [`AskAnswer::Judged`], or
    /// [`AskAnswer::Planned`] if it has to be played on.
    Blame(PlannedBlame),
    /// Plan to find out what is wrong with failed steps, in place of the ask before; the answer is [`AskAnswer::Planned`].
    Diagnose(PlannedSight),
    /// Plan to ask questions about states, in place of the ask before; the answer is [`AskAnswer::Planned`].
    Probe(PlannedSight),
    /// Make the calls of the ask with this number that are missing, or play its branches on; the answers are [`AskAnswer::Arrived`] and then
    /// [`AskAnswer::Ended`].
    Make(u64),
    /// Stop that, and the search for a step. What came back stays.
    Stop,
    /// List the asks that are stored for a step; the answer is [`AskAnswer::Listed`].
    List(PathBuf, u32),
    /// Read the request of a variant, by its number, of the ask in a folder; the answer is [`AskAnswer::Request`].
    ReadRequest(PathBuf, usize),
    /// Rate a reply; the answer is [`AskAnswer::Rated`].
    Rate(RatedReply),
    /// Read what the asks at the episode of a journal took, and what those that leave out parts say of its requests; the
    /// answer is [`AskAnswer::Asks`].
    ReadAsks(PathBuf),
}

/// A reply that a person rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedReply {
    /// The journal of the episode.
    pub journal: PathBuf,
    /// The step, from 1.
    pub step: u32,
    /// The name of the ask.
    pub ask: String,
    /// The number of the variant, from 1.
    pub variant: usize,
    /// The number of the sample, from 1.
    pub sample: u32,
    /// The rating; `None` takes it away.
    pub rating: Option<Rating>,
}

/// What is to be asked at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedWords {
    /// The number of the ask.
    pub number: u64,
    /// The journal of the episode, which is only read.
    pub journal: PathBuf,
    /// The step, from 1.
    pub step: u32,
    /// What is asked, such as `prompts=A,B samples=20`.
    pub words: String,
}

/// How the step that lost an episode is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedBlame {
    /// The number of the ask.
    pub number: u64,
    /// The journal of the episode, which is only read.
    pub journal: PathBuf,
    /// How, such as `play samples=20`; the solver is asked first without `play`.
    pub words: String,
}

/// Which steps are diagnosed, or asked questions about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedSight {
    /// The number of the ask.
    pub number: u64,
    /// The journal of the shown episode, which is only read, and the shown step, from 1: what is meant if the words name nothing.
    /// `None` if no step is shown that is recorded.
    pub shown: Option<(PathBuf, u32)>,
    /// A step, a suite, sessions or nothing, and how, such as `last samples=2`.
    pub words: String,
}

/// An answer to an [`AskOrder`].
#[derive(Clone, Debug)]
pub enum AskAnswer {
    /// What the ask with this number would be.
    Planned(u64, Result<PlannedStudy, Problem>),
    /// What the solver says of the episode of the ask with this number.
    Judged(u64, Result<BlameVerdict, Problem>),
    /// What has come back for it, at first what was stored before.
    Arrived(u64, Arc<StudyTable>),
    /// It is over: complete, stopped, or failed.
    Ended(u64, Result<(), Problem>),
    /// The asks that are stored for the step of a journal.
    Listed(PathBuf, u32, Result<Vec<Arc<StudyTable>>, Problem>),
    /// The request of a variant, by its number, of the ask in a folder.
    Request(PathBuf, usize, Result<String, Problem>),
    /// A reply was rated, or why not.
    Rated(RatedReply, Result<(), Problem>),
    /// What the asks at the episode of a journal took, by model, and what those that leave out parts say of its requests.
    Asks {
        /// The journal.
        journal: PathBuf,
        /// The tokens of all calls.
        spent: Vec<ModelTotals>,
        /// What is said of the parts of the requests.
        marks: Vec<PartMark>,
    },
}

/// What the solver says of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlameVerdict {
    /// The verdict in words.
    pub lines: Vec<String>,
    /// The step that lost it, if one did.
    pub step: Option<u32>,
}
