use serde_json::{Value, json};

use super::{CODE, RULES, STANDARD, compare, judge_as};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};
use crate::office::tests::write::{Docx, odt, p, run, table};

const FILES: &str = "compare_docx_files";
const LINES: &str = "compare_docx_lines";
const REFERENCES: &str = "compare_references";

fn docx(texts: &[&str]) -> Vec<u8> {
    Docx::new(texts.iter().map(|text| p(text)).collect::<String>()).bytes()
}

fn files(reference: &[&str], made: &[&str], options: &Value, rules: Rules) -> Result<(), Finding> {
    judge_as("docx", FILES, &[&docx(reference), &docx(made)], &json!({ "options": options }), rules)
}

#[test]
fn equal_texts_pass_and_others_say_where_they_differ() {
    for rules in RULES {
        assert_eq!(files(&["One", "two"], &["One", "two"], &json!({}), rules), Ok(()));
        assert_eq!(files(&["a  b", "", "c"], &["a b", "c "], &json!({}), rules), Ok(()));
        let sentence = fail(files(&["One", "two"], &["One", "three"], &json!({}), rules));
        assert_eq!(sentence, "paragraph 2 is \"three\", expected is \"two\"");
        let sentence = fail(files(&["One", "two"], &["One"], &json!({}), rules));
        assert_eq!(sentence, "paragraph 2 is missing, expected is \"two\"");
        fail(files(&["One"], &["One", "two"], &json!({}), rules));
    }
}

#[test]
fn options_say_what_does_not_count() {
    for rules in RULES {
        fail(files(&["a  b"], &["a b"], &json!({"ignore_blanks": false}), rules));
        fail(files(&["A"], &["a"], &json!({}), rules));
        assert_eq!(files(&["A"], &["a"], &json!({"ignore_case": true}), rules), Ok(()));
        fail(files(&["a", "b"], &["b", "a"], &json!({}), rules));
        assert_eq!(files(&["a", "b"], &["b", "a"], &json!({"ignore_order": true}), rules), Ok(()));
        assert_eq!(files(&["a"], &["a"], &json!({"ignore_space": true}), rules), Ok(()));
        let reason = error(files(&["a"], &["a"], &json!({"ignore_spce": true}), rules));
        assert!(reason.contains("unknown names in options: \"ignore_spce\""), "{reason}");
        let reason = error(files(&["a"], &["a"], &json!({"ignore_case": 1}), rules));
        assert_eq!(reason, "options.ignore_case must be true or false");
        error(files(&["a"], &["a"], &json!({"similarity_threshold": "high"}), rules));
    }
}

#[test]
fn order_is_ignored_after_case_and_blanks_except_in_the_released_code() {
    let options = json!({"ignore_order": true, "ignore_case": true});
    assert_eq!(files(&["a", "B"], &["b", "A"], &options, STANDARD), Ok(()));
    assert_eq!(files(&[" b", "a"], &["a", "b"], &options, STANDARD), Ok(()));
    fail(files(&["a", "B"], &["A", "b"], &options, CODE));
}

#[test]
fn similarity_is_milder_except_in_the_released_code() {
    for options in
        [json!({"content_only": true, "similarity_threshold": 0.8}), json!({"similarity_threshold": 0.8})]
    {
        assert_eq!(files(&["a long sentence"], &["a long sentense"], &options, STANDARD), Ok(()));
        fail(files(&["a long sentence"], &["a long sentense"], &options, CODE));
        let sentence = fail(files(&["a long sentence"], &["zzz"], &options, STANDARD));
        assert!(
            sentence.contains("the similarity of the texts is 0.000, expected is at least 0.8"),
            "{sentence}"
        );
    }
    let strict = json!({"content_only": true, "similarity_threshold": 0.99});
    for rules in RULES {
        assert!(fail(files(&["abcd"], &["abce"], &strict, rules)).contains("is 0.750"));
    }
    // The ratio of Indel: 2 x 3 equal characters of 8.
    fail(files(&["abcd"], &["abce"], &json!({"similarity_threshold": 0.76}), STANDARD));
    assert_eq!(files(&["abcd"], &["abce"], &json!({"similarity_threshold": 0.75}), STANDARD), Ok(()));
}

#[test]
fn texts_too_long_for_a_similarity_fail_without_it() {
    let long = "a".repeat(200_001);
    let options = json!({"similarity_threshold": 0.1});
    assert!(fail(files(&["b"], &[&long], &options, STANDARD)).contains("too long"));
    assert_eq!(files(&[&long], &[&long], &options, STANDARD), Ok(()));
}

#[test]
fn text_in_tables_links_and_insertions_counts_except_in_the_released_code() {
    let cells = |text: &str| Docx::new(p("a") + &table(1, &[&[p(text)]])).bytes();
    fail(compare(FILES, &cells("b"), &cells("c"), STANDARD));
    assert_eq!(compare(FILES, &cells("b"), &cells("c"), CODE), Ok(()));
    let inserted = Docx::new(format!("<w:p><w:ins>{}</w:ins></w:p>", run("", "a"))).bytes();
    let controlled = Docx::new(format!("<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>", p("a"))).bytes();
    for made in [inserted, controlled] {
        assert_eq!(compare(FILES, &docx(&["a"]), &made, STANDARD), Ok(()));
        fail(compare(FILES, &docx(&["a"]), &made, CODE));
    }
    let deleted = Docx::new(format!("<w:p>{}<w:del>{}</w:del></w:p>", run("", "a"), run("", "b"))).bytes();
    let linked = Docx::new(format!("<w:p><w:hyperlink>{}</w:hyperlink></w:p>", run("", "a"))).bytes();
    for rules in RULES {
        assert_eq!(compare(FILES, &docx(&["a"]), &deleted, rules), Ok(()));
        assert_eq!(compare(FILES, &docx(&["a"]), &linked, rules), Ok(()));
    }
}

