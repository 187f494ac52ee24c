//! Every number against `SciPy` and statsmodels: `reference.py` made `reference.json`.

use serde_json::Value;

use super::super::distributions::{normal_quantile, t_quantile};
use super::{SCORES, close};
use crate::*;

pub(super) fn data() -> Value {
    serde_json::from_str(include_str!("reference.json")).unwrap()
}

pub(super) fn rows(value: &Value) -> Vec<Vec<Value>> {
    value.as_array().unwrap().iter().map(|row| row.as_array().unwrap().clone()).collect()
}

pub(super) fn f(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub(super) fn samples(value: &Value) -> Vec<LevelSample> {
    let sample = |row: Vec<Value>| {
        let number = u32::try_from(row[1].as_u64().unwrap()).unwrap();
        let level = row[0].as_str().unwrap().to_owned();
        LevelSample { level, repeat: Repeat { number, seed: 0 }, value: f(&row[2]) }
    };
    rows(value).into_iter().map(sample).collect()
}

pub(super) fn same_interval(found: Option<Interval>, expected: &Value) -> bool {
    found.map_or(expected.is_null(), |found| {
        close(found.low, f(&expected[0])) && close(found.high, f(&expected[1]))
    })
}

#[test]
fn quantiles_are_those_of_scipy() {
    let data = data();
    for row in rows(&data["t"]) {
        let found = t_quantile(f(&row[0]), f(&row[1]));
        let expected = f(&row[2]);
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{row:?}: {found}");
    }
    for row in rows(&data["normal"]) {
        assert!(close(normal_quantile(f(&row[0])), f(&row[1])), "{row:?}");
    }
}

#[test]
fn means_errors_intervals_and_best_of_curves_are_those_of_scipy() {
    for cell in data()["cells"].as_array().unwrap() {
        let samples = samples(&cell["samples"]);
        let name = &cell["name"];
        assert!(close(sample_mean(&samples).unwrap(), f(&cell["mean"])), "{name}");
        assert!(close(standard_error(&samples).unwrap(), f(&cell["error"])), "{name}");
        let interval = mean_interval(&samples, SCORES);
        assert!(same_interval(interval, &cell["interval"]), "{name}: {interval:?} {}", cell["interval"]);
        let found = best_of(&samples, SCORES);
        let expected = cell["best_of"].as_array().unwrap();
        assert_eq!(found.len(), expected.len(), "{name}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(close(found.mean, f(&expected["mean"])), "{name}: {found:?}");
            assert!(same_interval(found.band, &expected["band"]), "{name}: {found:?} {expected}");
        }
    }
}

#[test]
fn paired_differences_are_those_of_scipy() {
    let expected = &data()["paired"];
    let found = paired_difference(&samples(&expected["cell"]), &samples(&expected["reference"]), SCORES);
    assert!(close(found.mean.unwrap(), f(&expected["mean"])));
    assert!(close(found.error.unwrap(), f(&expected["error"])));
    assert!(same_interval(found.interval, &expected["interval"]), "{found:?}");
    assert!(close(found.test.p, f(&expected["p"])), "{}", found.test.p);
    let variation = Variation::of(&found.pairs).unwrap();
    assert!(close(variation.between, f(&expected["variation"][0])), "{variation:?}");
    assert!(close(variation.within, f(&expected["variation"][1])), "{variation:?}");
}

#[test]
fn shares_are_those_of_scipy() {
    let data = data();
    for row in rows(&data["wilson"]) {
        let interval = wilson_interval(f(&row[0]), f(&row[1]));
        assert!(same_interval(interval, &Value::from(row[2..].to_vec())), "{row:?} {interval:?}");
    }
    let share = share_interval(&samples(&data["share"]["samples"]));
    assert!(same_interval(share, &data["share"]["interval"]), "{share:?}");
    let once = share_interval(&samples(&data["once"]["samples"]));
    assert!(same_interval(once, &data["once"]["interval"]), "{once:?}");
}

#[test]
fn intervals_near_the_ends_are_those_of_scipy() {
    for case in data()["near"].as_array().unwrap() {
        let interval = mean_interval(&samples(&case["samples"]), SCORES);
        assert!(same_interval(interval, &case["interval"]), "{interval:?} {}", case["name"]);
    }
    for case in data()["few"].as_array().unwrap() {
        let differences = samples(&case["samples"]);
        let zero: Vec<LevelSample> =
            differences.iter().map(|sample| LevelSample { value: 0.0, ..sample.clone() }).collect();
        let found = paired_difference(&differences, &zero, SCORES);
        assert!(same_interval(found.interval, &case["interval"]), "{:?} {}", found.interval, case["name"]);
        assert!(close(found.test.p, f(&case["p"])), "{} {}", found.test.p, case["name"]);
    }
}

#[test]
fn repeats_needed_are_those_of_scipy() {
    for row in rows(&data()["repeats"]) {
        let variation = Variation { between: f(&row[2]), within: f(&row[3]), assumed: false };
        let levels = usize::try_from(row[1].as_u64().unwrap()).unwrap();
        let found = match repeats_needed(f(&row[0]), levels, variation) {
            RepeatsNeeded::Repeats(repeats) => serde_json::json!({ "repeats": repeats }),
            RepeatsNeeded::Levels(levels) => serde_json::json!({ "levels": levels }),
            RepeatsNeeded::OutOfReach => Value::Null,
        };
        assert_eq!(found, row[4], "{row:?}");
    }
}
