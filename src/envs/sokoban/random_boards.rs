//! Random boards for tests.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

/// A closed board of random squares with a player and as many boxes as targets, at least one.
pub(super) fn boards() -> impl Strategy<Value = String> {
    let sides = (3..9_usize, 3..9_usize);
    let filled = sides.prop_flat_map(|(rows, columns)| {
        let square =
            prop_oneof![4 => Just(' '), 2 => Just('#'), 2 => Just('$'), 2 => Just('.'), 1 => Just('*')];
        (Just(columns), proptest::collection::vec(square, rows * columns), 0..rows * columns)
    });
    filled.prop_map(|(columns, mut squares, player)| {
        squares[player] = if squares[player] == '.' { '+' } else { '@' };
        even(&mut squares);
        let wall = "#".repeat(columns + 2);
        let rows = squares.chunks(columns).map(|row| format!("#{}#\n", row.iter().collect::<String>()));
        format!("{wall}\n{}{wall}", rows.collect::<String>())
    })
}

/// Removes boxes or targets until their numbers are equal.
fn even(squares: &mut [char]) {
    let count = |squares: &[char], kind: &str| squares.iter().filter(|c| kind.contains(**c)).count();
    loop {
        let boxes = count(squares, "$*");
        let targets = count(squares, ".+*");
        let Some((from, to)) = (match boxes.cmp(&targets) {
            std::cmp::Ordering::Greater => Some(("$", ' ')),
            std::cmp::Ordering::Less => Some((".+", ' ')),
            std::cmp::Ordering::Equal => None,
        }) else {
            break;
        };
        let Some(at) = squares.iter().position(|c| from.contains(*c)) else { break };
        squares[at] = if squares[at] == '+' { '@' } else { to };
    }
}

#[test]
fn the_boards_of_the_test_are_worth_playing() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut good = 0;
    for _ in 0..200 {
        let text = boards().new_tree(&mut runner).unwrap().current();
        good += usize::from(super::xsb::read_one(&text).is_ok());
    }
    assert!(good > 100, "only {good} of 200 are levels");
}
