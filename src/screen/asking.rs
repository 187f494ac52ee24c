//! What the screen and the program that started it say to each other about asking again.

use std::path::PathBuf;
use std::sync::Arc;

use mageyard_config::Problem;
use mageyard_dialog::LeftOut;
use mageyard_domain::{ModelTotals, Rating, Reply};

/// What a person wants with asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskOrder {
    /// Plan an ask, in place of the one before; the answer is [`AskAnswer::Planned`].
    Plan(PlannedWords),
    /// Look for the step that lost an episode, in place of the ask before; the answer is [`AskAnswer::Judged`], or
    /// [`AskAnswer::Planned`] if it has to be played on.
    Blame(PlannedBlame),
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

/// What an ask that leaves out parts says of a part of the request of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutMark {
    /// The step whose request has the part.
    pub step: u32,
    /// The part.
    pub part: LeftOut,
    /// How far the answers without it are from those to the complete request, from 0 to 1.
    pub distance: f64,
    /// Whether they differ by the test; `None` if nothing was tested.
    pub is_different: Option<bool>,
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

/// An answer to an [`AskOrder`].
#[derive(Clone, Debug)]
pub enum AskAnswer {
    /// What the ask with this number would be.
    Planned(u64, Result<PlannedAsk, Problem>),
    /// What the solver says of the episode of the ask with this number.
    Judged(u64, Result<BlameVerdict, Problem>),
    /// What has come back for it, at first what was stored before.
    Arrived(u64, Arc<AskView>),
    /// It is over: complete, stopped, or failed.
    Ended(u64, Result<(), Problem>),
    /// The asks that are stored for the step of a journal.
    Listed(PathBuf, u32, Result<Vec<Arc<AskView>>, Problem>),
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
        marks: Vec<LeftOutMark>,
    },
}

/// What an ask makes, and what its rows are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AskSort {
    /// Single replies of variants.
    #[default]
    Replies,
    /// Branches of variants that are played to their end.
    ToEnd,
    /// Branches of the steps of an episode that are played to their end, to find the step that lost it.
    Blame,
}

/// An ask before its first call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedAsk {
    /// What it makes.
    pub sort: AskSort,
    /// What is asked, what cannot be, and what the calls need.
    pub lines: Vec<String>,
    /// The calls, or the branches, that are missing.
    pub calls_left: u64,
}

/// What the solver says of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlameVerdict {
    /// The verdict in words.
    pub lines: Vec<String>,
    /// The step that lost it, if one did.
    pub step: Option<u32>,
}

/// An ask as the screen shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskView {
    /// What it makes.
    pub sort: AskSort,
    /// The name of an ask for replies: a digest.
    pub id: String,
    /// The folder that the replies are stored in.
    pub folder: PathBuf,
    /// What is asked, in one line.
    pub title: String,
    /// What is asked, what cannot be, and what counts.
    pub head: Vec<String>,
    /// What is compared, in the order in which it is shown.
    pub variants: Vec<AskVariant>,
    /// The comparisons, the notes about the server, and the digests.
    pub tail: Vec<String>,
    /// The replies that are there, or the branches that are over.
    pub replies: usize,
    /// The calls or the branches of the complete ask; the most that a search for a step needs.
    pub calls: usize,
    /// The step that lost the episode, once it is found.
    pub blamed: Option<u32>,
}

/// A variant with what it answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskVariant {
    /// Its number, from 1; that of the step if a step is looked for.
    pub number: usize,
    /// What it is: prompt, window and model, what is left out, or where it begins.
    pub name: String,
    /// Its numbers in words, such as `target 60 % (23–88)`.
    pub facts: Vec<String>,
    /// Its answers, the most frequent first.
    pub answers: Vec<AnswerBar>,
    /// Its calls, or its branches, in order.
    pub calls: Vec<Arc<AskReply>>,
}

/// How often an answer was given.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerBar {
    /// The action, or that the reply cannot be read.
    pub answer: String,
    /// Its share, from 0 to 1, and the ends of its interval.
    pub share: [f64; 3],
    /// The share and its interval in words.
    pub words: String,
    /// What the answer is: the action that was taken, that of the oracle, the target.
    pub notes: String,
}

/// A branch that is played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedBranch {
    /// Its journal.
    pub journal: PathBuf,
    /// Whether it is over.
    pub is_over: bool,
}

/// A call and what came back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskReply {
    /// The number of the sample, from 1.
    pub sample: u32,
    /// The action, or how a branch ended; `None` for a reply that cannot be read, and if there is none.
    pub answer: Option<String>,
    /// The reply with its thoughts; `None` if the call failed.
    pub text: Option<String>,
    /// The reply as it came; `None` if the call failed.
    pub reply: Option<Reply>,
    /// Tokens, time, and what went wrong.
    pub facts: Vec<String>,
    /// The branch, if one is played on instead of a call.
    pub branch: Option<AskedBranch>,
    /// What a person thinks of it.
    pub rating: Option<Rating>,
}
