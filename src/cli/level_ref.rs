//! Level references: `sokoban`, `sokoban/mini`, `sokoban/mini/7`, `path/to/file.xsb`,
//! `path/to/file.xsb#3`. A name whose first part is an environment is never a path.

use std::path::Path;

use serde_json::Value;

use crate::config::Catalog;
use crate::config::CatalogEntry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::domain::EnvironmentSpec;
use crate::domain::Level;
use crate::domain::nearest_names;
use crate::envs;

/// The most bytes a level file may have.
pub(crate) const LIMIT: u64 = 16 << 20;

/// A level that somebody asked for.
#[derive(Clone)]
pub(crate) struct SelectedLevel {
    /// Its kind of environment.
    pub(crate) spec: &'static dyn EnvironmentSpec,
    /// Its reference, whole: `sokoban/mini/7`, `file.xsb#3`.
    pub(crate) reference: String,
    /// The level.
    pub(crate) level: Level,
}

impl SelectedLevel {
    /// What objects call it: its title, or its number.
    pub(crate) fn name(&self) -> Value {
        self.level.title.as_deref().map_or_else(|| Value::from(self.level.number), Value::from)
    }
}

/// A level file, read: of a set, or one that somebody named by its path.
#[derive(Clone)]
pub(crate) struct LevelSource {
    pub(crate) spec: &'static dyn EnvironmentSpec,
    /// `sokoban/mini` or the path.
    pub(crate) name: String,
    /// What stands between the name and a level's number.
    separator: char,
    pub(crate) sheet: SourceFile,
    pub(crate) levels: Vec<Level>,
}

/// All levels that a reference names, at least one: an environment stands for its first set.
pub(crate) fn levels(folders: &Folders, reference: &str) -> Result<Vec<SelectedLevel>, Problem> {
    let (source, level) = source(folders, reference)?;
    level.map_or_else(|| Ok(source.all()), |level| source.level(level).map(|one| vec![one]))
}

/// The set or file that a reference names, and which of its levels, if it says.
pub(crate) fn source<'a>(
    folders: &Folders,
    reference: &'a str,
) -> Result<(LevelSource, Option<&'a str>), Problem> {
    let mut parts = reference.splitn(3, '/');
    let (first, set, level) = (parts.next().unwrap_or(""), parts.next(), parts.next());
    match (envs::environment(first), set) {
        (Some(kind), Some(set)) => Ok((LevelSource::from_set(kind, folders, set)?, level)),
        (Some(kind), None) => Ok((LevelSource::first_set(kind, folders)?, None)),
        (None, _) => file_source(folders, reference),
    }
}

/// The one level that a reference names; the first where it names more.
pub(crate) fn level(folders: &Folders, reference: &str) -> Result<SelectedLevel, Problem> {
    let first = levels(folders, reference)?.into_iter().next();
    first.ok_or_else(|| Problem::new(format!("{reference} holds no level")))
}

/// The level sets of an environment: those that ship with the program and the user's own.
pub(crate) fn catalog(kind: &'static dyn EnvironmentSpec, folders: &Folders) -> Catalog {
    let shipped = kind.level_sets().iter().map(|set| (set.name, set.text));
    let home = format!("levels/{}", kind.name());
    Catalog::new("level set", home, shipped, folders.levels(kind.name()), kind.file_extensions()).limit(LIMIT)
}

impl LevelSource {
    fn first_set(kind: &'static dyn EnvironmentSpec, folders: &Folders) -> Result<Self, Problem> {
        let entry = catalog(kind, folders).entries().into_iter().next();
        let entry = entry.ok_or_else(|| Problem::new(format!("{} has no levels", kind.name())))?;
        Self::from_entry(kind, folders, &entry)
    }

    fn from_set(kind: &'static dyn EnvironmentSpec, folders: &Folders, set: &str) -> Result<Self, Problem> {
        let sheet = catalog(kind, folders).find(set)?;
        Self::parse(kind, format!("{}/{set}", kind.name()), '/', sheet)
    }

    /// A set by its place on the shelf.
    pub(crate) fn from_entry(
        kind: &'static dyn EnvironmentSpec,
        folders: &Folders,
        entry: &CatalogEntry,
    ) -> Result<Self, Problem> {
        let sheet = catalog(kind, folders).read(entry)?;
        Self::parse(kind, format!("{}/{}", kind.name(), entry.name), '/', sheet)
    }

    /// A file by its path.
    fn from_file(path: &str) -> Result<Self, Problem> {
        let sheet = SourceFile::read(path, LIMIT).map_err(|problem| suggest_files(path, problem))?;
        Self::parse(spec_for_path(path)?, path.to_owned(), '#', sheet)
    }

    /// Standard input, of the first environment that can read it; the first one says what is wrong.
    pub(crate) fn from_stdin() -> Result<Self, Problem> {
        let sheet = SourceFile::read("/dev/stdin", LIMIT)?;
        let mut read =
            envs::environments().iter().map(|kind| Self::parse(*kind, "-".into(), '#', sheet.clone()));
        let first = read.next().ok_or_else(|| Problem::new("there is no environment"))?;
        first.or_else(|problem| read.find_map(Result::ok).ok_or(problem))
    }

