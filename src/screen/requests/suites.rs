//! What the screen and the program that started it say to each other about suites of states.

use std::path::PathBuf;
use std::sync::Arc;

use mageyard_config::Problem;
use mageyard_study::StudyTable;

/// What a person wants with suites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteOrder {
    /// List the suites; the answer is [`SuiteAnswer::Listed`].
    List,
    /// Add a step to a suite; the answer is [`SuiteAnswer::Added`].
    Add(AddedStep),
    /// Add steps, by their journals and numbers, to a suite; the answer is [`SuiteAnswer::Collected`].
    Collect {
        /// The suite.
        suite: String,
        /// The steps.
        steps: Vec<(PathBuf, u32)>,
    },
    /// Read what was asked about the suite of this name; the answer is [`SuiteAnswer::Read`].
    Read(String),
    /// Plan an ask about a suite, in place of the one before; the answer is [`AskAnswer::Planned`](crate::AskAnswer::Planned).
    Plan(SuiteWords),
    /// Make the calls of the ask with this number that are missing; the answers are [`AskAnswer::Arrived`](crate::AskAnswer::Arrived) and then
    /// [`AskAnswer::Ended`](crate::AskAnswer::Ended).
    Make(u64),
    /// Stop the calls. What came back stays.
    Stop,
}

/// A recorded step that becomes a state of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedStep {
    /// The name of the suite.
    pub suite: String,
    /// The journal of the episode.
    pub journal: PathBuf,
    /// The step, from 1.
    pub step: u32,
    /// Why it is in the suite, if a person says so.
    pub why: Option<String>,
}

/// What is to be asked about a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteWords {
    /// The number of the ask.
    pub number: u64,
    /// The name of the suite.
    pub suite: String,
    /// What is asked, such as `prompts=A,B samples=20`.
    pub words: String,
}

/// An answer to a [`SuiteOrder`].
#[derive(Clone, Debug)]
pub enum SuiteAnswer {
    /// The suites by name.
    Listed(Vec<SuiteEntry>),
    /// A step was added, in words, or why not.
    Added(Result<String, Problem>),
    /// Steps were added to the suite of this name, in words, or why not.
    Collected(String, Result<String, Problem>),
    /// What is known of the suite with this name.
    Read(String, Result<SuiteDetails, Problem>),
}

/// A suite in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteEntry {
    /// Its name.
    pub name: String,
    /// Whether a person can add states: it is not shipped.
    pub is_own: bool,
    /// Its states, their categories, and what it is for.
    pub facts: Vec<String>,
    /// Why its file cannot be read.
    pub broken: Option<String>,
}

/// What is known of a suite before something is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteDetails {
    /// The names of the prompt variants of its environment.
    pub prompts: Vec<String>,
    /// The asks that are stored.
    pub stored: Vec<Arc<StudyTable>>,
}
