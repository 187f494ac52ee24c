use serde_json::{Value, json};

use super::{CODE, RULES, STANDARD, judge_as};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};
use crate::office::tests::write::{Docx, formatted, p};

const SECTION: &str = "<w:sectPr><w:pgSz w:w='12240'/><w:pgMar w:left='1440' w:right='1440'/></w:sectPr>";
/// The width of the text, in twips.
const WIDTH: u32 = 9360;

fn stop(kind: &str, position: u32) -> String {
    format!("<w:tab w:val='{kind}' w:pos='{position}'/>")
}

fn document(stops: &[String], text: &str) -> Docx {
    let tabs = format!("<w:tabs>{}</w:tabs>", stops.concat());
    Docx::new(formatted(&tabs, "", text) + SECTION)
}

fn one(kind: &str, position: u32) -> Docx {
    document(&[stop(kind, position)], "one two three\trest")
}

fn judge(reference: &Docx, made: &Docx, rules: Rules) -> Result<(), Finding> {
    judge_with(reference, made, &Value::Null, rules)
}

fn judge_with(reference: &Docx, made: &Docx, kwargs: &Value, rules: Rules) -> Result<(), Finding> {
    let files: [&[u8]; 2] = [&reference.bytes(), &made.bytes()];
    judge_as("docx", "check_tabstops", &files, &json!({ "kwargs": kwargs }), rules)
}

#[test]
fn equal_stops_pass_and_positions_count_except_in_the_released_code() {
    let reference = one("right", WIDTH);
    for rules in RULES {
        assert_eq!(judge(&reference, &reference, rules), Ok(()));
        let sentence = fail(judge(&reference, &Docx::new(SECTION), rules));
        assert_eq!(sentence, "there are 0 paragraphs with text, expected are 1");
    }
    assert_eq!(judge(&reference, &one("right", WIDTH - 72), STANDARD), Ok(()));
    let sentence = fail(judge(&reference, &one("right", WIDTH - 73), STANDARD));
    assert_eq!(
        sentence,
        "paragraph 1 has the tab stops right at 6.45 in, expected is the tab stops right at 6.50 in"
    );
    assert_eq!(judge(&reference, &one("right", 1000), CODE), Ok(()));
    fail(judge(&one("right", 100), &one("right", WIDTH + 100), CODE));
}

#[test]
fn numbers_alignments_and_words_count_except_in_the_released_code() {
    let reference = one("right", WIDTH);
    let more = document(&[stop("right", WIDTH), stop("left", 100)], "one two three\trest");
    let other_words = document(&[stop("right", WIDTH)], "other words here\trest");
    for made in [one("left", WIDTH), more, document(&[], "one two three\trest"), other_words] {
        fail(judge(&reference, &made, STANDARD));
        assert_eq!(judge(&reference, &made, CODE), Ok(()));
    }
}

#[test]
fn cleared_stops_and_those_of_styles_count() {
    let style = format!(
        "<w:style w:type='paragraph' w:styleId='S'><w:pPr><w:tabs>{}{}</w:tabs></w:pPr></w:style>",
        stop("right", WIDTH),
        stop("left", 500)
    );
    let in_style = |tabs: &str| {
        let properties = format!("<w:pStyle w:val='S'/><w:tabs>{tabs}</w:tabs>");
        Docx::new(formatted(&properties, "", "one two three\trest") + SECTION).styles(&style)
    };
    fail(judge(&one("right", WIDTH), &in_style(""), STANDARD));
    assert_eq!(judge(&one("right", WIDTH), &in_style(&stop("clear", 500)), STANDARD), Ok(()));
}

#[test]
fn words_before_a_tab_are_counted() {
    let reference = one("right", WIDTH);
    for rules in RULES {
        let kwargs = json!({"word_number_split_by_tabstop": 3, "index": 0});
        assert_eq!(judge_with(&reference, &reference, &kwargs, rules), Ok(()));
        let last = json!({"word_number_split_by_tabstop": 1, "index": -1});
        assert_eq!(judge_with(&reference, &reference, &last, rules), Ok(()));
        let two = json!({"word_number_split_by_tabstop": 2});
        let sentence = fail(judge_with(&reference, &reference, &two, rules));
        assert_eq!(sentence, "part 0 of paragraph 1 (\"one two three\") has 3 words, expected are 2");
        error(judge_with(&reference, &reference, &json!({"index": "first"}), rules));
        error(judge_with(&reference, &reference, &json!({"words": 1}), rules));
    }
    let far = json!({"word_number_split_by_tabstop": 1, "index": 2});
    assert!(fail(judge_with(&reference, &reference, &far, STANDARD)).contains("has no part 2 between tabs"));
    error(judge_with(&reference, &reference, &far, CODE));
}

#[test]
fn the_released_code_needs_a_section_with_a_width() {
    let tab = formatted(&format!("<w:tabs>{}</w:tabs>", stop("left", 9)), "", "a");
    let without = Docx::new(tab.clone());
    assert_eq!(judge(&without, &without, STANDARD), Ok(()));
    error(judge(&without, &without, CODE));
    fail(judge(&without, &Docx::new(tab + "<w:sectPr/>"), CODE));
    let blank = Docx::new(p("") + SECTION);
    error(judge(&blank, &blank, CODE));
    assert_eq!(judge(&blank, &blank, STANDARD), Ok(()));
}
