//! Hostile pickles, built by hand: nothing is called, and every refusal names a byte.

use super::super::saved_environment;
use super::load;
use mageyard_domain::{FileLocation, LevelFormatError};

/// An instruction that pushes a short text.
fn text(words: &str) -> Vec<u8> {
    [&[0x8c, u8::try_from(words.len()).unwrap()], words.as_bytes()].concat()
}

fn named(module: &str, name: &str) -> Vec<u8> {
    format!("c{module}\n{name}\n").into_bytes()
}

fn pickle(parts: &[&[u8]]) -> Vec<u8> {
    [&[0x80, 4][..], &parts.concat(), b"."].concat()
}

fn refused(parts: &[&[u8]]) -> (usize, String) {
    error(&pickle(parts))
}

fn error(bytes: &[u8]) -> (usize, String) {
    match saved_environment::read(bytes) {
        Err(LevelFormatError { location: FileLocation::Byte(byte), reason }) => (byte, reason),
        other => panic!("{other:?}"),
    }
}

/// An array of one-byte numbers, in the form of protocol 4.
fn array(shape: [u8; 2], code: &str, cells: &[u8], by_columns: bool) -> Vec<u8> {
    let sort = [
        &named("numpy", "dtype"),
        &text(code)[..],
        &[0x89, 0x88, 0x87, b'R'],
        b"(K\x03",
        &text("|"),
        b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb",
    ];
    [
        &named("numpy.core.multiarray", "_reconstruct")[..],
        &named("numpy", "ndarray"),
        b"K\x00\x85C\x01b\x87R",
        b"(K\x01",
        &[b'K', shape[0], b'K', shape[1], 0x86],
        &sort.concat(),
        &[if by_columns { 0x88 } else { 0x89 }],
        &[b'C', u8::try_from(cells.len()).unwrap()],
        cells,
        b"tb",
    ]
    .concat()
}

const FIXED: [u8; 15] = [0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0];
const STATE: [u8; 15] = [0, 0, 0, 0, 0, 0, 5, 4, 2, 0, 0, 0, 0, 0, 0];

fn dict(fixed: &[u8], state: &[u8]) -> Vec<u8> {
    pickle(&[b"}(", &text("room_fixed"), fixed, &text("room_state"), state, b"u"])
}

/// A dictionary of the two arrays.
pub(in super::super) fn room() -> Vec<u8> {
    dict(&array([3, 5], "u1", &FIXED, false), &array([3, 5], "u1", &STATE, false))
}

#[test]
fn both_orders_and_bare_pairs_are_read() {
    let turned = |cells: [u8; 15]| -> Vec<u8> { (0..15).map(|at| cells[at % 3 * 5 + at / 3]).collect() };
    let fixed = array([3, 5], "u1", &FIXED, false);
    let state = array([3, 5], "i1", &turned(STATE), true);
    for bytes in [room(), dict(&fixed, &state), pickle(&[&fixed, &state, &[0x86]])] {
        assert_eq!(saved_environment::read(&bytes).unwrap()[0].text(), "#####\n#@$.#\n#####");
    }
    let wide = |order: &str| {
        let cells: Vec<u8> =
            FIXED.iter().flat_map(|cell| if order == ">" { [0, *cell] } else { [*cell, 0] }).collect();
        array([3, 5], &format!("{order}i2"), &cells, false)
    };
    for order in ["<", ">"] {
        let bytes = dict(&wide(order), &array([3, 5], "b1", &STATE, false));
        assert_eq!(saved_environment::read(&bytes).unwrap()[0].text(), "#####\n#@$.#\n#####", "{order}");
    }
}

