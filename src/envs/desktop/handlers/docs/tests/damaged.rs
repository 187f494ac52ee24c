//! Missing and damaged files, for every function.

use serde_json::{Value, json};

use super::super::HANDLERS;
use super::{CODE, RULES, STANDARD, judge, judge_as, names, params};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, find};
use crate::office::tests::write::{Docx, odt, p};

const BAD_DOCX: [&[u8]; 3] = [b"", b"no archive", b"PK\x03\x04 the rest is cut"];

/// The parameters beside files that a function needs.
fn others(function: &str) -> Value {
    if function == "compare_font_names" { json!({"rules": {"font_name": "Arial"}}) } else { Value::Null }
}

fn suffix(function: &str) -> &'static str {
    if function == "check_highlighted_words" { "odt" } else { "docx" }
}

fn good(function: &str) -> Vec<u8> {
    if function == "check_highlighted_words" {
        odt("", "<text:p>text</text:p>")
    } else {
        Docx::new(p("text")).bytes()
    }
}

/// Compares texts first, by the rule of the released code that passes a `.docx` it cannot open.
fn passes_unread(function: &str) -> bool {
    function == "compare_docx_files"
}

fn functions() -> impl Iterator<Item = &'static str> {
    HANDLERS.iter().map(|handler| handler.function)
}

#[test]
fn every_function_is_found_and_has_files() {
    assert_eq!(functions().count(), 16);
    for function in functions() {
        let handler = find("docs", function).unwrap();
        for name in names(function) {
            assert!(handler.params.iter().any(|param| param.name == *name), "{function} {name}");
        }
    }
}

fn with_made(function: &str, made: Option<&[u8]>, rules: crate::handlers::Rules) -> Result<(), Finding> {
    let reference = good(function);
    let mut files: Vec<&[u8]> = Vec::new();
    if names(function).len() == 2 {
        files.push(&reference);
    }
    files.extend(made);
    judge_as(suffix(function), function, &files, &others(function), rules)
}

#[test]
fn what_the_agent_made_fails_if_it_is_missing_or_damaged() {
    for function in functions() {
        let sentence = fail(with_made(function, None, STANDARD));
        assert!(sentence.contains("does not exist"), "{function}: {sentence}");
        let whole = good(function);
        let cut = &whole[..whole.len() / 2];
        for bad in BAD_DOCX.into_iter().chain([cut]) {
            let sentence = fail(with_made(function, Some(bad), STANDARD));
            assert!(sentence.contains("damaged or not an office document"), "{function}: {sentence}");
        }
        for made in [None, Some(BAD_DOCX[1])] {
            let result = with_made(function, made, CODE);
            if passes_unread(function) {
                assert_eq!(result, Ok(()));
            } else {
                // A text that is not opened passes; the document itself is read after that.
                fail(result);
            }
        }
    }
}

#[test]
fn a_reference_that_is_missing_or_damaged_is_an_error() {
    for function in functions().filter(|function| names(function).len() == 2) {
        let made = good(function);
        let name = format!("1.{}", suffix(function));
        let params = params(function, suffix(function), &others(function));
        let reason = error(judge(function, &[(&name, &made)], &params, STANDARD));
        assert!(reason.contains("does not exist"), "{function}: {reason}");
        for bad in BAD_DOCX {
            let files = [bad, &made];
            let reason = error(judge_as(suffix(function), function, &files, &others(function), STANDARD));
            assert!(reason.contains("damaged or not an office document"), "{function}: {reason}");
        }
    }
}

#[test]
fn another_kind_of_document_fails() {
    let text = odt("", "<text:p>text</text:p>");
    let word = Docx::new(p("text")).bytes();
    for function in functions().filter(|function| *function != "check_highlighted_words") {
        fail(with_made(function, Some(&text), STANDARD));
    }
    fail(with_made("check_highlighted_words", Some(&word), STANDARD));
}

#[test]
fn parameters_that_are_missing_or_wrong_are_errors() {
    for function in functions() {
        for rules in RULES {
            error(judge(function, &[], &json!({}), rules));
            let mut wrong = params(function, "docx", &others(function));
            wrong[names(function)[0]] = json!(1);
            error(judge(function, &[], &wrong, rules));
        }
    }
}
