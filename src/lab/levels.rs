//! Level references: `hanoi`, `hanoi/first`, `hanoi/first/7`, `path/to/file.hanoi`, `path/to/file.hanoi#3`. The number may be
//! a range with both ends, such as `1..4`. A reference that begins with the name of an environment is never read as a path.

use std::path::Path;

use serde_json::Value;

use super::Lab;
use mageyard_config::{Catalog, CatalogEntry, Folders, Problem, SourceFile};
use mageyard_domain::{EnvironmentSpec, FileNotes, Level, nearest_names};

/// The size limit of a level file, in bytes. A pack of pages has their pictures in it: the 193 tasks of a benchmark, each
/// with a megabyte of them. What a single page may have is limited by its environment.
pub const LEVEL_FILE_LIMIT: u64 = 256 << 20;

/// A level found by its reference.
#[derive(Clone)]
pub struct SelectedLevel {
    /// Its environment.
    pub spec: &'static dyn EnvironmentSpec,
    /// Its full reference, such as `hanoi/first/7` or `file.hanoi#3`.
    pub reference: String,
    /// The level.
    pub level: Level,
}

impl SelectedLevel {
    /// The level's name in JSON output: its title, or else its number.
    pub fn name(&self) -> Value {
        self.level.title.as_deref().map_or_else(|| Value::from(self.level.number), Value::from)
    }
}

/// A level file with its parsed levels: a set from the catalog, or a file given by path.
#[derive(Clone)]
pub struct LevelList {
    /// Its environment.
    pub spec: &'static dyn EnvironmentSpec,
    /// The set (`hanoi/first`) or the path.
    pub name: String,
    /// The separator between the name and a level number.
    separator: char,
    /// The file.
    pub file: SourceFile,
    /// Its levels, in order.
    pub levels: Vec<Level>,
}

/// All levels that a reference names, at least one. An environment alone means its first set.
pub fn select_levels(lab: &Lab, folders: &Folders, reference: &str) -> Result<Vec<SelectedLevel>, Problem> {
    let (source, level) = level_source(lab, folders, reference)?;
    level.map_or_else(|| Ok(source.all()), |level| source.some(level))
}

/// The set or file that a reference names, and the level in it if the reference gives one.
pub fn level_source<'a>(
    lab: &Lab,
    folders: &Folders,
    reference: &'a str,
) -> Result<(LevelList, Option<&'a str>), Problem> {
    let mut parts = reference.splitn(3, '/');
    let first = parts.next().unwrap_or("");
    let set = parts.next();
    let level = parts.next();
    match (lab.environment(first), set) {
        (Some(spec), Some(set)) => Ok((LevelList::from_set(spec, folders, set)?, level)),
        (Some(spec), None) => Ok((LevelList::first_set(spec, folders)?, None)),
        (None, _) => file_source(lab, folders, reference),
    }
}

/// All levels that a reference names, with the notes of their file.
pub fn noted_levels(lab: &Lab, folders: &Folders, reference: &str) -> Result<NotedLevels, Problem> {
    let (source, level) = level_source(lab, folders, reference)?;
    let complete = level.is_none();
    let levels = level.map_or_else(|| Ok(source.all()), |level| source.some(level))?;
    let mut all = (source.spec.capabilities().files.notes)(&source.file.text);
    let mut of = |one: &SelectedLevel| {
        all.levels.get_mut(one.level.number - 1).map(std::mem::take).unwrap_or_default()
    };
    let notes = levels.iter().map(&mut of).collect();
    Ok(NotedLevels { levels, notes: FileNotes { levels: notes, collection: all.collection }, complete })
}

/// Every error of the level file that a reference names; empty if it can be read.
pub fn level_file_errors(lab: &Lab, folders: &Folders, reference: &str) -> Vec<Problem> {
    let Err(problem) = level_source(lab, folders, reference) else { return Vec::new() };
    let Ok((kind, sheet)) = unparsed_file(lab, folders, reference) else { return vec![problem] };
    let errors = kind.level_errors(&sheet.text);
    let problems: Vec<Problem> =
        errors.into_iter().map(|error| sheet.problem_in_line(error.reason, error.line)).collect();
    if problems.is_empty() { vec![problem] } else { problems }
}

/// The text of a level file, and its environment.
fn unparsed_file(
    lab: &Lab,
    folders: &Folders,
    reference: &str,
) -> Result<(&'static dyn EnvironmentSpec, SourceFile), Problem> {
    let mut parts = reference.splitn(3, '/');
    if let (Some(kind), Some(set)) = (parts.next().and_then(|name| lab.environment(name)), parts.next()) {
        return Ok((kind, level_catalog(kind, folders).find(set)?));
    }
    let path = match reference.rsplit_once('#') {
        Some((path, _)) if !Path::new(reference).exists() => path,
        _ => reference,
    };
    Ok((spec_for_path(lab, path)?, SourceFile::read(path, LEVEL_FILE_LIMIT)?))
}

