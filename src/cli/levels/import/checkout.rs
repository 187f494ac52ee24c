//! `levels import NAME FOLDER`: imports level sets from a checkout of another program, and compares the published
//! result of each level with our rules and solver.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::super::file_formats;
use super::super::records::SetRecord;
use super::checkout_records::{CheckoutLevelRecord, MissingSetRecord, RefusedLevelRecord};
use super::{files, folder};
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::signals::run_interruptible;
use crate::table::align_columns;
use crate::{output_file, runtime};
use mageyard_config::{Problem, SourceFile};
use mageyard_domain::{
    CheckoutImport, CheckoutLayout, EnvironmentSpec, FileNotes, FolderLevel, Level, LimitKind, ListedLevel,
    Options, PublishedResults, Reference, sanitize,
};
use mageyard_lab::{LEVEL_FILE_LIMIT, Lab};

/// A level and the check of its published result.
struct ImportedLevel {
    level: Level,
    /// What is wrong with the published result.
    problem: Option<String>,
    /// The true optimum, if the solver finds it.
    optimum: Option<Reference>,
}

/// The checkout to import, and the output folder.
pub(super) struct ImportRequest<'a> {
    pub(super) spec: &'static dyn EnvironmentSpec,
    pub(super) import: &'static dyn CheckoutImport,
    pub(super) checkout: &'a Path,
    /// The output folder; by default the user's level folder.
    pub(super) out: Option<&'a Path>,
    /// Whether existing files are overwritten.
    pub(super) force: bool,
    pub(super) json: bool,
}

/// Imports the level sets of each environment that the checkout has, and says which it does not have. It is an error if
/// it has none.
pub(super) fn run_all(requests: &[ImportRequest<'_>], context: &Context) -> Result<Exit, Failure> {
    let mut imported = Vec::new();
    let mut missing = Vec::new();
    for wanted in requests {
        match CheckoutFolders::find(&context.lab, wanted.import, wanted.checkout)? {
            Some(place) => {
                missing.extend(run(wanted, &place, context)?);
                imported.push(wanted.spec.name());
            }
            None => missing.extend(all_sets(wanted)),
        }
    }
    match requests.first() {
        Some(wanted) if imported.is_empty() => Err(not_a_checkout(requests, wanted).into()),
        Some(wanted) => print_missing(wanted, &imported, &missing),
        None => Ok(Exit::Done),
    }
}

/// A level set that the checkout does not have.
struct MissingSet {
    environment: &'static str,
    name: &'static str,
    list: &'static str,
}

fn all_sets(wanted: &ImportRequest<'_>) -> impl Iterator<Item = MissingSet> {
    let environment = wanted.spec.name();
    wanted.import.layout().sets.iter().map(move |(name, list)| MissingSet { environment, name, list })
}

/// Says what was imported and what was not there, if anything was not.
fn print_missing(
    wanted: &ImportRequest<'_>,
    imported: &[&str],
    missing: &[MissingSet],
) -> Result<Exit, Failure> {
    let mut output = Output::open();
    if wanted.json {
        let kind = format!("{}_missing", wanted.import.layout().name);
        for MissingSet { environment, name, list } in missing {
            output
                .object_line(&kind, &MissingSetRecord { reference: format!("{environment}/{name}"), list })?;
        }
    } else if !missing.is_empty() {
        output.line(format!("imported: {}", imported.join(", ")))?;
        let described = |set: &MissingSet| format!("{}/{} ({})", set.environment, set.name, set.list);
        let names: Vec<String> = missing.iter().map(described).collect();
        output.line(format!("not in the checkout: {}", names.join(", ")))?;
    }
    Ok(Exit::Done)
}

fn not_a_checkout(requests: &[ImportRequest<'_>], wanted: &ImportRequest<'_>) -> Problem {
    let layout = wanted.import.layout();
    let program = layout.program;
    let place = |wanted: &ImportRequest<'_>| {
        let layout = wanted.import.layout();
        format!("{} next to a folder {}", first_list(layout), layout.level_folder)
    };
    let places: Vec<String> = requests.iter().map(place).collect();
    let what = format!("not a checkout of {program}: it has no {}", places.join(", no "));
    let help = format!("give the folder that contains `{}`, or that folder itself", layout.resources);
    Problem::new(what).at(wanted.checkout, "", 0..0).with_help(help)
}

/// The list of the first set.
fn first_list(layout: &CheckoutLayout) -> &'static str {
    layout.sets.first().map_or("", |(_, list)| *list)
}

