//! The assignment against the reference library, and without ties against another algorithm.
#![expect(clippy::cast_precision_loss, reason = "the powers of two are exact")]

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;
use proptest::prelude::*;

use super::super::assignment::{Costs, assign};

/// A matrix with its numbers of rows and columns, and the column of each row.
type Case = (usize, usize, Vec<f64>, Vec<Option<usize>>);

/// Matrices with many equal costs, solved by `scipy.optimize.linear_sum_assignment` 1.17.
const TIES: &str = include_str!("assignments.json");

#[test]
fn ties_are_decided_as_by_the_reference_library() {
    let cases: Vec<Case> = serde_json::from_str(TIES).unwrap();
    assert_eq!(cases.len(), 400);
    for (rows, columns, values, expected) in cases {
        let found = assign(&Costs::new(rows, columns, values.clone()));
        assert_eq!(found, expected, "{rows} x {columns}: {values:?}");
    }
}

#[test]
fn equal_costs_give_the_identity() {
    for (rows, columns) in [(3, 3), (3, 5), (5, 3), (1, 7), (7, 1)] {
        let found = assign(&Costs::new(rows, columns, vec![2.5; rows * columns]));
        let expected: Vec<_> = (0..rows).map(|row| (row < columns).then_some(row)).collect();
        assert_eq!(found, expected, "{rows} x {columns}");
    }
}

#[test]
fn an_empty_side_leaves_all_rows_alone() {
    assert_eq!(assign(&Costs::new(0, 4, vec![])), []);
    assert_eq!(assign(&Costs::new(3, 0, vec![])), [None; 3]);
}

/// Distinct powers of two in random order: all assignments have different costs.
fn powers(rows: usize, columns: usize) -> impl Strategy<Value = Vec<i64>> {
    let all: Vec<i64> = (0..rows * columns).map(|power| 1_i64 << power).collect();
    Just(all).prop_shuffle()
}

proptest! {
    #[test]
    fn without_ties_it_is_that_of_another_algorithm(
        (rows, columns, values) in (1_usize..7, 1_usize..7).prop_flat_map(|(rows, columns)| {
            powers(rows, columns).prop_map(move |values| (rows, columns, values))
        })
    ) {
        let costs = values.iter().map(|value| *value as f64).collect();
        let found = assign(&Costs::new(rows, columns, costs));
        let matrix = Matrix::from_vec(rows, columns, values).unwrap();
        let expected: Vec<_> = if rows <= columns {
            kuhn_munkres_min(&matrix).1.into_iter().map(Some).collect()
        } else {
            let rows_of = kuhn_munkres_min(&matrix.transposed()).1;
            (0..rows).map(|row| rows_of.iter().position(|other| *other == row)).collect()
        };
        prop_assert_eq!(found, expected);
    }
}
