//! Views of equal content, questions, claims and misreadings of rooms.

use std::collections::BTreeSet;

use mageyard_domain::{EnvironmentSpec, Observation, ObservationPart, Options, Probe, Probes, World};
use proptest::prelude::*;

use super::probes::RoomProbes;
use super::random_boards::boards;
use super::room_view::{self, NAMES, VIEWS};
use super::{Room, Sokoban, xsb};

fn seen(text: &str) -> Observation {
    let level = xsb::read(text).unwrap().remove(0);
    Room::new(&level, &Options::new()).unwrap().observe()
}

fn viewed(seen: &Observation, view: &str) -> Observation {
    let options = Options::from([("view".to_owned(), view.into())]);
    room_view::show(seen, &options).unwrap()
}

const ROOM: &str = "######\n#@ $.#\n# $ .#\n######";

#[test]
fn every_view_is_named_once_and_shows_the_same_state() {
    let names: Vec<&str> = VIEWS.iter().map(|view| view.name).collect();
    assert_eq!(names, NAMES.map_names());
    let seen = seen(ROOM);
    let digests: BTreeSet<String> =
        names.iter().map(|name| viewed(&seen, name).digest().to_string()).collect();
    assert_eq!(digests.len(), 1, "a view is no other state");
    for view in VIEWS {
        let shown = viewed(&seen, view.name);
        let images = shown.images().count();
        let texts = shown.parts().len() - images;
        assert_eq!((images > 0 && texts == 0), view.is_picture, "{}", view.name);
    }
    assert_eq!(viewed(&seen, "large").picture().unwrap().width(), 6 * 48);
    assert!(room_view::show(&seen, &Options::from([("view".to_owned(), "braille".into())])).is_err());
}

trait MapNames {
    fn map_names(&self) -> Vec<&'static str>;
}

impl<T> MapNames for [(&'static str, T)] {
    fn map_names(&self) -> Vec<&'static str> {
        self.iter().map(|(name, _)| *name).collect()
    }
}

