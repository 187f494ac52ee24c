//! Questions about pages, and pages that are seen wrongly.

use std::collections::BTreeSet;

use mageyard_domain::{Observation, Probe, ProbeForm, Probes};

use super::stored::{element, elements, observation};
use crate::perception::PageProbes;

fn probes(seen: &Observation, kind: &str, draw: u64) -> Vec<Probe> {
    PageProbes.probes(seen, kind, draw)
}

fn all(seen: &Observation, draw: u64) -> Vec<Probe> {
    PageProbes.kinds().iter().flat_map(|kind| probes(seen, kind.name, draw)).collect()
}

fn seen() -> Observation {
    observation(&elements()[..3], Some(&elements()))
}

/// The answers of many seeds, by what is asked.
fn answers(seen: &Observation, kind: &str) -> BTreeSet<(String, String)> {
    (0..60).flat_map(|seed| probes(seen, kind, seed)).map(|probe| (probe.about, probe.right)).collect()
}

fn pairs(rows: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    rows.iter().map(|(about, right)| ((*about).to_owned(), (*right).to_owned())).collect()
}

#[test]
fn every_answer_is_possible_and_computed_again_from_the_question() {
    let seen = seen();
    for draw in 0..40 {
        for probe in all(&seen, draw) {
            let known = PageProbes.kinds().iter().any(|kind| kind.name == probe.kind);
            assert!(known && probe.question.contains("the present page"), "{probe:?}");
            match &probe.form {
                ProbeForm::Choice(words) => {
                    let different: BTreeSet<_> = words.iter().collect();
                    assert!(words.contains(&probe.right) && words.len() >= 2, "{probe:?}");
                    assert_eq!(different.len(), words.len(), "{probe:?}");
                }
                ProbeForm::Number { least, most } => {
                    assert!((*least..=*most).contains(&probe.right.parse().unwrap()), "{probe:?}");
                }
                ProbeForm::Places { .. } => panic!("{probe:?}"),
            }
            assert_eq!(PageProbes.answer(&seen, &probe).as_ref(), Some(&probe.right), "{probe:?}");
        }
        assert_eq!(all(&seen, draw), all(&seen, draw), "a seed draws the same");
    }
    let kinds: BTreeSet<String> = all(&seen, 0).into_iter().map(|probe| probe.kind).collect();
    assert_eq!(kinds.len(), PageProbes.kinds().len(), "{kinds:?}");
    assert!((1..9).any(|seed| all(&seen, seed) != all(&seen, 0)), "another seed draws otherwise");
}

#[test]
fn questions_have_the_answers_of_the_page() {
    let seen = seen();
    let expected = [("button", "2"), ("image", "1"), ("link", "1")];
    assert_eq!(answers(&seen, "count"), pairs(&expected));
    let says = [("button 90 140", "Send"), ("button 210 140", "Cancel"), ("heading 320 30", "Tea shop")];
    assert_eq!(answers(&seen, "says"), pairs(&says));
    let backgrounds = [("\"Send\"", "#143c78"), ("\"Cancel\"", "#c80000")];
    assert_eq!(answers(&seen, "background"), pairs(&backgrounds));
    let left = answers(&seen, "left");
    assert!(
        left.iter().any(|(about, right)| about.contains("\"Send\"")
            && about.contains("\"Cancel\"")
            && right == "Send")
    );
    assert!(
        !left.iter().any(|(about, _)| about.contains("\"Tea shop\"")),
        "where a wide text begins is not known: {left:?}"
    );
    let higher = answers(&seen, "higher");
    assert!(
        higher.iter().all(|(about, right)| !about.contains("\"Tea shop\"") || right == "Tea shop"),
        "{higher:?}"
    );
    let inside = answers(&seen, "inside");
    for row in [("\"Send\" 20 100 300 120", "yes"), ("\"More\" 20 100 300 120", "no")] {
        assert!(inside.is_superset(&pairs(&[row])), "{row:?} in {inside:?}");
    }
}

#[test]
fn texts_that_are_there_twice_or_are_hostile_are_not_named() {
    let mut page = elements();
    page.push(element("p", [500.0, 200.0, 40.0, 20.0], 0, "SEND", &[]));
    page.push(element("button", [500.0, 240.0, 90.0, 20.0], 0, "a\" or \"b", &[]));
    page.push(element("button", [500.0, 270.0, 90.0, 20.0], 0, "one, two", &[]));
    page.push(element("h2", [600.0, 280.0, 90.0, 20.0], 0, "Half outside", &[]));
    let seen = observation(&page, Some(&page));
    for probe in (0..20).flat_map(|seed| all(&seen, seed)) {
        let is_named = |text: &str| probe.about.contains(&format!("\"{text}\""));
        assert!(!is_named("Send") && !is_named("SEND") && !is_named("Half outside"), "{probe:?}");
        assert!(!probe.question.contains("one, two") && !probe.question.contains("a\" or"), "{probe:?}");
        if let ProbeForm::Choice(words) = &probe.form {
            assert!(words.iter().all(|word| !word.contains(',')), "{probe:?}");
        }
    }
}

