//! A level file with its levels: a set from the catalog, a file or a folder given by path.

use std::path::Path;

use super::recognition::has_records;
use super::record_set::RecordSet;
use super::{ChosenLevels, SelectedLevel, level_catalog};
use mageyard_config::{CatalogEntry, Folders, Problem, SourceFile};
use mageyard_domain::{EnvironmentSpec, FileNotes, Level, LevelError, nearest_names};

/// A level without what it is made of.
pub struct LevelTitle {
    /// Its full reference.
    pub reference: String,
    /// The position in its file, from 1.
    pub number: usize,
    /// The title in its file.
    pub title: Option<String>,
    /// What it needs of the machine, a phrase each.
    pub needs: Vec<String>,
}

/// A level file with its levels.
pub struct LevelList {
    /// Its environment.
    pub spec: &'static dyn EnvironmentSpec,
    /// The set (`hanoi/first`) or the path.
    pub name: String,
    /// The separator between the name and a level number.
    separator: char,
    /// The file; without text if its records are read when they are needed.
    pub file: SourceFile,
    contents: Contents,
}

enum Contents {
    Levels(Vec<Level>),
    Records(RecordSet),
}

impl LevelList {
    pub(super) fn first_set(spec: &'static dyn EnvironmentSpec, folders: &Folders) -> Result<Self, Problem> {
        let entry = level_catalog(spec, folders).entries().into_iter().next();
        let entry = entry.ok_or_else(|| Problem::new(format!("{} has no levels", spec.name())))?;
        Self::from_entry(spec, folders, &entry)
    }

    pub(super) fn from_set(
        spec: &'static dyn EnvironmentSpec,
        folders: &Folders,
        set: &str,
    ) -> Result<Self, Problem> {
        let catalog = level_catalog(spec, folders);
        let entry = catalog.entries().into_iter().find(|entry| entry.name == set);
        match entry {
            Some(entry) => Self::from_entry(spec, folders, &entry),
            // It says what there is.
            None => Self::parse(spec, format!("{}/{set}", spec.name()), '/', catalog.find(set)?),
        }
    }

    /// A set from its catalog entry.
    pub fn from_entry(
        spec: &'static dyn EnvironmentSpec,
        folders: &Folders,
        entry: &CatalogEntry,
    ) -> Result<Self, Problem> {
        let name = format!("{}/{}", spec.name(), entry.name);
        let has_own_records = spec.capabilities().files.records.is_some();
        match entry.path.as_ref().filter(|path| has_own_records && has_records(path)) {
            Some(path) => Ok(Self::from_records(RecordSet::open(&[], Some(spec), path)?, name, '/', path)),
            None => Self::parse(spec, name, '/', level_catalog(spec, folders).read(entry)?),
        }
    }

    /// The levels of records.
    pub(super) fn from_records(set: RecordSet, name: String, separator: char, path: &Path) -> Self {
        let file = SourceFile { path: path.to_owned(), text: "".into() };
        Self { spec: set.spec, name, separator, file, contents: Contents::Records(set) }
    }

    /// Parses the levels of a file.
    pub fn parse(
        spec: &'static dyn EnvironmentSpec,
        name: String,
        joint: char,
        file: SourceFile,
    ) -> Result<Self, Problem> {
        let refused = |error: LevelError| file.problem_in_line(error.reason, error.line);
        let levels = spec.parse_levels(&file.text).map_err(refused)?;
        if levels.is_empty() {
            return Err(file.problem_at("has no level", 0..0));
        }
        Ok(Self { spec, name, separator: joint, file, contents: Contents::Levels(levels) })
    }

    /// The number of levels.
    pub fn count(&self) -> usize {
        match &self.contents {
            Contents::Levels(levels) => levels.len(),
            Contents::Records(set) => set.len(),
        }
    }

    /// The titles, authors and comments of the file.
    pub(super) fn notes(&self) -> FileNotes {
        (self.spec.capabilities().files.notes)(&self.file.text)
    }

