//! `levels import magebench`: imports the benchmark's level sets from a checkout, and compares the published result of
//! each level with our rules and solver.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::super::file_formats;
use super::files;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::output::count_noun;
use crate::cli::output_file;
use crate::cli::runtime;
use crate::cli::signals::run_interruptible;
use crate::cli::table::align_columns;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::domain::EnvironmentSpec;
use crate::domain::FileNotes;
use crate::domain::Level;
use crate::domain::Options;
use crate::domain::Reference;
use crate::envs::LevelFile;
use crate::envs::PublishedBests;
use crate::envs::Sokoban;
use crate::lab::LEVEL_FILE_LIMIT;
use crate::lab::Lab;

/// The sets: our name, and the file that lists its levels.
const SETS: [(&str, &str); 2] =
    [("magebench-full", "Sokoban_all.json"), ("magebench-mini", "Sokoban_mini.json")];

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
    pub(super) checkout: &'a Path,
    /// The output folder; by default the user's level folder.
    pub(super) out: Option<&'a Path>,
    /// Whether existing files are overwritten.
    pub(super) force: bool,
    pub(super) json: bool,
}

pub(super) fn run(wanted: &ImportRequest<'_>, context: &Context) -> Result<Exit, Failure> {
    let place = CheckoutFolders::find(&context.lab, wanted.checkout)?;
    let options = context.config()?.settings().options(Sokoban.name());
    let out = wanted.out.map_or_else(|| context.folders().levels(Sokoban.name()), Path::to_owned);
    let mut known: BTreeMap<String, ImportedLevel> = BTreeMap::new();
    let mut sets = Vec::new();
    for (name, list) in SETS {
        let listed = place.list(list)?;
        for one in &listed {
            if !known.contains_key(&one.name) {
                known.insert(one.name.clone(), place.level(one)?);
            }
        }
        sets.push((name, listed));
    }
    let known = runtime::single_thread_runtime()?.block_on(add_optimum(known, options))?;
    std::fs::create_dir_all(&out)
        .map_err(|error| Problem::new(format!("cannot create the folder: {error}")).at(&out, "", 0..0))?;
    let mut written = Vec::new();
    for (name, listed) in &sets {
        let levels: Vec<Level> =
            listed.iter().filter_map(|one| Some(known.get(&one.name)?.level.clone())).collect();
        let file = out.join(format!("{name}.xsb"));
        output_file::write(
            &file,
            files::to_native_text(&Sokoban, &levels, &FileNotes::default())?.as_bytes(),
            wanted.force,
        )?;
        written.push((*name, levels.len(), file));
    }
    if wanted.json {
        print_json(&known, &written)?;
    } else {
        print_text(&known, &written)?;
    }
    Ok(Exit::Done)
}

/// The folders of a checkout.
struct CheckoutFolders<'a> {
    lab: &'a Lab,
    /// The folder of the lists.
    resources: PathBuf,
    /// The folder of the level files, with links resolved.
    levels: PathBuf,
    published: PublishedBests,
}

impl<'a> CheckoutFolders<'a> {
    /// Finds the folders in a checkout, in its `resources`, or in `resources/Sokoban`.
    fn find(lab: &'a Lab, folder: &Path) -> Result<Self, Problem> {
        if let Ok(false) = folder.try_exists() {
            return Err(Problem::new("the folder does not exist").at(folder, "", 0..0));
        }
        let tries = [folder.join("resources"), folder.to_owned(), folder.join("..")];
        let is_it =
            |resources: &&PathBuf| resources.join("Sokoban").is_dir() && resources.join(SETS[0].1).is_file();
        let resources = tries.iter().find(is_it).ok_or_else(|| {
            let what =
                format!("not a checkout of MageBench: it has no {} next to a folder Sokoban", SETS[0].1);
            Problem::new(what)
                .at(folder, "", 0..0)
                .with_help("give the folder that contains `resources`, or that folder itself")
        })?;
        let levels = resources.join("Sokoban");
        let levels = levels
            .canonicalize()
            .map_err(|error| Problem::new(format!("cannot be read: {error}")).at(&levels, "", 0..0))?;
        let published = read_checkout_file(lab, &levels.join("upper_bound.json"), PublishedBests::read)?;
        Ok(Self { lab, resources: resources.clone(), levels, published })
    }

