//! MageBench's lists: the level files of its sets, and the best results it published. Files are named here
//! and never opened.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Sokoban;
use super::super::notes;
use super::super::notes::Published;
use super::super::rules;
use super::super::xsb as boards;
use crate::domain::CheckoutImport;
use crate::domain::FileLocation;
use crate::domain::Level;
use crate::domain::LevelFormatError;
use crate::domain::ListedLevel;
use crate::domain::PublishedResults;

/// The most entries of a list.
const MAX_ENTRIES: usize = 10_000;

impl CheckoutImport for Sokoban {
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
        "Sokoban"
    }

    fn sets(&self) -> &'static [(&'static str, &'static str)] {
        &[("magebench-full", "Sokoban_all.json"), ("magebench-mini", "Sokoban_mini.json")]
    }

    fn results_file(&self) -> Option<&'static str> {
        Some("upper_bound.json")
    }

    fn list(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
        list(text)
    }

    fn results(&self, text: &str) -> Result<Box<dyn PublishedResults>, LevelFormatError> {
        Ok(Box::new(PublishedBests::read(text)?))
    }
}

/// The published best results of a checkout, by level name.
#[derive(Debug, Default)]
struct PublishedBests {
    published: BTreeMap<String, PublishedBest>,
}

/// The published best result of a level.
#[derive(Clone, Debug, Deserialize)]
struct PublishedBest {
    actions: Vec<String>,
    steps: u32,
    reward: f64,
}

impl PublishedBests {
    /// Parses `upper_bound.json`.
    fn read(text: &str) -> Result<Self, LevelFormatError> {
        serde_json::from_str(text).map(|published| Self { published }).map_err(|error| json_error(&error))
    }
}

impl PublishedResults for PublishedBests {
    /// The level with its name and its published best as a note, and what is wrong with that result, if
    /// anything: actions that are not valid, or a number that does not follow from them.
    fn annotate(&self, name: &str, level: &Level) -> (Level, Option<String>) {
        let mut level = Level { title: Some(name.to_owned()), ..level.clone() };
        let Some(bound) = self.published.get(name) else {
            return (level, Some("no result is published".into()));
        };
        let Some(published) = Published::new(bound.steps, bound.reward) else {
            let trouble = format!("the published reward {} is not a number of tenths", bound.reward);
            return (level, Some(trouble));
        };
        level = level.with_lines(&format!("\n; {published}"));
        let trouble = bound.mismatch(&level, published);
        (level, trouble)
    }
}

impl PublishedBest {
    fn mismatch(&self, level: &Level, published: Published) -> Option<String> {
        let lurd: String = self.actions.concat();
        if self.actions.len() != self.steps as usize {
            return Some(format!("{} actions and {} steps are published", self.actions.len(), self.steps));
        }
        let board = boards::read_one(level.text()).ok()?;
        if let Err(why) = notes::replay(&board, &lurd) {
            return Some(format!("the published actions are not valid: {why}"));
        }
        let earned = rules::solution_half_points(&board, self.actions.len());
        (earned != published.tenths).then(|| {
            let tenths = |tenths| format!("{:.1}", f64::from(tenths) / 10.0);
            let (earned, said) = (tenths(earned), tenths(published.tenths));
            format!("the published reward is {said}, but its actions earn {earned}")
        })
    }
}

/// The level files in a list. Anything but a plain name in one folder is refused.
fn list(text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
    let paths: Vec<String> = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    if paths.len() > MAX_ENTRIES {
        let reason = format!("{} entries; the maximum is {MAX_ENTRIES}", paths.len());
        return Err(LevelFormatError { location: FileLocation::Line(1), reason });
    }
    let listed = |(index, path): (usize, &String)| {
        level_file(path).ok_or_else(|| LevelFormatError {
            location: FileLocation::Level(index + 1),
            reason: format!("{path:?} is not a path of the form Sokoban/NAME.pkl; no other file is opened"),
        })
    };
    paths.iter().enumerate().map(listed).collect()
}

