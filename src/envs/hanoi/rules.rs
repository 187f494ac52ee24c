//! The rules: six moves and their rewards.
//!
//! The paper defines no rewards for this environment; these follow its other puzzle. A step costs half a point. A
//! book that comes into place earns 10, and taking it away costs 10. A book is in place only on top of
//! every larger one: a book that merely lies in C often has to be moved again, and a reward for it would
//! lead away from the shortest solution. The last book earns 50 more. Books that start in place earn
//! nothing, so the total depends only on the number of steps, and it is positive even where eight books are
//! farthest from the goal (255 steps).

use std::fmt;

use super::table::{Book, Region, Table};
use mageyard_domain::ActionSpec;

/// Rewards are counted in half points, so that sums are exact.
pub(super) const STEP_COST: i32 = -1;
pub(super) const BOOK_IN_PLACE: i32 = 20;
const SOLVED_BONUS: i32 = 100;

/// A move: take the top book of one region and put it on another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: Region,
    pub(super) to: Region,
    /// The action as an agent writes it (`MageBench`, supplement: Book Hanoi).
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    /// The key of a person at the screen.
    pub(super) key: &'static str,
}

impl Move {
    /// Its entry in the action space.
    pub(super) fn spec(&self) -> ActionSpec {
        ActionSpec::new(self.name, self.help).with_key(self.key)
    }
}

/// Every move, in the order of the action space.
pub(super) static MOVES: [Move; 6] = [
    book_move(
        Region::A,
        Region::B,
        "c",
        "Put book in A to region B",
        "move the top book of region A onto region B",
    ),
    book_move(
        Region::A,
        Region::C,
        "d",
        "Put book in A to region C",
        "move the top book of region A onto region C",
    ),
    book_move(
        Region::B,
        Region::A,
        "f",
        "Put book in B to region A",
        "move the top book of region B onto region A",
    ),
    book_move(
        Region::B,
        Region::C,
        "u",
        "Put book in B to region C",
        "move the top book of region B onto region C",
    ),
    book_move(
        Region::C,
        Region::A,
        "i",
        "Put book in C to region A",
        "move the top book of region C onto region A",
    ),
    book_move(
        Region::C,
        Region::B,
        "o",
        "Put book in C to region B",
        "move the top book of region C onto region B",
    ),
];

const fn book_move(
    from: Region,
    to: Region,
    key: &'static str,
    name: &'static str,
    help: &'static str,
) -> Move {
    Move { from, to, name, help, key }
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleViolation {
    /// The source region has no book.
    Empty(Region),
    /// The book is larger than the top book of the destination.
    Larger { book: Book, upon: Book, to: Region },
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(region) => write!(f, "region {region} is empty: it has no book to take"),
            Self::Larger { book, upon, to } => {
                write!(
                    f,
                    "book {book} is larger than book {upon} on top of region {to}: it may not lie on it"
                )
            }
        }
    }
}

/// Converts half points to points.
pub(super) fn points(halves: i32) -> f64 {
    f64::from(halves) / 2.0
}

/// The half points earned by solving this table in `steps` steps.
pub(super) fn solution_half_points(table: &Table, steps: usize) -> i32 {
    match table.largest_out_of_place() {
        None => 0,
        Some(away) => {
            BOOK_IN_PLACE * i32::from(away)
                + SOLVED_BONUS
                + STEP_COST * i32::try_from(steps).unwrap_or(i32::MAX)
        }
    }
}

impl Table {
    /// The table after a move, or the rule that the move breaks.
    pub(super) fn after(mut self, order: &Move) -> Result<Self, RuleViolation> {
        let book = self.top(order.from).ok_or(RuleViolation::Empty(order.from))?;
        match self.top(order.to) {
            Some(upon) if upon < book => Err(RuleViolation::Larger { book, upon, to: order.to }),
            _ => {
                self.move_book(book, order.to);
                Ok(self)
            }
        }
    }