/// The characters of a board that the text of the view `words` describes.
fn board_in_words(words: &str) -> Vec<Vec<char>> {
    let numbers = |text: &str| -> Vec<usize> {
        text.split(|sign: char| !sign.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
    };
    let line = |start: &str| words.lines().find(|line| line.starts_with(start)).unwrap_or_default();
    let size = numbers(line("The room has").split(". ").next().unwrap());
    let mut rows = vec![vec![' '; size[1]]; size[0]];
    for text in words.lines().filter_map(|line| line.strip_prefix("- row ")) {
        let (row, columns) = text.split_once(": ").unwrap();
        for run in columns.split(", ") {
            let run = numbers(run);
            for column in run[0]..=run[run.len() - 1] {
                rows[row.parse::<usize>().unwrap() - 1][column - 1] = '#';
            }
        }
    }
    for place in numbers(line("Targets")).chunks(2) {
        rows[place[0] - 1][place[1] - 1] = '.';
    }
    for place in numbers(line("Boxes:")).chunks(2) {
        let square = &mut rows[place[0] - 1][place[1] - 1];
        *square = if *square == '.' { '*' } else { '$' };
    }
    let player = numbers(line("The player"));
    let square = &mut rows[player[0] - 1][player[1] - 1];
    *square = if *square == '.' { '+' } else { '@' };
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_board_can_be_read_from_its_words(text in boards()) {
        let Ok(board) = xsb::read_one(&text) else { return Ok(()) };
        let written: Vec<String> = board_in_words(&room_view::in_words(&board))
            .into_iter().map(|row| row.into_iter().collect::<String>().trim_end().to_owned()).collect();
        let shown: Vec<String> = board.to_string().lines().map(|row| row.trim_end().to_owned()).collect();
        prop_assert_eq!(written, shown);
    }

    #[test]
    fn misreadings_are_other_rooms_with_answers_of_their_own(text in boards()) {
        let Ok(board) = xsb::read_one(&text) else { return Ok(()) };
        let seen = seen(&board.to_string());
        for misreading in RoomProbes.misreadings() {
            if let Some(wrong) = RoomProbes.misread(&seen, misreading.name) {
                prop_assert_ne!(wrong.digest(), seen.digest());
                prop_assert!(xsb::read_one(wrong.facts()["board"].as_str().unwrap()).is_ok());
            }
        }
    }
}

fn answers(seen: &Observation) -> Vec<(String, String)> {
    let kinds = RoomProbes.kinds().iter();
    let probes = kinds.flat_map(|kind| RoomProbes.probes(seen, kind.name, 0));
    probes.map(|probe: Probe| (format!("{} {}", probe.kind, probe.about), probe.right)).collect()
}

#[test]
fn questions_have_the_answers_of_the_board() {
    let owned = |rows: &[(&str, &str)]| -> Vec<(String, String)> {
        rows.iter().map(|(name, right)| ((*name).to_owned(), (*right).to_owned())).collect()
    };
    let expected = [
        ("player ", "(2, 2)"),
        ("boxes ", "(2, 4) (3, 3)"),
        ("targets ", "(2, 5) (3, 5)"),
        ("next left", "wall"),
        ("next right", "free"),
        ("next up", "wall"),
        ("next down", "free"),
        ("left ", "2"),
    ];
    assert_eq!(answers(&seen(ROOM)), owned(&expected));
    let wrong = RoomProbes.misread(&seen(ROOM), "columns").unwrap();
    assert_eq!(wrong.facts()["board"], "######\n#.$ @#\n#. $ #\n######");
    let probe = RoomProbes.probes(&seen(ROOM), "player", 0).remove(0);
    assert_eq!(RoomProbes.answer(&wrong, &probe).as_deref(), Some("(2, 5)"));
    let missed = RoomProbes.misread(&seen(ROOM), "box").unwrap();
    assert_eq!(missed.facts()["board"], "######\n#@   #\n# $ .#\n######");
    let moved = RoomProbes.misread(&seen(ROOM), "player").unwrap();
    assert_eq!(moved.facts()["player"], serde_json::json!([2, 3]));
}

#[test]
fn claims_are_read_where_they_are_sure_and_compared_with_the_board() {
    let seen = seen(ROOM);
    let read = |text: &str| -> Vec<(String, bool)> {
        RoomProbes.claims(&seen, text).into_iter().map(|claim| (claim.says, claim.holds)).collect()
    };
    for (text, expected) in [
        ("The player is at row 2, column 2.", vec![("player at row 2, column 2", true)]),
        ("I am at (3, 2).", vec![("player at row 3, column 2", false)]),
        (
            "Boxes: (2, 4), (3, 3) and (4, 4). Targets at row 2, column 5; row 3, column 5",
            vec![
                ("box at row 2, column 4", true),
                ("box at row 3, column 3", true),
                ("box at row 4, column 4", false),
                ("target at row 2, column 5", true),
                ("target at row 3, column 5", true),
            ],
        ),
        (
            "The square to the left of the player is free.",
            vec![("free on the square left of the player", false)],
        ),
        ("The square below me is empty.", vec![("free on the square below the player", true)]),
        ("The box is not at (2, 2).", vec![]),
        ("If the box at (2, 2) moves, what then?", vec![]),
        ("After that the player is at (9, 9).", vec![]),
        ("The goal is to push all boxes.", vec![]),
    ] {
        let expected: Vec<(String, bool)> =
            expected.into_iter().map(|(says, holds)| (says.to_owned(), holds)).collect();
        assert_eq!(read(text), expected, "{text}");
    }
    let claim = RoomProbes.claims(&seen, "I am at (3, 2).").remove(0);
    assert_eq!((claim.at, claim.claimed.len(), claim.actual.len()), (8..14, 1, 1));
}

#[test]
fn the_environment_opens_in_each_view() {
    let level = xsb::read(ROOM).unwrap().remove(0);
    for (name, _) in NAMES {
        let options = Options::from([("view".to_owned(), (*name).into())]);
        assert!(Sokoban.open(&level, &options, 0).is_ok());
        let seen = Room::new(&level, &options).unwrap().observe();
        let has_text = seen.parts().iter().any(|part| matches!(part, ObservationPart::Text(_)));
        assert_eq!(has_text, ["text", "image-text", "words"].contains(name), "{name}");
    }
}
