//! What the screen and the program that started it say to each other about suites of states.

use std::path::PathBuf;
use std::sync::Arc;

use super::asking::{AskReply, PlannedAsk};
use mageyard_config::Problem;

/// What a person wants with suites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteOrder {
    /// List the suites; the answer is [`SuiteAnswer::Listed`].
    List,
    /// Add a step to a suite; the answer is [`SuiteAnswer::Added`].
    Add(AddedStep),
    /// Read what was asked about the suite of this name; the answer is [`SuiteAnswer::Read`].
    Read(String),
    /// Plan an ask about a suite, in place of the one before; the answer is [`SuiteAnswer::Planned`].
    Plan(SuiteWords),
    /// Make the calls of the ask with this number that are missing; the answers are [`SuiteAnswer::Arrived`] and then
    /// [`SuiteAnswer::Ended`].
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
    /// What is known of the suite with this name.
    Read(String, Result<SuiteDetails, Problem>),
    /// What the ask with this number would be.
    Planned(u64, Result<PlannedAsk, Problem>),
    /// What has come back for it, at first what was stored before.
    Arrived(u64, Arc<SuiteView>),
    /// It is over: complete, stopped, or failed.
    Ended(u64, Result<(), Problem>),
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
    pub stored: Vec<Arc<SuiteView>>,
}

/// An ask about a suite as the screen shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteView {
    /// What is asked, in one line.
    pub title: String,
    /// What is compared, in order.
    pub variants: Vec<String>,
    /// The shares, tokens and costs: a row for each, with its name and a cell for each variant.
    pub table: Vec<Vec<String>>,
    /// The comparisons, and what counts.
    pub comparisons: Vec<String>,
    /// The states, those in which the variants differ most first.
    pub states: Vec<ComparedState>,
    /// In how many of them the answers differ.
    pub differing: usize,
    /// What is missing and what was changed.
    pub tail: Vec<String>,
    /// The replies that are there.
    pub replies: usize,
    /// The calls of the complete ask.
    pub calls: usize,
}

/// A state with the answers of each variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedState {
    /// Its number in the suite, from 1.
    pub number: usize,
    /// Its category and why it is in the suite.
    pub title: String,
    /// The step that opens it.
    pub address: String,
    /// The journal of this step.
    pub journal: PathBuf,
    /// Its number, from 1.
    pub step: u32,
    /// Which answers are right, and which are the known mistake.
    pub facts: Vec<String>,
    /// The answers of each variant, in order.
    pub variants: Vec<VariantAnswers>,
}

/// What a variant answered to a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariantAnswers {
    /// Its answers with their numbers.
    pub summary: String,
    /// Its calls, in order.
    pub replies: Vec<Arc<AskReply>>,
}
