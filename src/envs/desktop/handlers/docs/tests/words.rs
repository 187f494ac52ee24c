use serde_json::Value;

use super::{CODE, RULES, STANDARD, compare, judge_as};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};
use crate::office::tests::write::{Docx, formatted, odt, p, run, table};

const STRIKE: &str = "evaluate_strike_through_last_paragraph";
const COLORS: &str = "evaluate_colored_words_in_tables";

fn highlights(reference: &[u8], made: &[u8], rules: Rules) -> Result<(), Finding> {
    judge_as("odt", "check_highlighted_words", &[reference, made], &Value::Null, rules)
}

fn style(name: &str, color: &str) -> String {
    format!(
        "<style:style style:name='{name}'><style:text-properties fo:background-color='{color}'/></style:style>"
    )
}

fn marked(color: &str) -> Vec<u8> {
    let text = "<text:p>a <text:span text:style-name='T'>b</text:span></text:p>";
    odt(&style("T", color), text)
}

#[test]
fn highlights_of_what_was_made_are_found_and_those_of_the_reference_by_the_released_code() {
    let plain = marked("transparent");
    for rules in RULES {
        assert_eq!(highlights(&plain, &plain, rules), Ok(()));
        let other = odt("", "<text:p>other</text:p>");
        fail(highlights(&plain, &other, rules));
        let yellow = marked("#FFFF00");
        let sentence = fail(highlights(&yellow, &yellow, rules));
        assert_eq!(
            sentence,
            "\"b\" is still highlighted with \"#ffff00\", expected is text without a highlight"
        );
    }
    fail(highlights(&plain, &marked("#ffff00"), STANDARD));
    assert_eq!(highlights(&plain, &marked("#ffff00"), CODE), Ok(()));
    assert_eq!(highlights(&marked("#ffff00"), &plain, STANDARD), Ok(()));
    fail(highlights(&marked("#ffff00"), &plain, CODE));
}

#[test]
fn other_colors_and_highlights_by_styles_count_except_in_the_released_code() {
    let green = marked("#00ff00");
    let whole = odt(&style("P", "#ffff00"), "<text:p text:style-name='P'>a b</text:p>");
    let parent = "<style:style style:name='C' style:parent-style-name='P'/>";
    let child = odt(
        &(style("P", "#00ff00") + parent),
        "<text:p>a <text:span text:style-name='C'>b</text:span></text:p>",
    );
    for made in [green, whole, child] {
        assert!(fail(highlights(&made, &made, STANDARD)).contains("still highlighted"));
        assert_eq!(highlights(&made, &made, CODE), Ok(()));
    }
    let off = odt(
        &(style("P", "#ffff00") + &style("T", "transparent")),
        "<text:p text:style-name='P'><text:span text:style-name='T'>a</text:span></text:p>",
    );
    assert_eq!(highlights(&off, &off, STANDARD), Ok(()));
}

const LINE: &str = "<w:strike/>";

fn last(format: &str, text: &str) -> Vec<u8> {
    Docx::new(p("first") + &formatted("", format, text)).bytes()
}

#[test]
fn the_last_paragraph_is_struck_through_or_not() {
    for rules in RULES {
        assert_eq!(compare(STRIKE, &last(LINE, "last"), &last(LINE, "last"), rules), Ok(()));
        let sentence = fail(compare(STRIKE, &last("", "last"), &last("", "last"), rules));
        assert_eq!(sentence, "\"last\" in the last paragraph is not struck through");
        fail(compare(STRIKE, &last(LINE, "last"), &last(LINE, "other"), rules));
        let off = last("<w:strike w:val='0'/>", "last");
        fail(compare(STRIKE, &off, &off, rules));
    }
}

#[test]
fn what_was_made_is_looked_at_except_by_the_released_code() {
    fail(compare(STRIKE, &last(LINE, "last"), &last("", "last"), STANDARD));
    assert_eq!(compare(STRIKE, &last(LINE, "last"), &last("", "last"), CODE), Ok(()));
    assert_eq!(compare(STRIKE, &last("", "last"), &last(LINE, "last"), STANDARD), Ok(()));
    fail(compare(STRIKE, &last("", "last"), &last(LINE, "last"), CODE));
}

