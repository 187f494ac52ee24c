//! The description of an environment: its levels, settings, reply formats and solver.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use thiserror::Error;

use super::Action;
use super::Environment;
use super::FileNotes;
use super::Glyph;
use super::Level;
use super::LevelError;
use super::LevelFormat;
use super::Observation;
use super::Policy;
use super::PublishedScore;
use super::Reference;
use super::ReplyFormat;
use super::Returns;
use super::Setting;

/// Settings of an environment or agent, by name.
pub type Options = BTreeMap<String, Value>;

/// An invalid setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {why}")]
pub struct OptionError {
    /// The setting's name.
    pub name: String,
    /// What is wrong, and what is allowed.
    pub why: String,
}

/// A named list of levels that ships with the program.
#[derive(Clone, Copy, Debug)]
pub struct LevelSet {
    /// The name within the environment, such as `mini`.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The text of the level file.
    pub text: &'static str,
}

/// What a solver minimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The number of actions, as in the benchmark.
    #[default]
    Actions,
    /// The number of pushes.
    Pushes,
}

/// A solution of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The actions in order.
    pub actions: Vec<Action>,
    /// The number of pushes, if the environment distinguishes them from other actions.
    pub pushes: Option<u32>,
    /// The solution in the usual notation of the game (LURD for Sokoban).
    pub notation: String,
    /// The number of states visited.
    pub states: u64,
    /// The limit that prevented the proof of optimality; `None` if the solution is optimal. Only an optimal
    /// solution may be used for scores.
    pub unproven: Option<LimitKind>,
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LimitKind {
    /// [`SearchBudget::states`].
    #[error("the limit on states")]
    States,
    /// [`SearchBudget::memory`].
    #[error("the limit on memory")]
    Memory,
    /// [`SearchBudget::time_up`].
    #[error("the limit on time")]
    Time,
}

/// Why a search ended without a solution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFailure {
    /// Every reachable state was visited, and none is the goal.
    #[error("unsolvable: none of the {states} reachable states is a solution")]
    Unsolvable {
        /// States met.
        states: u64,
    },
    /// A limit was reached.
    #[error("gave up after {states} states at {limit}")]
    GaveUp {
        /// States met.
        states: u64,
        /// The limit that was reached.
        limit: LimitKind,
    },
    /// The search was cancelled.
    #[error("cancelled after {states} states")]
    Cancelled {
        /// States met.
        states: u64,
    },
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchBudget<'a> {
    /// The maximum number of states.
    pub states: u64,
    /// The maximum memory for states, in bytes.
    pub memory: u64,
    /// Set by the caller when the time limit is reached.
    pub time_up: Option<&'a AtomicBool>,
    /// Set by the caller to cancel the search.
    pub cancel: &'a AtomicBool,
}

impl<'a> SearchBudget<'a> {
    /// Limits only the number of states.
    pub fn with_states(states: u64, cancel: &'a AtomicBool) -> Self {
        Self { states, memory: u64::MAX, time_up: None, cancel }
    }
}

/// An environment type: its levels, settings, reply formats and solver.
pub trait EnvironmentSpec: Send + Sync {
    /// The name in level references, such as `sokoban`.
    fn name(&self) -> &'static str;
    /// A one-line description.
    fn summary(&self) -> &'static str;
    /// The extensions of its level files without the dot, the usual one first.
    fn file_extensions(&self) -> &'static [&'static str];
    /// The shipped level sets, the default first.
    fn level_sets(&self) -> &'static [LevelSet];
    /// Parses a level file. One invalid level makes the file invalid.
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError>;
    /// Every error of a level file, in file order; empty for a file that [`EnvironmentSpec::parse_levels`] accepts.
    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        self.parse_levels(text).err().into_iter().collect()
    }
    /// The titles, authors and comments of a level file.
    fn file_notes(&self, text: &str) -> FileNotes {
        let _ = text;
        FileNotes::default()
    }
    /// The formats for import and export. The format with the name of the usual file extension is the native
    /// one.
    fn level_formats(&self) -> &'static [LevelFormat] {
        &[]
    }
    /// Opens a level returned by [`EnvironmentSpec::parse_levels`].
    fn open(&self, level: &Level, options: &Options) -> Result<Box<dyn Environment>, OptionError>;
    /// The reply format, or `None` if the environment does not support this setting.
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat>;
    /// The shipped prompt variants as name and file text, the default first.
    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The optimum of a level, or `None` if the solver does not find it within the settings. The search can be
    /// slow, visits the same states on every machine, and ends when `stop` is set.
    fn reference(&self, level: &Level, options: &Options, stop: &AtomicBool) -> Option<Reference>;
    /// The optimum published with a level, if its text has one. It never replaces
    /// [`EnvironmentSpec::reference`].
    fn published_reference(&self, _level: &Level) -> Option<Reference> {
        None
    }
    /// A legend of the frames painted with these options, as the end of a sentence; may be empty. Prompts insert
    /// it as `{picture}`.
    fn picture_legend(&self, options: &Options) -> &'static str {
        let _ = options;
        ""
    }
    /// What the characters of the text observation mean, for viewers; empty if the text does not begin with a grid
    /// of squares.
    fn glyphs(&self) -> &'static [(char, Glyph)] {
        &[]
    }
    /// The score of an episode relative to the published optimum.
    fn published_score(&self, level: &Level, returns: Returns) -> Option<PublishedScore> {
        let reference = self.published_reference(level)?;
        self.score(returns, Some(&reference)).map(|score| PublishedScore { reference, score })
    }
    /// The score of an episode; `None` if the optimum is unknown.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64>;
    /// Why the observed state is provably dead (the goal cannot be reached), in a sentence; `None` if there is no
    /// proof. Called only when an episode is evaluated, never for the agent. Successors of a dead state are dead.
    fn dead_state_reason(&self, observation: &Observation) -> Option<String> {
        let _ = observation;
        None
    }
    /// The optimal policy, if the environment has a solver.
    fn oracle(&self) -> Option<Box<dyn Policy>>;
    /// Searches for a solution that is optimal for `objective`. At a limit the result may be a solution that is
    /// not proven optimal ([`Solution::unproven`]). `None` if the environment has no such solver.
    fn solve(
        &self,
        level: &Level,
        objective: Objective,
        budget: SearchBudget<'_>,
    ) -> Option<Result<Solution, SearchFailure>>;
    /// The length of a shortest solution from the observed state, or why there is none: a dead state is
    /// [`SearchFailure::Unsolvable`]. `None` if the environment has no solver or the observation is not its own.
    fn distance_to_goal(
        &self,
        _observation: &Observation,
        _budget: SearchBudget<'_>,
    ) -> Option<Result<u32, SearchFailure>> {
        None
    }
}
