//! A sweep as a person selects it in a form, and the file that says the same.

use std::collections::BTreeMap;

use super::file::{checked_name, checked_repeats};
use mageyard_config::{Folders, Problem};
use mageyard_engine::AtomicFile;

/// From this number of successive numbers on a range is written.
const RANGE_FROM: usize = 3;

/// What is selected. Empty lists leave a setting at its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepDraft {
    /// The name, which is that of the file.
    pub name: String,
    /// References of levels.
    pub levels: Vec<String>,
    /// Models, each with the name of the agent that asks it.
    pub models: Vec<(String, String)>,
    /// Agents that ask no model.
    pub baselines: Vec<String>,
    /// Prompt variants.
    pub prompts: Vec<String>,
    /// AM.
    pub am: Vec<u16>,
    /// OM.
    pub om: Vec<u16>,
    /// `online`, `global` or both.
    pub settings: Vec<String>,
    /// Episodes for each level and cell.
    pub repeats: u32,
}

impl SweepDraft {
    /// The text of the file: only what is selected, with one table where one is enough.
    pub fn to_toml(&self) -> String {
        let mut top = vec![line("levels", &texts(&self.levels))];
        if self.repeats != 1 {
            top.push(format!("repeats = {}", self.repeats));
        }
        top.extend(self.reference());
        let mut text = top.join("\n") + "\n";
        let grids = self.grids();
        let setting = (!self.settings.is_empty()).then(|| line("play.setting", &texts(&self.settings)));
        let blocks: Vec<(&str, Vec<String>)> = match grids.as_slice() {
            [] => vec![("[settings]", setting.into_iter().collect())],
            [only] => vec![("[settings]", only.iter().cloned().chain(setting).collect())],
            several => {
                let shared = ("[settings]", setting.into_iter().collect());
                std::iter::once(shared).chain(several.iter().map(|grid| ("[[grid]]", grid.clone()))).collect()
            }
        };
        for (title, lines) in blocks.iter().filter(|(_, lines)| !lines.is_empty()) {
            text.extend(["\n", title, "\n", &lines.join("\n"), "\n"]);
        }
        text
    }

    /// A grid for each agent that asks models, and one for all that ask none.
    fn grids(&self) -> Vec<Vec<String>> {
        let mut agents: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (agent, model) in &self.models {
            agents.entry(agent).or_default().push(model.clone());
        }
        let asking = agents.into_iter().map(|(agent, models)| {
            let mut lines = vec![line("play.agent", &quoted(agent)), line("model.name", &texts(&models))];
            let lists = [("memory.am", &self.am), ("memory.om", &self.om)];
            let lists = lists.into_iter().filter(|(_, values)| !values.is_empty());
            lines.extend(lists.map(|(key, values)| line(key, &numbers(values))));
            lines.extend((!self.prompts.is_empty()).then(|| line("play.prompt", &texts(&self.prompts))));
            lines
        });
        let baselines =
            (!self.baselines.is_empty()).then(|| vec![line("play.agent", &texts(&self.baselines))]);
        asking.chain(baselines).collect()
    }

    /// The line that says what the others are compared with, if there is something to compare: AM 5 and OM 1 where they are
    /// selected, else the first values.
    fn reference(&self) -> Option<String> {
        let number = |values: &[u16], usual: u16| {
            let found = values.iter().find(|value| **value == usual).or(values.first());
            found.filter(|_| values.len() > 1).map(ToString::to_string)
        };
        let prompt = self.prompts.first().filter(|_| self.prompts.len() > 1).map(|name| quoted(name));
        let am = number(&self.am, 5);
        let om = number(&self.om, 1);
        let pairs = [("memory.am", am), ("memory.om", om), ("play.prompt", prompt)];
        let pairs: Vec<String> =
            pairs.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", value?))).collect();
        let compares = !pairs.is_empty() && !self.models.is_empty();
        compares.then(|| format!("reference = {{ {} }}", pairs.join(", ")))
    }

