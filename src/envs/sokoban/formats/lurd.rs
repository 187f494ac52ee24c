//! Levels with their solutions in LURD: `l u r d` for walks, capitals for pushes.

use std::sync::atomic::AtomicBool;

use super::super::{Sokoban, xsb as boards};
use super::xsb;
use mageyard_domain::{FileLocation, Level, LevelFormatError, Objective, SearchBudget, Solver};

/// States the search for a missing solution may visit.
const STATES: u64 = 2_000_000;

/// Whether every board has a solution below it.
pub(super) fn fits(bytes: &[u8]) -> bool {
    let levels = std::str::from_utf8(bytes).ok().and_then(|text| boards::read(text).ok());
    levels.is_some_and(|levels| levels.iter().all(|level| boards::notes_of(level.text()).solution.is_some()))
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let levels = boards::read(xsb::text(bytes)?).map_err(|error| {
        let bare = LevelFormatError { location: FileLocation::Line(1), reason: NO_BOARD.to_owned() };
        if bytes.contains(&b'#') { LevelFormatError::from(error) } else { bare }
    })?;
    for level in &levels {
        if xsb::check_solution(level)?.is_none() {
            let reason = "there is no solution below it: a line such as `Solution: rrDuLL`".to_owned();
            return Err(LevelFormatError { location: FileLocation::Level(level.number), reason });
        }
    }
    Ok(levels)
}

const NO_BOARD: &str = "the file has no board; put each solution below its board";

/// Writes each level with its solution, or with a shortest one if it has none.
pub(super) fn write(levels: &[Level]) -> Result<String, LevelFormatError> {
    let solved: Result<Vec<Level>, LevelFormatError> = levels.iter().map(with_solution).collect();
    xsb::write(&solved?)
}

fn with_solution(level: &Level) -> Result<Level, LevelFormatError> {
    if boards::notes_of(level.text()).solution.is_some() {
        return Ok(level.clone());
    }
    let refuse = |reason| LevelFormatError { location: FileLocation::Level(level.number), reason };
    let stop = AtomicBool::new(false);
    let found = Sokoban
        .solve(level, Objective::ACTIONS, SearchBudget::with_states(STATES, &stop))
        .ok_or_else(|| refuse("is not a level".to_owned()))?;
    let solution = found.map_err(|unsolved| refuse(unsolved.to_string()))?.notation;
    Ok(level.with_lines(&format!("\n; solution: {solution}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_solution_is_searched_and_written() {
        let levels = boards::read("; a\n######\n#@ $.#\n######\n").unwrap();
        let written = write(&levels).unwrap();
        assert_eq!(written, "; a\n######\n#@ $.#\n######\n; solution: rR\n");
        assert!(fits(written.as_bytes()));
        assert_eq!(write(&read(written.as_bytes()).unwrap()).unwrap(), written);
    }

    #[test]
    fn missing_and_invalid_solutions_are_named() {
        for (text, says) in [
            ("rrDuLL\n", "line 1: the file has no board"),
            ("#####\n#@$.#\n#####\n", "level 1: there is no solution below it"),
            (
                "#####\n#@$.#\n#####\nSolution: r\n",
                "level 1: 1: the solution is not valid: move 1 (r) is written as a walk",
            ),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
        let lost = boards::read("#####\n#$@ #\n#  .#\n#####\n").unwrap();
        assert!(write(&lost).unwrap_err().to_string().starts_with("level 1: unsolvable"));
    }
}