#[test]
fn an_empty_last_paragraph_passes_in_the_released_code_only() {
    let body = |format: &str| Docx::new(formatted("", format, "last") + "<w:p/>").bytes();
    fail(compare(STRIKE, &body(""), &body(""), STANDARD));
    assert_eq!(compare(STRIKE, &body(""), &body(""), CODE), Ok(()));
    assert_eq!(compare(STRIKE, &body(LINE), &body(LINE), STANDARD), Ok(()));
    let nothing = Docx::new("").bytes();
    fail(compare(STRIKE, &nothing, &nothing, STANDARD));
    error(compare(STRIKE, &nothing, &nothing, CODE));
}

#[test]
fn double_lines_and_those_of_styles_count_except_in_the_released_code() {
    let style = "<w:style w:type='character' w:styleId='C'><w:rPr><w:strike/></w:rPr></w:style>";
    let by_style = Docx::new(formatted("", "<w:rStyle w:val='C'/>", "last")).styles(style).bytes();
    for made in [Docx::new(formatted("", "<w:dstrike/>", "last")).bytes(), by_style] {
        assert_eq!(compare(STRIKE, &made, &made, STANDARD), Ok(()));
        fail(compare(STRIKE, &made, &made, CODE));
    }
    let partly = [run(LINE, "a"), run("", "b")].concat();
    let partly = Docx::new(format!("<w:p>{partly}</w:p>")).bytes();
    for rules in RULES {
        assert!(fail(compare(STRIKE, &partly, &partly, rules)).contains("\"b\""));
    }
}

fn color(value: &str) -> String {
    format!("<w:color w:val='{value}'/>")
}

fn cell(runs: &[(&str, &str)]) -> Vec<u8> {
    let runs: String = runs.iter().map(|(value, text)| run(&color(value), text)).collect();
    Docx::new(table(1, &[&[format!("<w:p>{runs}</w:p>")]])).bytes()
}

fn colors(runs: &[(&str, &str)], rules: Rules) -> Result<(), Finding> {
    compare(COLORS, &cell(runs), &cell(runs), rules)
}

#[test]
fn words_with_vowels_are_red_and_others_blue() {
    for rules in RULES {
        assert_eq!(colors(&[("FF0000", "Apple "), ("0000FF", "bread")], rules), Ok(()));
        assert_eq!(colors(&[("C9211E", "apple "), ("2A6099", "bread")], rules), Ok(()));
        let sentence = fail(colors(&[("0000FF", "apple")], rules));
        assert_eq!(sentence, "\"apple\" in a table has the color 0000FF, expected is red");
        let sentence = fail(colors(&[("00FF00", "bread")], rules));
        assert_eq!(sentence, "\"bread\" in a table has the color 00FF00, expected is blue");
        assert!(fail(colors(&[("auto", "bread")], rules)).contains("no color of its own"));
        let reference = cell(&[("FF0000", "apple")]);
        fail(compare(COLORS, &reference, &cell(&[("FF0000", "orange")]), STANDARD));
    }
    // The released code compares no text in tables.
    assert_eq!(compare(COLORS, &cell(&[("FF0000", "apple")]), &cell(&[("FF0000", "orange")]), CODE), Ok(()));
}

#[test]
fn black_and_white_are_red_and_runs_are_words_in_the_released_code_only() {
    for value in ["000000", "FFFFFF"] {
        fail(colors(&[(value, "apple")], STANDARD));
        assert_eq!(colors(&[(value, "apple")], CODE), Ok(()));
    }
    let one_run = [("FF0000", "apple bread")];
    assert!(fail(colors(&one_run, STANDARD)).contains("\"bread\""));
    assert_eq!(colors(&one_run, CODE), Ok(()));
    let split = [("0000FF", "br"), ("0000FF", "ead")];
    assert_eq!(colors(&split, STANDARD), Ok(()));
    fail(colors(&split, CODE));
    let quoted = [("FF0000", "\u{201c}apple\u{201d}")];
    assert_eq!(colors(&quoted, STANDARD), Ok(()));
    fail(colors(&quoted, CODE));
    let none = Docx::new(p("apple")).bytes();
    fail(compare(COLORS, &none, &none, STANDARD));
    assert_eq!(compare(COLORS, &none, &none, CODE), Ok(()));
}