    fn list(&self, list: &str) -> Result<Vec<LevelFile>, Problem> {
        read_checkout_file(self.lab, &self.resources.join(list), PublishedBests::list)
    }

    /// Reads a listed level. A link to outside the folder is refused.
    fn level(&self, listed: &LevelFile) -> Result<ImportedLevel, Problem> {
        let file = self.levels.join(&listed.file);
        let real =
            file.canonicalize().map_err(|_| Problem::new("the file does not exist").at(&file, "", 0..0))?;
        if !real.starts_with(&self.levels) {
            let what = format!("links to a file outside {}", self.levels.display());
            return Err(Problem::new(what).at(&file, "", 0..0));
        }
        let (_, levels, _) = files::read_file(self.lab, &file, "magebench")?;
        let level = levels.first().ok_or_else(|| Problem::new("has no levels").at(&file, "", 0..0))?;
        let (level, trouble) = self.published.annotate(&listed.name, level);
        Ok(ImportedLevel { level, problem: trouble, optimum: None })
    }
}

/// Reads and parses a text file of the checkout.
fn read_checkout_file<T>(
    lab: &Lab,
    path: &Path,
    read: impl Fn(&str) -> Result<T, crate::domain::LevelFormatError>,
) -> Result<T, Problem> {
    let sheet = SourceFile::read(path, LEVEL_FILE_LIMIT)?;
    read(&sheet.text).map_err(|error| {
        file_formats::format_problem(lab, path, sheet.text.as_bytes(), "a list of MageBench", &error)
    })
}

/// Adds the true optimum of each level; a signal stops the search.
async fn add_optimum(
    known: BTreeMap<String, ImportedLevel>,
    options: Options,
) -> Result<BTreeMap<String, ImportedLevel>, Failure> {
    let solving = move |raised: &AtomicBool| {
        let solve = |entry: ImportedLevel| {
            let optimum = Sokoban.reference(&entry.level, &options, raised);
            ImportedLevel { optimum, ..entry }
        };
        known.into_iter().map(|(name, entry)| (name, solve(entry))).collect()
    };
    run_interruptible("stopped while solving; nothing was written", solving).await
}

impl ImportedLevel {
    fn published(&self) -> Option<Reference> {
        Sokoban.published_reference(&self.level)
    }

    /// Whether the published result differs from the optimum, if both are known.
    fn differs(&self) -> bool {
        self.published().zip(self.optimum.as_ref()).is_some_and(|(published, optimum)| {
            published.steps != optimum.steps || published.best != optimum.best
        })
    }
}

fn print_json(
    known: &BTreeMap<String, ImportedLevel>,
    written: &[(&str, usize, PathBuf)],
) -> Result<(), Failure> {
    let mut output = Output::open();
    for (name, entry) in known {
        let (published, optimum) = (entry.published(), entry.optimum.as_ref());
        output.object_line("magebench_level", &json!({
            "level": name, "text": entry.level.text(),
            "published": published.as_ref().map(|found| found.best), "published_steps": published.as_ref().map(|found| found.steps),
            "optimum": optimum.map(|found| found.best), "shortest": optimum.map(|found| found.steps),
            "differs": entry.differs(), "trouble": entry.problem,
        }))?;
    }
    for (name, levels, file) in written {
        output.object_line(
            "set",
            &json!({ "reference": format!("sokoban/{name}"), "levels": levels, "out": file }),
        )?;
    }
    Ok(())
}

fn print_text(
    known: &BTreeMap<String, ImportedLevel>,
    written: &[(&str, usize, PathBuf)],
) -> Result<(), Failure> {
    let mut output = Output::open();
    for (name, entry) in known {
        if let Some(trouble) = &entry.problem {
            output.line(format!("{name}: {trouble}"))?;
        }
    }
    let differing: Vec<_> = known.iter().filter(|(_, entry)| entry.differs()).collect();
    let mut table = vec![
        ["level", "published", "true optimum", "score of the optimum by the published value"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (name, entry) in &differing {
        if let (Some(published), Some(optimum)) = (entry.published(), &entry.optimum) {
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
    if open > 0 {
        output.line(format!(
            "the solver gave up on {open} levels; raise sokoban.solver_states to search longer"
        ))?;
    }
    for (name, levels, file) in written {
        output.line(format!(
            "sokoban/{name}: {} written to {}",
            count_noun(*levels, "level", "levels"),
            file.display()
        ))?;
    }
    Ok(())
}
