//! `freeze`.

use serde_json::json;

use super::make::{Sheet, workbook};
use super::{BOTH, CODE, STANDARD, by};
use crate::handlers::Finding;
use crate::handlers::scripted::{error, fail};

fn frozen(pane: &'static str) -> Vec<u8> {
    workbook(&[Sheet { name: "Data", pane, ..Sheet::default() }])
}

fn freeze(result: &[u8], expected: &[u8], rules: crate::handlers::Rules) -> Result<(), Finding> {
    by("freeze", json!({}), result, expected, rules)
}

const ROW: &str = r#"<pane ySplit="1" topLeftCell="A2" state="frozen"/>"#;
const COLUMN: &str = r#"<pane xSplit="1" topLeftCell="B1" state="frozen"/>"#;
const SCROLLED: &str = r#"<pane ySplit="1" topLeftCell="A9" state="frozen"/>"#;
const SPLIT: &str = r#"<pane ySplit="1" topLeftCell="A2" state="split"/>"#;

#[test]
fn frozen_rows_and_columns_are_compared() {
    for rules in BOTH {
        assert_eq!(freeze(&frozen(ROW), &frozen(ROW), rules), Ok(()));
        assert_eq!(freeze(&frozen(""), &frozen(""), rules), Ok(()));
        fail(freeze(&frozen(COLUMN), &frozen(ROW), rules));
    }
    let sentence = fail(freeze(&frozen(""), &frozen(ROW), STANDARD));
    assert_eq!(sentence, "the sheet is frozen at 0 rows and 0 columns, expected is 1 rows and 0 columns");
    let sentence = fail(freeze(&frozen(""), &frozen(ROW), CODE));
    assert_eq!(sentence, "the sheet is frozen at no cell, expected is A2");
}

#[test]
fn a_scrolled_sheet_fails_and_a_split_one_passes_only_in_the_released_code() {
    assert_eq!(freeze(&frozen(SCROLLED), &frozen(ROW), STANDARD), Ok(()));
    fail(freeze(&frozen(SCROLLED), &frozen(ROW), CODE));
    fail(freeze(&frozen(SPLIT), &frozen(ROW), STANDARD));
    assert_eq!(freeze(&frozen(SPLIT), &frozen(ROW), CODE), Ok(()));
}

#[test]
fn a_sheet_that_is_missing_is_found() {
    let none = workbook(&[]);
    assert_eq!(fail(freeze(&none, &frozen(ROW), STANDARD)), "/w/result.xlsx has no sheet number 0");
    assert_eq!(error(freeze(&frozen(ROW), &none, STANDARD)), "/w/expected.xlsx has no sheet number 0");
    assert_eq!(freeze(&none, &frozen(ROW), CODE), Ok(()));
    error(freeze(&frozen(ROW), &none, CODE));
}
