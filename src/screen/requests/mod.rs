//! What the screen asks of the lab, and what comes back. A task beside the screen's loop answers, so that a key never waits
//! for a file, a server or a statistic.

mod asks;
mod home;
mod link;
mod models;
mod readers;
mod suites;
mod sweeps;
mod values;
mod workshop;

use std::path::PathBuf;
use std::sync::Arc;

use super::appearance::Appearance;
use super::recorded_episodes::{EpisodeOutline, RecordedEpisodes};
use super::sweep::DashboardSources;
use mageyard_config::Problem;
use mageyard_domain::Digest;
use mageyard_engine::{Breakpoints, EpisodeAnnotations, Head, Session, Snapshot};
use mageyard_lab::{PromptText, WrittenPrompt};
use mageyard_terminal::Theme;

pub use self::asks::{
    AskAnswer, AskOrder, BlameVerdict, PlannedBlame, PlannedSight, PlannedWords, RatedReply,
};
pub use self::home::{HomeContents, HomeItem, HomePreview, HomeSection};
pub(crate) use self::link::Requests;
pub use self::link::{Answered, Answers, LabLink, Requested};
pub use self::models::{
    CheckEntry, CheckState, ModelAnswer, ModelEntry, ModelOrder, ModelTarget, ServerEntry, SuggestedValue,
};
pub use self::readers::{ReadReply, ReaderAnswer, ReaderEntry, ReaderOrder};
pub use self::suites::{AddedStep, SuiteAnswer, SuiteDetails, SuiteEntry, SuiteOrder, SuiteWords};
pub use self::sweeps::{
    BuilderAnswer, BuilderOrder, PlannedSelection, SweepOffers, SweepOrder, SweepSelection,
};
pub use self::values::{
    Annotated, AnnotationOrder, BranchRow, FindProgress, ForkOrder, FoundRow, KnownNames, LoadedRecording,
    OracleQuestion, Player, SessionBatch, SessionSummary, WantedRecording,
};
pub use self::workshop::{FilledDraft, OpenedWorkshop, WorkshopAnswer, WorkshopOrder, WorkshopPlace};

