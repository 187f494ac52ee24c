//! LURD, the notation of solutions: `l u r d` for walks, capitals for pushes. Reads it, and checks a solution against
//! the rules.

use super::{notes, run_length, xsb};
use mageyard_domain::{Level, SolutionNotation};

/// The notation.
pub(super) struct Lurd;

impl SolutionNotation for Lurd {
    fn name(&self) -> &'static str {
        "LURD"
    }

    fn example(&self) -> &'static str {
        "rrDuLL"
    }

    /// The moves on any number of lines, with run lengths, optionally after `Solution:`. Comments are ignored.
    fn read(&self, text: &str) -> Result<String, String> {
        let packed: String = text.lines().filter_map(line_moves).flat_map(str::split_whitespace).collect();
        if packed.is_empty() {
            return Err("there are no moves".to_owned());
        }
        if let Some(other) = packed.chars().find(|c| !"lurdLURD".contains(*c) && !c.is_ascii_digit()) {
            return Err(format!("{other:?} is not one of l u r d L U R D and not a run length"));
        }
        run_length::expand(&packed, notes::MAX_MOVES).map_err(|(_, why)| why)
    }

    fn has_level(&self, text: &str) -> bool {
        text.contains('#')
    }

    fn noted(&self, level: &Level) -> Option<String> {
        xsb::notes_of(level.text()).solution
    }

    /// Moves (pushes included) and pushes. An error names the first move that is not allowed or written with the
    /// wrong case, or the boxes that are not on targets at the end.
    fn check(&self, level: &Level, lurd: &str) -> Result<Vec<u32>, String> {
        let board = xsb::read_one(level.text()).map_err(|error| error.reason)?;
        let moves = notes::replay(&board, lurd)?;
        let pushes = lurd.chars().filter(char::is_ascii_uppercase).count();
        Ok([moves, pushes].map(|count| u32::try_from(count).unwrap_or(u32::MAX)).into())
    }
}

/// The moves of a line; `None` for a comment that is not a solution.
fn line_moves(line: &str) -> Option<&str> {
    let line = line.trim();
    let (comment, line) = line.strip_prefix(';').map_or((false, line), |rest| (true, rest.trim()));
    match line.split_once(':') {
        Some((key, moves)) if key.trim().eq_ignore_ascii_case("solution") => Some(moves),
        _ if comment => None,
        _ => Some(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_valid_or_fails_at_a_move() {
        let text = "######\n#@ $.#\n#    #\n######\n; solution: rR".to_owned();
        let level = Level::from_text(1, None, text);
        assert_eq!(Lurd.noted(&level).as_deref(), Some("rR"));
        assert_eq!(Lurd.check(&level, "rR"), Ok(vec![2, 1]));
        assert_eq!(Lurd.check(&level, "drruldrR").unwrap_err().split(" (").next(), Some("move 4"));
        assert_eq!(Lurd.check(&level, "u").unwrap_err(), "move 1 (u) is blocked");
    }

    #[test]
    fn moves_are_found_in_a_text() {
        for (text, moves) in [
            ("rrR\n", Ok("rrR")),
            ("; by me\nSolution: 2r\n R\n", Ok("rrR")),
            ("; solution: r 3L", Ok("rLLL")),
            ("; by me", Err("there are no moves")),
            ("rrx", Err("'x' is not one of l u r d L U R D and not a run length")),
            ("r3", Err("a run length without a character")),
        ] {
            assert_eq!(Lurd.read(text).as_deref().map_err(String::as_str), moves, "{text}");
        }
        assert!(Lurd.read("99999999999r").is_err());
    }
}