/// The level that a reference names, or the first of several.
pub fn select_level(lab: &Lab, folders: &Folders, reference: &str) -> Result<SelectedLevel, Problem> {
    let first = select_levels(lab, folders, reference)?.into_iter().next();
    first.ok_or_else(|| Problem::new(format!("{reference} has no level")))
}

fn file_source<'a>(
    lab: &Lab,
    folders: &Folders,
    reference: &'a str,
) -> Result<(LevelList, Option<&'a str>), Problem> {
    let (path, level) = match reference.rsplit_once('#') {
        Some((path, level)) if !Path::new(reference).exists() => (path, Some(level)),
        _ => (reference, None),
    };
    if !looks_like_a_path(path) {
        return Err(unknown_reference(lab, folders, reference));
    }
    Ok((source_from_file(lab, path)?, level))
}

/// Adds the names of similar level files in the same folder to a "no such file" problem.
fn suggest_files(lab: &Lab, path: &str, problem: Problem) -> Problem {
    let path = Path::new(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(wanted), Ok(entries), false) = (stem(path), std::fs::read_dir(folder), path.exists()) else {
        return problem;
    };
    let files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| is_level_file(lab, file))
        .collect();
    let near = nearest_names(wanted, files.iter().filter_map(|file| stem(file)));
    let named = |name: &&str| files.iter().find(|file| stem(file) == Some(*name));
    let shown: Vec<_> = near
        .iter()
        .filter_map(named)
        .filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned()))
        .collect();
    if shown.is_empty() {
        problem
    } else {
        problem.with_help(format!("did you mean {}?", shown.join(" or ")))
    }
}

fn is_level_file(lab: &Lab, file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        lab.environments().iter().any(|spec| spec.file_extensions().contains(&extension))
    })
}

fn unknown_reference(lab: &Lab, folders: &Folders, reference: &str) -> Problem {
    let sets = lab.environments().iter().flat_map(|spec| {
        let entries = level_catalog(*spec, folders).entries();
        entries.into_iter().map(|entry| format!("{}/{}", spec.name(), entry.name))
    });
    let names: Vec<String> =
        lab.environments().iter().map(|spec| spec.name().to_owned()).chain(sets).collect();
    let problem = Problem::new(format!("there is no level, set or file {reference}"));
    let stem = reference.rsplit_once('/').filter(|(_, last)| last.parse::<usize>().is_ok());
    problem.with_suggestions(stem.map_or(reference, |(stem, _)| stem), names.iter().map(String::as_str))
}

/// The environment with this file extension, or the only environment if there is just one.
fn spec_for_path(lab: &Lab, path: &str) -> Result<&'static dyn EnvironmentSpec, Problem> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let takes = |spec: &&&'static dyn EnvironmentSpec| spec.file_extensions().contains(&extension);
    match (lab.environments().iter().find(takes), lab.environments()) {
        (Some(spec), _) | (None, [spec]) => Ok(*spec),
        (None, specs) => {
            let known: Vec<_> = specs.iter().flat_map(|spec| spec.file_extensions()).copied().collect();
            let problem =
                Problem::new("no environment has level files with this extension").at(path, "", 0..0);
            let known = known.join(", ");
            Err(problem.with_help(format!(
                "known: {known}; `mageyard levels import` converts files of other programs"
            )))
        }
    }
}

/// A file given by path.
fn source_from_file(lab: &Lab, path: &str) -> Result<LevelList, Problem> {
    let file =
        SourceFile::read(path, LEVEL_FILE_LIMIT).map_err(|problem| suggest_files(lab, path, problem))?;
    LevelList::parse(spec_for_path(lab, path)?, path.to_owned(), '#', file)
}

/// Standard input, parsed by the first environment that can read it. If none can, the error is the first
/// environment's.
pub fn levels_from_stdin(lab: &Lab) -> Result<LevelList, Problem> {
    let file = SourceFile::read("/dev/stdin", LEVEL_FILE_LIMIT)?;
    let mut read =
        lab.environments().iter().map(|spec| LevelList::parse(*spec, "-".into(), '#', file.clone()));
    let first = read.next().ok_or_else(|| Problem::new("there is no environment"))?;
    first.or_else(|problem| read.find_map(Result::ok).ok_or(problem))
}

/// Levels with the titles, authors and comments of their file.
pub struct NotedLevels {
    /// The levels.
    pub levels: Vec<SelectedLevel>,
    /// The lines about each of these levels, and about their collection.
    pub notes: FileNotes,
    /// Whether these are all levels of the file.
    pub complete: bool,
}

/// The level sets of an environment: shipped ones and the user's own.
pub fn level_catalog(spec: &'static dyn EnvironmentSpec, folders: &Folders) -> Catalog {
    let shipped = spec.level_sets().iter().map(|set| (set.name, set.text));
    let home = format!("levels/{}", spec.name());
    Catalog::new("level set", home, shipped, folders.levels(spec.name()), spec.file_extensions())
        .limit(LEVEL_FILE_LIMIT)
}

