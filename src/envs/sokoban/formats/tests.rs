//! The readers with files made by the real gym-sokoban, with hostile files, and with arbitrary bytes.

use std::fs;
use std::io::Read;
use std::path::Path;

use proptest::prelude::*;

use super::{FORMATS, gym, saved_environment, xsb};
use crate::FastRoom;
use mageyard_domain::{FileLocation, Level, LevelFormat, Options};

#[expect(clippy::disallowed_methods, reason = "a test reads its files")]
fn kept(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/it/data/gym").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(super) fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&*kept(name)).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Every room that gym-sokoban made, from its arrays.
pub(super) fn rooms() -> Vec<Level> {
    gym::read(&kept("rooms.jsonl")).unwrap()
}

fn format(name: &str) -> &'static LevelFormat {
    FORMATS.iter().find(|format| format.name == name).unwrap()
}

/// The format detected for a file.
fn taken_for(bytes: &[u8]) -> &'static str {
    FORMATS.iter().find(|format| (format.matches)(bytes)).map_or("none", |format| format.name)
}

#[test]
fn each_saved_environment_has_the_right_board() {
    let rooms = rooms();
    assert_eq!(rooms.len(), 6);
    for room in rooms {
        let saved = unpacked(&format!("{}.pkl.gz", room.label()));
        let read =
            saved_environment::read(&saved).unwrap_or_else(|error| panic!("{}: {error}", room.label()));
        assert_eq!((read.len(), read[0].text()), (1, room.text()), "{}", room.label());
        assert_eq!(taken_for(&saved), "magebench");
    }
    assert_eq!(taken_for(&kept("rooms.jsonl")), "gym");
    assert_ne!(taken_for(br#"[{"title": "of another environment", "steps": []}]"#), "gym");
}

#[test]
fn a_saved_environment_cut_short_anywhere_is_refused_with_the_byte() {
    let whole = unpacked("1-Sokoban-small-v0.pkl.gz");
    // The long arrays of colours in the middle are alike at every byte.
    let places = (0..1500).chain((1500..whole.len()).step_by(977)).chain(whole.len() - 1500..whole.len());
    for end in places {
        let error = saved_environment::read(&whole[..end]).unwrap_err();
        assert!(matches!(error.location, FileLocation::Byte(byte) if byte <= end), "{end}: {error}");
    }
}

#[test]
fn a_saved_environment_that_contradicts_itself_is_refused() {
    let whole = unpacked("1-Sokoban-small-v0.pkl.gz");
    let changed = |key: &str, from: &[u8], to: &[u8]| {
        let mut bytes = whole.clone();
        let at = bytes.windows(key.len()).position(|window| window == key.as_bytes()).unwrap();
        let near = bytes[at..].windows(from.len()).position(|window| window == from).unwrap();
        assert!(near < 40, "{key}");
        bytes[at + near..at + near + to.len()].copy_from_slice(to);
        saved_environment::read(&bytes).unwrap_err().to_string()
    };
    let error = changed("num_boxes", b"K\x02", b"K\x03");
    assert!(error.ends_with("num_boxes is 3 and the room has 2 boxes"), "{error}");
    let error = changed("max_steps", b"K\xc8", b"K\x00");
    assert!(error.ends_with("max_steps is 0"), "{error}");
}

#[test]
fn rooms_go_through_every_format_and_come_back() {
    for format in FORMATS {
        let Some(write) = format.write else { continue };
        let levels: Vec<Level> = rooms()
            .into_iter()
            .filter(|level| format.name != "boxoban" || level.text().lines().count() == 10)
            .map(|level| Level { number: 1, ..level })
            .collect();
        for level in levels {
            let file = write(std::slice::from_ref(&level)).unwrap();
            assert_eq!(taken_for(file.as_bytes()), format.name, "{file}");
            let again = (format.read)(file.as_bytes()).unwrap();
            let board = |level: &Level| level.text().split("\n;").next().map(str::to_owned);
            assert_eq!((again.len(), board(&again[0])), (1, board(&level)), "{}", format.name);
        }
    }
}

#[test]
fn broken_arrays_are_refused_with_line_and_level() {
    let good = r#"{"room_fixed": [[0,0,0,0,0],[0,1,1,2,0],[0,0,0,0,0]], "room_state": [[0,0,0,0,0],[0,5,4,2,0],[0,0,0,0,0]]}"#;
    assert_eq!(gym::read(good.as_bytes()).unwrap()[0].text(), "#####\n#@$.#\n#####");
    let pair = good.replace(r#"{"room_fixed": "#, "[").replace(r#""room_state": "#, "").replace('}', "]");
    for text in
        [pair.clone(), format!("[{pair}]"), format!("[{good},\n{pair}]"), format!("{good}\n\n{pair}\n")]
    {
        assert_eq!(gym::read(text.as_bytes()).unwrap()[0].text(), "#####\n#@$.#\n#####", "{text}");
    }
    for (text, says) in [
        (String::new(), "line 1: the file has no level"),
        (format!("{good}\n{{"), "line 2: is not JSON: EOF while parsing an object"),
        (
            format!("{good}\n{}", good.replace("room_fixed", "fixed")),
            "line 2: level 2: room_fixed is missing",
        ),
        (good.replace("[0,5,4,2,0]", "[0,5,4,2]"), "line 1: level 1: row 2 of room_state has 4 squares"),
        (good.replace("[0,5,4,2,0]", "[0,5,4,2,7]"), "row 2, column 5: room_state is 7; it goes from 0 to 5"),
        (good.replace("[0,5,4,2,0]", "[0,5,4,3.5,0]"), "row 2 of room_state has 3.5"),
        (
            good.replace("[0,5,4,2,0]", "[0,5,3,2,0]"),
            "row 2, column 3: room_fixed is 1 and room_state 3, which cannot",
        ),
        (good.replace("[0,5,4,2,0]", "[0,1,4,2,0]"), "there is no player"),
        (good.replace("[0,1,1,2,0]", "[9,1,1,2,0]"), "row 2, column 1: room_fixed is 9; it goes from 0 to 2"),
        (good.replace("[0,1,1,2,0],", ""), "room_fixed has 2x5 squares and room_state 3x5"),
        ("[]".to_owned(), "the file has no level"),
        ("[3]".to_owned(), "level 1: room_fixed is missing"),
        (
            "7".to_owned(),
            "line 1: invalid type: integer `7`, expected an object with room_fixed and room_state",
        ),
        (format!("[{}]", "[".repeat(100_000)), "recursion limit"),
        (format!("{}\n", good.replace("0,0,0,0,0", &"0,".repeat(9000))), "line 1"),
        (good.replace("0,0,0,0,0", &"0,".repeat(29_000)), "a room has more than 28672 values"),
        (pair.replace("]]]", "]],[[0]]]"), "there is a third array besides room_fixed and room_state"),
    ] {
        let error = gym::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
}

/// gym-sokoban has walls all around: empty squares outside become walls in the arrays, as in
/// [`FastRoom::encode`], and are restored when read.
#[test]
fn empty_squares_outside_become_walls_in_the_arrays_and_are_restored() {
    let text = "  #####\n###+* #\n# $ .$#\n#######\n#*  #\n#####";
    let level = xsb::read(text.as_bytes()).unwrap().remove(0);
    let file = gym::write(std::slice::from_ref(&level)).unwrap();
    let room: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert_eq!(
        room["room_fixed"].to_string(),
        "[[0,0,0,0,0,0,0],[0,0,0,2,2,1,0],[0,1,1,1,2,1,0],[0,0,0,0,0,0,0],\
        [0,2,0,0,0,0,0],[0,0,0,0,0,0,0]]"
    );
    assert_eq!(
        room["outside"].to_string(),
        "[[1,1,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],\
        [0,0,1,1,0,1,1],[0,0,0,0,0,1,1]]"
    );
    let arena = FastRoom::new(&level, &Options::new()).unwrap();
    let mut encoded = vec![0; 42];
    assert!(arena.encode(&mut encoded));
    let states = room["room_state"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
    let states: Vec<u64> = states.map(|state| state.as_u64().unwrap()).collect();
    assert_eq!(states, encoded.iter().map(|state| u64::from(*state).min(5)).collect::<Vec<_>>());
    assert_eq!(gym::read(file.as_bytes()).unwrap()[0].text(), level.text());
    let plain = gym::read(br#"{"room_fixed": [[0,0,0,0,0],[0,1,1,2,0],[0,0,0,0,0]], "room_state": [[0,0,0,0,0],[0,5,4,2,0],[0,0,0,0,0]]}"#);
    assert!(!gym::write(&plain.unwrap()).unwrap().contains("outside"), "a room of gym's own has none");
}

#[test]
fn invalid_outside_arrays_are_refused() {
    let with = |outside: &str| {
        let room = r#"{"room_fixed": [[0,0,0,0,0,0],[0,1,1,2,0,0],[0,0,0,0,0,0]], "room_state": [[0,0,0,0,0,0],[0,5,4,2,0,0],[0,0,0,0,0,0]]"#;
        gym::read(format!("{room}, \"outside\": {outside}}}").as_bytes())
    };
    let none = "[0,0,0,0,0,0]";
    let middle = |row: &str| with(&format!("[{none},{row},{none}]"));
    assert_eq!(middle("[0,0,0,0,0,1]").unwrap()[0].text(), "######\n#@$.#\n######");
    for (row, says) in [
        ("[0,0,1,0,0,0]", "row 2, column 3: outside is 1; it must be 1 for empty squares outside the walls"),
        ("[0,0,0,0,0,2]", "row 2, column 6: outside is 2"),
        ("[0,0,0,0,0]", "row 2 of outside has 5 squares"),
        ("[0,0,0,0,1,0]", "row 2, column 5: outside is 1, but the player can get there"),
        ("[1,0,0,0,0,0]", "the border is open"),
    ] {
        let error = middle(row).unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
    let error = with("[[0,0,0]]").unwrap_err().to_string();
    assert!(error.contains("room_fixed has 3x6 squares and outside 1x3"), "{error}");
}

/// A solution becomes part of the level's text, where a line break would begin another board.
#[test]
fn a_solution_beside_arrays_must_be_valid() {
    let with = |solution: &str| {
        let room = r#"{"room_fixed": [[0,0,0,0,0],[0,1,1,2,0],[0,0,0,0,0]], "room_state": [[0,0,0,0,0],[0,5,4,2,0],[0,0,0,0,0]]"#;
        gym::read(format!("{room}, \"solution\": {solution}}}").as_bytes())
    };
    assert_eq!(with("\"R\"").unwrap()[0].text(), "#####\n#@$.#\n#####\n; solution: R");
    assert_eq!(with("null").unwrap()[0].text(), "#####\n#@$.#\n#####");
    for (solution, says) in [
        (r#""R\n\n#####\n#@$.#\n#####""#, "level 1: solution is not a string of moves"),
        (r#""""#, "level 1: solution is not a string of moves"),
        ("7", "level 1: solution is not a string of moves"),
        (r#""L""#, "level 1: the solution is not valid: move 1 (L) is blocked"),
        (r#""999999R""#, "level 1: the solution: a run length beyond the limit"),
    ] {
        let error = with(solution).unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
}

/// A level of any kind, solved or not, drawn square by square inside walls.
fn any_level() -> impl Strategy<Value = Option<Level>> {
    (1..9_usize, 1..9_usize).prop_flat_map(|(rows, columns)| {
        let squares = prop::collection::vec(prop::sample::select(b"   #.$*".to_vec()), rows * columns);
        (squares, 0..rows * columns, any::<bool>()).prop_map(move |(mut squares, player, home)| {
            squares[player] = if home { b'+' } else { b'@' };
            let wall = "#".repeat(columns + 2);
            let inner = squares.chunks(columns).map(|row| format!("#{}#\n", String::from_utf8_lossy(row)));
            let text = format!("{wall}\n{}{wall}\n", inner.collect::<String>());
            xsb::read(text.as_bytes()).ok().map(|mut levels| levels.remove(0))
        })
    })
}

thread_local! {
    /// The beginning of a saved environment, up to its long arrays.
    static SAVED: Vec<u8> = unpacked("2-Sokoban-small-v0.pkl.gz")[..2000].to_vec();
}

proptest! {
    #[test]
    fn xsb_to_gym_and_back_is_the_identity(level in any_level()) {
        let Some(level) = level else { return Ok(()) };
        let noted = level.with_lines("\n; published: 25 moves, reward 11.5");
        let noted = Level { title: Some("a".into()), ..noted };
        for name in ["xsb", "gym"] {
            let file = format(name).write.unwrap()(std::slice::from_ref(&noted)).unwrap();
            prop_assert_eq!(&(format(name).read)(file.as_bytes()).unwrap(), std::slice::from_ref(&noted));
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in FORMATS {
            let _ = (format.matches)(&bytes);
            let _ = (format.read)(&bytes);
        }
    }

    #[test]
    fn no_change_of_a_saved_environment_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        small in any::<bool>(),
    ) {
        let mut bytes = super::pickle::tests::room();
        if !small {
            bytes = SAVED.with(Vec::clone);
        }
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = saved_environment::read(&bytes) {
            prop_assert!(matches!(error.location, FileLocation::Byte(byte) if byte <= bytes.len()), "{}", error);
        }
    }

    #[test]
    fn no_text_makes_the_json_reader_panic(text in "[\\[\\]{},:0-5\"roomfixedstat_ \n]{0,120}") {
        if let Err(error) = gym::read(text.as_bytes()) {
            prop_assert!(matches!(error.location, FileLocation::Line(line) if line <= text.lines().count() + 1));
        }
    }
}