    /// Plays a move. Returns its reward in half points, and the rule that it breaks, if any: then nothing
    /// moves, and the step costs its usual half point.
    pub(super) fn step(&mut self, order: &Move) -> (i32, Option<RuleViolation>) {
        match self.after(order) {
            Err(broken) => (STEP_COST, Some(broken)),
            Ok(after) => {
                let settled = i32::from(after.books_in_place()) - i32::from(self.books_in_place());
                *self = after;
                (STEP_COST + BOOK_IN_PLACE * settled + if after.is_solved() { SOLVED_BONUS } else { 0 }, None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::level_text::table;
    use super::*;

    fn named(from: &str, to: &str) -> &'static Move {
        let fits = |order: &&Move| order.from.letter() == from && order.to.letter() == to;
        MOVES.iter().find(fits).unwrap()
    }

    #[test]
    fn names_and_help_match_what_a_move_does() {
        for order in &MOVES {
            assert_eq!(order.name, format!("Put book in {} to region {}", order.from, order.to));
            assert!(order.help.ends_with(&format!("of region {} onto region {}", order.from, order.to)));
        }
    }

    #[test]
    fn each_rule_and_reward_holds() {
        for (before, from, to, after, halves, says) in [
            ("A: 3 1\nB: 2\nC:", "A", "B", "A: 3\nB: 2 1\nC:", -1, ""),
            ("A: 3 1\nB: 2\nC:", "A", "C", "A: 3\nB: 2\nC: 1", -1, ""),
            ("A: 3 1\nB: 2\nC:", "B", "A", "same", -1, "book 2 is larger than book 1 on top of region A"),
            ("A: 3 1\nB: 2\nC:", "C", "B", "same", -1, "region C is empty: it has no book to take"),
            ("A: 3\nB: 2 1\nC:", "A", "C", "A:\nB: 2 1\nC: 3", 19, ""),
            ("A:\nB: 2 1\nC: 3", "C", "A", "A: 3\nB: 2 1\nC:", -21, ""),
            ("A: 1\nB: 2\nC: 3", "A", "C", "A:\nB: 2\nC: 3 1", -1, ""),
            ("A:\nB: 2\nC: 3 1", "C", "B", "A:\nB: 2 1\nC: 3", -1, ""),
            ("A: 1\nB:\nC: 3 2", "A", "C", "A:\nB:\nC: 3 2 1", 119, ""),
            ("A:\nB:\nC: 3 2 1", "A", "C", "same", -1, "region A is empty"),
            ("A:\nB:\nC: 3 2 1", "C", "A", "A: 1\nB:\nC: 3 2", -21, ""),
            ("A: 1 3\nB: 2\nC:", "A", "C", "A: 1\nB: 2\nC: 3", 19, ""),
            ("A: 1 3\nB: 2\nC:", "A", "B", "same", -1, "book 3 is larger than book 2 on top of region B"),
            ("A: 1 3\nB: 2\nC:", "B", "A", "A: 1 3 2\nB:\nC:", -1, ""),
        ] {
            let mut table = table(before);
            let (earned, broken) = table.step(named(from, to));
            let said = broken.map(|broken| broken.to_string()).unwrap_or_default();
            assert_eq!(table.to_string(), if after == "same" { before } else { after }, "{from} to {to}");
            assert_eq!(earned, halves, "{before} {from} to {to}");
            assert!(said.contains(says) && said.is_empty() == says.is_empty(), "{said}");
        }
    }

    #[test]
    fn the_total_reward_follows_from_the_number_of_steps() {
        let mut table = table("A: 1\nB: 2\nC: 3");
        let known = solution_half_points(&table, 2);
        let sum = table.step(named("B", "C")).0 + table.step(named("A", "C")).0;
        assert_eq!((known, sum), (138, 138));
        assert_eq!(solution_half_points(&table, 0), 0);
    }
}
