//! `config`: where the settings are, what holds and why, and whether the files are right.

use serde::Serialize;
use serde_json::Value;

use super::appearance;
use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::finding::Finding;
use super::finding::print_findings;
use super::level_ref;
use super::level_ref::LevelSource;
use super::output::Output;
use super::prices;
use super::prompt_catalog;
use super::prompts;
use super::readers;
use super::runtime;
use super::table::align_columns;
use crate::agents;
use crate::config::CatalogEntry;
use crate::config::Config;
use crate::config::Folders;
use crate::config::Origin;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::envs;

/// The settings: path, print, check
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// Print where files and folders are
    Path(Args),
    /// Print every setting that holds, and where it comes from
    Print(Args),
    /// Say whether the files that you edit are right
    Check(Args),
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

impl Verb {
    pub(super) fn run(self, house: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Path(args) => path(&args, house),
            Self::Print(args) => print(&args, &house.config()?),
            Self::Check(args) => print_findings(&findings(house), args.json),
        }
    }
}

#[derive(Serialize)]
struct PathRow {
    name: &'static str,
    path: String,
    exists: bool,
}

fn path(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let folders = house.folders();
    let spot = |(name, path): (_, std::path::PathBuf)| PathRow {
        name,
        exists: path.exists(),
        path: path.display().to_string(),
    };
    let spots = [
        ("settings", house.sources.user_file_override.clone().unwrap_or_else(|| folders.user_file())),
        ("project", folders.project_file()),
        ("keys", folders.keys_file()),
        ("prices", folders.prices_file()),
        ("themes", folders.themes()),
        ("readers", folders.readers()),
        ("levels", folders.config.join("levels")),
        ("prompts", folders.config.join("prompts")),
        ("config", folders.config.clone()),
        ("data", folders.data.clone()),
        ("state", folders.state.clone()),
        ("cache", folders.cache.clone()),
        ("log", folders.log_file()),
    ]
    .map(spot);
    let mut out = Output::open();
    if args.json {
        spots.iter().try_for_each(|spot| out.object_line(spot))?;
        return Ok(Exit::Done);
    }
    let missing = |spot: &PathRow| if spot.exists { "" } else { "(none yet)" }.to_owned();
    let cells = spots.iter().map(|spot| vec![spot.name.to_owned(), spot.path.clone(), missing(spot)]);
    align_columns(&cells.collect::<Vec<_>>()).iter().try_for_each(|line| out.line(line))?;
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct SettingRow<'a> {
    name: String,
    value: &'a Value,
    origin: &'static str,
    from: String,
}

fn print(args: &Args, config: &Config) -> Result<Exit, Failure> {
    let mut out = Output::open();
    if args.json {
        for row in config.resolved_settings() {
            let (origin, from) = (origin_name(&row.origin), row.origin.to_string());
            out.object_line(&SettingRow { name: row.name(), value: &row.value, origin, from })?;
        }
        return Ok(Exit::Done);
    }
    let cell = |row: &crate::config::ResolvedSetting| {
        vec![format!("{} = {}", row.key, row.value), format!("# {}", row.origin)]
    };
    let lines = align_columns(&config.resolved_settings().iter().map(cell).collect::<Vec<_>>());
    let mut table = "";
    for (row, line) in config.resolved_settings().iter().zip(lines) {
        if table != row.table {
            out.line(format!("{}[{}]", if table.is_empty() { "" } else { "\n" }, row.table))?;
            table = &row.table;
        }
        out.line(line)?;
    }
    Ok(Exit::Done)
}

fn origin_name(origin: &Origin) -> &'static str {
    match origin {
        Origin::Default => "default",
        Origin::File(_) => "file",
        Origin::Variable(_) => "variable",
        Origin::Flag(_) => "flag",
    }
}

/// What people edit, one finding each.
pub(super) fn findings(house: &Context) -> Vec<Finding> {
    let folders = house.folders();
    let settings = house.config().and_then(|config| check_settings(&config, house).map(|()| config));
    let keys = appearance::load_keymap(folders).map(|keys| format!("{} commands", keys.rows().len()));
    let own = appearance::theme_catalog(folders).entries().into_iter().filter(|entry| entry.path.is_some());
    let theme = |entry: CatalogEntry| {
        let read = appearance::load_theme(folders, &entry.name).map(|_| "yours".to_owned());
        Finding::of(format!("theme {}", entry.name), read)
    };
    let reader = |entry: CatalogEntry| {
        let read = readers::by_name(folders, &entry.name).map(|_| "yours".to_owned());
        Finding::of(format!("reader {}", entry.name), read)
    };
    let rules = readers::catalog(folders).entries().into_iter().filter(|entry| entry.path.is_some());
    let first = [
        Finding::of("settings", settings.map(|config| settings_files(&config))),
        Finding::of("keys", keys),
        prices::finding(folders),
    ];
    let prompts = prompts::findings(folders, |entry| entry.path.is_some());
    first
        .into_iter()
        .chain(own.map(theme))
        .chain(rules.map(reader))
        .chain(prompts)
        .chain(user_levels(folders))
        .collect()
}

/// The level files that people put on the shelf.
fn user_levels(folders: &Folders) -> Vec<Finding> {
    let files = |kind: &'static dyn EnvironmentSpec| {
        let entries = level_ref::catalog(kind, folders).entries().into_iter();
        entries.filter(|entry| entry.path.is_some()).map(move |entry| {
            let read =
                LevelSource::from_entry(kind, folders, &entry).map(|source| match source.levels.len() {
                    1 => "1 level, yours".to_owned(),
                    count => format!("{count} levels, yours"),
                });
            Finding::of(format!("levels {}/{}", kind.name(), entry.name), read)
        })
    };
    envs::environments().iter().flat_map(|kind| files(*kind)).collect()
}

/// The files that set something.
fn settings_files(config: &Config) -> String {
    let mut files: Vec<String> =
        config.resolved_settings().iter().filter_map(|row| file(&row.origin)).collect();
    files.sort();
    files.dedup();
    if files.is_empty() { "defaults".to_owned() } else { files.join(", ") }
}

fn file(origin: &Origin) -> Option<String> {
    match origin {
        Origin::File(place) => Some(place.file.display().to_string()),
        _ => None,
    }
}

/// What a settings file names must exist, and environments must take their own settings; these are
/// tried on their first level.
fn check_settings(config: &Config, house: &Context) -> Result<(), Problem> {
    let (folders, play) = (house.folders(), &config.settings().play);
    appearance::configured_theme(folders, config)?;
    readers::configured(folders, config)?;
    let level = level_ref::level(folders, &play.level).map_err(|problem| Problem {
        help: problem.help,
        ..config.problem_with("play.level", format!("play.level: {}", problem.message))
    })?;
    prompt_catalog::check_prompt_setting(level.spec, config)?;
    if !agents::AGENTS.iter().any(|row| row.name == play.agent) {
        let problem = config.problem_with("play.agent", format!("there is no agent {}", play.agent));
        return Err(problem.with_suggestions(&play.agent, agents::AGENTS.iter().map(|row| row.name)));
    }
    agents::validate_options(&config.settings().model.options)
        .map_err(|error| config.problem_with(&format!("model.{}", error.name), format!("model.{error}")))?;
    envs::environments().iter().filter(|kind| !kind.level_sets().is_empty()).try_for_each(|kind| {
        let first = level_ref::level(folders, kind.name())?;
        runtime::create_for_level(&first, config).map(drop)
    })
}
