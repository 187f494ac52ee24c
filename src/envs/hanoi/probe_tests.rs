//! Questions, claims and misreadings of tables.

use mageyard_domain::{ActionShape, Level, Observation, Options, PixelBox, ProbeForm, Probes, World};
use proptest::prelude::*;

use super::level_text::read_one;
use super::probes::TableProbes;
use super::view_tests::tables;
use super::world::HanoiWorld;

const TABLE: &str = "A: 3 1\nB: 2\nC:";

fn seen(text: &str) -> Observation {
    HanoiWorld::new(&Level::from_text(1, None, text), &Options::new()).unwrap().observe()
}

/// Kind, subject and right answer of every question.
fn answers(seen: &Observation) -> Vec<(String, String)> {
    let kinds = TableProbes.kinds().iter();
    let probes = kinds.flat_map(|kind| TableProbes.probes(seen, kind.name, 0));
    probes.map(|probe| (format!("{} {}", probe.kind, probe.about), probe.right)).collect()
}

#[test]
fn questions_have_the_answers_of_the_table() {
    let expected = [
        ("top A", "1"),
        ("top B", "2"),
        ("top C", "empty"),
        ("bottom A", "3"),
        ("bottom B", "2"),
        ("bottom C", "empty"),
        ("count A", "2"),
        ("count B", "1"),
        ("count C", "0"),
        ("where smallest", "A"),
        ("where largest", "A"),
    ];
    let owned: Vec<(String, String)> =
        expected.iter().map(|(name, right)| ((*name).to_owned(), (*right).to_owned())).collect();
    assert_eq!(answers(&seen(TABLE)), owned);
    assert!(TableProbes.probes(&seen(TABLE), "colour", 0).is_empty());
}

#[test]
fn tables_are_misread_in_the_stated_ways() {
    let misread = |text: &str, name: &str| {
        let wrong = TableProbes.misread(&seen(text), name)?;
        Some(wrong.facts()["board"].as_str().unwrap().to_owned())
    };
    for (text, name, wrong) in [
        (TABLE, "regions", Some("A:\nB: 2\nC: 3 1")),
        ("A:\nB: 2 1\nC:", "regions", Some("A: 2 1\nB:\nC:")),
        (TABLE, "missed", Some("A: 2\nB: 1\nC:")),
        ("A: 1\nB:\nC:", "missed", None),
        (TABLE, "books", Some("A: 3 2\nB: 1\nC:")),
        ("A: 3 2 1\nB:\nC:", "books", Some("A: 3 1 2\nB:\nC:")),
        ("A: 1\nB:\nC:", "books", None),
        (TABLE, "colours", None),
    ] {
        assert_eq!(misread(text, name).as_deref(), wrong, "{name}");
    }
    let probe = TableProbes.probes(&seen(TABLE), "count", 0).remove(0);
    let wrong = TableProbes.misread(&seen(TABLE), "missed").unwrap();
    assert_eq!(TableProbes.answer(&wrong, &probe).as_deref(), Some("1"));
}

