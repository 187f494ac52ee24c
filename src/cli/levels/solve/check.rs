//! `levels solve --check`: verifies a given solution and compares it with an optimal one.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::solve_result::SearchEnd;
use super::solve_result::SolveResult;
use crate::cli::context::Context;
use crate::cli::output::Output;
use crate::cli::output::count_noun;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::domain::EnvironmentSpec;
use crate::domain::Objective;
use crate::envs::CheckedSolution;
use crate::envs::Sokoban;
use crate::lab;
use crate::lab::LEVEL_FILE_LIMIT;
use crate::lab::LevelSource;
use crate::lab::SelectedLevel;

/// A level, and the solution to verify if one is given.
pub(super) type LevelWithSolution = (SelectedLevel, Option<String>);

/// The level with the given moves; without a level, each board of the file with its own solution.
pub(super) fn levels_with_solutions(
    context: &Context,
    given: &str,
    reference: Option<&str>,
) -> Result<Vec<LevelWithSolution>, Problem> {
    let sheet = read_solution(given)?;
    let refused = |sheet: &SourceFile, why: String| match given {
        "-" => Problem::new(format!("standard input: {why}")),
        _ if sheet.path == Path::new("--check") => Problem::new(format!("--check: {why}")),
        _ => sheet.problem_at(why, 0..0),
    };
    let Some(reference) = reference else {
        if !sheet.text.contains('#') {
            let help = "give the level: mageyard levels solve LEVEL --check FILE";
            return Err(refused(&sheet, "the file has moves but no board".to_owned()).with_help(help));
        }
        let kind = context
            .lab
            .environment(Sokoban.name())
            .ok_or_else(|| Problem::new("the environment sokoban is missing"))?;
        return LevelSource::parse(kind, given.to_owned(), '#', sheet)?
            .all()
            .into_iter()
            .map(with_noted_solution)
            .collect();
    };
    let chosen = lab::select_one_level(context.lab.levels(context.folders(), reference)?, None)?;
    if chosen.spec.name() != Sokoban.name() {
        return Err(Problem::new(format!(
            "{} is not a Sokoban level; LURD solutions are for Sokoban only",
            chosen.reference
        )));
    }
    if sheet.text.contains('#') {
        let help = "without LEVELS each board is checked against the solution below it";
        return Err(refused(&sheet, "the file has boards as well as moves".to_owned()).with_help(help));
    }
    let moves = CheckedSolution::moves(&sheet.text).map_err(|why| refused(&sheet, why))?;
    Ok(vec![(chosen, Some(moves))])
}

/// The file of this name, or the text itself if it consists of moves and there is no such file.
fn read_solution(given: &str) -> Result<SourceFile, Problem> {
    if given == "-" {
        return SourceFile::read("/dev/stdin", LEVEL_FILE_LIMIT);
    }
    if !Path::new(given).exists() && CheckedSolution::moves(given).is_ok() {
        return Ok(SourceFile::shipped("--check", given));
    }
    let help = "--check expects a file or moves in LURD, such as rrDuLL";
    SourceFile::read(given, LEVEL_FILE_LIMIT).map_err(|problem| problem.with_help(help))
}

fn with_noted_solution(one: SelectedLevel) -> Result<LevelWithSolution, Problem> {
    let moves = CheckedSolution::from_notes(&one.level).ok_or_else(|| {
        Problem::new(format!("{}: no solution below the board", one.reference))
            .with_help("add a line such as `Solution: rrDuLL`")
    })?;
    Ok((one, Some(moves)))
}

/// The result of the check.
#[derive(Serialize)]
pub(super) struct SolutionCheck {
    reference: String,
    level: Value,
    pub(super) solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
    moves: Option<usize>,
    pushes: Option<usize>,
    /// How the search for an optimal solution ended.
    pub(super) end: Option<SearchEnd>,
    /// Moves or pushes of the best solution found.
    best: Option<usize>,
    /// Extra moves or pushes compared with a proven optimum.
    over: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip)]
    text: String,
}

impl SolutionCheck {
    /// A solution that is not valid.
    pub(super) fn invalid(one: &SelectedLevel, why: String) -> Self {
        let text = format!("{}: not a valid solution: {why}", one.reference);
        let broken = Some(why);
        Self {
            reference: one.reference.clone(),
            level: one.name(),
            solved: false,
            broken,
            moves: None,
            pushes: None,
            end: None,
            best: None,
            over: None,
            reason: None,
            text,
        }
    }

    /// A valid solution, compared with the solver's.
    pub(super) fn valid(
        one: &SelectedLevel,
        checked: CheckedSolution,
        objective: Objective,
        found: &SolveResult,
    ) -> Self {
        let CheckedSolution { moves, pushes } = checked;
        let (taken, best, one_of, what) = match objective {
            Objective::Actions => (moves, found.moves, "move", "moves"),
            Objective::Pushes => {
                (pushes, found.pushes.and_then(|best| usize::try_from(best).ok()), "push", "pushes")
            }
        };
        let more = best.and_then(|best| taken.checked_sub(best));
        let over = more.filter(|_| found.end == SearchEnd::Optimal);
        let verdict = match (over, best) {
            (Some(0), _) => "optimal".to_owned(),
            (Some(over), Some(best)) => {
                format!("{} more than the optimum of {best}", count_noun(over, one_of, what))
            }
            (None, Some(best)) if taken > best => {
                format!(
                    "at least {} too many: a solution with {best} exists",
                    count_noun(taken - best, one_of, what)
                )
            }
            _ => format!("unknown whether fewer {what} are possible"),
        };
        let reason = found.reason.clone().filter(|_| over.is_none());
        let why = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let solved =
            format!("{}, {}", count_noun(moves, "move", "moves"), count_noun(pushes, "push", "pushes"));
        let text = format!("{}: valid, {solved}; {verdict}{why}", found.head);
        Self {
            reference: one.reference.clone(),
            level: one.name(),
            solved: true,
            broken: None,
            moves: Some(moves),
            pushes: Some(pushes),
            end: Some(found.end),
            best,
            over,
            reason,
            text,
        }
    }

    pub(super) fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        if json { out.object_line("solution_check", self) } else { out.line(&self.text) }
    }
}
