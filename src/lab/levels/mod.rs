//! Level references: `hanoi`, `hanoi/first`, `hanoi/first/7`, `path/to/file.hanoi`, `path/to/file.hanoi#3`, a file or folder of
//! records, `ENVIRONMENT:path/to/file`. The number may be a range with both ends, such as `1..4`. A reference that begins with the
//! name of an environment is never read as a path.

mod check;
mod chosen;
mod list;
mod named_files;
mod recognition;
mod record_set;
#[cfg(test)]
mod tests;
mod unread;

use std::path::Path;

pub use self::check::check_levels;
pub use self::chosen::ChosenLevels;
pub use self::list::{LevelList, LevelTitle};
pub use self::named_files::read_level_files;
use self::recognition::has_records;
use self::record_set::RecordSet;
pub(crate) use self::record_set::{excerpt_of, fault_problem, split_file};
pub(crate) use self::unread::open_spec;
use serde_json::Value;

use super::{Lab, config_for};
use mageyard_config::{Catalog, Config, Folders, Problem, SourceFile};
use mageyard_domain::{EnvironmentSpec, FileNotes, Level, nearest_names};

/// The size limit of a level file, in bytes. A pack of pages has their pictures in it: the 193 tasks of a benchmark, each
/// with a megabyte of them. What a single page may have is limited by its environment. A file of records has no limit, its
/// records have.
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
    /// How many records beside it were left out, because they cannot be played.
    pub left_out: usize,
}

impl SelectedLevel {
    /// The level's name in JSON output: its title, or else its number.
    pub fn name(&self) -> Value {
        level_name(self.level.title.as_deref(), self.level.number)
    }
}

/// The name of a level in JSON output: its title, or else its number.
pub fn level_name(title: Option<&str>, number: usize) -> Value {
    title.map_or_else(|| Value::from(number), Value::from)
}

/// All levels that a reference names, at least one. An environment alone means its first set. A record that cannot be a level
/// is an error.
pub fn select_levels(lab: &Lab, folders: &Folders, reference: &str) -> Result<Vec<SelectedLevel>, Problem> {
    choose_levels(lab, folders, reference)?.all_good(reference)
}

/// All levels that a reference names for episodes, with the files that they name and what they need checked. With `run.keep_going`
/// what cannot be
/// played is left out, and said in the second value.
pub fn playable_levels(
    lab: &Lab,
    config: &Config,
    reference: &str,
) -> Result<(Vec<SelectedLevel>, Vec<Problem>), Problem> {
    let chosen = choose_levels(lab, config.folders(), reference)?;
    let config = match chosen.levels.first() {
        Some(one) => &config_for(lab, config, one.spec)?,
        None => config,
    };
    let chosen = chosen.with_files_checked().with_needs_checked(config);
    if !config.settings().run.keep_going {
        return Ok((chosen.all_good(reference)?, Vec::new()));
    }
    let left_out = chosen.left_out.clone();
    let mut levels = chosen.good()?;
    for one in &mut levels {
        one.left_out = left_out.len();
    }
    Ok((levels, left_out))
}

/// All levels that a reference names, and the records that cannot be levels.
pub fn choose_levels(lab: &Lab, folders: &Folders, reference: &str) -> Result<ChosenLevels, Problem> {
    let (source, level) = level_source(lab, folders, reference)?;
    level.map_or_else(|| source.all(), |level| source.some(level))
}

/// Levels by their titles, and the records among them that cannot be levels.
pub struct TitledLevels {
    /// The levels, in order.
    pub levels: Vec<LevelTitle>,
    /// What is wrong with the others.
    pub left_out: Vec<Problem>,
}

/// The titles of all levels that a reference names.
pub fn level_titles(lab: &Lab, folders: &Folders, reference: &str) -> Result<TitledLevels, Problem> {
    let (source, level) = level_source(lab, folders, reference)?;
    let needs = source.spec.capabilities().files.needs;
    let chosen = match level {
        Some(level) => source.some(level)?,
        None if needs.is_some() => source.all()?,
        None => return Ok(TitledLevels { levels: source.titles(), left_out: source.problems() }),
    };
    let ChosenLevels { levels, left_out } = chosen;
    let title = |one: SelectedLevel| LevelTitle {
        needs: needs.map_or_else(Vec::new, |needs| needs.needs(&one.level)),
        reference: one.reference,
        number: one.level.number,
        title: one.level.title,
    };
    Ok(TitledLevels { levels: levels.into_iter().map(title).collect(), left_out })
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
    let levels = level.map_or_else(|| source.all(), |level| source.some(level))?.all_good(reference)?;
    let mut all = source.notes();
    let mut of = |one: &SelectedLevel| {
        all.levels.get_mut(one.level.number - 1).map(std::mem::take).unwrap_or_default()
    };
    let notes = levels.iter().map(&mut of).collect();
    Ok(NotedLevels { levels, notes: FileNotes { levels: notes, collection: all.collection }, complete })
}