/// Imports the sets of an environment; returns those whose lists the checkout does not have.
fn run(
    wanted: &ImportRequest<'_>,
    place: &CheckoutFolders<'_>,
    context: &Context,
) -> Result<Vec<MissingSet>, Failure> {
    let options = context.config()?.settings().options(wanted.spec.name());
    let out = wanted.out.map_or_else(|| context.folders().levels(wanted.spec.name()), Path::to_owned);
    let mut known: BTreeMap<String, ImportedLevel> = BTreeMap::new();
    let mut refused: BTreeMap<String, String> = BTreeMap::new();
    let mut sets = Vec::new();
    let (present, missing): (Vec<_>, Vec<_>) = all_sets(wanted).partition(|set| place.has(set.list));
    for MissingSet { name, list, .. } in present {
        let listed = place.list(list)?;
        for one in &listed {
            if known.contains_key(&one.name) || refused.contains_key(&one.name) {
                continue;
            }
            match place.level(one)? {
                Ok(level) => drop(known.insert(one.name.clone(), level)),
                Err(why) => drop(refused.insert(one.name.clone(), why)),
            }
        }
        sets.push((name, listed));
    }
    let known = runtime::single_thread_runtime()?.block_on(add_optimum(wanted.spec, known, options))?;
    std::fs::create_dir_all(&out)
        .map_err(|error| Problem::new(format!("cannot create the folder: {error}")).at(&out, "", 0..0))?;
    let mut written = Vec::new();
    for (name, listed) in &sets {
        let levels: Vec<Level> =
            listed.iter().filter_map(|one| Some(known.get(&one.name)?.level.clone())).collect();
        let file = out.join(format!("{name}.{}", wanted.spec.file_extensions().first().unwrap_or(&"txt")));
        let text = files::to_native_text(wanted.spec, &levels, &FileNotes::default())?;
        if text.len() as u64 > LEVEL_FILE_LIMIT {
            let what =
                format!("would have {} bytes; a level file has at most {LEVEL_FILE_LIMIT}", text.len());
            return Err(Problem::new(what).at(&file, "", 0..0).into());
        }
        output_file::write(&file, text.as_bytes(), wanted.force)?;
        written.push((*name, levels.len(), file));
    }
    if wanted.json {
        print_json(wanted, &known, &refused, &written)?;
    } else {
        print_text(wanted, &known, &refused, &written)?;
    }
    Ok(missing)
}

/// The folders of a checkout.
struct CheckoutFolders<'a> {
    lab: &'a Lab,
    import: &'a dyn CheckoutImport,
    /// The folder of the lists.
    resources: PathBuf,
    /// The folder of the level files, with links resolved.
    levels: PathBuf,
    /// None if there are none.
    published: Option<Box<dyn PublishedResults>>,
}

impl<'a> CheckoutFolders<'a> {
    /// Finds the folders in a checkout, in its resources, or in its folder of level files. None if there are none.
    fn find(lab: &'a Lab, import: &'a dyn CheckoutImport, folder: &Path) -> Result<Option<Self>, Problem> {
        if let Ok(false) = folder.try_exists() {
            return Err(Problem::new("the folder does not exist").at(folder, "", 0..0));
        }
        let layout = import.layout();
        let below = layout.level_folder;
        let has_list = |resources: &Path| layout.sets.iter().any(|(_, list)| resources.join(list).is_file());
        let tries = [folder.join(layout.resources), folder.to_owned(), folder.join("..")];
        let is_it = |resources: &&PathBuf| resources.join(below).is_dir() && has_list(resources);
        let Some(resources) = tries.iter().find(is_it) else { return Ok(None) };
        let levels = resources.join(below);
        let levels = levels
            .canonicalize()
            .map_err(|error| Problem::new(format!("cannot be read: {error}")).at(&levels, "", 0..0))?;
        let results = layout.results_file.map(|file| levels.join(file));
        let read =
            |file: PathBuf| read_checkout_file(lab, import, &file, |text| import.results(text).transpose());
        let published = results.map(read).transpose()?.flatten();
        Ok(Some(Self { lab, import, resources: resources.clone(), levels, published }))
    }

