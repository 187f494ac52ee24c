//! Level references: `sokoban`, `sokoban/mini`, `sokoban/mini/7`, `path/to/file.xsb`,
//! `path/to/file.xsb#3`. A name whose first part is an environment is never a path.

use std::path::Path;

use serde_json::Value;

use crate::config::Entry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::Sheet;
use crate::config::Shelf;
use crate::domain::Kind;
use crate::domain::Level;
use crate::domain::nearest;
use crate::envs;

/// The most bytes a level file may have.
pub(crate) const LIMIT: u64 = 16 << 20;

/// A level that somebody asked for.
#[derive(Clone)]
pub(crate) struct Chosen {
    /// Its kind of environment.
    pub(crate) kind: &'static dyn Kind,
    /// Its reference, whole: `sokoban/mini/7`, `file.xsb#3`.
    pub(crate) reference: String,
    /// The level.
    pub(crate) level: Level,
}

impl Chosen {
    /// What objects call it: its title, or its number.
    pub(crate) fn name(&self) -> Value {
        self.level.title.as_deref().map_or_else(|| Value::from(self.level.number), Value::from)
    }
}

/// A level file, read: of a set, or one that somebody named by its path.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) kind: &'static dyn Kind,
    /// `sokoban/mini` or the path.
    pub(crate) name: String,
    /// What stands between the name and a level's number.
    joint: char,
    pub(crate) sheet: Sheet,
    pub(crate) levels: Vec<Level>,
}

/// All levels that a reference names, at least one: an environment stands for its first set.
pub(crate) fn levels(folders: &Folders, reference: &str) -> Result<Vec<Chosen>, Problem> {
    let (source, level) = source(folders, reference)?;
    level.map_or_else(|| Ok(source.all()), |level| source.one(level).map(|one| vec![one]))
}

/// The set or file that a reference names, and which of its levels, if it says.
pub(crate) fn source<'a>(
    folders: &Folders,
    reference: &'a str,
) -> Result<(Source, Option<&'a str>), Problem> {
    let mut parts = reference.splitn(3, '/');
    let (first, set, level) = (parts.next().unwrap_or(""), parts.next(), parts.next());
    match (envs::kind(first), set) {
        (Some(kind), Some(set)) => Ok((Source::set(kind, folders, set)?, level)),
        (Some(kind), None) => Ok((Source::first(kind, folders)?, None)),
        (None, _) => named_file(folders, reference),
    }
}

/// The one level that a reference names; the first where it names more.
pub(crate) fn level(folders: &Folders, reference: &str) -> Result<Chosen, Problem> {
    let first = levels(folders, reference)?.into_iter().next();
    first.ok_or_else(|| Problem::new(format!("{reference} holds no level")))
}

/// The level sets of an environment: those that ship with the program and the user's own.
pub(crate) fn shelf(kind: &'static dyn Kind, folders: &Folders) -> Shelf {
    let shipped = kind.sets().iter().map(|set| (set.name, set.text));
    let home = format!("levels/{}", kind.name());
    Shelf::new("level set", home, shipped, folders.levels(kind.name()), kind.extensions()).limit(LIMIT)
}

impl Source {
    fn first(kind: &'static dyn Kind, folders: &Folders) -> Result<Self, Problem> {
        let entry = shelf(kind, folders).entries().into_iter().next();
        let entry = entry.ok_or_else(|| Problem::new(format!("{} has no levels", kind.name())))?;
        Self::entry(kind, folders, &entry)
    }

    fn set(kind: &'static dyn Kind, folders: &Folders, set: &str) -> Result<Self, Problem> {
        let sheet = shelf(kind, folders).find(set)?;
        Self::read(kind, format!("{}/{set}", kind.name()), '/', sheet)
    }

    /// A set by its place on the shelf.
    pub(crate) fn entry(kind: &'static dyn Kind, folders: &Folders, entry: &Entry) -> Result<Self, Problem> {
        let sheet = shelf(kind, folders).read(entry)?;
        Self::read(kind, format!("{}/{}", kind.name(), entry.name), '/', sheet)
    }

    /// A file by its path.
    fn file(path: &str) -> Result<Self, Problem> {
        let sheet = Sheet::read(path, LIMIT).map_err(|problem| neighbours(path, problem))?;
        Self::read(kind_of(path)?, path.to_owned(), '#', sheet)
    }

    /// Standard input, of the first environment that can read it; the first one says what is wrong.
    pub(crate) fn input() -> Result<Self, Problem> {
        let sheet = Sheet::read("/dev/stdin", LIMIT)?;
        let mut read = envs::kinds().iter().map(|kind| Self::read(*kind, "-".into(), '#', sheet.clone()));
        let first = read.next().ok_or_else(|| Problem::new("there is no environment"))?;
        first.or_else(|problem| read.find_map(Result::ok).ok_or(problem))
    }

    /// The levels of a file that was read.
    pub(crate) fn read(
        kind: &'static dyn Kind,
        name: String,
        joint: char,
        sheet: Sheet,
    ) -> Result<Self, Problem> {
        let refused = |error: crate::domain::LevelError| sheet.problem_in_line(error.reason, error.line);
        let levels = kind.read(&sheet.text).map_err(refused)?;
        if levels.is_empty() {
            return Err(sheet.problem("holds no level", 0..0));
        }
        Ok(Self { kind, name, joint, sheet, levels })
    }

