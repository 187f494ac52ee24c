//! MageBench's lists: the level files of its sets, and the best results it published. Files are named here
//! and never opened.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::notes::Published;
use super::super::{Sokoban, notes, rules, xsb as boards};
use mageyard_domain::{
    CheckoutImport, CheckoutLayout, Level, LevelFormatError, ListedLevel, PublishedResults,
};
use mageyard_kit::{Entry, ListForm, magebench};

/// The folders and lists of the levels.
const LAYOUT: CheckoutLayout = magebench::layout(
    "Sokoban",
    &[("magebench-full", "Sokoban_all.json"), ("magebench-mini", "Sokoban_mini.json")],
    Some("upper_bound.json"),
);
const LIST: ListForm =
    ListForm { folder: LAYOUT.level_folder, entry: Entry::File { ending: ".pkl", longest: 100 } };

impl CheckoutImport for Sokoban {
    fn layout(&self) -> &'static CheckoutLayout {
        &LAYOUT
    }

    fn list(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
        LIST.read(text)
    }

    fn results(&self, text: &str) -> Option<Result<Box<dyn PublishedResults>, LevelFormatError>> {
        Some(PublishedBests::read(text).map(|read| Box::new(read) as Box<dyn PublishedResults>))
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
        serde_json::from_str(text)
            .map(|published| Self { published })
            .map_err(|error| magebench::json_error(&error))
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
            let earned = tenths(earned);
            let said = tenths(published.tenths);
            format!("the published reward is {said}, but its actions earn {earned}")
        })
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
        let good = LIST.read(r#"["Sokoban/97-Sokoban-small-v0.pkl", "1.pkl"]"#).unwrap();
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
            let error = LIST.read(&format!(r#"["1.pkl", "{path}"]"#)).unwrap_err().to_string();
            assert!(
                error.starts_with("level 2: ") && error.contains("no other file is opened"),
                "{path}: {error}"
            );
        }
        assert!(LIST.read("{}").unwrap_err().to_string().starts_with("line 1: has an unexpected form"));
    }
}