impl LevelList {
    fn first_set(spec: &'static dyn EnvironmentSpec, folders: &Folders) -> Result<Self, Problem> {
        let entry = level_catalog(spec, folders).entries().into_iter().next();
        let entry = entry.ok_or_else(|| Problem::new(format!("{} has no levels", spec.name())))?;
        Self::from_entry(spec, folders, &entry)
    }

    fn from_set(spec: &'static dyn EnvironmentSpec, folders: &Folders, set: &str) -> Result<Self, Problem> {
        let file = level_catalog(spec, folders).find(set)?;
        Self::parse(spec, format!("{}/{set}", spec.name()), '/', file)
    }

    /// A set from its catalog entry.
    pub fn from_entry(
        spec: &'static dyn EnvironmentSpec,
        folders: &Folders,
        entry: &CatalogEntry,
    ) -> Result<Self, Problem> {
        let file = level_catalog(spec, folders).read(entry)?;
        Self::parse(spec, format!("{}/{}", spec.name(), entry.name), '/', file)
    }

    /// Parses the levels of a file.
    pub fn parse(
        spec: &'static dyn EnvironmentSpec,
        name: String,
        joint: char,
        file: SourceFile,
    ) -> Result<Self, Problem> {
        let refused = |error: mageyard_domain::LevelError| file.problem_in_line(error.reason, error.line);
        let levels = spec.parse_levels(&file.text).map_err(refused)?;
        if levels.is_empty() {
            return Err(file.problem_at("has no level", 0..0));
        }
        Ok(Self { spec, name, separator: joint, file, levels })
    }

    /// Its levels, in order.
    pub fn all(&self) -> Vec<SelectedLevel> {
        self.levels.iter().map(|level| self.select(level)).collect()
    }

    fn select(&self, level: &Level) -> SelectedLevel {
        let reference = format!("{}{}{}", self.name, self.separator, level.number);
        SelectedLevel { spec: self.spec, reference, level: level.clone() }
    }

    /// The level with this number or title, or else the levels of this range.
    fn some(&self, wanted: &str) -> Result<Vec<SelectedLevel>, Problem> {
        let range = wanted
            .split_once("..")
            .and_then(|(first, last)| Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?)));
        let titled = self.levels.iter().any(|level| level.title.as_deref() == Some(wanted));
        let Some((first, last)) = range.filter(|_| !titled) else {
            return self.level(wanted).map(|one| vec![one]);
        };
        if first < 1 || first > last || last > self.levels.len() {
            let what = format!("{}: the levels {first}..{last} do not exist", self.name);
            return Err(Problem::new(what).with_help(format!("it has levels 1..{}", self.levels.len())));
        }
        Ok(self.levels.iter().take(last).skip(first - 1).map(|level| self.select(level)).collect())
    }

    /// The level with this number, or else with this title.
    fn level(&self, wanted: &str) -> Result<SelectedLevel, Problem> {
        let numbered = |level: &&Level| wanted.parse() == Ok(level.number);
        let titled = |level: &&Level| level.title.as_deref() == Some(wanted);
        let found = self.levels.iter().find(numbered).or_else(|| self.levels.iter().find(titled));
        found.map(|level| self.select(level)).ok_or_else(|| self.no_such_level(wanted))
    }

    fn no_such_level(&self, wanted: &str) -> Problem {
        let titles = self.levels.iter().filter_map(|level| level.title.as_deref());
        // A number is never compared with titles.
        let near = if wanted.parse::<i64>().is_ok() { Vec::new() } else { nearest_names(wanted, titles) };
        let count = self.levels.len();
        let problem = Problem::new(format!("{} has no level {wanted}", self.name));
        problem.with_help(match near.as_slice() {
            [] if count == 1 => "it has one level: number 1".to_owned(),
            [] => format!("it has {count} levels, numbered from 1"),
            near => format!("did you mean {}?", near.join(" or ")),
        })
    }
}

/// Selects the level with this number or title, or the only level when none is given.
pub fn select_one_level(
    selected: Vec<SelectedLevel>,
    wanted: Option<&str>,
) -> Result<SelectedLevel, Problem> {
    let (count, first) =
        (selected.len(), selected.first().map_or_else(String::new, |one| one.reference.clone()));
    let fits = |one: &SelectedLevel| match wanted {
        Some(wanted) => wanted.parse() == Ok(one.level.number) || one.level.title.as_deref() == Some(wanted),
        None => count == 1,
    };
    selected.into_iter().find(fits).ok_or_else(|| match wanted {
        Some(wanted) => {
            Problem::new(format!("there is no level {wanted} in the {count} levels starting with {first}"))
        }
        None => Problem::new(format!("{count} levels, starting with {first}, but exactly one is needed"))
            .with_help(format!("name one, such as {first}, or use --level N if the verb has it")),
    })
}

fn stem(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

fn looks_like_a_path(name: &str) -> bool {
    let path = Path::new(name);
    path.exists() || path.is_absolute() || name.starts_with('.') || path.extension().is_some()
}
