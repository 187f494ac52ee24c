//! `sheet_data` under the rules of the released code: as pandas reads, checked by `files/pandas_check.py`.

use serde_json::{Value, json};

use super::make::cells;
use super::{CODE, STANDARD, by};
use crate::handlers::Finding;

/// Pairs of sheets, and whether each of the rules finds them equal.
const CASES: &str = include_str!("files/pandas.json");

#[test]
fn verdicts_are_those_of_pandas_or_of_a_person() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let [found, expected] = ["found", "expected"].map(|side| cells(case[side].clone()));
        for rules in [CODE, STANDARD] {
            let verdict = by("sheet_data", json!({}), &found, &expected, rules);
            let passes = case[rules.name()].as_bool().unwrap();
            let is_right = if passes { verdict.is_ok() } else { matches!(verdict, Err(Finding::Fail(_))) };
            assert!(is_right, "{case} under {rules:?}: {verdict:?}");
        }
    }
}