    /// Its levels in order.
    pub(crate) fn all(&self) -> Vec<Chosen> {
        self.levels.iter().map(|level| self.chosen(level)).collect()
    }

    fn chosen(&self, level: &Level) -> Chosen {
        let reference = format!("{}{}{}", self.name, self.joint, level.number);
        Chosen { kind: self.kind, reference, level: level.clone() }
    }

    /// Its level with this number, or else with this title.
    fn one(&self, wanted: &str) -> Result<Chosen, Problem> {
        let numbered = |level: &&Level| wanted.parse() == Ok(level.number);
        let titled = |level: &&Level| level.title.as_deref() == Some(wanted);
        let found = self.levels.iter().find(numbered).or_else(|| self.levels.iter().find(titled));
        found.map(|level| self.chosen(level)).ok_or_else(|| self.missing(wanted))
    }

    fn missing(&self, wanted: &str) -> Problem {
        let titles = self.levels.iter().filter_map(|level| level.title.as_deref());
        // A number is meant as a number, not as a part of a title.
        let near = if wanted.parse::<i64>().is_ok() { Vec::new() } else { nearest(wanted, titles) };
        let count = self.levels.len();
        let problem = Problem::new(format!("{} has no level {wanted}", self.name));
        problem.help(match near.as_slice() {
            [] if count == 1 => "it has one level: number 1".to_owned(),
            [] => format!("it has {count} levels, numbered from 1"),
            near => format!("did you mean {}?", near.join(" or ")),
        })
    }
}

/// Among chosen levels, the one with this number or title; the only one when none is asked for.
pub(crate) fn pick(chosen: Vec<Chosen>, wanted: Option<&str>) -> Result<Chosen, Problem> {
    let (count, first) = (chosen.len(), chosen.first().map_or_else(String::new, |one| one.reference.clone()));
    let fits = |one: &Chosen| match wanted {
        Some(wanted) => wanted.parse() == Ok(one.level.number) || one.level.title.as_deref() == Some(wanted),
        None => count == 1,
    };
    chosen.into_iter().find(fits).ok_or_else(|| match wanted {
        Some(wanted) => Problem::new(format!("there is no level {wanted} among the {count} from {first} on")),
        None => Problem::new(format!("{count} levels from {first} on, but one is needed"))
            .help(format!("name one, such as {first}, or take --level N where the verb has it")),
    })
}

fn named_file<'a>(folders: &Folders, reference: &'a str) -> Result<(Source, Option<&'a str>), Problem> {
    let (path, level) = match reference.rsplit_once('#') {
        Some((path, level)) if !Path::new(reference).exists() => (path, Some(level)),
        _ => (reference, None),
    };
    if !looks_like_a_path(path) {
        return Err(unknown(folders, reference));
    }
    Ok((Source::file(path)?, level))
}

/// A file that does not exist, with the names of the level files beside it that are like it.
fn neighbours(path: &str, problem: Problem) -> Problem {
    let path = Path::new(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(wanted), Ok(entries), false) = (stem(path), std::fs::read_dir(folder), path.exists()) else {
        return problem;
    };
    let files: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|file| is_level(file)).collect();
    let near = nearest(wanted, files.iter().filter_map(|file| stem(file)));
    let named = |name: &&str| files.iter().find(|file| stem(file) == Some(*name));
    let shown: Vec<_> = near
        .iter()
        .filter_map(named)
        .filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned()))
        .collect();
    if shown.is_empty() { problem } else { problem.help(format!("did you mean {}?", shown.join(" or "))) }
}

fn stem(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

fn is_level(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| envs::kinds().iter().any(|kind| kind.extensions().contains(&extension)))
}

fn looks_like_a_path(name: &str) -> bool {
    let path = Path::new(name);
    path.exists() || path.is_absolute() || name.starts_with('.') || path.extension().is_some()
}

fn unknown(folders: &Folders, reference: &str) -> Problem {
    let sets = envs::kinds().iter().flat_map(|kind| {
        let entries = shelf(*kind, folders).entries();
        entries.into_iter().map(|entry| format!("{}/{}", kind.name(), entry.name))
    });
    let names: Vec<String> = envs::kinds().iter().map(|kind| kind.name().to_owned()).chain(sets).collect();
    let problem = Problem::new(format!("there is no level, set or file {reference}"));
    let stem = reference.rsplit_once('/').filter(|(_, last)| last.parse::<usize>().is_ok());
    problem.known(stem.map_or(reference, |(stem, _)| stem), names.iter().map(String::as_str))
}

/// The environment whose files end so; the only environment where there is just one.
fn kind_of(path: &str) -> Result<&'static dyn Kind, Problem> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let takes = |kind: &&&'static dyn Kind| kind.extensions().contains(&extension);
    match (envs::kinds().iter().find(takes), envs::kinds()) {
        (Some(kind), _) | (None, [kind]) => Ok(*kind),
        (None, kinds) => {
            let known: Vec<_> = kinds.iter().flat_map(|kind| kind.extensions()).copied().collect();
            let problem = Problem::new("no environment has level files with this ending").at(path, "", 0..0);
            let known = known.join(", ");
            Err(problem
                .help(format!("known: {known}; `mageyard levels import` reads files of other programs")))
        }
    }
}