#[test]
fn the_words_are_those_of_the_view_with_the_goal_if_it_is_shown() {
    let words = TableProbes.in_words(&seen(TABLE)).unwrap();
    assert!(
        words.starts_with("Region A, from bottom to top: books 3, 1.\nRegion B: book 2.\nRegion C: empty.")
    );
    assert!(!words.contains("The goal:"));
    let options = Options::from([("goal".to_owned(), true.into())]);
    let first = HanoiWorld::new(&Level::from_text(1, None, TABLE), &options).unwrap().observe();
    let words = TableProbes.in_words(&first).unwrap();
    assert!(words.contains("The goal:\n\nRegion A: empty."), "{words}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_answer_is_one_that_the_question_allows(table in tables()) {
        let seen = seen(&table.to_string());
        let misreadings = TableProbes.misreadings().iter();
        let wrong = misreadings.filter_map(|one| TableProbes.misread(&seen, one.name));
        for state in wrong.chain([seen.clone()]) {
            prop_assert!(read_one(state.facts()["board"].as_str().unwrap()).is_ok());
            for kind in TableProbes.kinds() {
                for probe in TableProbes.probes(&state, kind.name, 0) {
                    let fits = match &probe.form {
                        ProbeForm::Choice(words) => words.contains(&probe.right),
                        ProbeForm::Number { least, most } => (*least..=*most).contains(&probe.right.parse().unwrap()),
                        ProbeForm::Places { .. } => false,
                    };
                    prop_assert!(fits, "{probe:?}");
                    prop_assert!(TableProbes.answer(&seen, &probe).is_some());
                }
            }
        }
    }

    #[test]
    fn misreadings_are_other_states(table in tables()) {
        let seen = seen(&table.to_string());
        for one in TableProbes.misreadings() {
            if let Some(wrong) = TableProbes.misread(&seen, one.name) {
                prop_assert_ne!(wrong.digest(), seen.digest());
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_claims_panic(text in "(book|region|Region A|top|is| |,|and|[0-9]{1,4}|on|:|ä|\\.|\n){0,24}") {
        for claim in TableProbes.claims(&seen(TABLE), &text) {
            prop_assert!(text.get(claim.at.clone()).is_some());
        }
    }
}

#[test]
fn claims_are_read_where_they_are_sure_and_compared_with_the_table() {
    let seen = seen(TABLE);
    let read = |text: &str| -> Vec<(String, bool)> {
        TableProbes.claims(&seen, text).into_iter().map(|claim| (claim.says, claim.holds)).collect()
    };
    for (text, expected) in [
        ("Book 1 is on A.", vec![("book 1 in region A", true)]),
        ("The smallest book is in region B.", vec![("smallest book in region B", false)]),
        ("The largest book is at A", vec![("largest book in region A", true)]),
        (
            "Books 3, 2 and book 1 are all in region A.",
            vec![("book 3 in region A", true), ("book 2 in region A", false), ("book 1 in region A", true)],
        ),
        ("Region A: 1, 3", vec![("books 1, 3 in region A, in any order", true)]),
        (
            "- **Region A** (bottom to top): [3, 1]",
            vec![("books 3, 1 in region A, from bottom to top", true)],
        ),
        ("Region A, from top to bottom: 3, 1", vec![("books 1, 3 in region A, from bottom to top", false)]),
        ("Region A: book 3 (bottom), book 1 (top)", vec![("books 3, 1 in region A, in any order", true)]),
        ("Region B has 2 books.", vec![("2 books in region B", false)]),
        ("Region C is empty, region B: empty", vec![("region C empty", true), ("region B empty", false)]),
        ("Book 1 lies on top of book 3.", vec![("book 1 above book 3", true)]),
        ("Book 3 is on book 1.", vec![("book 3 above book 1", false)]),
        ("The top book of region A is book 3.", vec![("book 3 on top of region A", false)]),
        ("Book 9 is in B.", vec![("book 9 in region B", false)]),
        ("Book 1 is not in A.", vec![]),
        ("If book 1 is on B, what then?", vec![]),
        ("The goal is that book 1 is in C.", vec![]),
        ("Book 2 must be in C. I move it so book 2 is in C.", vec![]),
        ("After that book 1 is in C.", vec![]),
        ("A book is in a region.", vec![]),
    ] {
        let expected: Vec<(String, bool)> =
            expected.into_iter().map(|(says, holds)| (says.to_owned(), holds)).collect();
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn claims_have_their_places_in_text_and_picture() {
    let text = "Ä. Book 2 is in A.";
    let claim = TableProbes.claims(&seen(TABLE), text).remove(0);
    assert_eq!(&text[claim.at.clone()], "2");
    let area = |left, top, width, height| vec![ActionShape::Area(PixelBox { left, top, width, height })];
    assert_eq!(claim.claimed, area(24, 0, 120, 372));
    assert_eq!(claim.actual, area((51 - 10) * 4, (72 - 14) * 4, 20 * 4, 14 * 4));
}
