//! The notes of a level: comment lines directly below the board that the game understands.
//!
//! ```text
//! ; published: 25 moves, reward 11.5
//! ; solution: rrDuLL
//! ```
//!
//! The first is a published result: the fewest moves and the best reward, in gym-sokoban's unit; it may be
//! wrong. The second is a solution in LURD: a letter for each direction, capitals for pushes.

use std::fmt;

use super::board::{Board, Direction};
use super::run_length;

/// The most moves of a solution.
pub(super) const MAX_MOVES: usize = 100_000;

/// The published best result of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Published {
    pub(super) moves: u32,
    /// The reward in tenths of gym-sokoban's unit, which are half points.
    pub(super) tenths: i32,
}

impl Published {
    /// From a reward in gym-sokoban's unit; `None` if it is not a whole number of tenths.
    pub(super) fn new(moves: u32, reward: f64) -> Option<Self> {
        let tenths = (reward * 10.0).round();
        #[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
        (tenths.abs() < 1e6 && (reward * 10.0 - tenths).abs() < 1e-3)
            .then_some(Self { moves, tenths: tenths as i32 })
    }

    /// Parses the text after `published:`; `None` for any other form.
    fn parse(words: &str) -> Option<Self> {
        let (moves, reward) = words.split_once(',')?;
        let (moves, unit) = moves.trim().split_once(' ')?;
        let reward = reward.trim().strip_prefix("reward ")?.trim();
        let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-');
        if !matches!(unit.trim(), "move" | "moves") || !is_plain(reward) {
            return None;
        }
        Self::new(moves.parse().ok()?, reward.parse().ok()?)
    }
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "published: {} moves, reward {:.1}", self.moves, f64::from(self.tenths) / 10.0)
    }
}

/// A note's text, not yet parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoteLine<'a> {
    Published(&'a str),
    Solution(&'a str),
}

impl<'a> NoteLine<'a> {
    /// From a comment without its semicolon.
    pub(super) fn from_comment(comment: &'a str) -> Option<Self> {
        let (key, value) = comment.split_once(':')?;
        let value = value.trim();
        match key.trim() {
            "published" if value.starts_with(|c: char| c.is_ascii_digit()) => Some(Self::Published(value)),
            "solution" if is_lurd(value) => Some(Self::Solution(value)),
            _ => None,
        }
    }
}

/// The notes of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    pub(super) published: Option<Published>,
    /// In LURD, without run lengths.
    pub(super) solution: Option<String>,
}

impl Notes {
    /// Adds a note. An error is the reason why it is invalid.
    pub(super) fn add(&mut self, line: NoteLine<'_>) -> Result<(), String> {
        match line {
            NoteLine::Published(words) => {
                let form = || format!("published: {words:?} is not of the form `25 moves, reward 11.5`");
                self.published = Some(Published::parse(words).ok_or_else(form)?);
            }
            NoteLine::Solution(packed) => {
                let packed: String = packed.split_whitespace().collect();
                let more = run_length::expand(&packed, MAX_MOVES)
                    .map_err(|(_, why)| format!("the solution: {why}"))?;
                let solution = self.solution.get_or_insert_default();
                if solution.len() + more.len() > MAX_MOVES {
                    return Err(format!("the solution has more than {MAX_MOVES} moves"));
                }
                solution.push_str(&more);
            }
        }
        Ok(())
    }
}

/// Each note as a line that starts with a line break, to follow a board.
impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.published.iter().try_for_each(|published| write!(f, "\n; {published}"))?;
        self.solution.iter().try_for_each(|solution| write!(f, "\n; solution: {solution}"))
    }
}

/// Whether a text consists of LURD letters and run lengths.
pub(super) fn is_lurd(text: &str) -> bool {
    let is_letter = |c: char| "lurdLURD".contains(c);
    text.contains(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit() || " ()".contains(c))
}

/// Plays moves in LURD and returns their number. An error names the first move that is blocked, written as
/// a push but not one, or the other way round, or the boxes that are not on targets at the end.
pub(super) fn replay(board: &Board, lurd: &str) -> Result<usize, String> {
    let mut board = board.clone();
    for (number, letter) in (1..).zip(lurd.chars()) {
        let place = |what: &str| format!("move {number} ({letter}) {what}");
        if board.is_solved() {
            return Err(place("comes after the level is solved"));
        }
        let way = Direction::ALL.into_iter().find(|way| way.name().starts_with(letter.to_ascii_uppercase()));
        let effect = board.step(way.ok_or_else(|| place("is not one of l u r d L U R D"))?);
        match (effect.moved, effect.pushed.is_some(), letter.is_ascii_uppercase()) {
            (false, ..) => return Err(place("is blocked")),
            (_, true, false) => return Err(place("is written as a walk, but pushes a box")),
            (_, false, true) => return Err(place("is written as a push, but pushes no box")),
            _ => {}
        }
    }
    match board.boxes().len() - board.boxes_on_target() {
        0 => Ok(lurd.chars().count()),
        left => {
            Err(format!("after the last move, {} of {} boxes are not on targets", left, board.boxes().len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::xsb::board;
    use super::*;

    #[test]
    fn a_published_value_is_written_as_it_is_read() {
        for (text, read) in [
            ("25 moves, reward 11.5", Some((25, 115))),
            ("1 moves, reward 11", Some((1, 110))),
            ("25 moves, reward -0.5", Some((25, -5))),
            ("25 moves, reward 11.55", None),
            ("25 moves, reward inf", None),
            ("25 moves", None),
            ("99999999999 moves, reward 1.0", None),
        ] {
            let found = Published::parse(text);
            assert_eq!(found.map(|found| (found.moves, found.tenths)), read, "{text}");
            if let Some(found) = found {
                let again = found.to_string();
                assert_eq!(Published::parse(again.strip_prefix("published: ").unwrap()), Some(found));
            }
        }
        assert_eq!(Published::new(25, 11.500_000_000_000_002).unwrap().tenths, 115);
    }

    #[test]
    fn an_invalid_solution_is_refused_at_its_move() {
        let board = board("######\n#@ $.#\n#    #\n######");
        for (lurd, says) in [
            ("rR", Ok(2)),
            ("rr", Err("move 2 (r) is written as a walk, but pushes a box")),
            ("RR", Err("move 1 (R) is written as a push, but pushes no box")),
            ("urR", Err("move 1 (u) is blocked")),
            ("rRl", Err("move 3 (l) comes after the level is solved")),
            ("rd", Err("after the last move, 1 of 1 boxes are not on targets")),
            ("rx", Err("move 2 (x) is not one of")),
        ] {
            match (replay(&board, lurd), says) {
                (Ok(moves), Ok(expected)) => assert_eq!(moves, expected),
                (Err(found), Err(expected)) => assert!(found.starts_with(expected), "{found}"),
                (found, _) => panic!("{lurd}: {found:?}"),
            }
        }
    }
}
