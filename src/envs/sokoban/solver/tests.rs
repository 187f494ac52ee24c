//! The solver against plain searches.

use std::collections::HashSet;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::super::dead;
use super::super::xsb::board;
use super::super::xsb::read_one;
use super::*;

fn solved(board: &Board, states: u64) -> Result<Found, Unsolved> {
    solve(board, Measure::Actions, Bounds::states(states, &AtomicBool::new(false)))
}

/// A plain search without any pruning: the fewest moves, or none.
fn plainly(board: &Board) -> Option<usize> {
    let mut seen = HashSet::from([(board.player, board.boxes().to_vec())]);
    let mut queue = VecDeque::from([(board.clone(), 0)]);
    while let Some((board, moves)) = queue.pop_front() {
        if board.is_solved() {
            return Some(moves);
        }
        for way in Way::ALL {
            let mut next = board.clone();
            if next.step(way).moved && seen.insert((next.player, next.boxes().to_vec())) {
                queue.push_back((next, moves + 1));
            }
        }
    }
    None
}

#[test]
fn known_levels_take_the_known_moves() {
    for (text, moves) in [
        ("######\n#@$ .#\n######", 2),
        ("####\n#@*#\n####", 0),
        ("#######\n#@$ .##\n#######\n#*#####\n#######", 2),
        ("#######\n#. @ .#\n# $ $ #\n#     #\n#######", 11),
        ("#######\n##   .#\n# $   #\n#$ @  #\n#    ##\n#.   ##\n#######", 17),
    ] {
        assert_eq!(solved(&board(text), STATES).unwrap().ways.len(), moves, "{text}");
    }
}

#[test]
fn what_cannot_be_solved_is_proven_and_limits_hold() {
    let corner = board("#####\n#@ $#\n# . #\n#####");
    assert!(matches!(solved(&corner, STATES), Err(Unsolved::Proven { .. })));
    let apart = board("########\n#@ #   #\n#  # $.#\n#  #   #\n########");
    assert!(matches!(solved(&apart, STATES), Err(Unsolved::Proven { .. })));
    let sealed = board("######\n#@$ .#\n######\n#$#.##\n######");
    assert_eq!(solved(&sealed, STATES), Err(Unsolved::Proven { states: 1 }));
    let room = board("#########\n#@      #\n# $ $ $ #\n#  . . .#\n#       #\n#########");
    assert!(matches!(solved(&room, 10), Err(Unsolved::GaveUp { states: 11..=20, limit: Limit::States })));
    let stop = AtomicBool::new(true);
    let stopped = solve(&room, Measure::Actions, Bounds::states(STATES, &stop));
    assert!(matches!(stopped, Err(Unsolved::Stopped { .. })));
}

/// Rooms of 4 x 5 inside a wall with one to three boxes, most of them solvable. Below some lies a
/// cell that nobody can reach, with a box at home in it.
fn rooms() -> impl Strategy<Value = Board> {
    let squares = Just((0..20_usize).collect::<Vec<_>>()).prop_shuffle();
    let parts = (squares, 1..=3_usize, 0..5_usize, any::<bool>());
    parts.prop_filter_map("no level", |(squares, boxes, walls, cell)| {
        let mut inner = [b' '; 20];
        inner[squares[0]] = b'@';
        squares[1..=boxes].iter().for_each(|at| inner[*at] = b'$');
        squares[4..4 + boxes].iter().for_each(|at| inner[*at] = b'.');
        squares[8..8 + walls].iter().for_each(|at| inner[*at] = b'#');
        let rows = inner.chunks(5).map(|row| format!("#{}#", String::from_utf8_lossy(row)));
        let below = if cell { "\n#*#####\n#######" } else { "" };
        let text = format!("#######\n{}\n#######{below}", rows.collect::<Vec<_>>().join("\n"));
        read_one(&text).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn a_plain_search_agrees(board in rooms()) {
        let found = solved(&board, u64::MAX).ok();
        prop_assert_eq!(found.as_ref().map(|found| found.ways.len()), plainly(&board));
    }

    #[test]
    fn what_is_left_of_a_solution_is_the_solution_from_there(board in rooms()) {
        let Ok(found) = solved(&board, u64::MAX) else { return Ok(()) };
        let marks = dead::marks(&board.ground);
        let mut board = board;
        for (done, way) in found.ways.iter().enumerate() {
            prop_assert_eq!(solved(&board, u64::MAX).unwrap().ways, &found.ways[done..]);
            prop_assert!(board.step(*way).moved);
            let lost = |at: &Square| marks[usize::from(*at)] & (dead::DEAD | dead::TARGET) == dead::DEAD;
            prop_assert!(!board.boxes().iter().any(lost));
        }
        prop_assert!(board.is_solved());
    }
}
