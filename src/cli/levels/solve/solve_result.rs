//! The result of `levels solve` for a level: how the search ended, and the solution.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::Answer;
use crate::cli::output::Output;
use crate::cli::output::count_noun;
use crate::config;
use crate::domain::LimitKind;
use crate::domain::Objective;
use crate::domain::SearchFailure;
use crate::domain::Solution;
use crate::lab::SelectedLevel;

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

#[derive(Serialize)]
pub(super) struct SolveResult {
    reference: String,
    level: Value,
    pub(super) end: SearchEnd,
    solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    pub(super) moves: Option<usize>,
    pub(super) pushes: Option<u32>,
    lurd: Option<String>,
    actions: Option<Vec<String>>,
    #[serde(skip)]
    notation: String,
    #[serde(skip)]
    pub(super) head: String,
    states: u64,
    seconds: f64,
}

impl SolveResult {
    pub(super) fn new(one: &SelectedLevel, objective: Objective, answer: Answer, took: Duration) -> Self {
        let head = format!("{}  {}", one.reference, one.level.title.as_deref().unwrap_or_default());
        let (end, reason, states) =
            (SearchEnd::of(&answer), reason(one, objective, &answer), states_expanded(&answer));
        let solution = answer.ok();
        let notation = solution.as_ref().map(|solution| solution.notation.clone()).unwrap_or_default();
        let pushes = solution.as_ref().and_then(|solution| solution.pushes);
        let names = |solution: Solution| solution.actions.iter().map(ToString::to_string).collect();
        Self {
            reference: one.reference.clone(),
            level: one.name(),
            end,
            solved: solution.is_some(),
            reason,
            moves: solution.as_ref().map(|solution| solution.actions.len()),
            pushes,
            // Only LURD distinguishes pushes from walks.
            lurd: pushes.map(|_| notation.clone()),
            actions: solution.map(names),
            notation,
            head: head.trim_end().to_owned(),
            states,
            seconds: took.as_secs_f64(),
        }
    }

    pub(super) fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        if json {
            return out.object_line("solution", self);
        }
        let states = count_noun(usize::try_from(self.states).unwrap_or(usize::MAX), "state", "states");
        let cost = format!("({states}, {:.3} s)", self.seconds);
        let parts: Vec<String> = self.solution_text().into_iter().chain(self.reason.clone()).collect();
        out.line(format!("{}: {}  {cost}", self.head, parts.join("; ")))
    }

    /// `optimal, 9 moves, 3 pushes: rrDuLL`.
    fn solution_text(&self) -> Option<String> {
        let moves = self.moves?;
        let end = if self.end == SearchEnd::Optimal { "optimal" } else { "found" };
        let pushes = self.pushes.map(|pushes| {
            format!(", {}", count_noun(usize::try_from(pushes).unwrap_or(usize::MAX), "push", "pushes"))
        });
        let moves = count_noun(moves, "move", "moves");
        Some(format!("{end}, {moves}{}: {}", pushes.unwrap_or_default(), self.notation))
    }
}

/// Why there is no solution or no proof, and how to raise the limit.
fn reason(one: &SelectedLevel, objective: Objective, answer: &Answer) -> Option<String> {
    match answer {
        Ok(solution) => {
            let fewest = match objective {
                Objective::Actions => "moves",
                Objective::Pushes => "pushes",
            };
            let limit = solution.unproven?;
            Some(format!(
                "not proven to have the fewest {fewest}: {limit} reached; {}",
                how_to_raise(one, limit)
            ))
        }
        Err(unsolved @ SearchFailure::GaveUp { limit, .. }) => {
            Some(format!("{unsolved}; {}", how_to_raise(one, *limit)))
        }
        Err(unsolved) => Some(unsolved.to_string()),
    }
}

/// The flag, and the setting if there is one, that raise a limit.
fn how_to_raise(one: &SelectedLevel, limit: LimitKind) -> String {
    let (flag, setting) = match limit {
        LimitKind::States => ("--states N", "solver_states"),
        LimitKind::Memory => ("--memory MB", "solver_memory"),
        LimitKind::Time => ("--time SECONDS", ""),
    };
    let setting = format!("{}.{setting}", one.spec.name());
    if config::setting_summary(&setting).is_empty() {
        format!("{flag} raises it")
    } else {
        format!("{flag} or the setting {setting} raises it")
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
