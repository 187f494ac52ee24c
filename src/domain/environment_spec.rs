//! A kind of environment as the catalog lists it: one row, everything a caller needs to offer it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use thiserror::Error;

use super::Action;
use super::Environment;
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

/// An environment's own settings, by name, as plain data.
pub type Options = BTreeMap<String, Value>;

/// A setting that an environment refuses.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {why}")]
pub struct OptionError {
    /// The setting's name.
    pub name: String,
    /// What is wrong and what is allowed.
    pub why: String,
}

/// A named list of levels that ships with the program.
#[derive(Clone, Copy, Debug)]
pub struct LevelSet {
    /// Its name within the environment, such as `mini`.
    pub name: &'static str,
    /// What it holds, in a line.
    pub summary: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// What a solution is to have the fewest of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Actions: what the benchmark counts.
    #[default]
    Actions,
    /// Pushes, however many actions lie between them.
    Pushes,
}

/// A solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The actions in order.
    pub actions: Vec<Action>,
    /// How many of them push something, where the environment tells pushes from other actions.
    pub pushes: Option<u32>,
    /// The solution in the short notation of the field (LURD for Sokoban).
    pub notation: String,
    /// States met while searching.
    pub states: u64,
    /// The limit that kept it from being proven a best one; `None` when it is one. No score may be
    /// measured against a solution that is not proven.
    pub unproven: Option<LimitKind>,
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LimitKind {
    /// [`SearchBudget::with_states`].
    #[error("the limit of states")]
    States,
    /// [`SearchBudget::memory`].
    #[error("the limit of memory")]
    Memory,
    /// [`SearchBudget::late`].
    #[error("the limit of time")]
    Time,
}

/// Why a search ended without a solution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFailure {
    /// Every reachable state was met and none is the goal.
    #[error("unsolvable: every state that can be reached was tried, {states} in all")]
    Unsolvable {
        /// States met.
        states: u64,
    },
    /// A limit came first.
    #[error("gave up after {states} states, {limit}")]
    GaveUp {
        /// States met.
        states: u64,
        /// Which limit it was.
        limit: LimitKind,
    },
    /// Somebody asked it to stop.
    #[error("stopped after {states} states")]
    Cancelled {
        /// States met.
        states: u64,
    },
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct SearchBudget<'a> {
    /// States it may meet.
    pub states: u64,
    /// Bytes that the states may take.
    pub memory: u64,
    /// Raised by a caller with a clock when time is up.
    pub time_up: Option<&'a AtomicBool>,
    /// Raised by whoever no longer wants the answer.
    pub cancel: &'a AtomicBool,
}

impl<'a> SearchBudget<'a> {
    /// So many states, however large they are and however long it takes.
    pub fn with_states(states: u64, cancel: &'a AtomicBool) -> Self {
        Self { states, memory: u64::MAX, time_up: None, cancel }
    }
}

/// A kind of environment: its levels, its settings, its forms, its solver.
pub trait EnvironmentSpec: Send + Sync {
    /// The name in level references, such as `sokoban`.
    fn name(&self) -> &'static str;
    /// What it is, in a line.
    fn summary(&self) -> &'static str;
    /// File extensions of its level files, without the dot, the usual one first.
    fn file_extensions(&self) -> &'static [&'static str];
    /// The level sets that ship with the program; the first is the one to start with.
    fn level_sets(&self) -> &'static [LevelSet];
    /// Reads a level file whole; one bad level refuses the file.
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError>;
    /// The formats that its levels are imported from and exported to. The one of them that is named like
    /// its usual file extension is its own.
    fn level_formats(&self) -> &'static [LevelFormat] {
        &[]
    }
    /// Opens a level that [`EnvironmentSpec::parse_levels`] has taken.
    fn open(&self, level: &Level, options: &Options) -> Result<Box<dyn Environment>, OptionError>;
    /// The form of a reply, or `None` where the environment has no such setting.
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat>;
    /// The prompt variants that ship with it: name and text of the file, the default first.
    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The best that can be reached on a level, or `None` where no solver finds it within the settings.
    /// It may search for long, the same states on every machine; `stop` ends it.
    fn reference(&self, level: &Level, options: &Options, stop: &AtomicBool) -> Option<Reference>;
    /// What somebody else published as the best that can be reached on a level, where its text says so.
    /// It is kept beside [`EnvironmentSpec::reference`] and never replaces it.
    fn published_reference(&self, _level: &Level) -> Option<Reference> {
        None
    }
    /// What things look like in the frames that these options paint, as the end of a sentence; empty where nothing
    /// is said of it. Prompts ask for it as `{picture}`.
    fn picture_legend(&self, options: &Options) -> &'static str {
        let _ = options;
        ""
    }
    /// What an episode scores by what was published of its level.
    fn published_score(&self, level: &Level, returns: Returns) -> Option<PublishedScore> {
        let reference = self.published_reference(level)?;
        self.score(returns, Some(&reference)).map(|score| PublishedScore { reference, score })
    }
    /// The score of an episode; `None` while the best that can be reached is unknown.
    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64>;
    /// Why the goal can provably no longer be reached from the state that was observed, in a sentence; `None`
    /// where nothing proves it. Whoever judges an episode asks, and only then: it costs a step nothing, and no
    /// agent is told. What is lost stays lost.
    fn dead_state_reason(&self, seen: &Observation) -> Option<String> {
        let _ = seen;
        None
    }
    /// The policy that plays best, where the environment has a solver.
    fn oracle(&self) -> Option<Box<dyn Policy>>;
    /// A solution with the fewest of what is measured, or where a limit comes first some solution, which
    /// then says so. `None` where the environment has no such solver.
    fn solve(
        &self,
        level: &Level,
        measure: Objective,
        bounds: SearchBudget<'_>,
    ) -> Option<Result<Solution, SearchFailure>>;
    /// How many actions a shortest way home takes from what is seen, or why there is none; for a state
    /// in which everything is lost that is [`SearchFailure::Unsolvable`]. `None` where the environment has no
    /// solver or this is not its observation. It may search for long; the bounds end it.
    fn distance_to_goal(
        &self,
        _seen: &Observation,
        _bounds: SearchBudget<'_>,
    ) -> Option<Result<u32, SearchFailure>> {
        None
    }
}