    /// The levels of a file that was read.
    pub(crate) fn parse(
        kind: &'static dyn EnvironmentSpec,
        name: String,
        joint: char,
        sheet: SourceFile,
    ) -> Result<Self, Problem> {
        let refused = |error: crate::domain::LevelError| sheet.problem_in_line(error.reason, error.line);
        let levels = kind.parse_levels(&sheet.text).map_err(refused)?;
        if levels.is_empty() {
            return Err(sheet.problem_at("holds no level", 0..0));
        }
        Ok(Self { spec: kind, name, separator: joint, sheet, levels })
    }

    /// Its levels in order.
    pub(crate) fn all(&self) -> Vec<SelectedLevel> {
        self.levels.iter().map(|level| self.select(level)).collect()
    }

    fn select(&self, level: &Level) -> SelectedLevel {
        let reference = format!("{}{}{}", self.name, self.separator, level.number);
        SelectedLevel { spec: self.spec, reference, level: level.clone() }
    }

    /// Its level with this number, or else with this title.
    fn level(&self, wanted: &str) -> Result<SelectedLevel, Problem> {
        let numbered = |level: &&Level| wanted.parse() == Ok(level.number);
        let titled = |level: &&Level| level.title.as_deref() == Some(wanted);
        let found = self.levels.iter().find(numbered).or_else(|| self.levels.iter().find(titled));
        found.map(|level| self.select(level)).ok_or_else(|| self.no_such_level(wanted))
    }

    fn no_such_level(&self, wanted: &str) -> Problem {
        let titles = self.levels.iter().filter_map(|level| level.title.as_deref());
        // A number is meant as a number, not as a part of a title.
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

/// Among chosen levels, the one with this number or title; the only one when none is asked for.
pub(crate) fn select_one(chosen: Vec<SelectedLevel>, wanted: Option<&str>) -> Result<SelectedLevel, Problem> {
    let (count, first) = (chosen.len(), chosen.first().map_or_else(String::new, |one| one.reference.clone()));
    let fits = |one: &SelectedLevel| match wanted {
        Some(wanted) => wanted.parse() == Ok(one.level.number) || one.level.title.as_deref() == Some(wanted),
        None => count == 1,
    };
    chosen.into_iter().find(fits).ok_or_else(|| match wanted {
        Some(wanted) => Problem::new(format!("there is no level {wanted} among the {count} from {first} on")),
        None => Problem::new(format!("{count} levels from {first} on, but one is needed"))
            .with_help(format!("name one, such as {first}, or take --level N where the verb has it")),
    })
}

fn file_source<'a>(folders: &Folders, reference: &'a str) -> Result<(LevelSource, Option<&'a str>), Problem> {
    let (path, level) = match reference.rsplit_once('#') {
        Some((path, level)) if !Path::new(reference).exists() => (path, Some(level)),
        _ => (reference, None),
    };
    if !looks_like_a_path(path) {
        return Err(unknown_reference(folders, reference));
    }
    Ok((LevelSource::from_file(path)?, level))
}

/// A file that does not exist, with the names of the level files beside it that are like it.
fn suggest_files(path: &str, problem: Problem) -> Problem {
    let path = Path::new(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(wanted), Ok(entries), false) = (stem(path), std::fs::read_dir(folder), path.exists()) else {
        return problem;
    };
    let files: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|file| is_level(file)).collect();
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

fn stem(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

fn is_level(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        envs::environments().iter().any(|kind| kind.file_extensions().contains(&extension))
    })
}

fn looks_like_a_path(name: &str) -> bool {
    let path = Path::new(name);
    path.exists() || path.is_absolute() || name.starts_with('.') || path.extension().is_some()
}

fn unknown_reference(folders: &Folders, reference: &str) -> Problem {
    let sets = envs::environments().iter().flat_map(|kind| {
        let entries = catalog(*kind, folders).entries();
        entries.into_iter().map(|entry| format!("{}/{}", kind.name(), entry.name))
    });
    let names: Vec<String> =
        envs::environments().iter().map(|kind| kind.name().to_owned()).chain(sets).collect();
    let problem = Problem::new(format!("there is no level, set or file {reference}"));
    let stem = reference.rsplit_once('/').filter(|(_, last)| last.parse::<usize>().is_ok());
    problem.with_suggestions(stem.map_or(reference, |(stem, _)| stem), names.iter().map(String::as_str))
}

/// The environment whose files end so; the only environment where there is just one.
fn spec_for_path(path: &str) -> Result<&'static dyn EnvironmentSpec, Problem> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let takes = |kind: &&&'static dyn EnvironmentSpec| kind.file_extensions().contains(&extension);
    match (envs::environments().iter().find(takes), envs::environments()) {
        (Some(kind), _) | (None, [kind]) => Ok(*kind),
        (None, kinds) => {
            let known: Vec<_> = kinds.iter().flat_map(|kind| kind.file_extensions()).copied().collect();
            let problem = Problem::new("no environment has level files with this ending").at(path, "", 0..0);
            let known = known.join(", ");
            Err(problem
                .with_help(format!("known: {known}; `mageyard levels import` reads files of other programs")))
        }
    }
}
