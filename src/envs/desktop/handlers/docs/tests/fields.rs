use super::{CODE, RULES, STANDARD, check};
use crate::handlers::scripted::fail;
use crate::office::tests::write::{Docx, p};

const FOOTERS: &str = "has_page_numbers_in_footers";

fn section(footer: &str) -> String {
    format!("<w:p><w:pPr><w:sectPr>{footer}</w:sectPr></w:pPr></w:p>")
}

fn reference(index: usize) -> String {
    format!("<w:footerReference w:type='default' r:id='footer{index}'/>")
}

fn with_footer(paragraphs: &str) -> Vec<u8> {
    Docx::new(p("text") + &section(&reference(0))).footer(paragraphs).bytes()
}

/// A field of runs: each code in a run of its own.
fn field(codes: &[&str], shown: &str) -> String {
    let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let codes = codes.join("</w:instrText></w:r><w:r><w:instrText>");
    let codes = format!("<w:r><w:instrText>{codes}</w:instrText></w:r>");
    format!("{}{codes}{}<w:r><w:t>{shown}</w:t></w:r>{}", char("begin"), char("separate"), char("end"))
}

fn paragraph(inside: &str) -> String {
    format!("<w:p>{inside}</w:p>")
}

#[test]
fn a_field_numbers_pages() {
    let simple = paragraph("<w:fldSimple w:instr=' PAGE '><w:r><w:t>1</w:t></w:r></w:fldSimple>");
    assert_eq!(check(FOOTERS, &with_footer(&simple), STANDARD), Ok(()));
    for codes in [&["PAGE"][..], &[" page \\* MERGEFORMAT "], &["PA", "GE"]] {
        let footer = with_footer(&paragraph(&field(codes, "1")));
        for rules in RULES {
            assert_eq!(check(FOOTERS, &footer, rules), Ok(()), "{codes:?}");
        }
    }
    let of_all = paragraph(&(field(&["PAGE"], "1") + &field(&["NUMPAGES"], "9")));
    assert_eq!(check(FOOTERS, &with_footer(&of_all), STANDARD), Ok(()));
}

#[test]
fn other_footers_do_not_number_pages() {
    for rules in RULES {
        for footer in ["", &p("text"), &paragraph(&field(&["DATE"], "today"))] {
            let sentence = fail(check(FOOTERS, &with_footer(footer), rules));
            assert_eq!(sentence, "the footer of section 1 does not show the number of the page");
        }
        fail(check(FOOTERS, &Docx::new(p("1") + "<w:sectPr/>").bytes(), rules));
    }
}

#[test]
fn digits_pass_and_later_paragraphs_do_not_count_in_the_released_code_only() {
    for digits in
        [p("2024"), paragraph(&field(&["NUMPAGES"], "9")), paragraph(&field(&["PAGEREF page"], "9"))]
    {
        fail(check(FOOTERS, &with_footer(&digits), STANDARD));
        assert_eq!(check(FOOTERS, &with_footer(&digits), CODE), Ok(()));
    }
    let second = with_footer(&(p("text") + &paragraph(&field(&["PAGE"], "1"))));
    assert_eq!(check(FOOTERS, &second, STANDARD), Ok(()));
    fail(check(FOOTERS, &second, CODE));
    let none = Docx::new(p("text")).bytes();
    fail(check(FOOTERS, &none, STANDARD));
    assert_eq!(check(FOOTERS, &none, CODE), Ok(()));
}

#[test]
fn every_section_has_its_footer_or_that_before() {
    let numbered = paragraph(&field(&["PAGE"], "1"));
    let two = |second: &str| {
        let body = section(&reference(0)) + &format!("<w:sectPr>{second}</w:sectPr>");
        Docx::new(body).footer(&numbered).footer(&p("text")).bytes()
    };
    for rules in RULES {
        assert_eq!(check(FOOTERS, &two(""), rules), Ok(()));
        assert!(fail(check(FOOTERS, &two(&reference(1)), rules)).contains("section 2"));
        // What a section was before a tracked change is not a section.
        let former = format!("<w:sectPrChange><w:sectPr>{}</w:sectPr></w:sectPrChange>", reference(1));
        assert_eq!(check(FOOTERS, &two(&former), rules), Ok(()));
    }
}
