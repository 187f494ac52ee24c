//! Views of tables: equal content, one digest, and text from which the table can be read.

use std::collections::BTreeSet;

use mageyard_domain::{Action, EnvironmentSpec, Level, Observation, ObservationPart, Options, World};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::Hanoi;
use super::level_text::table;
use super::shown_as::{self, NAMES, VIEWS};
use super::table::{Book, Region, Table};
use super::world::HanoiWorld;

const TABLE: &str = "A: 3 1\nB: 2\nC:";

fn options(view: &str, goal: bool) -> Options {
    Options::from([("view".to_owned(), view.into()), ("goal".to_owned(), goal.into())])
}

fn seen(text: &str, view: &str, goal: bool) -> Observation {
    HanoiWorld::new(&Level::from_text(1, None, text), &options(view, goal)).unwrap().observe()
}

fn texts(seen: &Observation) -> Vec<String> {
    let text = |part: &ObservationPart| match part {
        ObservationPart::Text(text) => Some(text.to_string()),
        ObservationPart::Image(_) | ObservationPart::Data(_) => None,
    };
    seen.parts().iter().filter_map(text).collect()
}

#[test]
fn every_view_is_named_once_and_shows_the_same_state() {
    let names: Vec<&str> = VIEWS.iter().map(|view| view.name).collect();
    assert_eq!(names, NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let start = seen(TABLE, "image", false);
    let mut digests = BTreeSet::new();
    for view in VIEWS {
        let opened = seen(TABLE, view.name, false);
        let shown = shown_as::show(&start, &options(view.name, false)).unwrap();
        digests.extend([opened.digest().to_string(), shown.digest().to_string()]);
        assert_eq!((texts(&shown), shown.images().count()), (texts(&opened), opened.images().count()));
        let only_pictures = opened.images().count() == opened.parts().len();
        assert_eq!(only_pictures, view.is_picture, "{}", view.name);
        assert_eq!(Hanoi.capabilities().perception.named(view.name).unwrap().words, view.words);
    }
    assert_eq!(digests.len(), 1, "a view is no other state");
    assert_eq!(seen(TABLE, "large", false).picture().unwrap().width(), 102 * 12);
    assert!(shown_as::show(&start, &options("braille", false)).is_err());
}

#[test]
fn each_view_shows_the_goal_where_the_first_observation_does() {
    for (view, images, written) in [
        ("image", 2, 0),
        ("large", 2, 0),
        ("contrast", 2, 0),
        ("text", 0, 2),
        ("image-text", 2, 2),
        ("words", 0, 2),
    ] {
        let level = Level::from_text(1, None, TABLE);
        let mut world = HanoiWorld::new(&level, &options(view, true)).unwrap();
        let first = world.observe();
        assert_eq!((first.images().count(), texts(&first).len()), (images, written), "{view}");
        if let Some(goal) = texts(&first).get(1) {
            let read = if view == "words" { table_in_words(goal) } else { table_in_text(goal) };
            assert_eq!(read, "A:\nB:\nC: 3 2 1", "{view}");
        }
        let other = shown_as::show(&first, &options("words", false)).unwrap();
        assert_eq!(texts(&other).len(), 2, "{view}: the observation decides, not the options");
        world.step(&Action::plain("Put book in A to region C")).unwrap();
        let second = world.observe();
        assert_eq!(
            (second.images().count(), texts(&second).len()),
            (images.min(1), written.min(1)),
            "{view}"
        );
    }
}

#[test]
fn a_recorded_observation_is_shown_from_its_facts() {
    let start = seen(TABLE, "image", true);
    let recorded =
        Observation::from_parts(start.parts().to_vec(), start.text().to_string(), start.facts().clone());
    let shown = shown_as::show(&recorded, &options("words", false)).unwrap();
    assert_eq!(shown.digest(), start.digest());
    assert_eq!(texts(&shown), texts(&seen(TABLE, "words", true)));
    let empty = Observation::from_parts(vec![], "", json!({}));
    let error = shown_as::show(&empty, &options("words", false)).unwrap_err();
    assert!(error.contains("the facts have no valid table of books"), "{error}");
}

#[test]
fn the_legend_follows_the_view() {
    let legend = |options: &Options| (Hanoi.capabilities().presentation.picture_legend)(options);
    let wood = legend(&options("image", true));
    let strong = legend(&options("contrast", true));
    assert!(wood.contains("wooden table") && wood.ends_with("shows the goal"), "{wood}");
    assert!(strong.contains("black rectangles") && strong.contains("1 is the smallest book"), "{strong}");
    let words = Hanoi.capabilities().state_words(&options("image", true));
    assert_eq!(&*words.view, format!("an image.\n\nIn the image, {wood}"));
    let plain = Options::from([("numbers".to_owned(), Value::Bool(false))]);
    assert!(!legend(&plain).contains("number"));
}

/// The table that the characters of a text show.
fn table_in_text(text: &str) -> String {
    let rows: Vec<&str> = text.lines().collect();
    let ground = rows.iter().position(|row| row.contains("=A=")).unwrap();
    let region_width = (rows[ground].len() - 4) / 3 + 2;
    let mut piles = [const { String::new() }; 3];
    for row in rows[..ground].iter().rev() {
        for (start, _) in row.match_indices('[') {
            let book = row[start + 1..].split(']').next().unwrap().trim();
            piles[start / region_width].extend([" ", book]);
        }
    }
    format!("A:{}\nB:{}\nC:{}", piles[0], piles[1], piles[2])
}

/// The table that the list of the view `words` has.
fn table_in_words(text: &str) -> String {
    let pile = |letter: &str| {
        let start = format!("Region {letter}");
        let line = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap();
        let digits = line.chars().filter(char::is_ascii_digit);
        let books: String = digits.flat_map(|digit| [' ', digit]).collect();
        assert!(!books.is_empty() || line == ": empty.", "{line}");
        format!("{letter}:{books}")
    };
    ["A", "B", "C"].map(pile).join("\n")
}

/// Tables of 1 to 8 books in any order: a start may have a larger book on a smaller one.
pub(super) fn tables() -> impl Strategy<Value = Table> {
    let books = (1..=8_u8).prop_flat_map(|count| {
        let order = Just((1..=count).collect::<Vec<Book>>()).prop_shuffle();
        (order, prop::collection::vec(0..3_usize, usize::from(count)))
    });
    books.prop_map(|(order, places)| {
        let placed = order.into_iter().zip(places);
        placed.fold(Table::default(), |table, (book, place)| table.with_on_top(book, Region::ALL[place]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_table_can_be_read_from_every_text_of_it(start in tables()) {
        let board = start.to_string();
        prop_assert_eq!(table(&board), start);
        for view in ["text", "image-text"] {
            prop_assert_eq!(table_in_text(&texts(&seen(&board, view, false))[0]), &*board);
        }
        prop_assert_eq!(table_in_words(&texts(&seen(&board, "words", false))[0]), &*board);
    }
}