#[test]
fn names_that_could_run_code_are_refused_with_name_and_byte() {
    let touch = [&text("touch /tmp/x")[..], &[0x85]].concat();
    let stacked = [&text("os")[..], &text("system"), &[0x93]].concat();
    for (parts, byte, says) in [
        (
            vec![named("os", "system"), touch.clone(), b"R".to_vec()],
            2,
            "os.system: saved environments do not contain this name",
        ),
        (vec![named("posix", "system")], 2, "posix.system"),
        (vec![named("builtins", "eval")], 2, "builtins.eval"),
        (vec![named("builtins", "getattr")], 2, "builtins.getattr"),
        (vec![named("subprocess", "Popen")], 2, "subprocess.Popen"),
        (vec![named("numpy.testing", "runstring")], 2, "numpy.testing.runstring"),
        (vec![named("gymx", "Env")], 2, "gymx.Env"),
        (vec![named("gym.envs.os", "os.system")], 2, "gym.envs.os.os.system"),
        (vec![named("my.module", "Room"), b")\x81".to_vec()], 2, "my.module.Room"),
        (vec![stacked], 14, "os.system"),
        (vec![b"(ios\nsystem\n".to_vec()], 3, "the instruction INST (0x69)"),
        (vec![b"(".to_vec(), touch.clone(), b"o".to_vec()], 18, "the instruction OBJ"),
        (vec![b"Pid\n".to_vec()], 2, "the instruction PERSID"),
        (vec![vec![0x82, 1]], 2, "the instruction EXT1"),
        (vec![vec![0x97]], 2, "the instruction NEXT_BUFFER"),
        (vec![vec![0xff]], 2, "0xff is not a pickle instruction"),
        (vec![touch.clone(), b")R".to_vec()], 18, "the called value is not a name"),
        (vec![named("gym", "Env"), b"K\x01R".to_vec()], 13, "arguments that are not a tuple"),
        (vec![b"]}b".to_vec()], 4, "a state for a value that is not an object"),
        (vec![named("gym", "Env"), b")R}b}b".to_vec()], 16, "a second state"),
    ] {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let (at, reason) = refused(&parts);
        assert!(reason.starts_with(says) || reason.contains(says), "{says}: {reason}");
        assert_eq!(at, byte, "{reason}");
    }
}

#[test]
fn nested_and_shared_values_use_little_memory() {
    // Ten lists, each with ten references to the one before: no value may grow with that.
    let mut doubling = b"]q\x00".to_vec();
    for level in 0..10_u8 {
        doubling.extend([b']', b'q', level + 1, b'(']);
        for _ in 0..10 {
            doubling.extend([b'h', level]);
        }
        doubling.push(b'e');
        doubling.extend([b'q', 200, b'0', b'h', level + 1, b'q', 201, b'0', b'h', level + 1]);
    }
    let drop = [&b"1"[..]].concat();
    let bytes = pickle(&[b"(", &doubling, &drop, b"N"]);
    assert!(error(&bytes).1.starts_with("there is no environment"), "{:?}", error(&bytes));
    for (parts, says) in [
        (vec![b"(".repeat(100_000)], "more than 256 nested collections"),
        (vec![b"]".repeat(300_000)], "more than 250000 values"),
        (vec![b"]".to_vec(), b"h\x00".repeat(10)], "no value was stored under number 0"),
        (vec![b"]q\x00".to_vec(), b"h\x00".repeat(1_100_000)], "more than 1000000 instructions"),
        (vec![b"]".to_vec(), vec![0x94; 100_001]], "more than 100000 memoised values"),
        (vec![b"X\xff\xff\xff\xff".to_vec()], "4294967295 bytes expected"),
        (vec![[&[0x8e][..], &[0xff; 8]].concat()], "18446744073709551615 bytes expected"),
        (vec![[&[0x95][..], &[0xff; 8]].concat()], "a frame of 18446744073709551615 bytes"),
        (vec![[&[0x8b][..], &[0xff; 4]].concat()], "bytes expected"),
        (vec![b"c".to_vec(), b"a".repeat(9999)], "no line end within 256 bytes"),
        (vec![b"]".repeat(5)], "4 values are left over"),
        (vec![], "the stack is empty"),
        (vec![b"t".to_vec()], "without a beginning"),
        (vec![b"](0".to_vec()], "the stack is empty"),
        (vec![b"}(K\x01u".to_vec()], "a key without a value"),
        (vec![b"N(K\x01e".to_vec()], "not such a collection"),
        (vec![b"N.".to_vec()], "1 bytes follow the end"),
        (vec![vec![0x8c, 1, 0xff]], "a text is not UTF-8"),
    ] {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        assert!(refused(&parts).1.contains(says), "{says}: {:?}", refused(&parts));
    }
    assert!(error(&[0x80, 9, b'N', b'.']).1.contains("protocol 9; supported are 2 to 5"));
}

