//! The rules: the six orders, what they move, and what that is worth.
//!
//! The paper gives no rewards for this environment; these are ours, in the manner of Sokoban. A step
//! costs half a point. A book that comes into place brings 10 and loses them when it is taken away: it
//! counts as in place only upon every larger one, since a book that merely lies in C often has to make
//! way again, and a reward for it would draw the agent from the short way. The last book brings 50 more.
//! So what was in place at the start earns nothing, the sum depends on the steps alone and not on the
//! way, and the goal is worth its steps even where eight books are farthest from it (255 steps).

use std::fmt;

use super::table::Book;
use super::table::Region;
use super::table::Table;

/// Rewards are counted in half points, so that sums are exact.
const STEP_COST: i32 = -1;
const BOOK_IN_PLACE: i32 = 20;
const SOLVED_BONUS: i32 = 100;

/// An order: take the top book of one region and lay it on another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: Region,
    pub(super) to: Region,
    /// The sentence that an agent writes (`MageBench`, supplement: Book Hanoi).
    pub(super) name: &'static str,
    pub(super) help: &'static str,
}

/// Every order, in the order of the action space.
pub(super) static MOVES: [Move; 6] = [
    book_move(
        Region::A,
        Region::B,
        "Put book in A to region B",
        "move the top book of region A onto region B",
    ),
    book_move(
        Region::A,
        Region::C,
        "Put book in A to region C",
        "move the top book of region A onto region C",
    ),
    book_move(
        Region::B,
        Region::A,
        "Put book in B to region A",
        "move the top book of region B onto region A",
    ),
    book_move(
        Region::B,
        Region::C,
        "Put book in B to region C",
        "move the top book of region B onto region C",
    ),
    book_move(
        Region::C,
        Region::A,
        "Put book in C to region A",
        "move the top book of region C onto region A",
    ),
    book_move(
        Region::C,
        Region::B,
        "Put book in C to region B",
        "move the top book of region C onto region B",
    ),
];

const fn book_move(from: Region, to: Region, name: &'static str, help: &'static str) -> Move {
    Move { from, to, name, help }
}

/// Which rule an order breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleViolation {
    /// There is no book in this region.
    Empty(Region),
    /// The book is larger than the one on top of where it should go.
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

/// Half points as points.
pub(super) fn points(halves: i32) -> f64 {
    f64::from(halves) / 2.0
}

/// The half points earned by putting every book in place in so many steps.
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
    /// The table after an order, or the rule that the order breaks.
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

    /// Carries an order out and tells its reward in half points, and the rule that it breaks: then
    /// nothing moves, and the step costs what a step costs.
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
    fn an_order_says_what_it_does() {
        for order in &MOVES {
            assert_eq!(order.name, format!("Put book in {} to region {}", order.from, order.to));
            assert!(order.help.ends_with(&format!("of region {} onto region {}", order.from, order.to)));
        }
    }

    #[test]
    fn every_rule_and_every_reward() {
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
    fn the_sum_of_a_solution_is_known_from_its_length() {
        let mut table = table("A: 1\nB: 2\nC: 3");
        let known = solution_half_points(&table, 2);
        let sum = table.step(named("B", "C")).0 + table.step(named("A", "C")).0;
        assert_eq!((known, sum), (138, 138));
        assert_eq!(solution_half_points(&table, 0), 0);
    }
}
