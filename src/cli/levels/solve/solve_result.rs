//! The result of `levels solve` for a level: how the search ended, and the solution.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Answer;
use super::solution_fields::{SolutionFields, sizes_text};
use crate::output::{Output, count_noun};
use crate::records::Record;
use mageyard_domain::{LimitKind, Objective, SearchFailure, Solution, Solver};
use mageyard_lab::{LevelName, SelectedLevel};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SearchEnd {
    /// A proven optimal solution.
    Optimal,
    /// A solution without proof of optimality, because a limit was reached.
    Found,
    /// Proven to have no solution.
    Unsolvable,
    /// A limit was reached.
    GaveUp,
}

impl SearchEnd {
    fn of(answer: &Answer) -> Self {
        match answer {
            Ok(solution) if solution.unproven.is_some() => Self::Found,
            Ok(_) => Self::Optimal,
            Err(SearchFailure::Unsolvable { .. }) => Self::Unsolvable,
            Err(SearchFailure::GaveUp { .. } | SearchFailure::Cancelled { .. }) => Self::GaveUp,
        }
    }
}

/// A solved level (`levels solve`).
///
/// The solution has a size in each objective, and a text in each notation; what its environment does not have is null.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SolveResult {
    /// Reference of the level.
    reference: String,
    /// Title of the level, or its number.
    #[schemars(with = "LevelName")]
    level: Value,
    /// Result of the search: `optimal`, `found`, `unsolvable` or `gave_up`.
    #[schemars(with = "String")]
    pub(super) end: SearchEnd,
    /// Whether there is a solution.
    solved: bool,
    /// Why the search ended without an optimal solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) reason: Option<String>,
    #[serde(flatten)]
    size_fields: Map<String, Value>,
    #[serde(flatten)]
    notation_fields: Map<String, Value>,
    /// Actions of the solution.
    actions: Option<Vec<String>>,
    #[serde(skip)]
    pub(super) objective: Objective,
    #[serde(skip)]
    objectives: &'static [Objective],
    /// The size in each objective.
    #[serde(skip)]
    sizes: Option<Vec<u32>>,
    #[serde(skip)]
    notation: String,
    #[serde(skip)]
    pub(super) head: String,
    /// States visited.
    states: u64,
    /// Duration.
    seconds: f64,
}

impl Record for SolveResult {
    const TYPE: &'static str = "solution";
}

impl SolveResult {
    pub(super) fn new(
        one: &SelectedLevel,
        objective: Objective,
        answer: Answer,
        took: Duration,
        fields: &SolutionFields,
    ) -> Self {
        let head = format!("{}  {}", one.reference, one.level.title.as_deref().unwrap_or_default());
        let (end, reason, states) =
            (SearchEnd::of(&answer), reason(one, objective, &answer), states_expanded(&answer));
        let solution = answer.ok();
        let solver = one.spec.capabilities().tools.solver;
        let notation = solution.as_ref().map(|solution| solution.notation.as_str());
        let sizes = solution.as_ref().map(|solution| solution.sizes.clone());
        let names = |solution: Solution| solution.actions.iter().map(ToString::to_string).collect();
        Self {
            reference: one.reference.clone(),
            level: one.name(),
            end,
            solved: solution.is_some(),
            reason,
            size_fields: fields.sizes(solver, sizes.as_deref()),
            notation_fields: fields.notations(solver, notation),
            objective,
            objectives: solver.map(Solver::objectives).unwrap_or_default(),
            sizes,
            notation: notation.unwrap_or_default().to_owned(),
            actions: solution.map(names),
            head: head.trim_end().to_owned(),
            states,
            seconds: took.as_secs_f64(),
        }
    }

    pub(super) fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        if json {
            return out.record(self);
        }
        let states = count_noun(usize::try_from(self.states).unwrap_or(usize::MAX), "state", "states");
        let cost = format!("({states}, {:.3} s)", self.seconds);
        let parts: Vec<String> = self.solution_text().into_iter().chain(self.reason.clone()).collect();
        out.line(format!("{}: {}  {cost}", self.head, parts.join("; ")))
    }

    /// The size of the solution in its objective.
    pub(super) fn size(&self) -> Option<u32> {
        self.size_of(self.sizes.as_ref()?)
    }

    /// The size in its objective of a solution with these sizes.
    pub(super) fn size_of(&self, sizes: &[u32]) -> Option<u32> {
        let index = self.objectives.iter().position(|objective| *objective == self.objective)?;
        sizes.get(index).copied()
    }

    /// The sizes of a solution of this solver, such as `9 moves`.
    pub(super) fn sizes_text(&self, sizes: &[u32]) -> String {
        sizes_text(self.objectives, sizes)
    }

    /// The same after how the search ended, with the solution: `optimal, 9 moves: AB AC`.
    fn solution_text(&self) -> Option<String> {
        let sizes = self.sizes.as_ref()?;
        let end = if self.end == SearchEnd::Optimal { "optimal" } else { "found" };
        Some(format!("{end}, {}: {}", self.sizes_text(sizes), self.notation))
    }
}

/// Why there is no solution or no proof, and how to raise the limit.
fn reason(one: &SelectedLevel, objective: Objective, answer: &Answer) -> Option<String> {
    match answer {
        Ok(solution) => {
            let fewest = objective.name;
            let limit = solution.unproven?;
            let raise = how_to_raise(one, limit);
            Some(format!("not proven to have the fewest {fewest}: {limit} reached; {raise}"))
        }
        Err(unsolved @ SearchFailure::GaveUp { limit, .. }) => {
            Some(format!("{unsolved}; {}", how_to_raise(one, *limit)))
        }
        Err(unsolved) => Some(unsolved.to_string()),
    }
}

/// The flag, and the setting if there is one, that raise a limit.
fn how_to_raise(one: &SelectedLevel, limit: LimitKind) -> String {
    let flag = match limit {
        LimitKind::States => "--states N",
        LimitKind::Memory => "--memory MB",
        LimitKind::Time => "--time SECONDS",
    };
    match one.spec.capabilities().tools.solver.and_then(|solver| solver.limit_setting(limit)) {
        None => format!("{flag} raises it"),
        Some(setting) => format!("{flag} or the setting {}.{setting} raises it", one.spec.name()),
    }
}

fn states_expanded(answer: &Answer) -> u64 {
    match answer {
        Ok(solution) => solution.states,
        Err(
            SearchFailure::Unsolvable { states }
            | SearchFailure::GaveUp { states, .. }
            | SearchFailure::Cancelled { states },
        ) => *states,
    }
}
