//! The formats of files with scenes: our own, and the scenarios of the real engine.

use super::{import, text};
use mageyard_domain::{FileLocation, Level, LevelFormat, LevelFormatError};

/// The formats, our own last: it is the one that is written.
pub(crate) const FORMATS: &[LevelFormat] = &[
    LevelFormat {
        name: "scenario",
        summary: "scenarios of Google Research Football: Python files, read as data and never run",
        matches: import::looks_like_scenario,
        read: import::read_file,
        comment: None,
        write: None,
    },
    LevelFormat {
        name: "football",
        summary: "scenes of football: a line for the name, the ball and each player",
        matches: text::looks_like_scenes,
        read,
        comment: Some("; "),
        write: Some(text::write),
    },
];

fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let error = |location, reason| LevelFormatError { location, reason };
    let source = std::str::from_utf8(bytes)
        .map_err(|utf8| error(FileLocation::Byte(utf8.valid_up_to()), "is not text in UTF-8".into()))?;
    text::levels(source).map_err(|wrong| error(FileLocation::Line(wrong.line), wrong.reason))
}
