use serde_json::json;

use super::{CODE, RULES, STANDARD, check, compare, judge_as};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};
use crate::office::tests::write::{Docx, formatted, p, run};

const SPACING: &str = "compare_line_spacing";
const SUBSCRIPT: &str = "compare_subscript_contains";
const CENTERED: &str = "is_first_line_centered";
const FONTS: &str = "compare_font_names";
const SUB: &str = "<w:vertAlign w:val='subscript'/>";

fn styled(paragraph: &str, run: &str) -> String {
    format!(
        "<w:style w:type='paragraph' w:styleId='Base'><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>\
         <w:style w:type='paragraph' w:styleId='S'><w:basedOn w:val='Base'/></w:style>"
    )
}

const IN_STYLE: &str = "<w:pStyle w:val='S'/>";

fn spaced(line: &str, rule: &str) -> Vec<u8> {
    let spacing = format!("<w:spacing w:line='{line}' w:lineRule='{rule}'/>");
    Docx::new(formatted(&spacing, "", "text")).bytes()
}

#[test]
fn line_spacing_is_compared() {
    for rules in RULES {
        assert_eq!(compare(SPACING, &spaced("480", "auto"), &spaced("480", "auto"), rules), Ok(()));
        let sentence = fail(compare(SPACING, &spaced("480", "auto"), &spaced("360", "auto"), rules));
        assert_eq!(sentence, "the line spacing of paragraph 1 (\"text\") is 1.5 lines, expected is 2 lines");
        fail(compare(SPACING, &spaced("480", "auto"), &spaced("480", "exact"), rules));
        let other = Docx::new(p("other")).bytes();
        fail(compare(SPACING, &Docx::new(p("text")).bytes(), &other, rules));
    }
    let sentence = fail(compare(SPACING, &spaced("240", "exact"), &spaced("240", "atLeast"), STANDARD));
    assert!(sentence.contains("at least 12 pt, expected is exactly 12 pt"), "{sentence}");
    assert_eq!(compare(SPACING, &spaced("240", "exact"), &spaced("240", "atLeast"), CODE), Ok(()));
}

#[test]
fn line_spacing_of_styles_counts_except_in_the_released_code() {
    let style = styled("<w:spacing w:line='480'/>", "");
    let by_style = Docx::new(formatted(IN_STYLE, "", "text")).styles(&style).bytes();
    assert_eq!(compare(SPACING, &spaced("480", "auto"), &by_style, STANDARD), Ok(()));
    fail(compare(SPACING, &spaced("480", "auto"), &by_style, CODE));
    let unset = Docx::new(p("text")).bytes();
    assert_eq!(compare(SPACING, &spaced("240", "auto"), &unset, STANDARD), Ok(()));
    fail(compare(SPACING, &spaced("240", "auto"), &unset, CODE));
}

fn water(format: &str, tail: &str) -> Vec<u8> {
    let runs = [run("", "H"), run(format, "2"), run("", "O"), run(tail, "3")];
    Docx::new(format!("<w:p>{}</w:p>", runs.concat())).bytes()
}

#[test]
fn subscripts_are_compared() {
    for rules in RULES {
        assert_eq!(compare(SUBSCRIPT, &water(SUB, ""), &water(SUB, ""), rules), Ok(()));
        fail(compare(SUBSCRIPT, &water(SUB, ""), &water("", ""), rules));
        let raised = "<w:vertAlign w:val='superscript'/>";
        fail(compare(SUBSCRIPT, &water(SUB, ""), &water(raised, ""), rules));
    }
    let sentence = fail(compare(SUBSCRIPT, &water(SUB, ""), &water("", SUB), STANDARD));
    assert_eq!(
        sentence,
        "paragraph 1 is \"H2O3\" with the subscript \"3\", expected is \"H2O3\" with the subscript \"2\""
    );
}

#[test]
fn all_subscripts_and_their_text_count_except_in_the_released_code() {
    assert_eq!(compare(SUBSCRIPT, &water(SUB, SUB), &water(SUB, ""), CODE), Ok(()));
    fail(compare(SUBSCRIPT, &water(SUB, SUB), &water(SUB, ""), STANDARD));
    let runs = [run("", "H"), run(SUB, "9")].concat();
    let other = Docx::new(format!("<w:p>{runs}</w:p>")).bytes();
    assert_eq!(compare(SUBSCRIPT, &water(SUB, ""), &other, CODE), Ok(()));
    fail(compare(SUBSCRIPT, &water(SUB, ""), &other, STANDARD));
    error(compare(SUBSCRIPT, &water("", ""), &water("", ""), STANDARD));
    fail(compare(SUBSCRIPT, &water("", ""), &water("", ""), CODE));
    let split = [run("", "H"), run(SUB, "2"), run("", "O"), run("", "3"), run("", " ")].concat();
    let split = Docx::new(p("") + &format!("<w:p>{split}</w:p>")).bytes();
    assert_eq!(compare(SUBSCRIPT, &water(SUB, ""), &split, STANDARD), Ok(()));
    fail(compare(SUBSCRIPT, &water(SUB, ""), &split, CODE));
}