#[test]
fn questions_are_about_the_wanted_page_while_there_is_no_other_and_about_none_without_a_layout() {
    let opening = observation(&elements(), None);
    let probe = probes(&opening, "count", 0).remove(0);
    assert_eq!(
        probe.question,
        "How many buttons can at least partly be seen on the wanted page as it is loaded?"
    );
    let bare = Observation::from_parts(Vec::new(), "", serde_json::Value::Null);
    assert_eq!((all(&bare, 0), PageProbes.in_words(&bare)), (vec![], None));
    assert!(PageProbes.misread(&bare, "mirror").is_none());
}

#[test]
fn what_a_control_says_is_listed_once() {
    let area = [10.0, 10.0, 80.0, 30.0];
    let page = [
        element("button", area, 2, "Send", &[]),
        element("span", area, 1, "Send", &[]),
        element("b", area, 0, "Send", &[]),
        element("a", [10.0, 60.0, 80.0, 30.0], 1, "", &[]),
        element("img", [10.0, 60.0, 80.0, 30.0], 0, "", &[]),
        element("p", [10.0, 100.0, 80.0, 30.0], 0, "Send", &[]),
    ];
    let words = PageProbes.in_words(&observation(&page, None)).unwrap();
    let lines: Vec<&str> = words.lines().skip(1).map(|line| line.split(" at ").next().unwrap()).collect();
    assert_eq!(lines, ["1 button \"Send\"", "2 a", "3 img", "4 p \"Send\""]);
}

#[test]
fn a_misread_page_has_answers_of_its_own() {
    let seen = seen();
    let misread = |name: &str| PageProbes.misread(&seen, name).unwrap();
    let named = |kind: &str, about: &[&str]| {
        let found = (0..60).flat_map(|seed| probes(&seen, kind, seed));
        found.into_iter().find(|probe| about.iter().all(|text| probe.about.contains(text))).unwrap()
    };
    let answer = |wrong: &str, probe: &Probe| PageProbes.answer(&misread(wrong), probe);
    let left = named("left", &["\"Send\"", "\"Cancel\""]);
    assert_eq!((&*left.right, answer("mirror", &left).as_deref()), ("Send", Some("Cancel")));
    assert_eq!(answer("texts", &left).as_deref(), Some("Cancel"));
    assert_eq!(answer("element", &left), None, "what is not seen is not left of anything");
    let count = named("count", &["button"]);
    assert_eq!(
        (answer("element", &count).as_deref(), answer("mirror", &count).as_deref()),
        (Some("1"), Some("2"))
    );
    let says = named("says", &["button 90 140"]);
    assert_eq!((answer("texts", &says).as_deref(), answer("mirror", &says)), (Some("Cancel"), None));
    let background = named("background", &["\"Send\""]);
    let swapped = answer("texts", &background);
    assert!(swapped.is_none_or(|colour| colour == "#c80000"));
    let inside = named("inside", &["\"Send\" 20 100 300 120"]);
    assert_eq!((&*inside.right, answer("mirror", &inside).as_deref()), ("yes", Some("no")));
    for kind in PageProbes.misreadings() {
        let wrong = misread(kind.name);
        assert_ne!(wrong.digest(), seen.digest(), "{}", kind.name);
        let words = PageProbes.in_words(&wrong).unwrap();
        assert_eq!(**wrong.text(), *words);
        assert_ne!(Some(words), PageProbes.in_words(&seen), "{}", kind.name);
        assert!(!all(&wrong, 0).is_empty());
    }
}

#[test]
fn a_page_that_cannot_be_seen_wrongly_has_no_misreading() {
    let centred = observation(&[element("p", [10.0, 0.0, 620.0, 20.0], 0, "One", &[])], None);
    assert!(PageProbes.misread(&centred, "mirror").is_none());
    assert!(PageProbes.misread(&centred, "texts").is_none());
    assert!(PageProbes.misread(&centred, "element").is_some());
    assert!(PageProbes.misread(&centred, "colours").is_none());
}

#[test]
fn what_something_may_cover_is_not_asked_about() {
    let white = [("background-color", "rgb(255, 255, 255)")];
    let sides = |text: &str| {
        [
            element("div", [10.0, 10.0, 200.0, 200.0], 1, text, &white),
            element("h2", [20.0, 20.0, 90.0, 20.0], 0, text, &[]),
        ]
    };
    let shop = element("h1", [300.0, 10.0, 200.0, 40.0], 0, "Shop", &[]);
    let below = element("button", [300.0, 100.0, 80.0, 30.0], 0, "Buy", &[]);
    let open = element("button", [500.0, 100.0, 80.0, 30.0], 0, "Open", &[]);
    let overlay =
        element("div", [280.0, 90.0, 200.0, 60.0], 0, "", &[("background-color", "rgba(0, 0, 0, 0.9)")]);
    let page = [sides("Front").to_vec(), sides("Back").to_vec(), vec![shop, below, open, overlay]].concat();
    let seen = observation(&page, Some(&page));
    let asked: Vec<Probe> = (0..30).flat_map(|draw| all(&seen, draw)).collect();
    for text in ["Front", "Back", "Buy"] {
        assert!(!asked.iter().any(|probe| probe.about.contains(text)), "{text}");
        assert!(!asked.iter().any(|probe| probe.kind == "says" && probe.right == text), "{text}");
    }
    assert!(asked.iter().any(|probe| probe.about.contains("\"Open\"")));
    let counted: BTreeSet<&str> =
        asked.iter().filter(|probe| probe.kind == "count").map(|probe| &*probe.about).collect();
    assert_eq!(counted, BTreeSet::from(["image", "link"]), "how many buttons can be seen is not known");
}
