//! The law of formats of other programs: what comes in are levels, and what goes out comes in again.

use mageyard::domain::At;
use mageyard::domain::Format;
use mageyard::domain::Kind;
use mageyard::domain::Level;
use mageyard::envs::Sokoban;

use crate::levels;

/// A file in the Sokoban format of this name, and then in the one that it looks like.
pub fn format_file(name: &str, bytes: &[u8]) {
    let format = Sokoban.formats().iter().find(|format| format.name == name);
    imported(format.expect("it is on the list"), bytes);
    let likely = Sokoban.formats().iter().find(|format| (format.fits)(bytes));
    likely.filter(|likely| likely.name != name).into_iter().for_each(|likely| imported(likely, bytes));
}

fn imported(format: &Format, bytes: &[u8]) {
    let read = (format.read)(bytes);
    assert_eq!(read, (format.read)(bytes), "reading twice");
    match read {
        Ok(read) => {
            levels(&Sokoban, &read, bytes.len().to_le_bytes()[0]);
            exported(format, &read);
        }
        Err(error) => {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            let there = match error.location {
                At::Line(line) => (1..=lines).contains(&line),
                At::Byte(byte) => byte <= bytes.len(),
                At::Level(level) => level > 0,
            };
            assert!(there && !error.reason.is_empty(), "{error}, by {}", format.name);
        }
    }
}

/// Every format that can hold these levels gives them back.
fn exported(from: &Format, read: &[Level]) {
    for format in Sokoban.formats() {
        // The search for a missing solution is the solver's affair.
        let Some(write) = format.write.filter(|_| format.name != "lurd" || from.name == "lurd") else {
            continue;
        };
        let Ok(written) = write(read) else {
            assert!(format.name == "boxoban", "{} cannot be written as {}: {read:?}", from.name, format.name);
            continue;
        };
        let again = (format.read)(written.as_bytes());
        let again = again.unwrap_or_else(|error| panic!("{error}, by {}: {written:?}", format.name));
        assert_eq!(again.len(), read.len(), "written as {}: {written:?}", format.name);
        for (again, read) in again.iter().zip(read) {
            let (again, read) = (board(again), board(read));
            assert_eq!(again, read, "written as {}: {written:?}", format.name);
        }
    }
}

/// The text without what is noted below the board.
fn board(level: &Level) -> Vec<&str> {
    level.text.lines().filter(|line| !line.starts_with(';')).collect()
}