    /// Whether it has the list of a set.
    fn has(&self, list: &str) -> bool {
        self.resources.join(list).is_file()
    }

    fn list(&self, list: &str) -> Result<Vec<ListedLevel>, Problem> {
        let read = |text: &str| self.import.list(text);
        read_checkout_file(self.lab, self.import, &self.resources.join(list), read)
    }

    /// Reads a listed level, or says why it is left out. A link to outside the folder is refused.
    fn level(&self, listed: &ListedLevel) -> Result<Result<ImportedLevel, String>, Problem> {
        let file = self.levels.join(&listed.file);
        let real =
            file.canonicalize().map_err(|_| Problem::new("the file does not exist").at(&file, "", 0..0))?;
        if !real.starts_with(&self.levels) {
            let what = format!("links to a file outside {}", self.levels.display());
            return Err(Problem::new(what).at(&file, "", 0..0));
        }
        if real.is_dir() {
            let from_folder = self.import.read_folder(&listed.name, folder::read(&real)?);
            if let Some(level) = from_folder {
                return Ok(level.map(ImportedLevel::of_folder));
            }
        }
        let bytes = SourceFile::read_limited(&real, LEVEL_FILE_LIMIT)?;
        if let Some(level) = self.import.read_level(listed, &bytes) {
            return Ok(level.map(|level| ImportedLevel { level, problem: None, optimum: None }));
        }
        let (_, levels, _) = files::read_file(self.lab, &file, self.import.layout().name)?;
        let level = levels.first().ok_or_else(|| Problem::new("has no levels").at(&file, "", 0..0))?;
        let (level, problem) = match &self.published {
            Some(published) => published.annotate(&listed.name, level),
            None => (level.clone(), None),
        };
        Ok(Ok(ImportedLevel { level, problem, optimum: None }))
    }
}

/// Reads and parses a text file of the checkout.
fn read_checkout_file<T>(
    lab: &Lab,
    import: &dyn CheckoutImport,
    path: &Path,
    read: impl Fn(&str) -> Result<T, mageyard_domain::LevelFormatError>,
) -> Result<T, Problem> {
    let sheet = SourceFile::read(path, LEVEL_FILE_LIMIT)?;
    read(&sheet.text).map_err(|error| {
        let list = format!("a list of {}", import.layout().program);
        file_formats::format_problem(lab, path, sheet.text.as_bytes(), &list, &error)
    })
}

/// Adds the true optimum of each level; a signal stops the search.
async fn add_optimum(
    spec: &'static dyn EnvironmentSpec,
    known: BTreeMap<String, ImportedLevel>,
    options: Options,
) -> Result<BTreeMap<String, ImportedLevel>, Failure> {
    let solving = move |raised: &AtomicBool| {
        let solve = |entry: ImportedLevel| {
            let optimum = spec.capabilities().scoring.reference(&entry.level, &options, raised);
            ImportedLevel { optimum, ..entry }
        };
        known.into_iter().map(|(name, entry)| (name, solve(entry))).collect()
    };
    run_interruptible("stopped while solving; nothing was written", solving).await
}

impl ImportedLevel {
    fn of_folder(read: FolderLevel) -> Self {
        let problem = (!read.left_out.is_empty()).then(|| format!("without {}", read.left_out.join(", ")));
        Self { level: read.level, problem, optimum: None }
    }

