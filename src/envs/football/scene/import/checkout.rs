//! The benchmark's lists of scenes, and its scenarios as levels.

use super::super::text;
use super::scenario;
use crate::domain::CheckoutImport;
use crate::domain::FileLocation;
use crate::domain::Level;
use crate::domain::LevelFormatError;
use crate::domain::ListedLevel;
use crate::domain::PublishedResults;
use crate::envs::football::Football;

/// The largest number of entries of a list.
const MAX_ENTRIES: usize = 10_000;
/// The folder of the scenarios.
const FOLDER: &str = "Football";

impl CheckoutImport for Football {
    fn name(&self) -> &'static str {
        "magebench"
    }

    fn program(&self) -> &'static str {
        "MageBench"
    }

    fn resources(&self) -> &'static str {
        "resources"
    }

    fn level_folder(&self) -> &'static str {
        FOLDER
    }

    fn sets(&self) -> &'static [(&'static str, &'static str)] {
        &[("magebench-full", "Football_all.json"), ("magebench-mini", "Football_mini.json")]
    }

    fn results_file(&self) -> Option<&'static str> {
        None
    }

    fn list(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
        list(text)
    }

    fn results(&self, _text: &str) -> Result<Box<dyn PublishedResults>, LevelFormatError> {
        Err(error(FileLocation::Line(1), "no results of single scenes are published".into()))
    }

    fn read_level(&self, listed: &ListedLevel, bytes: &[u8]) -> Option<Result<Level, String>> {
        Some(level(&listed.name, bytes).map_err(|error| format!("{}, {error}", listed.file)))
    }
}

/// Reads a scenario file that has no name of its own.
pub(in crate::envs::football) fn read_file(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let level = level("scenario", bytes)?;
    Ok(vec![Level { title: None, ..level }])
}

/// Whether a file looks like a scenario of the engine.
pub(in crate::envs::football) fn looks_like_scenario(bytes: &[u8]) -> bool {
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

/// The scenarios in a list. Anything but a plain name in one folder is refused.
fn list(text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
    let unexpected = |why: serde_json::Error| {
        error(FileLocation::Line(why.line().max(1)), format!("has an unexpected form: {why}"))
    };
    let paths: Vec<String> = serde_json::from_str(text).map_err(unexpected)?;
    if paths.len() > MAX_ENTRIES {
        let reason = format!("{} entries; the maximum is {MAX_ENTRIES}", paths.len());
        return Err(error(FileLocation::Line(1), reason));
    }
    let listed = |(index, path): (usize, &String)| {
        scenario_file(path).ok_or_else(|| {
            let reason =
                format!("{path:?} is not a path of the form {FOLDER}/NAME.py; no other file is opened");
            error(FileLocation::Level(index + 1), reason)
        })
    };
    paths.iter().enumerate().map(listed).collect()
}

/// `Football/NAME.py` or `NAME.py`, and nothing that could lead to another folder.
fn scenario_file(path: &str) -> Option<ListedLevel> {
    let file = path.strip_prefix("./").unwrap_or(path);
    let file = file.strip_prefix(FOLDER).and_then(|file| file.strip_prefix('/')).unwrap_or(file);
    let name = file.strip_suffix(".py")?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    (name.len() <= 64 && name.chars().all(is_plain) && begins)
        .then(|| ListedLevel { name: name.to_owned(), file: file.to_owned() })
}

fn error(location: FileLocation, reason: String) -> LevelFormatError {
    LevelFormatError { location, reason }
}