    /// The levels without what they are made of, in order. Records are not read again for it.
    pub fn titles(&self) -> Vec<LevelTitle> {
        let of = |(number, title): (usize, Option<&str>)| LevelTitle {
            reference: self.reference(number),
            number,
            title: title.map(str::to_owned),
            needs: Vec::new(),
        };
        self.numbered_titles().into_iter().map(of).collect()
    }

    fn numbered_titles(&self) -> Vec<(usize, Option<&str>)> {
        match &self.contents {
            Contents::Levels(levels) => {
                levels.iter().map(|level| (level.number, level.title.as_deref())).collect()
            }
            Contents::Records(set) => set.titles().collect(),
        }
    }

    fn reference(&self, number: usize) -> String {
        format!("{}{}{number}", self.name, self.separator)
    }

    /// Its levels, in order, and the records that cannot be levels.
    pub fn all(&self) -> Result<ChosenLevels, Problem> {
        self.numbered(|_| true)
    }

    /// The problems of records that cannot be levels.
    pub(super) fn problems(&self) -> Vec<Problem> {
        match &self.contents {
            Contents::Levels(_) => Vec::new(),
            Contents::Records(set) => set.problems(|_| true),
        }
    }

    /// The levels whose numbers fit, and the records with such numbers that cannot be levels.
    fn numbered(&self, fits: impl Fn(usize) -> bool) -> Result<ChosenLevels, Problem> {
        let (levels, left_out) = match &self.contents {
            Contents::Levels(levels) => {
                (levels.iter().filter(|level| fits(level.number)).cloned().collect(), Vec::new())
            }
            Contents::Records(set) => (set.levels(&fits)?, set.problems(&fits)),
        };
        let select = |level: Level| SelectedLevel {
            spec: self.spec,
            reference: self.reference(level.number),
            level,
            left_out: 0,
        };
        Ok(ChosenLevels { levels: levels.into_iter().map(select).collect(), left_out })
    }

    /// The level with this number or title, or else the levels of this range.
    pub(super) fn some(&self, wanted: &str) -> Result<ChosenLevels, Problem> {
        let range = wanted
            .split_once("..")
            .and_then(|(first, last)| Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?)));
        let titled = self.numbered_titles().iter().any(|(_, title)| *title == Some(wanted));
        let Some((first, last)) = range.filter(|_| !titled) else {
            return self.level(wanted);
        };
        let most = self.last_number();
        if first < 1 || first > last || last > most {
            let what = format!("{}: the levels {first}..{last} do not exist", self.name);
            return Err(Problem::new(what).with_help(format!("it has levels 1..{most}")));
        }
        self.numbered(|number| (first..=last).contains(&number))
    }

    /// The number of the last level, or of the last record that cannot be one.
    fn last_number(&self) -> usize {
        match &self.contents {
            Contents::Levels(levels) => levels.len(),
            Contents::Records(set) => set.count_records(),
        }
    }

    /// The level with this number, or else with this title.
    fn level(&self, wanted: &str) -> Result<ChosenLevels, Problem> {
        let levels = self.numbered_titles();
        let numbered = |(number, _): &&(usize, Option<&str>)| wanted.parse() == Ok(*number);
        let titled = |(_, title): &&(usize, Option<&str>)| *title == Some(wanted);
        let found = levels.iter().find(numbered).or_else(|| levels.iter().find(titled));
        let number = found.map(|(number, _)| *number).or_else(|| wanted.parse().ok());
        let chosen = number.map(|wanted| self.numbered(|number| number == wanted)).transpose()?;
        chosen.filter(|chosen| !chosen.is_empty()).ok_or_else(|| self.no_such_level(wanted))
    }

    fn no_such_level(&self, wanted: &str) -> Problem {
        let titles = self.numbered_titles();
        let titles = titles.iter().filter_map(|(_, title)| *title);
        // A number is never compared with titles.
        let near = if wanted.parse::<i64>().is_ok() { Vec::new() } else { nearest_names(wanted, titles) };
        let count = self.count();
        let problem = Problem::new(format!("{} has no level {wanted}", self.name));
        problem.with_help(match near.as_slice() {
            [] if count == 1 => "it has one level: number 1".to_owned(),
            [] => format!("it has {count} levels, numbered from 1"),
            near => format!("did you mean {}?", near.join(" or ")),
        })
    }
}
