//! `sheet_data` under the standard rules, and what both rules share.

use serde_json::{Value, json};

use super::make::{Sheet, cells, workbook};
use super::{BOTH, STANDARD, by};
use crate::handlers::Finding;
use crate::handlers::scripted::{error, fail};

fn standard(result: Value, expected: Value) -> Result<(), Finding> {
    by("sheet_data", json!({}), &cells(result), &cells(expected), STANDARD)
}

#[test]
fn equal_cells_pass_and_other_ones_fail() {
    let good = cells(json!([["name", "n"], ["ada", 1.5], ["bob", 2]]));
    for (name, wrong) in [
        ("value", json!([["name", "n"], ["ada", 1.6], ["bob", 2]])),
        ("text", json!([["name", "n"], ["eve", 1.5], ["bob", 2]])),
        ("header", json!([["names", "n"], ["ada", 1.5], ["bob", 2]])),
        ("row", json!([["name", "n"], ["ada", 1.5]])),
        ("column", json!([["name", "n", "m"], ["ada", 1.5, 1], ["bob", 2, 2]])),
        ("order", json!([["name", "n"], ["bob", 2], ["ada", 1.5]])),
    ] {
        for rules in BOTH {
            assert_eq!(by("sheet_data", json!({}), &good, &good, rules), Ok(()));
            let verdict = by("sheet_data", json!({}), &cells(wrong.clone()), &good, rules);
            assert!(matches!(verdict, Err(Finding::Fail(_))), "{name}: {verdict:?}");
        }
    }
}

#[test]
fn a_fail_names_the_cell_the_sheet_and_both_values() {
    let sentence = fail(standard(json!([["a"], ["x\u{1b}[2J"]]), json!([["a"], [3]])));
    // A control character is not allowed in XML, but a reader may let it pass.
    assert!(sentence.contains("\"Data\"") && !sentence.contains('\u{1b}'), "{sentence}");
    let sentence = fail(standard(json!([["a", 1]]), json!([["a", 2]])));
    assert_eq!(sentence, "cell B1 of sheet \"Data\" is 1, expected is 2");
    let sentence = fail(standard(json!([["a"]]), json!([["a", 2]])));
    assert_eq!(sentence, "cell B1 of sheet \"Data\" is empty, expected is 2");
}

#[test]
fn numbers_may_differ_by_half_of_the_last_decimal() {
    let precise = |a: f64, b: f64, precision: i64| {
        let rule = json!({"precision": precision});
        by("sheet_data", rule, &cells(json!([[a]])), &cells(json!([[b]])), STANDARD)
    };
    assert_eq!(standard(json!([[1.000_04]]), json!([[1.0]])), Ok(()));
    fail(standard(json!([[1.000_06]]), json!([[1.0]])));
    assert_eq!(precise(1.04, 1.0, 1), Ok(()));
    fail(precise(1.06, 1.0, 1));
    assert_eq!(precise(1040.0, 1000.0, -2), Ok(()));
    for extreme in [i64::from(i32::MIN), i64::from(i32::MAX)] {
        assert_eq!(precise(1.0, 1.0, extreme), Ok(()));
    }
    assert_eq!(error(precise(1.0, 1.0, i64::MAX)), "precision is too large");
}

#[test]
fn what_a_person_sees_as_equal_is_equal() {
    assert_eq!(standard(json!([["120", " a "]]), json!([[120, "a"]])), Ok(()));
    assert_eq!(standard(json!([["a", ""], [" "]]), json!([["a"]])), Ok(()));
    assert_eq!(standard(json!([[{"number": "120.0"}]]), json!([[120]])), Ok(()));
    assert_eq!(standard(json!([[{"number": "1.2E2"}]]), json!([[120]])), Ok(()));
    fail(standard(json!([["A"]]), json!([["a"]])));
    fail(standard(json!([["NA"]]), json!([[null]])));
    fail(standard(json!([[true]]), json!([[1]])));
}

#[test]
fn dates_differ_from_numbers_and_by_a_second() {
    let date = |days: f64| json!([[{"date": days}]]);
    assert_eq!(standard(date(45000.5), date(45000.5)), Ok(()));
    assert_eq!(standard(date(45_000.000_000_1), date(45000.0)), Ok(()));
    fail(standard(date(45_000.000_02), date(45000.0)));
    let sentence = fail(standard(json!([[45000]]), date(45000.0)));
    assert_eq!(sentence, "cell A1 of sheet \"Data\" is 45000, expected is the date 45000");
}

#[test]
fn errors_and_formulas_are_compared() {
    let division = json!([[{"error": "#DIV/0!"}]]);
    assert_eq!(standard(division.clone(), division.clone()), Ok(()));
    fail(standard(division, json!([[{"error": "#REF!"}]])));
    let formula = json!([[{"formula": "A1+B1"}]]);
    assert_eq!(standard(formula.clone(), formula.clone()), Ok(()));
    let sentence = fail(standard(formula.clone(), json!([[3]])));
    assert!(sentence.contains("the formula \"A1+B1\" without a stored value"), "{sentence}");
    let reason = error(standard(json!([[3]]), formula));
    assert!(reason.contains("the expected cell A1"), "{reason}");
}

#[test]
fn rows_and_cells_may_be_named_and_must_be_inside_of_a_sheet() {
    let rows = |rows: &str| workbook(&[Sheet { name: "Data", rows: rows.to_owned(), ..Sheet::default() }]);
    let named = rows("<row r=\"3\"><c r=\"B3\"><v>7</v></c></row>");
    let plain = cells(json!([[], [], [null, 7]]));
    for rules in BOTH {
        assert_eq!(by("sheet_data", json!({}), &named, &plain, rules), Ok(()));
    }
    for wrong in [
        "<row r=\"0\"><c><v>7</v></c></row>",
        "<row r=\"1048577\"><c><v>7</v></c></row>",
        "<row r=\"4294967295\"/><row/>",
        "<row r=\"x\"/>",
        "<row><c r=\"XFE1\"><v>7</v></c></row>",
        "<row><c r=\"B\"><v>7</v></c></row>",
        "<row><c><v>seven</v></c></row>",
        "<row><c t=\"s\"><v>9</v></c></row>",
    ] {
        let sentence = fail(by("sheet_data", json!({}), &rows(wrong), &plain, STANDARD));
        assert!(sentence.starts_with("/w/result.xlsx has a damaged part \"xl/sheet0.xml\""), "{sentence}");
        let reason = error(by("sheet_data", json!({}), &plain, &rows(wrong), STANDARD));
        assert!(reason.starts_with("/w/expected.xlsx has a damaged part"), "{reason}");
    }
}
