//! The shipped levels.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use mageyard_domain::{EnvironmentSpec, Objective, SearchBudget};

use crate::Hanoi;

/// The level with regions A and B exchanged, which is equivalent.
fn mirrored(text: &str) -> String {
    let pile = |letter: &str| text.lines().find_map(|line| line.strip_prefix(letter)).unwrap();
    format!("A{}\nB{}\nC{}", pile("B"), pile("A"), pile("C"))
}

#[test]
fn every_shipped_level_is_distinct_and_solvable_within_25_steps() {
    let stop = AtomicBool::new(false);
    let mut known = HashSet::new();
    for set in Hanoi.level_sets() {
        for level in Hanoi.parse_levels(set.text).unwrap() {
            let solver = Hanoi.capabilities().tools.solver.unwrap();
            let solution = solver
                .solve(&level, Objective::ACTIONS, SearchBudget::with_states(1000, &stop))
                .unwrap()
                .unwrap();
            let steps = solution.actions.len();
            assert!((3..=25).contains(&steps), "{}: {steps}", level.label());
            assert_eq!(solution.notation.split(' ').count(), steps);
            let books = level.text().bytes().filter(u8::is_ascii_digit).count();
            assert!((3..=5).contains(&books), "{}", level.label());
            let piles = level.text().lines().filter(|line| line.len() > 2).count();
            assert!(piles >= 2, "{} is a textbook start", level.label());
            assert!(known.insert(level.text().to_owned()), "{}", level.label());
            known.insert(mirrored(level.text()));
        }
    }
    assert!(known.len() >= 24);
}
