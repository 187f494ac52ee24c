//! `levels solve --check`: verifies a given solution and compares it with an optimal one.

use mageyard_lab::select_levels;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::solution_fields::SolutionFields;
use super::solve_result::{SearchEnd, SolveResult};
use crate::context::Context;
use crate::output::{Output, capitalized, count_noun};
use crate::records::Record;
use mageyard_config::{Problem, SourceFile};
use mageyard_domain::{EnvironmentSpec, Objective, SolutionNotation, Solver};
use mageyard_lab::{LEVEL_FILE_LIMIT, Lab, LevelList, LevelName, SelectedLevel};

/// A level, and the solution to verify if one is given.
pub(super) type LevelWithSolution = (SelectedLevel, Option<String>);

/// The level with the given moves; without a level, each board of the file with its own solution.
pub(super) fn levels_with_solutions(
    context: &Context,
    given: &str,
    reference: Option<&str>,
) -> Result<Vec<LevelWithSolution>, Problem> {
    let sheet = read_solution(&context.lab, given)?;
    let refused = |sheet: &SourceFile, why: String| match given {
        "-" => Problem::new(format!("standard input: {why}")),
        _ if sheet.path == Path::new("--check") => Problem::new(format!("--check: {why}")),
        _ => sheet.problem_at(why, 0..0),
    };
    let Some(reference) = reference else {
        let Some((kind, _)) = notations(&context.lab).find(|(_, notation)| notation.has_level(&sheet.text))
        else {
            let help = "give the level: mageyard levels solve LEVEL --check FILE";
            return Err(refused(&sheet, "the file has moves but no board".to_owned()).with_help(help));
        };
        return LevelList::parse(kind, given.to_owned(), '#', sheet)?
            .all()?
            .all_good(given)?
            .into_iter()
            .map(|one| with_noted_solution(&context.lab, one))
            .collect();
    };
    let chosen =
        mageyard_lab::select_one_level(select_levels(&context.lab, context.folders(), reference)?, None)?;
    let solver = chosen.spec.capabilities().tools.solver;
    let notation = solver.and_then(Solver::notation).ok_or_else(|| no_notation(&context.lab, &chosen))?;
    if notation.has_level(&sheet.text) {
        let help = "without LEVELS each board is checked against the solution below it";
        return Err(refused(&sheet, "the file has boards as well as moves".to_owned()).with_help(help));
    }
    let moves = notation.read(&sheet.text).map_err(|why| refused(&sheet, why))?;
    Ok(vec![(chosen, Some(moves))])
}

/// The notations of solutions, with their environments.
fn notations(
    lab: &Lab,
) -> impl Iterator<Item = (&'static dyn EnvironmentSpec, &'static dyn SolutionNotation)> {
    lab.environments().iter().filter_map(|spec| Some((*spec, spec.capabilities().tools.solver?.notation()?)))
}

fn no_notation(lab: &Lab, one: &SelectedLevel) -> Problem {
    let known = notations(lab).map(|(spec, notation)| {
        let name = notation.name();
        let title = capitalized(spec.name());
        format!("{} is not a {title} level; {name} solutions are for {title} only", one.reference)
    });
    let known: Vec<String> = known.collect();
    Problem::new(known.join("; "))
}

/// The file of this name, or the text itself if it is a solution and there is no such file.
fn read_solution(lab: &Lab, given: &str) -> Result<SourceFile, Problem> {
    if given == "-" {
        return SourceFile::read("/dev/stdin", LEVEL_FILE_LIMIT);
    }
    if !Path::new(given).exists() && notations(lab).any(|(_, notation)| notation.read(given).is_ok()) {
        return Ok(SourceFile::shipped("--check", given));
    }
    let moves = |(_, notation): (_, &dyn SolutionNotation)| {
        format!("moves in {}, such as {}", notation.name(), notation.example())
    };
    let help =
        format!("--check expects a file or {}", notations(lab).map(moves).collect::<Vec<_>>().join(" or "));
    SourceFile::read(given, LEVEL_FILE_LIMIT).map_err(|problem| problem.with_help(help))
}

fn with_noted_solution(lab: &Lab, one: SelectedLevel) -> Result<LevelWithSolution, Problem> {
    let solver = one.spec.capabilities().tools.solver;
    let notation = solver.and_then(Solver::notation).ok_or_else(|| no_notation(lab, &one))?;
    let moves = notation.noted(&one.level).ok_or_else(|| {
        Problem::new(format!("{}: no solution below the board", one.reference))
            .with_help(format!("add a line such as `Solution: {}`", notation.example()))
    })?;
    Ok((one, Some(moves)))
}

/// A checked solution (`levels solve --check`), with its size in each objective.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SolutionCheck {
    /// Reference of the level.
    reference: String,
    /// Title of the level, or its number.
    #[schemars(with = "LevelName")]
    level: Value,
    /// Whether it solves the level.
    pub(super) solved: bool,
    /// Why it is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    broken: Option<String>,
    #[serde(flatten)]
    size_fields: Map<String, Value>,
    /// Result of the search for an optimal solution.
    #[schemars(with = "Option<String>")]
    pub(super) end: Option<SearchEnd>,
    /// Size of the best known solution, in the objective.
    best: Option<u32>,
    /// How much larger this one is than an optimal one.
    over: Option<u32>,
    /// Why the search found no optimal solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    reason: Option<String>,
    #[serde(skip)]
    text: String,
}

impl Record for SolutionCheck {
    const TYPE: &'static str = "solution_check";
}

impl SolutionCheck {
    /// A solution that is not valid.
    pub(super) fn invalid(one: &SelectedLevel, why: String, fields: &SolutionFields) -> Self {
        let text = format!("{}: not a valid solution: {why}", one.reference);
        let broken = Some(why);
        Self {
            reference: one.reference.clone(),
            level: one.name(),
            solved: false,
            broken,
            size_fields: fields.sizes(None, None),
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
        sizes: &[u32],
        found: &SolveResult,
        fields: &SolutionFields,
    ) -> Self {
        let Objective { name: what, singular } = found.objective;
        let taken = found.size_of(sizes).unwrap_or_default();
        let best = found.size();
        let count = |size: u32| count_noun(usize::try_from(size).unwrap_or(usize::MAX), singular, what);
        let more = best.and_then(|best| taken.checked_sub(best));
        let over = more.filter(|_| found.end == SearchEnd::Optimal);
        let verdict = match (over, best) {
            (Some(0), _) => "optimal".to_owned(),
            (Some(over), Some(best)) => {
                format!("{} more than the optimum of {best}", count(over))
            }
            (None, Some(best)) if taken > best => {
                format!("at least {} too many: a solution with {best} exists", count(taken - best))
            }
            _ => format!("unknown whether fewer {what} are possible"),
        };
        let reason = found.reason.clone().filter(|_| over.is_none());
        let why = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let solved = found.sizes_text(sizes);
        let text = format!("{}: valid, {solved}; {verdict}{why}", found.head);
        Self {
            reference: one.reference.clone(),
            level: one.name(),
            solved: true,
            broken: None,
            size_fields: fields.sizes(one.spec.capabilities().tools.solver, Some(sizes)),
            end: Some(found.end),
            best,
            over,
            reason,
            text,
        }
    }

    pub(super) fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        if json { out.record(self) } else { out.line(&self.text) }
    }
}