const CENTER: &str = "<w:jc w:val='center'/>";

#[test]
fn the_first_line_is_centered_or_not() {
    for rules in RULES {
        assert_eq!(check(CENTERED, &Docx::new(formatted(CENTER, "", "a") + &p("b")).bytes(), rules), Ok(()));
        let second = Docx::new(p("a") + &formatted(CENTER, "", "b")).bytes();
        assert_eq!(fail(check(CENTERED, &second, rules)), "the first line is not centered");
        let right = Docx::new(formatted("<w:jc w:val='end'/>", "", "a")).bytes();
        assert!(fail(check(CENTERED, &right, rules)).contains("is Right, expected is Center"));
    }
}

#[test]
fn centering_by_styles_and_after_an_empty_line_counts_except_in_the_released_code() {
    let by_style = Docx::new(formatted(IN_STYLE, "", "a")).styles(&styled(CENTER, "")).bytes();
    let later = Docx::new(p("") + &formatted(CENTER, "", "a")).bytes();
    for made in [by_style, later] {
        assert_eq!(check(CENTERED, &made, STANDARD), Ok(()));
        fail(check(CENTERED, &made, CODE));
    }
    let empty = Docx::new(formatted(CENTER, "", "") + &p("a")).bytes();
    fail(check(CENTERED, &empty, STANDARD));
    assert_eq!(check(CENTERED, &empty, CODE), Ok(()));
    let nothing = Docx::new("").bytes();
    fail(check(CENTERED, &nothing, STANDARD));
    error(check(CENTERED, &nothing, CODE));
}

fn fonts(made: &Docx, rules: Rules) -> Result<(), Finding> {
    judge_as("docx", FONTS, &[&made.bytes()], &json!({"rules": {"font_name": "Arial"}}), rules)
}

const ARIAL: &str = "<w:rFonts w:ascii='Arial'/>";

#[test]
fn fonts_are_checked() {
    for rules in RULES {
        assert_eq!(fonts(&Docx::new(formatted("", ARIAL, "a")), rules), Ok(()));
        let two = Docx::new(formatted("", ARIAL, "a") + &formatted("", "<w:rFonts w:ascii='Mono'/>", "b"));
        let sentence = fail(fonts(&two, rules));
        assert_eq!(sentence, "the font of \"b\" in paragraph 2 is \"Mono\", expected is \"Arial\"");
        assert!(fail(fonts(&Docx::new(p("a")), rules)).contains("is not set"));
        let document = Docx::new(p("a")).bytes();
        let judge = |wrong| error(judge_as("docx", FONTS, &[&document], &wrong, rules));
        assert_eq!(judge(json!({"rules": {}})), "rules.font_name is missing");
        assert!(judge(json!({"rules": {"font": "Arial"}})).contains("unknown names in rules"));
        judge(json!({"rules": {"font_name": 1}}));
    }
}

#[test]
fn fonts_of_styles_defaults_and_the_theme_count_except_in_the_released_code() {
    let defaults = |fonts: &str| {
        format!("<w:docDefaults><w:rPrDefault><w:rPr>{fonts}</w:rPr></w:rPrDefault></w:docDefaults>")
    };
    let theme = "<w:rFonts w:asciiTheme='minorHAnsi' w:ascii='Mono'/>";
    for made in [
        Docx::new(formatted(IN_STYLE, "", "a")).styles(&styled("", ARIAL)),
        Docx::new(p("a")).styles(&defaults(ARIAL)),
        Docx::new(p("a")).styles(&defaults(theme)).theme_font("Arial"),
    ] {
        assert_eq!(fonts(&made, STANDARD), Ok(()));
        fail(fonts(&made, CODE));
    }
    let blank = Docx::new(formatted("", ARIAL, "a") + &p(" "));
    assert_eq!(fonts(&blank, STANDARD), Ok(()));
    fail(fonts(&blank, CODE));
    fail(fonts(&Docx::new(""), STANDARD));
    assert_eq!(fonts(&Docx::new(""), CODE), Ok(()));
}