    /// Writes the file into the user's folder of sweeps, where it is found by its name; returns its path as text. A file of that
    /// name is kept unless it is to be replaced: `Ok(None)`.
    pub fn save(&self, folders: &Folders, replaces: bool) -> Result<Option<String>, Problem> {
        let name = checked_name(&self.name).map_err(Problem::new)?;
        checked_repeats(Some(self.repeats.into())).map_err(Problem::new)?;
        let path = folders.sweeps().join(format!("{name}.toml"));
        let write = || -> std::io::Result<bool> {
            std::fs::create_dir_all(folders.sweeps())?;
            let file = AtomicFile::stage(&path, self.to_toml().as_bytes())?.synced()?;
            if replaces {
                return file.replace().map(|_| true);
            }
            match file.create_new() {
                Ok(_) => Ok(true),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error),
            }
        };
        let written = write().map_err(|error| {
            let problem = Problem::new(format!("{}: the sweep cannot be written: {error}", path.display()));
            problem.with_help("check the permissions of the folder and the space on the disk")
        })?;
        Ok(written.then(|| path.display().to_string()))
    }
}

/// The numbers of a text such as `1, 5, 10` or `1..3`, in ascending order and each once; empty text has none.
pub fn draft_numbers(text: &str) -> Result<Vec<u16>, String> {
    let mut found = Vec::new();
    for part in text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()) {
        let number = |text: &str| {
            text.trim()
                .parse::<u16>()
                .map_err(|_| format!("{text:?} is not a whole number; write 1, 5 or 1..3"))
        };
        match part.split_once("..") {
            None => found.push(number(part)?),
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if last < first || last - first > MOST_NUMBERS {
                    return Err(format!("{part:?} is not a range from a number to a higher one; write 1..3"));
                }
                found.extend(first..=last);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The most numbers of a range.
const MOST_NUMBERS: u16 = 100;

fn line(key: &str, value: &str) -> String {
    format!("{key} = {value}")
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// One text, or a list.
fn texts(values: &[String]) -> String {
    match values {
        [one] => quoted(one),
        several => format!("[{}]", several.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ")),
    }
}

/// One number, a range of successive ones, or a list.
fn numbers(values: &[u16]) -> String {
    let is_range =
        values.len() >= RANGE_FROM && values.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    match values {
        [one] => one.to_string(),
        [first, .., last] if is_range => format!("\"{first}..{last}\""),
        several => format!("[{}]", several.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::{SweepOverrides, SweepPlan, plan_sweep, sweep_file};
    use mageyard_config::{Config, SourceFile};
    use mageyard_lab::Lab;

    fn list(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    fn draft() -> SweepDraft {
        SweepDraft {
            name: "memory".to_owned(),
            levels: list(&["sokoban/first/1..2"]),
            models: vec![("demo".to_owned(), "demo".to_owned())],
            am: vec![1, 5, 10],
            om: vec![1, 2, 3],
            repeats: 3,
            ..SweepDraft::default()
        }
    }

    fn lab() -> Lab {
        Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
    }

    fn plan(draft: &SweepDraft) -> SweepPlan {
        let config = Config::shipped(Folders::under(Path::new("/nonexistent"))).unwrap();
        let sheet = SourceFile { path: "memory.toml".into(), text: draft.to_toml().into() };
        plan_sweep(&lab(), &sheet, &SweepOverrides::default(), &config).unwrap()
    }

    #[test]
    fn the_file_is_what_a_person_would_write() {
        let text = "levels = \"sokoban/first/1..2\"\nrepeats = 3\nreference = { memory.am = 5, memory.om = 1 }\n\n\
                    [settings]\nplay.agent = \"demo\"\nmodel.name = \"demo\"\nmemory.am = [1, 5, 10]\n\
                    memory.om = \"1..3\"\n";
        assert_eq!(draft().to_toml(), text);
        let one = SweepDraft { am: Vec::new(), om: Vec::new(), repeats: 1, ..draft() };
        let text =
            "levels = \"sokoban/first/1..2\"\n\n[settings]\nplay.agent = \"demo\"\nmodel.name = \"demo\"\n";
        assert_eq!(one.to_toml(), text);
    }

    #[test]
    fn the_planned_file_has_what_was_selected() {
        let several = SweepDraft {
            levels: list(&["sokoban/first/1", "sokoban/first/2"]),
            models: ["demo", "demo-weak"].map(|name| ("demo".to_owned(), name.to_owned())).to_vec(),
            baselines: list(&["random", "idle"]),
            prompts: list(&["0s-CoT", "HD-CoT"]),
            am: vec![3, 5],
            om: vec![1, 2],
            settings: list(&["online", "global"]),
            repeats: 2,
            ..draft()
        };
        let plan = plan(&several);
        assert_eq!((plan.name.as_str(), plan.reference.len()), ("memory", 3));
        let has = |cell: &crate::PlannedCell| {
            let settings = cell.config.settings();
            let agent = settings.play.agent.clone();
            let model = crate::cell_model(&lab(), cell).unwrap();
            let is_model = model.is_some_and(|model| several.models.contains(&(agent.clone(), model)));
            assert!(is_model || several.baselines.contains(&agent), "{}", cell.name);
            assert!(several.levels.contains(&settings.play.level), "{}", cell.name);
            assert!(several.settings.contains(&settings.play.setting.to_string().to_lowercase()));
            assert_eq!(cell.repeats, 2);
            if is_model {
                let window = cell.config.window();
                assert!(several.am.contains(&window.am()) && several.om.contains(&window.om()));
                assert!(several.prompts.contains(&settings.play.prompt));
            }
        };
        plan.cells.iter().for_each(has);
        let asking = plan.cells.iter().filter(|cell| cell.config.settings().play.agent == "demo").count();
        let struck = plan.struck.iter().filter(|cell| cell.duplicate_of.is_none()).count();
        // Two levels, models, prompts, settings, AM and OM; two baselines on two levels in two settings.
        assert_eq!((asking + struck + (plan.struck.len() - struck), plan.cells.len() - asking), (64, 8));
    }

    #[test]
    fn texts_are_escaped() {
        let odd = SweepDraft { models: vec![("demo".to_owned(), "a\"]\nb".to_owned())], ..draft() };
        let table: toml::Table = odd.to_toml().parse().unwrap();
        assert_eq!(table["settings"]["model"]["name"].as_str(), Some("a\"]\nb"));
    }

    #[test]
    fn a_file_is_replaced_only_if_that_is_wanted() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        let path = draft().save(&folders, false).unwrap().unwrap();
        assert!(path.ends_with("sweeps/memory.toml"), "{path}");
        let other = SweepDraft { repeats: 9, ..draft() };
        assert_eq!(other.save(&folders, false).unwrap(), None);
        let text = |name: &str| sweep_file(&folders, name).unwrap().text.to_string();
        assert!(text("memory").contains("repeats = 3"), "the file was kept");
        assert!(other.save(&folders, true).unwrap().is_some() && text("memory").contains("repeats = 9"));
        let wrong = SweepDraft { name: "a/b".to_owned(), ..draft() };
        assert!(wrong.save(&folders, false).unwrap_err().to_string().contains("name of a folder"));
    }

    #[test]
    fn numbers_are_read_as_lists_and_ranges() {
        assert_eq!(draft_numbers("10, 1 5,1..3").unwrap(), [1, 2, 3, 5, 10]);
        assert_eq!(draft_numbers(" ").unwrap(), [0_u16; 0]);
        for wrong in ["x", "3..1", "1..9999", "-1", "1.."] {
            assert!(draft_numbers(wrong).is_err(), "{wrong}");
        }
        assert_eq!(numbers(&[1, 2]), "[1, 2]");
        assert_eq!(numbers(&[1, 2, 4]), "[1, 2, 4]");
    }
}