/// What the screen asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Play a level, by its reference; the answer is [`Opened::Level`].
    OpenLevel(String),
    /// Play a level again, with everything that this head was started with; the answer is [`Opened::Level`].
    Restart(Arc<Head>),
    /// Go on with the unfinished session of this name; the answer is [`Opened::Continued`].
    Resume(String),
    /// Play a level, or the configured one, with another agent, and further levels too; the answer is [`Opened::Level`].
    PlayWith {
        /// Its reference.
        level: Option<String>,
        /// Who plays.
        player: Player,
    },
    /// Read what home lists; the answers are [`Answer::Home`] and [`Answer::SessionsRead`].
    ListHome,
    /// Play an episode of the configured level that is not recorded, for the first start; the answers are [`Answer::Welcome`],
    /// one for each half of a step. None stops it.
    Welcome(Option<Player>),
    /// Make the preview of an item of home; the answer is [`Answer::Previewed`].
    Preview(HomeItem),
    /// Play the level of the first episode of this session again, with everything that it was started with; the answer is
    /// [`Opened::Level`].
    PlayAgain(String),
    /// Move the session or the sweep of this name to the trash; the answer is [`Answer::Deleted`].
    Delete(String),
    /// Open the recorded session of this name; the answer is [`Opened::Recorded`].
    OpenRecorded(String),
    /// Open the dashboard of the sweep of this name; the answer is [`Opened::Sweep`].
    OpenSweep(String),
    /// Start the sweep of this name in this process; the answer is [`Opened::Sweep`].
    StartSweep(String),
    /// List what a sweep can be built of, plan one, or write its file; the answers are [`Answer::Builder`].
    Builder(BuilderOrder),
    /// Order all workers of a sweep to do something; the answer is [`Answer::SweepOrdered`].
    OrderSweep {
        /// The sweep, as verbs name it.
        sweep: String,
        /// The order.
        order: SweepOrder,
    },
    /// Open the recording of this journal; the answer is [`Opened::Recorded`].
    OpenJournal(PathBuf),
    /// Open the recording of this journal, and follow it while it is written; the answer is [`Opened::Recorded`].
    OpenWritten(PathBuf),
    /// Continue the unfinished episode of this journal; the answer is [`Opened::Continued`].
    ContinueJournal(PathBuf),
    /// Plan or make a branch; the answer is [`Answer::ForkPlanned`] or [`Opened::Continued`].
    Fork(ForkOrder),
    /// Start the episode of the lesson of this name; the answer is [`Opened::Lesson`].
    OpenLesson(&'static str),
    /// List the recorded sessions; the answers are [`Answer::Sessions`] and
    /// [`Answer::SessionsRead`].
    ListSessions,
    /// Read what lists show of the episodes of these journals, which have these numbers; the answers are
    /// [`Answer::Outlined`]. One that cannot be read has none.
    Outline(Vec<(usize, PathBuf)>),
    /// List the branches of the episode of this journal; the answer is [`Answer::Branches`].
    ListBranches(PathBuf),
    /// Find out what an oracle would have done; the answer is [`Answer::OracleSaid`].
    AskOracle(OracleQuestion),
    /// Read breakpoints with what they need to know; the answer is [`Answer::BreakpointsRead`].
    ReadBreakpoints(String),
    /// Read a recording to compare with; the answer is [`Answer::Loaded`].
    LoadRecording(WantedRecording),
    /// Find the steps that meet a condition, in place of the search before; the answers are [`Answer::Found`].
    Find {
        /// The condition.
        condition: String,
        /// The session, sweep or cell that is searched; `None` for everything stored.
        scope: Option<String>,
    },
    /// Compare the repeats in the session of this journal; the answers are [`Answer::Found`], a row for each repeat with
    /// what it did where they part.
    FindPartings(PathBuf),
    /// End the search in progress.
    StopFinding,
    /// List, find, check or save models; the answers are [`Answer::Model`].
    Model(ModelOrder),
    /// Read the replies of a session with readers, or save one; the answers are [`Answer::Reader`].
    Reader(ReaderOrder),
    /// Edit, ask, save or delete a prompt in the workshop; the answers are [`Answer::Workshop`].
    Workshop(WorkshopOrder),
    /// Plan, make, stop or read an ask; the answers are [`Answer::Asked`].
    Ask(AskOrder),
    /// List suites, add to one, or plan, make, stop or read an ask about one; the answers are [`Answer::Suite`].
    Suite(SuiteOrder),
    /// Read the tags and comments of the episode of this journal, and again when they change; the answers are
    /// [`Answer::Annotations`].
    WatchAnnotations(PathBuf),
    /// Add or remove a tag or a comment; the answer is [`Answer::Annotated`].
    Annotate(AnnotationOrder),
    /// Read the names for completions; the answer is [`Answer::Names`].
    ListNames,
    /// Read the files of the user again; the answer is [`Answer::Reloaded`].
    Reload,
    /// Load a theme by name, as a preview or to stay; the answer is [`Answer::Theme`].
    LoadTheme {
        /// Its name.
        name: String,
        /// Whether the list of themes only tries it.
        is_preview: bool,
    },
    /// Read the file of a prompt to edit it; the answer is [`Answer::PromptText`].
    PromptText {
        /// The environment.
        environment: String,
        /// The name of the prompt.
        name: String,
    },
    /// Save a text as a prompt of the user; the answer is [`Answer::PromptSaved`]. An invalid text, or one that would
    /// replace another prompt than the edited one, is not written.
    SavePrompt {
        /// The environment.
        environment: String,
        /// The prompt that was edited.
        edited: String,
        /// The text.
        text: String,
    },
}

/// Sessions that were opened, or why not.
#[derive(Debug)]
pub enum Opened {
    /// A level, to be played.
    Level(Result<Session, Problem>),
    /// A branch or an unfinished episode, to be played.
    Continued(Result<Session, Problem>),
    /// Recorded episodes.
    Recorded(Result<RecordedEpisodes, Problem>),
    /// The episode of a lesson.
    Lesson(Result<Session, Problem>),
    /// The dashboard of a sweep.
    Sweep(Result<DashboardSources, Problem>),
    /// The next episode of the followed session.
    Followed(Session),
}