/// Every error of the level file that a reference names; empty if it can be read. Of records also what is wrong with the files
/// that they name.
pub fn level_file_errors(lab: &Lab, folders: &Folders, reference: &str) -> Vec<Problem> {
    let problem = match level_source(lab, folders, reference) {
        Ok((source, _)) => return source.problems(),
        Err(problem) => problem,
    };
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
    let WrittenPath { spec, path, .. } = written_path(lab, reference);
    let spec = spec.map_or_else(|| spec_for_path(lab, path), Ok)?;
    Ok((spec, SourceFile::read(path, LEVEL_FILE_LIMIT)?))
}

/// The level that a reference names, or the first of several.
pub fn select_level(lab: &Lab, folders: &Folders, reference: &str) -> Result<SelectedLevel, Problem> {
    let first = choose_levels(lab, folders, reference)?.good()?.into_iter().next();
    first.ok_or_else(|| Problem::new(format!("{reference} has no level")))
}

/// A reference that is a path.
struct WrittenPath<'a> {
    /// The environment that is written before it.
    spec: Option<&'static dyn EnvironmentSpec>,
    /// The path with that environment, as it begins references of levels.
    name: &'a str,
    path: &'a str,
    level: Option<&'a str>,
}

fn written_path<'a>(lab: &Lab, reference: &'a str) -> WrittenPath<'a> {
    let prefix = reference.split_once(':').filter(|_| !Path::new(reference).exists());
    let named = prefix.and_then(|(name, rest)| Some((lab.environment(name)?, rest)));
    let (spec, whole) = named.map_or((None, reference), |(spec, rest)| (Some(spec), rest));
    let (path, level) = match whole.rsplit_once('#') {
        Some((path, level)) if !Path::new(whole).exists() => (path, Some(level)),
        _ => (whole, None),
    };
    let name = &reference[..reference.len() - whole.len() + path.len()];
    WrittenPath { spec, name, path, level }
}

fn file_source<'a>(
    lab: &Lab,
    folders: &Folders,
    reference: &'a str,
) -> Result<(LevelList, Option<&'a str>), Problem> {
    let written = written_path(lab, reference);
    if written.spec.is_none() && !looks_like_a_path(written.path) {
        return Err(unknown_reference(lab, folders, reference));
    }
    Ok((source_from_path(lab, &written)?, written.level))
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

/// A file or folder given by path.
fn source_from_path(lab: &Lab, written: &WrittenPath<'_>) -> Result<LevelList, Problem> {
    let WrittenPath { spec, name, path, .. } = *written;
    if is_of_records(lab, spec, Path::new(path)) {
        let set = RecordSet::open(lab.environments(), spec, Path::new(path))?;
        return Ok(LevelList::from_records(set, name.to_owned(), '#', Path::new(path)));
    }
    let file =
        SourceFile::read(path, LEVEL_FILE_LIMIT).map_err(|problem| suggest_files(lab, path, problem))?;
    LevelList::parse(spec.map_or_else(|| spec_for_path(lab, path), Ok)?, name.to_owned(), '#', file)
}

/// Whether a file or folder is made of records, by its content. A file with the usual extension of an environment without
/// records is one of its own.
fn is_of_records(lab: &Lab, spec: Option<&'static dyn EnvironmentSpec>, path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let reads = |spec: &&'static dyn EnvironmentSpec| spec.capabilities().files.records.is_some();
    let own_text = |spec: &&'static dyn EnvironmentSpec| {
        !reads(spec) && spec.file_extensions().first() == Some(&extension)
    };
    let any = match spec {
        Some(spec) => reads(&spec),
        None => lab.environments().iter().any(reads) && !lab.environments().iter().any(own_text),
    };
    any && (path.is_dir() || has_records(path))
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
