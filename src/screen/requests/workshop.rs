//! Requests about the workshop of a prompt: the request of a draft, its versions on pinned states, and what is saved.

use std::path::PathBuf;

use mageyard_config::Problem;
use mageyard_dialog::RequestDiff;
use mageyard_lab::{Needs, PromptText, PromptVersionText, WrittenPrompt};
use mageyard_study::{DraftImage, PinnedState, VersionTable};

/// What is wanted of the workshop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkshopOrder {
    /// Open a prompt; the answers are [`WorkshopAnswer::Opened`], and [`WorkshopAnswer::Versions`] as they become known.
    Open(WorkshopPlace),
    /// Fill in a draft in the state with this index, in place of the draft before; the answer is [`WorkshopAnswer::Filled`].
    Fill(String, usize),
    /// Plan to ask a draft, so many samples in each state; the answer is [`AskAnswer::Planned`](crate::AskAnswer::Planned).
    Plan {
        /// The number of the ask.
        number: u64,
        /// The draft.
        text: String,
        /// The samples.
        samples: u32,
    },
    /// Keep the planned draft as a version, and make the calls of the ask with this number that are missing; the answers are
    /// [`AskAnswer::Arrived`](crate::AskAnswer::Arrived) and then [`AskAnswer::Ended`](crate::AskAnswer::Ended).
    Make(u64),
    /// Stop that. What came back stays.
    Stop,
    /// Read the versions again, of which so many samples count; the answers are [`WorkshopAnswer::Versions`].
    ReadVersions(u32),
    /// Save a text as the edited prompt, or as a new one if its name is new; the answer is [`WorkshopAnswer::Saved`].
    Save(String),
    /// Move the prompt to the trash; the answer is [`WorkshopAnswer::Deleted`].
    Delete,
    /// Pin this step of a recording; the answer is [`WorkshopAnswer::Pinned`].
    Pin(PathBuf, u32),
    /// Unpin the state with this index; the answer is [`WorkshopAnswer::Pinned`].
    Unpin(usize),
    /// Forget everything, and stop what is asked.
    Close,
}

/// Which prompt is opened, and on which states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkshopPlace {
    /// The environment.
    pub environment: String,
    /// The prompt.
    pub prompt: String,
    /// The present step: the journal of its recording, and its number.
    pub step: Option<(PathBuf, u32)>,
    /// The model of the episode, which is asked in states that no model has decided.
    pub model: Option<String>,
    /// The suite whose states are the pinned ones; `None` for that of the user, `pinned-ENVIRONMENT`.
    pub suite: Option<String>,
    /// What is asked, such as `models=NAME am=1`.
    pub words: String,
}

/// A prompt that was opened.
#[derive(Clone, Debug)]
pub struct OpenedWorkshop {
    /// Its file.
    pub text: PromptText,
    /// The suite of the pinned states.
    pub suite: String,
    /// Whether the suite is one of the user, whose states can be removed; the present state alone is none.
    pub is_own: bool,
    /// The pinned states, or why they cannot be opened.
    pub states: Result<Vec<PinnedState>, Problem>,
}

/// The request of a draft in a state.
#[derive(Clone, Debug)]
pub struct FilledDraft {
    /// The index of the state.
    pub state: usize,
    /// The request, compared with that of the saved text.
    pub request: RequestDiff,
    /// Its images, in order.
    pub images: Vec<DraftImage>,
    /// What one call needs, or why no model is known.
    pub needs: Result<Needs, Problem>,
}

/// What was done in the workshop.
#[derive(Clone, Debug)]
pub enum WorkshopAnswer {
    /// The prompt and the states.
    Opened(Result<Box<OpenedWorkshop>, Problem>),
    /// The request of the draft with this text, or what is wrong with it.
    Filled(String, Result<Box<FilledDraft>, Problem>),
    /// The versions that were asked, the oldest first, and what they were answered as far as that is known.
    Versions {
        /// Their texts.
        texts: Vec<PromptVersionText>,
        /// Their answers.
        table: VersionTable,
        /// Whether all is known.
        is_complete: bool,
    },
    /// A text was saved.
    Saved(String, Result<Box<WrittenPrompt>, Problem>),
    /// The prompt was moved to this file in the trash.
    Deleted(Result<PathBuf, Problem>),
    /// A state was pinned or unpinned, in words. The prompt is to be opened again.
    Pinned(Result<String, Problem>),
    /// Something cannot be read.
    Failed(Problem),
}