/// `Sokoban/NAME.pkl` or `NAME.pkl`, and nothing that could lead to another folder.
fn level_file(path: &str) -> Option<ListedLevel> {
    let file = path.strip_prefix("./").unwrap_or(path);
    let file = file.strip_prefix("Sokoban/").unwrap_or(file);
    let name = file.strip_suffix(".pkl")?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let plain = name.len() <= 100
        && name.chars().all(is_plain)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric());
    plain.then(|| ListedLevel { name: name.to_owned(), file: file.to_owned() })
}

fn json_error(error: &serde_json::Error) -> LevelFormatError {
    LevelFormatError {
        location: FileLocation::Line(error.line().max(1)),
        reason: format!("has an unexpected form: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "######\n#@ $.#\n#    #\n######";

    fn level() -> Level {
        Level::from_text(1, None, BOARD)
    }

    fn published(entry: &str) -> (Level, Option<String>) {
        PublishedBests::read(&format!(r#"{{"1-Sokoban-v0": {entry}}}"#))
            .unwrap()
            .annotate("1-Sokoban-v0", &level())
    }

    #[test]
    fn published_results_are_kept_and_checked() {
        for (entry, trouble) in [
            (r#"{"actions": ["r", "R"], "steps": 2, "reward": 10.8}"#, None),
            (
                r#"{"actions": ["r", "R"], "steps": 2, "reward": 11.8}"#,
                Some("reward is 11.8, but its actions earn 10.8"),
            ),
            (
                r#"{"actions": ["r", "r"], "steps": 2, "reward": 10.8}"#,
                Some("are not valid: move 2 (r) is written as a walk"),
            ),
            (
                r#"{"actions": ["r"], "steps": 2, "reward": 10.8}"#,
                Some("1 actions and 2 steps are published"),
            ),
            (r#"{"actions": ["x", "R"], "steps": 2, "reward": 10.8}"#, Some("move 1 (x) is not one of")),
        ] {
            let (level, found) = published(entry);
            assert_eq!(found.is_some(), trouble.is_some(), "{entry}: {found:?}");
            assert!(found.unwrap_or_default().contains(trouble.unwrap_or_default()), "{entry}");
            let reward = if entry.contains("11.8") { "11.8" } else { "10.8" };
            assert_eq!(level.text(), format!("{BOARD}\n; published: 2 moves, reward {reward}"));
            assert_eq!(level.title.as_deref(), Some("1-Sokoban-v0"));
        }
        let (bare, trouble) = PublishedBests::default().annotate("other", &level());
        assert_eq!((bare.text(), trouble.as_deref()), (BOARD, Some("no result is published")));
        let odd = published(r#"{"actions": [], "steps": 2, "reward": 1e300}"#);
        assert!(odd.0.text() == BOARD && odd.1.unwrap().contains("not a number of tenths"));
    }

    #[test]
    fn lists_cannot_name_files_elsewhere() {
        let good = list(r#"["Sokoban/97-Sokoban-small-v0.pkl", "1.pkl"]"#).unwrap();
        assert_eq!(good[0].name, "97-Sokoban-small-v0");
        assert_eq!(good[1].file, "1.pkl");
        for path in [
            "../x.pkl",
            "Sokoban/../x.pkl",
            "/etc/x.pkl",
            "Sokoban//x.pkl",
            "Sokoban/a/b.pkl",
            "Sokoban/x.txt",
            "Sokoban/.pkl",
            "Sokoban/..pkl",
            "C:\\\\x.pkl",
            "Sokoban/\\u0000.pkl",
            "Other/x.pkl",
            "",
        ] {
            let error = list(&format!(r#"["1.pkl", "{path}"]"#)).unwrap_err().to_string();
            assert!(
                error.starts_with("level 2: ") && error.contains("no other file is opened"),
                "{path}: {error}"
            );
        }
        assert!(list("{}").unwrap_err().to_string().starts_with("line 1: has an unexpected form"));
    }
}
