//! Finds the shortest solution by breadth-first search. Eight books have 6561 states in which no book lies on a smaller
//! one; a start may be one of the others.
//!
//! Of several shortest solutions it finds the first in the order of the moves, so its remainder after a step is what a
//! search from there finds.

use std::sync::atomic::{AtomicBool, Ordering};

use pathfinding::directed::bfs::bfs;

use super::rules;
use super::rules::{MOVES, Move};
use super::table::Table;
use mageyard_domain::{LimitKind, Reference, SearchBudget, SearchFailure};

/// The shortest solution.
#[derive(Debug)]
pub(super) struct ShortestPath {
    pub(super) moves: Vec<&'static Move>,
    /// States expanded.
    pub(super) states: u64,
}

/// Searches from this table.
pub(super) fn solve(table: &Table, bounds: SearchBudget<'_>) -> Result<ShortestPath, SearchFailure> {
    let mut states = 0;
    let mut ended = None;
    let successors = |table: &Table| {
        if bounds.cancel.load(Ordering::Relaxed) {
            ended = Some(SearchFailure::Cancelled { states });
        } else if bounds.time_up.is_some_and(|late| late.load(Ordering::Relaxed)) {
            ended = Some(SearchFailure::GaveUp { states, limit: LimitKind::Time });
        } else if states >= bounds.states {
            ended = Some(SearchFailure::GaveUp { states, limit: LimitKind::States });
        }
        states += u64::from(ended.is_none());
        let moves = if ended.is_none() { &MOVES[..] } else { &[] };
        let table = *table;
        moves.iter().filter_map(move |book_move| table.after(book_move).ok())
    };
    let path = bfs(table, successors, Table::is_solved);
    let path = path.ok_or_else(|| ended.unwrap_or(SearchFailure::Unsolvable { states }))?;
    Ok(ShortestPath { moves: path.windows(2).filter_map(move_between).collect(), states })
}

/// The total reward along the shortest solution; 0 in 0 steps for a solved table.
pub(super) fn reference(table: &Table, stop: &AtomicBool) -> Option<Reference> {
    let steps = solve(table, SearchBudget::with_states(u64::MAX, stop)).ok()?.moves.len();
    // A start with books on smaller ones may cost more steps than its solution earns: then doing nothing is best.
    let best = rules::points(rules::solution_half_points(table, steps)).max(0.0);
    Some(Reference { best, steps: u32::try_from(steps).ok()? })
}

/// The move that leads from the first table to the second.
fn move_between(pair: &[Table]) -> Option<&'static Move> {
    let [before, after] = pair else { return None };
    MOVES.iter().find(|book_move| before.after(book_move).as_ref() == Ok(after))
}

#[cfg(test)]
mod tests {
    use super::super::level_text::table;
    use super::*;

    fn solved(text: &str, states: u64) -> Result<ShortestPath, SearchFailure> {
        solve(&table(text), SearchBudget::with_states(states, &AtomicBool::new(false)))
    }

    #[test]
    fn known_tables_take_the_known_number_of_steps() {
        for (text, steps) in [
            ("A:\nB:\nC: 2 1", 0),
            ("A: 1\nB:\nC:", 1),
            ("A: 3 2 1\nB:\nC:", 7),
            ("A:\nB: 3 2 1\nC:", 7),
            ("A: 3 1\nB: 2\nC:", 5),
            ("A: 8 7 6 5 4 3 2 1\nB:\nC:", 255),
        ] {
            let found = solved(text, u64::MAX).unwrap();
            assert_eq!(found.moves.len(), steps, "{text}");
            let end =
                found.moves.iter().fold(table(text), |table, book_move| table.after(book_move).unwrap());
            assert!(end.is_solved() && found.states <= 6561);
        }
    }

    #[test]
    fn a_start_may_have_larger_books_on_smaller_ones() {
        for (text, steps) in [
            ("A: 1 2\nB:\nC:", 2),
            ("A:\nB:\nC: 1 2", 4),
            ("A:\nB:\nC: 2 3 1", 9),
            ("A:\nB:\nC: 3 4 2 1", 19),
            ("A:\nB:\nC: 5 6 4 3 2 1", 79),
        ] {
            let found = solved(text, u64::MAX).unwrap();
            assert_eq!(found.moves.len(), steps, "{text}");
            let mut table = table(text);
            for (index, book_move) in found.moves.iter().enumerate() {
                let rest =
                    solve(&table, SearchBudget::with_states(u64::MAX, &AtomicBool::new(false))).unwrap();
                assert!(rest.moves == found.moves[index..], "{text} after {index}");
                table = table.after(book_move).unwrap();
            }
            assert!(table.is_solved(), "{text}");
        }
    }

    #[test]
    fn solving_the_farthest_table_still_earns_points() {
        for (text, best, steps) in [
            ("A: 8 7 6 5 4 3 2 1\nB:\nC:", 2.5, 255),
            ("A: 3 1\nB: 2\nC:", 77.5, 5),
            ("A: 1\nB: 2\nC: 3", 69.0, 2),
            ("A:\nB:\nC: 2 1", 0.0, 0),
        ] {
            let found = reference(&table(text), &AtomicBool::new(false));
            assert_eq!(found, Some(Reference { best, steps }), "{text}");
        }
    }

    #[test]
    fn searches_stop_at_their_limits() {
        let text = "A: 5 4 3 2 1\nB:\nC:";
        assert_eq!(
            solved(text, 9).unwrap_err(),
            SearchFailure::GaveUp { states: 9, limit: LimitKind::States }
        );
        let stop = AtomicBool::new(true);
        assert_eq!(
            solve(&table(text), SearchBudget::with_states(9, &stop)).unwrap_err(),
            SearchFailure::Cancelled { states: 0 }
        );
    }
}