/// What was read, computed or written.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The recorded sessions, newest first.
    Sessions(Result<Vec<SessionSummary>, Problem>),
    /// What was read of recorded sessions after they were listed.
    SessionsRead(Box<SessionBatch>),
    /// What home lists.
    Home(Box<HomeContents>),
    /// The episode of the first start as it is now.
    Welcome(Arc<Snapshot>),
    /// What is shown beside the tree of home for an item.
    Previewed(HomeItem, Result<HomePreview, Problem>),
    /// The session or the sweep of this name was moved to the trash, or why not.
    Deleted(String, Result<(), Problem>),
    /// What lists show of episodes that were not read, by their numbers.
    Outlined(Vec<(usize, Option<EpisodeOutline>)>),
    /// The branches of an episode, the episode itself first.
    Branches(Result<Vec<BranchRow>, Problem>),
    /// What a branch would be, as lines, with the changes that were asked about.
    ForkPlanned(String, Result<Vec<String>, Problem>),
    /// What the oracle would have done in this state, or why it has no opinion.
    OracleSaid(Digest, Result<String, String>),
    /// Breakpoints that were read, with their text.
    BreakpointsRead(String, Result<Breakpoints, Problem>),
    /// A recording to compare with.
    Loaded(WantedRecording, Result<LoadedRecording, Problem>),
    /// What the search in progress has found.
    Found(FindProgress),
    /// Of models.
    Model(ModelAnswer),
    /// Of readers.
    Reader(ReaderAnswer),
    /// Of the workshop of a prompt.
    Workshop(WorkshopAnswer),
    /// Of an ask.
    Asked(AskAnswer),
    /// Of suites.
    Suite(SuiteAnswer),
    /// Of the form of a sweep.
    Builder(BuilderAnswer),
    /// An order was given to the workers of a sweep: what they do now, or why it was refused.
    SweepOrdered(Result<String, Problem>),
    /// The tags and comments of the episode of this journal.
    Annotations(PathBuf, Result<EpisodeAnnotations, Problem>),
    /// A tag or a comment was added or removed.
    Annotated(AnnotationOrder, Result<Annotated, Problem>),
    /// The names for completions.
    Names(KnownNames),
    /// Theme, keys and settings as the files have them now.
    Reloaded(Box<Result<Appearance, Problem>>),
    /// A theme.
    Theme {
        /// Whether the list of themes only tries it.
        is_preview: bool,
        /// The theme.
        theme: Box<Result<Theme, Problem>>,
    },
    /// The file of a prompt.
    PromptText {
        /// The environment.
        environment: String,
        /// The name that was given.
        name: String,
        /// The text.
        text: Result<PromptText, Problem>,
    },
    /// A prompt was saved.
    PromptSaved {
        /// The text that was to be saved.
        text: String,
        /// The prompt.
        saved: Box<Result<WrittenPrompt, Problem>>,
    },
}

/// What only the newest request of counts: an answer to an earlier one is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Topic {
    Home,
    Preview,
    Welcome,
    Sessions,
    Branches,
    ForkPlan,
    Comparison,
    Search,
    Names,
    Files,
    Theme,
    PromptText,
}

