//! Requests about readers: what each reads in the replies of a session, and a draft of one.

use std::path::PathBuf;

use mageyard_config::Problem;
use mageyard_engine::Attempt;
use mageyard_lab::{ReplyPlace, Rereading};

/// What is asked about readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReaderOrder {
    /// Read the replies of this session or sweep with every reader; the answers are [`ReaderAnswer::Loading`],
    /// [`ReaderAnswer::Readers`], one [`ReaderAnswer::Read`] each, and at last [`ReaderAnswer::Complete`].
    Open(String),
    /// Read one reply with every reader; the answer is [`ReaderAnswer::Shown`].
    Show(ReplyPlace),
    /// Give the file of a reader; the answer is [`ReaderAnswer::Text`].
    Text(String),
    /// Read all replies with this draft, in place of the one before; the answers are [`ReaderAnswer::Trying`] and
    /// [`ReaderAnswer::Tried`].
    Try(String),
    /// Save a text as the reader of this name; the answer is [`ReaderAnswer::Saved`].
    Save {
        /// The name.
        name: String,
        /// The text.
        text: String,
        /// Whether it replaces the user's file of that name; otherwise an existing one is kept.
        replaces: bool,
    },
    /// Forget the replies, and end what is being read.
    Close,
}

/// A reader that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReaderEntry {
    /// The name.
    pub name: String,
    /// Name and version.
    pub reader: String,
    /// What it accepts.
    pub about: String,
    /// Whether it is a file of the user.
    pub is_own: bool,
    /// Whether an episode was played with these rules.
    pub is_recorded: bool,
}

/// A stored reply as readers read it.
#[derive(Clone, Debug)]
pub struct ReadReply {
    /// Where it is.
    pub place: ReplyPlace,
    /// The journal of its episode.
    pub journal: PathBuf,
    /// The reference of the step.
    pub run: String,
    /// What each reader reads, in the order of [`ReaderAnswer::Readers`].
    pub readings: Vec<Attempt>,
    /// What the draft reads, if there is one that is valid.
    pub draft: Option<Attempt>,
}

/// What was read.
#[derive(Clone, Debug)]
pub enum ReaderAnswer {
    /// So many episodes are loaded.
    Loading(usize),
    /// The readers.
    Readers(Vec<ReaderEntry>),
    /// What a reader reads in all replies, by its index among [`ReaderAnswer::Readers`].
    Read(usize, Rereading),
    /// Every reader has read all replies.
    Complete,
    /// A reply.
    Shown(Box<ReadReply>),
    /// The file of the reader of this name.
    Text(String, Result<String, Problem>),
    /// The draft has read so many of these episodes.
    Trying {
        /// Episodes that are read.
        done: usize,
        /// All episodes.
        of: usize,
    },
    /// What the draft with this text reads, or what is wrong with it.
    Tried(String, Result<Rereading, Problem>),
    /// The reader of this name was saved in this file.
    Saved(String, Result<PathBuf, Problem>),
    /// The session cannot be read.
    Failed(Problem),
}
