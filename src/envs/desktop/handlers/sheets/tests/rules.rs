//! Lists of rules, names of sheets, and workbooks that cannot be read.

use serde_json::{Value, json};

use super::make::{Sheet, cells, sheet, workbook};
use super::{BOTH, CODE, STANDARD, by, compare, params};
use crate::handlers::scripted::{error, fail};

fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    let good = cells(json!([["a"], [1]]));
    let half = good[..good.len() / 2].to_vec();
    let mut flipped = good.clone();
    for byte in &mut flipped[40..60] {
        *byte ^= 0xff;
    }
    vec![("empty", Vec::new()), ("text", b"a,b\n1,2\n".to_vec()), ("half", half), ("flipped", flipped)]
}

#[test]
fn a_workbook_that_is_missing_fails_or_is_an_error() {
    let good = cells(json!([["a"], [1]]));
    let task = || params("sheet_data", json!({}));
    let result = [("result.xlsx", &*good)];
    let expected = [("expected.xlsx", &*good)];
    assert_eq!(fail(compare(&expected, task(), STANDARD)), "/w/result.xlsx does not exist");
    assert_eq!(compare(&expected, task(), CODE), Ok(()));
    for rules in BOTH {
        assert_eq!(error(compare(&result, task(), rules)), "/w/expected.xlsx does not exist");
    }
}

#[test]
fn a_damaged_workbook_fails_or_is_an_error() {
    let good = cells(json!([["a"], [1]]));
    for kind in ["sheet_data", "chart", "pivot_table", "freeze", "sheet_print"] {
        for (name, bad) in damaged() {
            let sentence = fail(by(kind, json!({}), &bad, &good, STANDARD));
            assert!(sentence.starts_with("/w/result.xlsx "), "{kind} {name}: {sentence}");
            let reason = error(by(kind, json!({}), &good, &bad, STANDARD));
            assert!(reason.starts_with("/w/expected.xlsx "), "{kind} {name}: {reason}");
            assert_eq!(by(kind, json!({}), &bad, &good, CODE), Ok(()), "{kind} {name}");
            error(by(kind, json!({}), &good, &bad, CODE));
        }
    }
}

#[test]
fn sheets_are_named_by_number_or_name_in_either_workbook() {
    let named = |name, value: i64| Sheet { name, ..sheet(json!([["a"], [value]])) };
    let result = workbook(&[named("One", 1), named("Two", 2)]);
    let expected = workbook(&[named("Two", 2), named("Three", 3)]);
    let check = |first: Value, second: Value, rules| {
        by("sheet_data", json!({"sheet_idx0": first, "sheet_idx1": second}), &result, &expected, rules)
    };
    for rules in BOTH {
        for (first, second) in [
            (json!(1), json!("EI0")),
            (json!("RI1"), json!("ENTwo")),
            (json!("RNTwo"), json!("EI-2")),
            (json!("RI-1"), json!("RNTwo")),
            (json!("EI1"), json!("ENThree")),
            (json!(-1), json!("RI1")),
        ] {
            assert_eq!(check(first.clone(), second.clone(), rules), Ok(()), "{first} {second}");
        }
        fail(check(json!("RI0"), json!("EI0"), rules));
        for wrong in [json!("XI0"), json!("RIx"), json!("R"), json!("é"), json!(1.5), json!(null), json!([])]
        {
            let reason = error(check(wrong, json!("EI0"), rules));
            assert!(reason.starts_with("sheet_idx0 "), "{reason}");
        }
    }
    assert_eq!(fail(check(json!("RI9"), json!("EI0"), STANDARD)), "/w/result.xlsx has no sheet number 9");
    assert_eq!(fail(check(json!("RI-9"), json!("EI0"), STANDARD)), "/w/result.xlsx has no sheet number -9");
    assert_eq!(
        error(check(json!("RI0"), json!("ENNone"), STANDARD)),
        "/w/expected.xlsx has no sheet \"None\""
    );
    assert_eq!(check(json!("RI9"), json!("EI0"), CODE), Ok(()));
    assert_eq!(error(check(json!("RI0"), json!("EI9"), CODE)), "the second sheet is missing");
}

#[test]
fn all_rules_hold_and_the_released_code_ends_at_a_missing_sheet() {
    let result = cells(json!([["a"], [1]]));
    let expected = cells(json!([["a"], [2]]));
    let data = |first: &str| json!({"type": "sheet_data", "sheet_idx0": first, "sheet_idx1": "EI0"});
    let freeze = |first: &str| json!({"type": "freeze", "sheet_idx0": first, "sheet_idx1": "EI0"});
    let check = |list: Value, rules| {
        let task = json!({"result": "/w/r.xlsx", "expected": "/w/e.xlsx", "options": {"rules": list}});
        compare(&[("r.xlsx", &*result), ("e.xlsx", &*expected)], task, rules)
    };
    for rules in BOTH {
        assert_eq!(check(json!([]), rules), Ok(()));
        assert_eq!(check(json!([freeze("RI0")]), rules), Ok(()));
        fail(check(json!([freeze("RI0"), data("RI0")]), rules));
    }
    assert_eq!(check(json!([freeze("RI5"), data("RI0")]), CODE), Ok(()));
    fail(check(json!([freeze("RI5"), data("RI0")]), STANDARD));
}

#[test]
fn parameters_are_checked_before_a_file_is_read() {
    let check = |options: Value, rules| {
        error(compare(&[], json!({"result": "/w/r.xlsx", "options": options}), rules))
    };
    for rules in BOTH {
        for name in super::super::NOT_BUILT {
            let reason = check(json!({"rules": [{"type": name}]}), rules);
            assert_eq!(reason, format!("the rule {name} of compare_table is not built"));
        }
        assert!(
            check(json!({"rules": [{"type": "x\u{1b}"}]}), rules).starts_with("unknown rule \"x\\u{1b}\"")
        );
        assert_eq!(check(json!({"rules": {}}), rules), "options.rules must be a list");
        assert_eq!(check(json!({}), rules), "options.rules must be a list");
        assert_eq!(check(json!({"rules": [1]}), rules), "each of options.rules must be an object");
        assert_eq!(check(json!({"rules": [{}]}), rules), "each of options.rules must have a type");
        assert!(check(json!({"rules": [{"type": "freeze", "at": 1}]}), rules).contains("unknown names"));
        assert!(check(json!({"rule": []}), rules).contains("unknown names in options"));
    }
}

#[test]
fn a_rule_within_the_result_needs_no_expected_workbook() {
    let task = |second: &str| {
        let rule = json!({"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": second});
        json!({"result": "/w/r.xlsx", "options": {"rules": [rule]}})
    };
    let result = cells(json!([["a"], [1]]));
    for rules in BOTH {
        assert_eq!(compare(&[("r.xlsx", &*result)], task("RI0"), rules), Ok(()));
        let reason = error(compare(&[("r.xlsx", &*result)], task("EI0"), rules));
        assert_eq!(reason, "sheet_idx1 names the parameter expected, which is missing");
    }
}
