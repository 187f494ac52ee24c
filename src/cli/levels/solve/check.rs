//! `levels solve --check`: whether a written solution holds, and how far it is from a best one.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::row::End;
use super::row::Row;
use crate::cli::output::Output;
use crate::cli::output::many;
use crate::cli::reference;
use crate::cli::reference::Chosen;
use crate::cli::reference::LIMIT;
use crate::cli::reference::Source;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::Sheet;
use crate::domain::Kind;
use crate::domain::Measure;
use crate::envs;
use crate::envs::Replayed;
use crate::envs::Sokoban;

/// A level with the solution that is to be held against it.
pub(super) type Written = (Chosen, Option<String>);

/// The level with the moves that were given for it; without a level, each board of the file with its own.
pub(super) fn written(
    folders: &Folders,
    given: &str,
    reference: Option<&str>,
) -> Result<Vec<Written>, Problem> {
    let sheet = sheet(given)?;
    let refused = |sheet: &Sheet, why: String| match given {
        "-" => Problem::new(format!("standard input: {why}")),
        _ if sheet.path == Path::new("--check") => Problem::new(format!("--check: {why}")),
        _ => sheet.problem(why, 0..0),
    };
    let Some(reference) = reference else {
        if !sheet.text.contains('#') {
            let help = "name its level: mageyard levels solve LEVEL --check FILE";
            return Err(refused(&sheet, "there are moves and no board".to_owned()).help(help));
        }
        let kind = envs::kind(Sokoban.name()).ok_or_else(|| Problem::new("there is no Sokoban"))?;
        return Source::read(kind, given.to_owned(), '#', sheet)?.all().into_iter().map(noted).collect();
    };
    let chosen = reference::pick(reference::levels(folders, reference)?, None)?;
    if chosen.kind.name() != Sokoban.name() {
        return Err(Problem::new(format!(
            "{} is no level of sokoban, and LURD is its notation",
            chosen.reference
        )));
    }
    if sheet.text.contains('#') {
        let help = "leave the level out, and each board is held against the solution below it";
        return Err(refused(&sheet, "there are boards among the moves".to_owned()).help(help));
    }
    let moves = Replayed::moves(&sheet.text).map_err(|why| refused(&sheet, why))?;
    Ok(vec![(chosen, Some(moves))])
}

/// The file of this name, or the text itself where there is none and it is made of moves.
fn sheet(given: &str) -> Result<Sheet, Problem> {
    if given == "-" {
        return Sheet::read("/dev/stdin", LIMIT);
    }
    if !Path::new(given).exists() && Replayed::moves(given).is_ok() {
        return Ok(Sheet::shipped("--check", given));
    }
    let help = "--check takes a file, or moves in LURD such as rrDuLL";
    Sheet::read(given, LIMIT).map_err(|problem| problem.help(help))
}

fn noted(one: Chosen) -> Result<Written, Problem> {
    let moves = Replayed::noted(&one.level).ok_or_else(|| {
        Problem::new(format!("{}: there is no solution below its board", one.reference))
            .help("a line such as `Solution: rrDuLL`")
    })?;
    Ok((one, Some(moves)))
}

/// What came of it.
#[derive(Serialize)]
pub(super) struct Check {
    level: Value,
    pub(super) solved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
    moves: Option<usize>,
    pushes: Option<usize>,
    /// How the search for a best one ended.
    pub(super) end: Option<End>,
    /// The moves, or pushes, of the best one found.
    best: Option<usize>,
    /// How many it takes more than a best one, which is proven.
    over: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip)]
    told: String,
}

impl Check {
    /// A solution that does not hold.
    pub(super) fn broken(one: &Chosen, why: String) -> Self {
        let told = format!("{}: does not hold: {why}", one.reference);
        let broken = Some(why);
        Self {
            level: one.name(),
            solved: false,
            broken,
            moves: None,
            pushes: None,
            end: None,
            best: None,
            over: None,
            reason: None,
            told,
        }
    }

    /// One that holds, beside what the solver found.
    pub(super) fn held(one: &Chosen, replayed: Replayed, measure: Measure, found: &Row) -> Self {
        let Replayed { moves, pushes } = replayed;
        let (taken, best, one_of, what) = match measure {
            Measure::Actions => (moves, found.moves, "move", "moves"),
            Measure::Pushes => {
                (pushes, found.pushes.and_then(|best| usize::try_from(best).ok()), "push", "pushes")
            }
        };
        let more = best.and_then(|best| taken.checked_sub(best));
        let over = more.filter(|_| found.end == End::Optimal);
        let verdict = match (over, best) {
            (Some(0), _) => format!("optimal, there are no fewer {what}"),
            (Some(over), Some(best)) => {
                let are = if best == 1 { "is" } else { "are" };
                format!("{} more than the fewest, which {are} {best}", many(over, one_of, what))
            }
            (None, Some(best)) if taken > best => {
                format!("at least {} too many: {best} will do", many(taken - best, one_of, what))
            }
            _ => format!("it is not known whether fewer {what} would do"),
        };
        let reason = found.reason.clone().filter(|_| over.is_none());
        let why = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let solved = format!("{}, {}", many(moves, "move", "moves"), many(pushes, "push", "pushes"));
        let told = format!("{}: solved in {solved}; {verdict}{why}", found.head);
        Self {
            level: one.name(),
            solved: true,
            broken: None,
            moves: Some(moves),
            pushes: Some(pushes),
            end: Some(found.end),
            best,
            over,
            reason,
            told,
        }
    }

    pub(super) fn print(&self, out: &mut Output, json: bool) -> std::io::Result<()> {
        if json { out.object(self) } else { out.line(&self.told) }
    }
}
