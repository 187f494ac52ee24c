//! What `levels solve` says of a level: which of four ends the search had, and the solution.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::Answer;
use crate::cli::output::Output;
use crate::cli::output::many;
use crate::cli::reference::Chosen;
use crate::config;
use crate::domain::Limit;
use crate::domain::Measure;
use crate::domain::Solution;
use crate::domain::Unsolved;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
    /// With a solution, and none is better.
    Optimal,
    /// With a solution; a limit kept it from being proven a best one.
    Found,
    /// With the proof that there is no solution.
    Unsolvable,
    /// At a limit.
    GaveUp,
}

impl End {
    fn of(answer: &Answer) -> Self {
        match answer {
            Ok(solution) if solution.unproven.is_some() => Self::Found,
            Ok(_) => Self::Optimal,
            Err(Unsolved::Proven { .. }) => Self::Unsolvable,
            Err(Unsolved::GaveUp { .. } | Unsolved::Stopped { .. }) => Self::GaveUp,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Row {
    level: Value,
    pub(super) end: End,
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

impl Row {
    pub(super) fn new(one: &Chosen, measure: Measure, answer: Answer, took: Duration) -> Self {
        let head = format!("{}  {}", one.reference, one.level.title.as_deref().unwrap_or_default());
        let (end, reason, states) = (End::of(&answer), reason(one, measure, &answer), met(&answer));
        let solution = answer.ok();
        let notation = solution.as_ref().map(|solution| solution.notation.clone()).unwrap_or_default();
        let pushes = solution.as_ref().and_then(|solution| solution.pushes);
        let spelt = |solution: Solution| solution.actions.iter().map(ToString::to_string).collect();
        Self {
            level: one.name(),
            end,
            solved: solution.is_some(),
            reason,
            moves: solution.as_ref().map(|solution| solution.actions.len()),
            pushes,
            // Only LURD tells pushes from walks.
            lurd: pushes.map(|_| notation.clone()),
            actions: solution.map(spelt),
            notation,
            head: head.trim_end().to_owned(),
            states,
            seconds: took.as_secs_f64(),
        }
    }

    pub(super) fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        if json {
            return out.object(self);
        }
        let states = many(usize::try_from(self.states).unwrap_or(usize::MAX), "state", "states");
        let cost = format!("({states}, {:.3} s)", self.seconds);
        let told: Vec<String> = self.found().into_iter().chain(self.reason.clone()).collect();
        out.line(format!("{}: {}  {cost}", self.head, told.join("; ")))
    }

    /// `optimal, 9 moves, 3 pushes: rrDuLL`.
    fn found(&self) -> Option<String> {
        let moves = self.moves?;
        let end = if self.end == End::Optimal { "optimal" } else { "found" };
        let pushes = self.pushes.map(|pushes| {
            format!(", {}", many(usize::try_from(pushes).unwrap_or(usize::MAX), "push", "pushes"))
        });
        let moves = many(moves, "move", "moves");
        Some(format!("{end}, {moves}{}: {}", pushes.unwrap_or_default(), self.notation))
    }
}

/// Why there is no solution, or no proof; of a limit, where it is set.
fn reason(one: &Chosen, measure: Measure, answer: &Answer) -> Option<String> {
    match answer {
        Ok(solution) => {
            let fewest = match measure {
                Measure::Actions => "moves",
                Measure::Pushes => "pushes",
            };
            let limit = solution.unproven?;
            Some(format!("not proven to have the fewest {fewest}: {limit} came first; {}", raise(one, limit)))
        }
        Err(unsolved @ Unsolved::GaveUp { limit, .. }) => Some(format!("{unsolved}; {}", raise(one, *limit))),
        Err(unsolved) => Some(unsolved.to_string()),
    }
}

/// What raises a limit: a flag, and where there is one a setting.
fn raise(one: &Chosen, limit: Limit) -> String {
    let (flag, setting) = match limit {
        Limit::States => ("--states N", "solver_states"),
        Limit::Memory => ("--memory MB", "solver_memory"),
        Limit::Time => ("--time SECONDS", ""),
    };
    let setting = format!("{}.{setting}", one.kind.name());
    if config::about(&setting).is_empty() {
        format!("{flag} raises it")
    } else {
        format!("{flag} or the setting {setting} raises it")
    }
}

fn met(answer: &Answer) -> u64 {
    match answer {
        Ok(solution) => solution.states,
        Err(Unsolved::Proven { states } | Unsolved::GaveUp { states, .. } | Unsolved::Stopped { states }) => {
            *states
        }
    }
}
