//! `sheet_print`.

use serde_json::json;

use super::make::{Sheet, workbook};
use super::{BOTH, CODE, STANDARD, compare, params};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};

fn named(name: &'static str) -> Vec<u8> {
    workbook(&[Sheet { name, ..Sheet::default() }])
}

/// Compares the prints of two workbooks whose sheet is called `Data`.
fn print(
    result: Option<&[u8]>,
    expected: Option<&[u8]>,
    more: serde_json::Value,
    rules: Rules,
) -> Result<(), Finding> {
    let workbook = named("Data");
    let mut files: Vec<(&str, &[u8])> = vec![("result.xlsx", &workbook), ("expected.xlsx", &workbook)];
    files.extend(result.map(|bytes| ("result-Data.csv", bytes)));
    files.extend(expected.map(|bytes| ("expected-Data.csv", bytes)));
    compare(&files, params("sheet_print", more), rules)
}

#[test]
fn lines_are_compared() {
    for rules in BOTH {
        assert_eq!(print(Some(b"a,b\r\n 1,2 \n\n"), Some(b"a,b\n1,2"), json!({}), rules), Ok(()));
        let sentence = fail(print(Some(b"a,b\n1,3\n"), Some(b"a,b\n1,2\n"), json!({}), rules));
        assert_eq!(sentence, "line 2 of the print is \"1,3\", expected is \"1,2\"");
        let sentence = fail(print(Some(b"a,b\n"), Some(b"a,b\n1,2\n"), json!({}), rules));
        assert_eq!(sentence, "line 2 of the print is missing, expected is \"1,2\"");
        fail(print(Some(b"A\n"), Some(b"a\n"), json!({}), rules));
        assert_eq!(print(Some(b"A\n"), Some(b"a\n"), json!({"ignore_case": true}), rules), Ok(()));
    }
    error(print(Some(b"A\n"), Some(b"a\n"), json!({"ignore_case": "yes"}), STANDARD));
}

#[test]
fn prints_that_are_missing_or_damaged() {
    let (good, bad) = (b"a\n".as_slice(), b"\xff\xfe".as_slice());
    let none = || json!({});
    assert_eq!(fail(print(None, Some(good), none(), STANDARD)), "/w/result-Data.csv does not exist");
    assert_eq!(fail(print(Some(bad), Some(good), none(), STANDARD)), "/w/result-Data.csv is not UTF-8");
    assert_eq!(error(print(Some(good), Some(bad), none(), STANDARD)), "/w/expected-Data.csv is not UTF-8");
    error(print(Some(good), None, none(), STANDARD));
    assert_eq!(print(None, Some(good), none(), CODE), Ok(()));
    assert_eq!(print(Some(bad), Some(good), none(), CODE), Ok(()));
    assert_eq!(fail(print(Some(good), None, none(), CODE)), "the second print is missing");
    error(print(Some(good), None, json!({"ignore_case": true}), CODE));
}

#[test]
fn a_csv_is_its_own_print_and_never_loads_in_the_released_code() {
    let mut task = params("sheet_print", json!({}));
    task["result"] = json!("/w/result.csv");
    let workbook = named("Data");
    let verdict = |text: &[u8], rules| {
        let files = [("result.csv", text), ("expected.xlsx", &*workbook), ("expected-Data.csv", b"a\n")];
        compare(&files, task.clone(), rules)
    };
    assert_eq!(verdict(b"a\n", STANDARD), Ok(()));
    fail(verdict(b"b\n", STANDARD));
    assert_eq!(verdict(b"b\n", CODE), Ok(()));
}

#[test]
fn the_name_of_a_sheet_does_not_lead_out_of_the_folder() {
    let (hostile, good) = (named("/../../etc/x"), named("Data"));
    let task = params("sheet_print", json!({}));
    let files = |result, expected| {
        [("result.xlsx", result), ("expected.xlsx", expected), ("result-Data.csv", &b"a"[..])]
    };
    let sentence = fail(compare(&files(&*hostile, &*good), task.clone(), STANDARD));
    assert!(sentence.contains("cannot be part of a path"), "{sentence}");
    let reason = error(compare(&files(&*good, &*hostile), task, STANDARD));
    assert!(reason.contains("cannot be part of a path"), "{reason}");
}
