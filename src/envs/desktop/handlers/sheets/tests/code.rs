//! `sheet_data` under the rules of the released code: as pandas reads, checked by `files/pandas_check.py`.

use serde_json::{Value, json};

use super::make::cells;
use super::{CODE, STANDARD, by};
use crate::handlers::{Finding, Rules};

/// Sheets, expected ones, and whether pandas finds them equal and we under the standard rules.
fn table() -> Vec<(Value, Value, bool, bool)> {
    vec![
        (json!([["a"], ["120"]]), json!([["a"], [120]]), true, true),
        (json!([["a", "b"], [1, "NA"]]), json!([["a", "b"], [1, null]]), true, false),
        (json!([["a", "b"], ["x", "NA"], ["y", 1]]), json!([["a", "b"], ["x", null], ["y", 1]]), true, false),
        (json!([["a", "a"], [1, 2]]), json!([["a", "a.1"], [1, 2]]), true, false),
        (json!([["a", "a.1", "a"], [1, 2, 3]]), json!([["a", "a.1", "a.2"], [1, 2, 3]]), true, false),
        (json!([["a", null], [1, 2]]), json!([["a", "Unnamed: 1"], [1, 2]]), true, false),
        (json!([[1, 1], [1, 2]]), json!([[1, "1.1"], [1, 2]]), true, false),
        (json!([["1"], ["x"]]), json!([[1], ["x"]]), false, true),
        (json!([["a"], ["120.0"]]), json!([["a"], [120]]), false, true),
        (json!([["a"], [{"number": "120.0"}]]), json!([["a"], [120]]), true, true),
        (json!([["a"], [120.000_01]]), json!([["a"], [120]]), false, true),
        (json!([["a"], [1.500_01], [2]]), json!([["a"], [1.5], [2]]), true, true),
        (json!([["a"], [" x"]]), json!([["a"], ["x"]]), false, true),
        (json!([["a"], [1], [null], [2]]), json!([["a"], [1], [2]]), true, false),
        (json!([["a"], ["x"], [" "], ["y"]]), json!([["a"], ["x"], ["y"]]), true, false),
        (json!([["a", "b"], [1, 1], [], [2, 2]]), json!([["a", "b"], [1, 1], [2, 2]]), false, false),
        (json!([["a"], [true]]), json!([["a"], ["TRUE"]]), true, false),
        (json!([["a"], [true]]), json!([["a"], [1]]), false, false),
        (json!([["a"], [true], ["x"]]), json!([["a"], [1], ["x"]]), true, false),
        (json!([["a"], [{"error": "#N/A"}], [1]]), json!([["a"], ["nan"], [1]]), true, false),
        (json!([["a"], [{"formula": "B1"}], [1]]), json!([["a"], [1]]), true, false),
        (json!([["a"], [1.000_01], ["x"]]), json!([["a"], [1.0], ["x"]]), false, true),
        (json!([["a", "b"], [1]]), json!([["a", "b"], [1, ""]]), true, true),
        (json!([["a"], [{"date": 45000}]]), json!([["a"], [{"date": 45000}]]), true, true),
        (json!([["a"], [{"date": 45000}]]), json!([["a"], [{"date": 45001}]]), false, false),
        (json!([["a"], [{"date": 45000}]]), json!([["a"], [45000]]), false, false),
        (json!([]), json!([]), true, true),
        (json!([["a"]]), json!([["a"]]), true, true),
        (json!([["a"]]), json!([["b"]]), false, false),
    ]
}

#[test]
fn verdicts_are_those_of_pandas_or_of_a_person() {
    for (found, expected, by_code, by_standard) in table() {
        let verdict = |rules: Rules| {
            by("sheet_data", json!({}), &cells(found.clone()), &cells(expected.clone()), rules)
        };
        for (rules, passes) in [(CODE, by_code), (STANDARD, by_standard)] {
            let verdict = verdict(rules);
            let is_right = match &verdict {
                Ok(()) => passes,
                Err(Finding::Fail(_)) => !passes,
                // A formula without a value cannot be expected.
                Err(_) => false,
            };
            assert!(is_right, "{found} and {expected} under {rules:?}: {verdict:?}");
        }
    }
}

/// Set `WRITE_PANDAS_CASES` to a folder to write the workbooks there for `files/pandas_check.py`.
#[test]
fn workbooks_can_be_given_to_pandas() {
    let Some(folder) = std::env::var_os("WRITE_PANDAS_CASES") else { return };
    for (index, (found, expected, by_code, _)) in table().into_iter().enumerate() {
        let path = |name: &str| std::path::Path::new(&folder).join(format!("{index}-{name}"));
        std::fs::write(path("found.xlsx"), cells(found)).unwrap();
        std::fs::write(path("expected.xlsx"), cells(expected)).unwrap();
        std::fs::write(path("equal"), by_code.to_string()).unwrap();
    }
}
