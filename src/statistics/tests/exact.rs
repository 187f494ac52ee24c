//! Exact tests against whole numbers: `exact.py` made `exact.json`. How often they find a difference is counted too.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::*;

fn data() -> Value {
    serde_json::from_str(include_str!("exact.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn p_values_are_those_of_exact_arithmetic() {
    for row in data()["fisher"].as_array().unwrap() {
        let [one, n, other, m] = [0, 1, 2, 3].map(|index| count(&row[index]));
        let found = fisher_exact((one, n), (other, m));
        let expected = row[4].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{row}: {found}");
        assert!((fisher_exact((other, m), (one, n)) - found).abs() < 1e-12, "both orders are equal");
    }
    for row in data()["holm"].as_array().unwrap() {
        let found = holm(&numbers(&row[0]));
        let expected = numbers(&row[1]);
        assert!(
            found.iter().zip(&expected).all(|(one, other)| (one - other).abs() < 1e-12),
            "{row}: {found:?}"
        );
        assert_eq!(found.len(), expected.len());
    }
}

/// How many of `asks` with two variants of 30 samples are called different, and how many of these with the second one
/// above the first.
fn differences(asks: u64, shares: [f64; 2]) -> (u32, u32) {
    let mut different = 0;
    let mut higher = 0;
    for seed in 0..asks {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let [one, other] = shares.map(|share| {
            (0..30).filter(|_| f64::from(random.next_u32()) / f64::from(u32::MAX) < share).count()
        });
        if holm(&[fisher_exact((one, 30), (other, 30))])[0] < 1.0 - CONFIDENCE {
            different += 1;
            higher += u32::from(other > one);
        }
    }
    (different, higher)
}

/// The share of wrong findings is that of exact arithmetic, which is below the level: exact tests are cautious. With 2,000
/// asks its standard deviation is at most 0.004.
#[test]
fn equal_variants_are_called_different_as_often_as_computed_and_known_differences_with_their_sign() {
    for row in data()["rejected"].as_array().unwrap() {
        let row = numbers(row);
        let (different, higher) = differences(2_000, [row[1], row[2]]);
        let share = f64::from(different) / 2_000.0;
        let deviation = (row[3] * (1.0 - row[3]) / 2_000.0).sqrt();
        assert!((share - row[3]).abs() < 4.0 * deviation, "{row:?}: {share}");
        if row[1] < row[2] {
            assert!(different > 1_500 && higher == different, "{different} found, {higher} with the sign");
        } else {
            assert!(share < 0.05, "{row:?}: {share}");
        }
    }
}