impl Request {
    fn topic(&self) -> Option<Topic> {
        match self {
            Self::ListHome => Some(Topic::Home),
            Self::Preview(_) => Some(Topic::Preview),
            Self::Welcome(_) => Some(Topic::Welcome),
            Self::ListSessions => Some(Topic::Sessions),
            Self::ListBranches(_) => Some(Topic::Branches),
            Self::Fork(order) => (!order.is_made).then_some(Topic::ForkPlan),
            Self::LoadRecording(_) => Some(Topic::Comparison),
            Self::Find { .. } | Self::FindPartings(_) | Self::StopFinding => Some(Topic::Search),
            Self::ListNames => Some(Topic::Names),
            Self::Reload => Some(Topic::Files),
            Self::LoadTheme { .. } => Some(Topic::Theme),
            Self::PromptText { .. } => Some(Topic::PromptText),
            Self::OpenLevel(_)
            | Self::Resume(_)
            | Self::PlayWith { .. }
            | Self::PlayAgain(_)
            | Self::Delete(_)
            | Self::Restart(_)
            | Self::OpenRecorded(_)
            | Self::OpenSweep(_)
            | Self::OrderSweep { .. }
            | Self::StartSweep(_)
            | Self::Builder(_)
            | Self::OpenJournal(_)
            | Self::OpenWritten(_)
            | Self::ContinueJournal(_)
            | Self::OpenLesson(_)
            | Self::Outline(_)
            | Self::AskOracle(_)
            | Self::ReadBreakpoints(_)
            | Self::Model(_)
            | Self::Reader(_)
            | Self::Workshop(_)
            | Self::Ask(_)
            | Self::Suite(_)
            | Self::WatchAnnotations(_)
            | Self::Annotate(_)
            | Self::SavePrompt { .. } => None,
        }
    }

    /// Whether a script waits for its answer before the next line: it has exactly one, and a person caused it.
    fn is_awaited(&self) -> bool {
        match self {
            Self::OpenLevel(_)
            | Self::Resume(_)
            | Self::PlayWith { .. }
            | Self::ListHome
            | Self::PlayAgain(_)
            | Self::Delete(_)
            | Self::Restart(_)
            | Self::OpenRecorded(_)
            | Self::OpenSweep(_)
            | Self::StartSweep(_)
            | Self::OrderSweep { .. }
            | Self::OpenJournal(_)
            | Self::OpenWritten(_)
            | Self::ContinueJournal(_)
            | Self::Fork(_)
            | Self::OpenLesson(_)
            | Self::ListSessions
            | Self::ListBranches(_)
            | Self::ReadBreakpoints(_)
            | Self::LoadRecording(_)
            | Self::Annotate(_)
            | Self::Reload
            | Self::LoadTheme { .. }
            | Self::PromptText { .. }
            | Self::SavePrompt { .. } => true,
            Self::Outline(_)
            | Self::Builder(_)
            | Self::Welcome(_)
            | Self::Preview(_)
            | Self::AskOracle(_)
            | Self::Find { .. }
            | Self::FindPartings(_)
            | Self::StopFinding
            | Self::Model(_)
            | Self::Reader(_)
            | Self::Workshop(_)
            | Self::Ask(_)
            | Self::Suite(_)
            | Self::WatchAnnotations(_)
            | Self::ListNames => false,
        }
    }
}

impl Answer {
    fn topic(&self) -> Option<Topic> {
        match self {
            Self::Home(_) => Some(Topic::Home),
            Self::Previewed(..) => Some(Topic::Preview),
            Self::Welcome(_) => Some(Topic::Welcome),
            Self::Sessions(_) => Some(Topic::Sessions),
            Self::Branches(_) => Some(Topic::Branches),
            Self::ForkPlanned(..) => Some(Topic::ForkPlan),
            Self::Loaded(..) => Some(Topic::Comparison),
            Self::Found(_) => Some(Topic::Search),
            Self::Names(_) => Some(Topic::Names),
            Self::Reloaded(_) => Some(Topic::Files),
            Self::Theme { .. } => Some(Topic::Theme),
            Self::PromptText { .. } => Some(Topic::PromptText),
            Self::SessionsRead(_)
            | Self::Deleted(..)
            | Self::Outlined(_)
            | Self::OracleSaid(..)
            | Self::BreakpointsRead(..)
            | Self::Asked(_)
            | Self::Model(_)
            | Self::Reader(_)
            | Self::Workshop(_)
            | Self::Suite(_)
            | Self::SweepOrdered(_)
            | Self::Builder(_)
            | Self::Annotations(..)
            | Self::Annotated(..)
            | Self::PromptSaved { .. } => None,
        }
    }
}