#[test]
fn inconsistent_arrays_are_refused() {
    let good = || array([3, 5], "u1", &STATE, false);
    for (fixed, says) in [
        (array([3, 5], "O", &FIXED, false), "room_fixed: an array of \"O\""),
        (array([3, 5], "f8", &FIXED, false), "an array of \"f8\"; a room has whole numbers"),
        (array([3, 6], "u1", &FIXED, false), "of shape [3, 6] whose data are not 18 bytes"),
        (array([3, 5], "i8", &FIXED, false), "whose data are not 120 bytes"),
        (array([0, 5], "u1", &[], false), "of shape [0, 5], expected rows and columns"),
        (array([255, 255], "u1", &FIXED, false), "the maximum is 4096 numbers"),
        (array([5, 3], "u1", &FIXED, false), "room_fixed has 5x3 squares and room_state 3x5"),
        (b"N".to_vec(), "room_fixed: not a numpy array"),
        (b"]".to_vec(), "room_fixed: not a numpy array"),
    ] {
        let (_, reason) = error(&dict(&fixed, &good()));
        assert!(reason.contains(says), "{says}: {reason}");
    }
}

/// Otherwise two megabytes could name half a million targets of half a million numbers each.
#[test]
fn no_more_targets_are_mapped_than_there_are_boxes() {
    let whole = room();
    let mapped =
        |pairs: &[u8]| pickle(&[&whole[2..whole.len() - 1], &text("box_mapping"), b"}(", pairs, b"us"]);
    let one = [&b"K\x01K\x03\x86"[..], b"K\x01K\x02\x86"].concat();
    assert_eq!(saved_environment::read(&mapped(&one)).unwrap()[0].text(), "#####\n#@$.#\n#####");
    assert!(error(&mapped(&one.repeat(2))).1.contains("maps 2 targets and the room has 1 boxes"));
    let long = [&b"("[..], &b"K\x01".repeat(4097), b"tN"].concat();
    assert!(error(&mapped(&long)).1.contains("has a target at [], counted from 0"));
}

#[test]
fn wrappers_are_followed_and_cycles_end() {
    // An object whose `env` is itself.
    let itself = [&named("gym", "Wrapper")[..], b")\x81q\x00}", &text("env"), b"h\x00sb"].concat();
    assert!(refused(&[&itself]).1.starts_with("there is no environment with room_fixed and room_state"));
    let inner = room();
    let wrapped = |depth: usize| {
        let open = [&named("gym", "Wrapper")[..], b")\x81}", &text("_env")].concat().repeat(depth);
        pickle(&[&open, &inner[2..inner.len() - 1], &b"sb".repeat(depth)])
    };
    assert_eq!(saved_environment::read(&wrapped(3)).unwrap()[0].text(), "#####\n#@$.#\n#####");
    assert!(error(&wrapped(40)).1.starts_with("there is no environment"));
}

#[test]
fn every_beginning_of_a_pickle_is_refused() {
    let whole = room();
    for end in 0..whole.len() {
        assert!(load(&whole[..end]).is_err(), "{end}");
    }
    assert!(load(&whole).is_ok());
}
