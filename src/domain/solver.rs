//! Solvers: searches for solutions, for an environment whose rules allow them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use thiserror::Error;

use super::{Action, Level, Observation, Options};

/// What a solver minimizes. Two objectives are equal if their names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The name, which is also the plural noun: `moves`.
    pub name: &'static str,
    /// The singular noun.
    pub singular: &'static str,
}

impl Objective {
    /// The number of actions, as in the benchmark.
    pub const ACTIONS: Self = Self { name: "moves", singular: "move" };
}

/// A solution of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The actions in order.
    pub actions: Vec<Action>,
    /// Its size in each objective of the solver, in their order.
    pub sizes: Vec<u32>,
    /// The solution in the usual notation of the game.
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
    #[error("unsolvable: all states that can be reached ({states}) were searched")]
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

/// The limits of one search, as they are configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most states to visit.
    pub states: u64,
    /// The most memory in bytes.
    pub memory: u64,
    /// The most time; `None` for no limit.
    pub time: Option<Duration>,
}

impl SearchLimits {
    /// No limit.
    pub const NONE: Self = Self { states: u64::MAX, memory: u64::MAX, time: None };

    /// The limits for the solver; the caller enforces the time.
    pub fn bounds(self, stop: &AtomicBool) -> SearchBudget<'_> {
        SearchBudget { memory: self.memory, ..SearchBudget::with_states(self.states, stop) }
    }
}

/// The limits of a running search.
#[derive(Clone, Copy, Debug)]
pub struct SearchBudget<'a> {
    /// The maximum number of states.
    pub states: u64,
    /// The maximum memory for states, in bytes.
    pub memory: u64,
    /// Set by the caller when the time limit is reached.
    pub time_up: Option<&'a AtomicBool>,
    /// Set by the caller a little later, when also the short searches for any solution after `time_up` must end. Without
    /// it these are limited by states alone.
    pub time_over: Option<&'a AtomicBool>,
    /// Set by the caller to cancel the search.
    pub cancel: &'a AtomicBool,
}

impl<'a> SearchBudget<'a> {
    /// Limits only the number of states.
    pub fn with_states(states: u64, cancel: &'a AtomicBool) -> Self {
        Self { states, memory: u64::MAX, time_up: None, time_over: None, cancel }
    }

    /// Whether the search is cancelled or its time is up.
    pub fn is_over(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(self.cancel) || self.time_up.is_some_and(is_set)
    }
}

/// The solver of an environment.
pub trait Solver: Send + Sync {
    /// What it can minimize, the default first: the number of actions.
    fn objectives(&self) -> &'static [Objective] {
        &[Objective::ACTIONS]
    }

    /// The name of the notation of its solutions, if it is an established one.
    fn notation(&self) -> Option<&dyn SolutionNotation> {
        None
    }

    /// The limits in the environment's options; no limits if it has no such options.
    fn limits(&self, options: &Options) -> SearchLimits {
        let _ = options;
        SearchLimits::NONE
    }

    /// The setting of the environment that raises a limit, without the table, if there is one.
    fn limit_setting(&self, limit: LimitKind) -> Option<&'static str> {
        let _ = limit;
        None
    }

    /// Whether this option of the environment limits searches, so that it changes nothing that an agent does.
    fn is_limit(&self, option: &str) -> bool {
        let limits = [LimitKind::States, LimitKind::Memory, LimitKind::Time];
        limits.into_iter().any(|limit| self.limit_setting(limit) == Some(option))
    }

    /// Searches for a solution that is optimal for `objective`, one of [`Solver::objectives`]. At a limit the result
    /// may be a solution that is not proven optimal ([`Solution::unproven`]). `None` for a level that is not valid.
    fn solve(
        &self,
        level: &Level,
        objective: Objective,
        budget: SearchBudget<'_>,
    ) -> Option<Result<Solution, SearchFailure>>;

    /// The length of a shortest solution from the observed state, or why there is none: a dead state is
    /// [`SearchFailure::Unsolvable`]. `None` if the observation is not the environment's own.
    fn distance_to_goal(
        &self,
        observation: &Observation,
        budget: SearchBudget<'_>,
    ) -> Option<Result<u32, SearchFailure>>;
}

/// An established notation of solutions, which can be read and checked.
pub trait SolutionNotation: Send + Sync {
    /// The name, such as that of a field in JSON output.
    fn name(&self) -> &'static str;

    /// A short example for messages.
    fn example(&self) -> &'static str;

    /// The solution in a text that has nothing else. An error is the reason.
    fn read(&self, text: &str) -> Result<String, String>;

    /// Whether a text has a level, and not only a solution.
    fn has_level(&self, text: &str) -> bool;

    /// The solution in a level's notes, if there is one.
    fn noted(&self, level: &Level) -> Option<String>;

    /// Plays a solution on a level and returns its size in each objective of the solver. An error names the first
    /// action that is not allowed, or what is missing at the end.
    fn check(&self, level: &Level, solution: &str) -> Result<Vec<u32>, String>;
}
