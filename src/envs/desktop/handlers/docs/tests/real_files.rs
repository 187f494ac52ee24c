//! Documents that `LibreOffice` 7.4 wrote (`files/make.py`): styles, settings and relations as a real program stores them.

use serde_json::{Value, json};

use super::{CODE, STANDARD, judge_as};
use crate::handlers::scripted::fail;

const GOOD: &[u8] = include_bytes!("files/good.docx");
/// The same, which `LibreOffice` read from its own file and wrote again.
const AGAIN: &[u8] = include_bytes!("files/again.docx");
const WRONG: &[u8] = include_bytes!("files/wrong.docx");
/// The same with another reference.
const WORDS: &[u8] = include_bytes!("files/words.docx");
const PLAIN: &[u8] = include_bytes!("files/good.odt");
const MARKED: &[u8] = include_bytes!("files/wrong.odt");

/// The functions that compare two documents of Word.
const FUNCTIONS: [&str; 10] = [
    "compare_line_spacing",
    "compare_subscript_contains",
    "compare_insert_equation",
    "compare_docx_tables",
    "compare_contains_image",
    "compare_docx_images",
    "compare_docx_lines",
    "compare_docx_files",
    "compare_references",
    "check_tabstops",
];

#[test]
fn what_a_program_saved_twice_is_equal() {
    for function in FUNCTIONS {
        for (rules, made) in [(STANDARD, GOOD), (STANDARD, AGAIN), (CODE, GOOD)] {
            let verdict = judge_as("docx", function, &[GOOD, made], &Value::Null, rules);
            assert_eq!(verdict, Ok(()), "{function} {rules:?}");
        }
    }
    for function in ["has_page_numbers_in_footers", "is_first_line_centered"] {
        assert_eq!(judge_as("docx", function, &[AGAIN], &Value::Null, STANDARD), Ok(()), "{function}");
    }
    let font = json!({"rules": {"font_name": "Liberation Serif"}});
    assert_eq!(judge_as("docx", "compare_font_names", &[AGAIN], &font, STANDARD), Ok(()));
    for function in ["evaluate_strike_through_last_paragraph", "evaluate_colored_words_in_tables"] {
        assert_eq!(judge_as("docx", function, &[GOOD, AGAIN], &Value::Null, STANDARD), Ok(()), "{function}");
    }
    assert_eq!(judge_as("odt", "check_highlighted_words", &[PLAIN, PLAIN], &Value::Null, STANDARD), Ok(()));
}

#[test]
fn each_difference_is_found_and_named() {
    let sentence = |function: &str, files: &[&[u8]], others: &Value| {
        let suffix = if files == [PLAIN, MARKED] { "odt" } else { "docx" };
        fail(judge_as(suffix, function, files, others, STANDARD))
    };
    let font = json!({"rules": {"font_name": "Liberation Serif"}});
    let most = json!({"options": {"reference_base_result": 0.9}});
    for (function, files, others, words) in [
        (
            "compare_line_spacing",
            &[GOOD, WRONG][..],
            &Value::Null,
            "(\"Water is H2O.\") is 1 lines, expected is 2 lines",
        ),
        ("compare_subscript_contains", &[GOOD, WRONG], &Value::Null, "the subscript \"\", expected"),
        (
            "compare_insert_equation",
            &[GOOD, WRONG],
            &Value::Null,
            "0 paragraphs have an equation, expected are 1",
        ),
        ("compare_docx_images", &[GOOD, WRONG], &Value::Null, "picture 1 has other pixels than expected"),
        ("check_tabstops", &[GOOD, WRONG], &Value::Null, "tab"),
        (
            "evaluate_colored_words_in_tables",
            &[GOOD, WRONG],
            &Value::Null,
            "has the color 0000FF, expected is red",
        ),
        ("evaluate_strike_through_last_paragraph", &[GOOD, WRONG], &Value::Null, "\"the last words\""),
        (
            "has_page_numbers_in_footers",
            &[WRONG],
            &Value::Null,
            "the footer of section 1 does not show the number",
        ),
        ("is_first_line_centered", &[WRONG], &Value::Null, "is Left, expected is Center"),
        ("compare_font_names", &[WRONG], &font, "is \"DejaVu Sans\", expected is \"Liberation Serif\""),
        ("check_highlighted_words", &[PLAIN, MARKED], &Value::Null, "\"marked words\" is still highlighted"),
        ("compare_docx_files", &[GOOD, WORDS], &Value::Null, "paragraph 10 is \"[1] Quick bold 77.\""),
        (
            "compare_docx_lines",
            &[GOOD, WORDS],
            &Value::Null,
            "\"[1] Ada Writer, On notes, 1999.\" is missing",
        ),
        ("compare_references", &[GOOD, WORDS], &most, "the mean similarity of the references is"),
    ] {
        let sentence = sentence(function, files, others);
        assert!(sentence.contains(words), "{function}: {sentence}");
    }
}
