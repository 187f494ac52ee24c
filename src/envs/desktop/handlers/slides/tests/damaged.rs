//! Files that are missing, damaged or hostile, for each option.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::examine::{Examine, NAMES};
use super::super::verdict;
use super::change::{Change, changed};
use super::{BOTH, CODE, GOOD, STANDARD, compare, judge};
use crate::handlers::Params;
use crate::handlers::scripted::{error, fail};
use crate::office::pptx::{Limits, Presentation};
use crate::office::tests::mutated::mutants;
use crate::office::tests::write::{Docx, archive, p};

const SLIDE: &str = "ppt/slides/slide2.xml";

/// Options of which one is on.
fn only(name: &str) -> Value {
    NAMES.iter().map(|other| ((*other).to_owned(), json!(*other == name))).collect()
}

fn reading(changes: &[Change<'_>]) -> String {
    Presentation::read(&changed(GOOD, changes)).map(|_| ()).unwrap_err().to_string()
}

/// Presentations that cannot be read, and a part of the reason.
fn broken() -> Vec<(Vec<u8>, &'static str)> {
    let laughs = "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>";
    let deep = format!("{}{}", "<a>".repeat(300), "</a>".repeat(300));
    vec![
        (Vec::new(), "damaged or not an office document"),
        (b"no archive".to_vec(), "damaged or not an office document"),
        (GOOD[..GOOD.len() / 2].to_vec(), "damaged or not an office document"),
        (Docx::new(p("text")).bytes(), "not a presentation"),
        (changed(GOOD, &[(SLIDE, "<p:cSld>", "<p:cSld")]), "damaged part \"ppt/slides/slide2.xml\""),
        (changed(GOOD, &[(SLIDE, "", laughs)]), "document type"),
        (changed(GOOD, &[(SLIDE, "", &deep)]), "levels of elements"),
        (changed(GOOD, &[(SLIDE, "", "")]), "lacks the part \"ppt/slides/slide2.xml\""),
    ]
}

fn part_of(bytes: &[u8], name: &str) -> Vec<u8> {
    crate::office::Package::open(bytes).unwrap().bytes(name).unwrap().unwrap()
}

#[test]
fn a_result_that_cannot_be_read_fails_and_a_reference_is_an_error() {
    let broken = broken();
    for (bytes, reason) in &broken {
        let sentence = fail(compare(GOOD, bytes, &json!({}), STANDARD));
        assert!(sentence.starts_with("/w/result.pptx ") && sentence.contains(reason), "{sentence}");
        let sentence = error(compare(bytes, GOOD, &json!({}), STANDARD));
        assert!(sentence.starts_with("/w/expected.pptx ") && sentence.contains(reason), "{sentence}");
        // The released code takes a reference that it cannot open for a fault of the agent.
        fail(compare(GOOD, bytes, &json!({}), CODE));
        fail(compare(bytes, GOOD, &json!({}), CODE));
    }
    let (small, _) = &broken[2];
    for name in NAMES {
        for rules in BOTH {
            let options = only(name);
            fail(compare(GOOD, small, &options, rules));
            let sentence = fail(judge(&[("expected.pptx", GOOD)], &options, rules));
            assert!(sentence.contains("does not exist"), "{name}: {sentence}");
        }
        error(judge(&[("result.pptx", GOOD)], &only(name), STANDARD));
        fail(judge(&[("result.pptx", GOOD)], &only(name), CODE));
    }
}

#[test]
fn parts_that_make_no_sense_say_where() {
    let slide = |from: &str, to: &str| reading(&[(SLIDE, from, to)]);
    let damaged = "has a damaged part \"ppt/slides/slide2.xml\": ";
    assert_eq!(slide("sz=\"2400\"", "sz=\"x\""), format!("{damaged}sz=\"x\" is not a whole number"));
    assert_eq!(slide("b=\"1\"", "b=\"yes\""), format!("{damaged}b=\"yes\" is neither true nor false"));
    for level in ["9", "-1", "9223372036854775807"] {
        let reason = slide("lvl=\"1\"", &format!("lvl=\"{level}\""));
        assert_eq!(reason, format!("{damaged}lvl=\"{level}\" is not from 0 to 8"));
    }
    let reason = slide("x=\"4572000\"", "x=\"far\"");
    assert_eq!(reason, format!("{damaged}the length x=\"far\" cannot be read"));
    let reason = slide("typeface=\"Arial\"", &format!("typeface=\"{}\"", "A".repeat(501)));
    assert_eq!(reason, format!("{damaged}typeface has more than 500 bytes"));
    let styles = "<a:lvl1pPr/>".repeat(51);
    let reason = slide("<a:lstStyle/>", &format!("<a:lstStyle>{styles}</a:lstStyle>"));
    assert_eq!(reason, format!("{damaged}a list style has more than 50 elements"));
    let reason = slide("val=\"FF0000\"", &format!("val=\"{}\"", "F".repeat(501)));
    assert_eq!(reason, format!("{damaged}val has more than 500 bytes"));
    let reason = slide("<a:t>Findings</a:t>", "<a:p><a:r><a:t>in</a:t></a:r></a:p>");
    assert_eq!(reason, format!("{damaged}a paragraph is in a paragraph"));
    assert_eq!(
        slide("<p:spTree>", "<p:other/></p:cSld><p:cSld><p:spTree>"),
        format!("{damaged}it is not a slide")
    );
    let reason = reading(&[("ppt/presentation.xml", "r:id=\"rId9\"", "r:id=\"rId99\"")]);
    assert_eq!(reason, "has a damaged part \"ppt/presentation.xml\": a slide has no part");
    for part in ["ppt/media/image1.png", "ppt/slideLayouts/slideLayout2.xml", "ppt/theme/theme1.xml"] {
        assert_eq!(reading(&[(part, "", "")]), format!("lacks the part {part:?}"));
    }
}

#[test]
fn slides_and_elements_have_limits() {
    let read =
        |limits: Limits| Presentation::read_within(GOOD, limits).map(|_| ()).map_err(|why| why.to_string());
    let count = 373;
    let limits = Limits { slides: 4, elements: count };
    assert_eq!(read(limits), Ok(()));
    let few = read(Limits { slides: 3, ..limits }).unwrap_err();
    assert!(few.ends_with("it has more than 3 slides"), "{few}");
    let small = read(Limits { elements: count - 1, ..limits }).unwrap_err();
    assert!(small.ends_with(&format!("the slides have more than {} elements", count - 1)), "{small}");
    // One part that is shown often counts each time.
    let list = "<p:sldId id=\"256\" r:id=\"rId7\"/>";
    let often = changed(GOOD, &[("ppt/presentation.xml", list, &list.repeat(20))]);
    let limits = Limits { slides: 100, elements: count + 1 };
    assert!(Presentation::read_within(&often, limits).is_err());
    assert_eq!(Presentation::read(&often).unwrap().slides.len(), 23);
}

#[test]
fn what_is_too_large_is_refused() {
    let wide = format!("<a>{}</a>", "<b/>".repeat(500_001));
    assert!(reading(&[(SLIDE, "", &wide)]).contains("it has more than 500000 elements"));
    let large = format!("<a>{}</a>", " ".repeat(8 << 20));
    let rels = part_of(GOOD, "_rels/.rels");
    let bomb = archive(&[("_rels/.rels", &rels), ("ppt/presentation.xml", large.as_bytes())]);
    let reason = Presentation::read(&bomb).map(|_| ()).unwrap_err().to_string();
    assert!(reason.contains("compressed to less than 1/200 of its size"), "{reason}");
}

/// The longest time for a comparison that must not grow with the square of a file.
const LIMIT: Duration = Duration::from_mins(1);

#[test]
fn many_shapes_paragraphs_and_runs_are_compared_in_time() {
    let mut paragraphs = String::new();
    for index in 0..6_000 {
        write!(paragraphs, "<a:p><a:r><a:t>{index}</a:t></a:r><a:r><a:t>b</a:t></a:r></a:p>").unwrap();
    }
    let shape = "<p:sp><p:nvSpPr><p:cNvPr id='1' name='a'/><p:cNvSpPr/><p:nvPr><p:ph idx='1'/></p:nvPr></p:nvSpPr>\
                 <p:spPr/></p:sp>";
    let many = changed(
        GOOD,
        &[
            (SLIDE, "<a:p><a:r><a:t>Costs fell", &format!("{paragraphs}<a:p><a:r><a:t>Costs fell")),
            ("ppt/slides/slide1.xml", "</p:spTree>", &format!("{}</p:spTree>", shape.repeat(3_000))),
        ],
    );
    let start = Instant::now();
    for rules in BOTH {
        assert_eq!(compare(&many, &many, &json!({}), rules), Ok(()));
    }
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn changed_presentations_are_judged_without_a_panic() {
    let good = Presentation::read(GOOD).unwrap();
    let all: Value = NAMES.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
    let mut judged = 0;
    for mutant in mutants(GOOD, 150) {
        let Ok(changed) = Presentation::read(&mutant) else { continue };
        judged += 1;
        for options in [&json!({}), &all] {
            let params = json!({"options": options});
            let examine = Examine::read(&Params(params.as_object().unwrap())).unwrap();
            for rules in BOTH {
                let _ = verdict(&good, &changed, &examine, rules);
                let _ = verdict(&changed, &good, &examine, rules);
            }
        }
    }
    assert!(judged > 15, "{judged} were judged");
}
