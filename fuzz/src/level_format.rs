//! Invariants of level formats: imported levels are valid, and exported levels can be imported again.

use mageyard::domain::EnvironmentSpec;
use mageyard::domain::FileLocation;
use mageyard::domain::Level;
use mageyard::domain::LevelFormat;
use mageyard::envs::sokoban::Sokoban;

use crate::check_levels;

/// Imports a file in the Sokoban format of this name, and in the format that it looks like.
pub fn check_level_import(name: &str, bytes: &[u8]) {
    let format = Sokoban.capabilities().files.formats.iter().find(|format| format.name == name);
    check_import(format.expect("the format exists"), bytes);
    let detected = Sokoban.capabilities().files.formats.iter().find(|format| (format.matches)(bytes));
    detected.filter(|format| format.name != name).into_iter().for_each(|format| check_import(format, bytes));
}

fn check_import(format: &LevelFormat, bytes: &[u8]) {
    let read = (format.read)(bytes);
    assert_eq!(read, (format.read)(bytes), "parsing twice");
    match read {
        Ok(read) => {
            check_levels(&Sokoban, &read, bytes.len().to_le_bytes()[0]);
            check_export(format, &read);
        }
        Err(error) => {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            let is_inside = match error.location {
                FileLocation::Line(line) => (1..=lines).contains(&line),
                FileLocation::Byte(byte) => byte <= bytes.len(),
                FileLocation::Level(level) => level > 0,
            };
            assert!(is_inside && !error.reason.is_empty(), "{}: {error}", format.name);
        }
    }
}

/// Each format that can represent these levels exports and imports them unchanged.
fn check_export(from: &LevelFormat, read: &[Level]) {
    for format in Sokoban.capabilities().files.formats {
        // Export to LURD needs solutions; without them it would run the solver.
        let Some(write) = format.write.filter(|_| format.name != "lurd" || from.name == "lurd") else {
            continue;
        };
        let Ok(written) = write(read) else {
            assert!(
                format.name == "boxoban",
                "{} cannot be exported as {}: {read:?}",
                from.name,
                format.name
            );
            continue;
        };
        let again = (format.read)(written.as_bytes());
        let again = again.unwrap_or_else(|error| panic!("{}: {error}: {written:?}", format.name));
        assert_eq!(again.len(), read.len(), "exported as {}: {written:?}", format.name);
        for (again, read) in again.iter().zip(read) {
            let (again, read) = (board(again), board(read));
            assert_eq!(again, read, "exported as {}: {written:?}", format.name);
        }
    }
}

/// The text without the comments below the board.
fn board(level: &Level) -> Vec<&str> {
    level.text().lines().filter(|line| !line.starts_with(';')).collect()
}
