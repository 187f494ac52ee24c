//! What analyses say of pages.

use mageyard_domain::{ActionShape, Observation, PixelBox, Probes};

use super::stored::{elements, observation};
use crate::perception::PageProbes;

/// A wanted page, and a present one whose button `Send` is called `Submit`.
fn seen() -> Observation {
    let mut present = elements();
    for one in &mut present {
        one["text"] = one["text"].as_str().unwrap().replace("Send", "Submit").into();
    }
    observation(&elements(), Some(&present))
}

fn read(seen: &Observation, text: &str) -> Vec<(String, bool)> {
    PageProbes.claims(seen, text).into_iter().map(|claim| (claim.says, claim.holds)).collect()
}

#[test]
fn claims_are_read_where_they_are_sure() {
    let seen = seen();
    for (text, expected) in [
        ("The wanted page has a button \"Send\".", vec![("button \"Send\"", true)]),
        ("The present page has a button labelled “submit”.", vec![("button \"submit\"", true)]),
        ("The present page has the \"Send\" button.", vec![("button \"Send\"", false)]),
        ("The target has a heading that says \"Coffee shop\"", vec![("heading \"Coffee shop\"", false)]),
        ("Both have the heading \"Tea shop\".", vec![("heading \"Tea shop\"", true)]),
        ("There is a link \"Imprint\" in the footer.", vec![("link \"Imprint\"", false)]),
        (
            "The target has the link \"More\", button \"Cancel\" and \"Tea shop\" heading",
            vec![("link \"More\"", true), ("button \"Cancel\"", true), ("heading \"Tea shop\"", true)],
        ),
        // The pages differ, and none is named.
        ("There is a button \"Send\".", vec![]),
        // The text is that of another element, or below the picture.
        ("The target has a button \"More\".", vec![]),
        ("The target has a link \"Below\".", vec![]),
        ("The target has a heading \"Build this page\".", vec![]),
        ("The present page does not have a button \"Send\".", vec![]),
        ("The present page is missing the \"Send\" button.", vec![]),
        ("The present page should have a button \"Send\".", vec![]),
        ("Does the target have a button \"Buy\"?", vec![]),
        ("After a click, the target has a button \"Sent\".", vec![]),
        ("The target has a button \"+\".", vec![]),
        ("The target has buttons.", vec![]),
    ] {
        let expected: Vec<(String, bool)> =
            expected.into_iter().map(|(says, holds)| (says.to_owned(), holds)).collect();
        assert_eq!(read(&seen, text), expected, "{text}");
    }
}

#[test]
fn a_claim_is_at_its_words_and_in_the_first_picture() {
    let text = "Look: the wanted page has a button \"Send\".";
    let claim = PageProbes.claims(&seen(), text).remove(0);
    assert_eq!(&text[claim.at.clone()], "button \"Send\"");
    let area = PixelBox { left: 40, top: 120, width: 100, height: 40 };
    assert_eq!(claim.claimed, [ActionShape::Area(area)]);
    let other = PageProbes.claims(&seen(), "The present page has a button \"Submit\".").remove(0);
    assert_eq!((other.holds, other.claimed.len()), (true, 0), "the first picture is of the wanted page");
}

#[test]
fn while_there_is_one_page_claims_are_about_it() {
    let opening = observation(&elements(), None);
    assert_eq!(read(&opening, "It has a button \"Send\"."), [("button \"Send\"".to_owned(), true)]);
    assert_eq!(read(&opening, "It has a button \"Buy\"."), [("button \"Buy\"".to_owned(), false)]);
    assert_eq!(read(&opening, "My page has a button \"Buy\"."), []);
}
