//! The benchmark's lists of scenes, and its scenarios as levels.

use super::super::text;
use super::scenario;
use crate::Football;
use mageyard_domain::{CheckoutImport, CheckoutLayout, FileLocation, Level, LevelFormatError, ListedLevel};
use mageyard_kit::{Entry, ListForm, magebench};

/// The folders and lists of the scenarios.
const LAYOUT: CheckoutLayout = magebench::layout(
    "Football",
    &[("magebench-full", "Football_all.json"), ("magebench-mini", "Football_mini.json")],
    None,
);
const LIST: ListForm =
    ListForm { folder: LAYOUT.level_folder, entry: Entry::File { ending: ".py", longest: 64 } };

impl CheckoutImport for Football {
    fn layout(&self) -> &'static CheckoutLayout {
        &LAYOUT
    }

    fn list(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
        LIST.read(text)
    }

    fn read_level(&self, listed: &ListedLevel, bytes: &[u8]) -> Option<Result<Level, String>> {
        Some(level(&listed.name, bytes).map_err(|error| format!("{}, {error}", listed.file)))
    }
}

/// Reads a scenario file that has no name of its own.
pub(crate) fn read_file(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let level = level("scenario", bytes)?;
    Ok(vec![Level { title: None, ..level }])
}

/// Whether a file looks like a scenario of the engine.
pub(crate) fn looks_like_scenario(bytes: &[u8]) -> bool {
    let has = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    has(b"def build_scenario(") && has(b".SetTeam(")
}

fn level(name: &str, bytes: &[u8]) -> Result<Level, LevelFormatError> {
    let source = std::str::from_utf8(bytes)
        .map_err(|utf8| error(FileLocation::Byte(utf8.valid_up_to()), "is not text in UTF-8".into()))?;
    let scene = scenario::read(name, source)
        .map_err(|refused| error(FileLocation::Line(refused.line), refused.reason))?;
    Ok(Level::from_text(1, Some(name), text::print(&scene)))
}

fn error(location: FileLocation, reason: String) -> LevelFormatError {
    LevelFormatError { location, reason }
}