    fn published(&self, spec: &dyn EnvironmentSpec) -> Option<Reference> {
        spec.capabilities().scoring.published_reference(&self.level)
    }

    /// Whether the published result differs from the optimum, if both are known.
    fn differs(&self, spec: &dyn EnvironmentSpec) -> bool {
        self.published(spec).zip(self.optimum.as_ref()).is_some_and(|(published, optimum)| {
            published.steps != optimum.steps || published.best != optimum.best
        })
    }
}

fn print_json(
    wanted: &ImportRequest<'_>,
    known: &BTreeMap<String, ImportedLevel>,
    refused: &BTreeMap<String, String>,
    written: &[(&str, usize, PathBuf)],
) -> Result<(), Failure> {
    let mut output = Output::open();
    let kind = format!("{}_level", wanted.import.layout().name);
    for (name, entry) in known {
        let published = entry.published(wanted.spec);
        let optimum = entry.optimum.as_ref();
        output.object_line(
            &kind,
            &CheckoutLevelRecord {
                level: name,
                text: entry.level.text(),
                published: published.as_ref().map(|found| found.best),
                published_steps: published.as_ref().map(|found| found.steps),
                optimum: optimum.map(|found| found.best),
                shortest: optimum.map(|found| found.steps),
                differs: entry.differs(wanted.spec),
                trouble: entry.problem.as_deref(),
            },
        )?;
    }
    let kind = format!("{}_refused", wanted.import.layout().name);
    for (name, reason) in refused {
        output.object_line(&kind, &RefusedLevelRecord { level: name, reason: sanitize(reason) })?;
    }
    for (name, levels, file) in written {
        output.record(&SetRecord {
            reference: format!("{}/{name}", wanted.spec.name()),
            levels: *levels,
            out: Some(file),
            ..SetRecord::default()
        })?;
    }
    Ok(())
}

fn print_text(
    wanted: &ImportRequest<'_>,
    known: &BTreeMap<String, ImportedLevel>,
    refused: &BTreeMap<String, String>,
    written: &[(&str, usize, PathBuf)],
) -> Result<(), Failure> {
    let mut output = Output::open();
    for (name, reason) in refused {
        output.line(format!("{}: left out: {}", sanitize(name), sanitize(reason)))?;
    }
    for (name, entry) in known {
        if let Some(trouble) = &entry.problem {
            output.line(format!("{}: {}", sanitize(name), sanitize(trouble)))?;
        }
    }
    let differing: Vec<_> = known.iter().filter(|(_, entry)| entry.differs(wanted.spec)).collect();
    let mut table = vec![
        ["level", "published", "true optimum", "score of the optimum by the published value"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (name, entry) in &differing {
        if let (Some(published), Some(optimum)) = (entry.published(wanted.spec), &entry.optimum) {
            let cell = |found: &Reference| format!("{} moves, {:+.1}", found.steps, found.best);
            let scores = 100.0 + optimum.best - published.best;
            table.push(vec![(*name).clone(), cell(&published), cell(optimum), format!("{scores:.1}")]);
        }
    }
    if !differing.is_empty() {
        output.line(format!(
            "{} of {} published values differ from the true optimum:",
            differing.len(),
            known.len()
        ))?;
        align_columns(&table).iter().try_for_each(|line| output.line(line))?;
    }
    let open = known.values().filter(|entry| entry.optimum.is_none()).count();
    let solver = wanted.spec.capabilities().tools.solver;
    if open > 0 && solver.is_some() {
        let setting = solver.and_then(|solver| solver.limit_setting(LimitKind::States));
        let help = setting.map(|name| format!("; raise {}.{name} to search longer", wanted.spec.name()));
        output.line(format!("the solver gave up on {open} levels{}", help.unwrap_or_default()))?;
    }
    for (name, levels, file) in written {
        output.line(format!(
            "{}/{name}: {} written to {}",
            wanted.spec.name(),
            count_noun(*levels, "level", "levels"),
            file.display()
        ))?;
    }
    Ok(())
}