#[test]
fn open_documents_are_compared_and_headings_count_except_in_the_released_code() {
    let odt = |heading: &str, text: &str| {
        odt("", &format!("<text:h>{heading}</text:h><text:p>{text}<text:span>!</text:span></text:p>"))
    };
    let judge = |reference: &[u8], made: &[u8], rules| {
        judge_as("odt", FILES, &[reference, made], &Value::Null, rules)
    };
    for rules in RULES {
        assert_eq!(judge(&odt("H", "a"), &odt("H", "a"), rules), Ok(()));
        fail(judge(&odt("H", "a"), &odt("H", "b"), rules));
    }
    fail(judge(&odt("H", "a"), &odt("I", "a"), STANDARD));
    assert_eq!(judge(&odt("H", "a"), &odt("I", "a"), CODE), Ok(()));
}

#[test]
fn kinds_go_by_content_and_in_the_released_code_by_suffix() {
    let word = docx(&["a"]);
    let open = odt("", "<text:p>a</text:p>");
    let sentence = fail(compare(FILES, &word, &open, STANDARD));
    assert_eq!(sentence, "the file is an OpenDocument text, expected is a Word document");
    for suffix in ["DOCX", "doc"] {
        assert_eq!(judge_as(suffix, FILES, &[&word, &word], &Value::Null, STANDARD), Ok(()));
        fail(judge_as(suffix, FILES, &[&word, &word], &Value::Null, CODE));
        fail(judge_as(suffix, REFERENCES, &[&word, &word], &Value::Null, CODE));
    }
}

#[test]
fn lines_are_compared_as_sets() {
    for rules in RULES {
        assert_eq!(compare(LINES, &docx(&["a", "b", ""]), &docx(&[" b", "a", "a"]), rules), Ok(()));
        let sentence = fail(compare(LINES, &docx(&["a", "b"]), &docx(&["a"]), rules));
        assert_eq!(sentence, "the line \"b\" is missing");
        let sentence = fail(compare(LINES, &docx(&["a"]), &docx(&["a", "c"]), rules));
        assert_eq!(sentence, "the line \"c\" is not expected");
    }
    let in_table = Docx::new(p("a") + &table(1, &[&[p("b")]])).bytes();
    fail(compare(LINES, &docx(&["a"]), &in_table, STANDARD));
    assert_eq!(compare(LINES, &docx(&["a"]), &in_table, CODE), Ok(()));
}

#[test]
fn references_are_compared_by_their_mean_similarity() {
    let reference = docx(&["text", "References", "abcd", "", "efgh"]);
    for rules in RULES {
        let near = docx(&["other", "References", "abcd", "efxx"]);
        assert_eq!(compare(REFERENCES, &reference, &near, rules), Ok(()));
        let options = json!({"options": {"reference_base_result": 0.76}});
        let sentence = fail(judge_as("docx", REFERENCES, &[&reference, &near], &options, rules));
        assert_eq!(sentence, "the mean similarity of the references is 0.750, expected is at least 0.76");
        let sentence = fail(compare(REFERENCES, &reference, &docx(&["References", "abcd"]), rules));
        assert_eq!(sentence, "there are 1 references, expected are 2");
        let sentence = fail(compare(REFERENCES, &reference, &docx(&["abcd", "efgh"]), rules));
        assert!(sentence.contains("has no paragraph \"References\""), "{sentence}");
        let other = json!({"options": {"reference_indicator": "Sources"}});
        let sources = docx(&["Sources", "a"]);
        assert_eq!(judge_as("docx", REFERENCES, &[&sources, &sources], &other, rules), Ok(()));
    }
}

#[test]
fn the_heading_of_references_is_found_as_a_reader_finds_it_except_in_the_released_code() {
    let reference = docx(&["References", "abcd"]);
    let small = docx(&["references ", "abcd"]);
    assert_eq!(compare(REFERENCES, &reference, &small, STANDARD), Ok(()));
    fail(compare(REFERENCES, &reference, &small, CODE));
    let twice = docx(&["References", "text", "References", "abcd"]);
    assert_eq!(compare(REFERENCES, &reference, &twice, STANDARD), Ok(()));
    fail(compare(REFERENCES, &reference, &twice, CODE));
    let none = docx(&["abcd"]);
    error(compare(REFERENCES, &none, &reference, STANDARD));
    fail(compare(REFERENCES, &none, &reference, CODE));
}

/// Prints how long it takes, of which the goal is 50 ms: `cargo test docs -- --ignored --nocapture`.
#[test]
#[ignore = "it measures time"]
#[expect(clippy::print_stderr, clippy::disallowed_methods, reason = "a measurement")]
fn a_thousand_paragraphs_are_compared() {
    let texts: Vec<String> =
        (0..1000).map(|index| format!("Paragraph {index} has some words, and a few more of them.")).collect();
    let document = docx(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let start = std::time::Instant::now();
    for _ in 0..10 {
        assert_eq!(compare(FILES, &document, &document, STANDARD), Ok(()));
    }
    let milliseconds = start.elapsed().as_secs_f64() * 100.0;
    eprintln!("1,000 paragraphs: {milliseconds:.1} ms");
}
