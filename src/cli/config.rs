//! `config`: where settings are, their values and origins, and whether the files are valid.

use mageyard_lab::{check_agent_settings, check_profiles, select_level};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::finding::{Finding, print_findings};
use super::output::Output;
use super::records::Record;
use super::table::align_columns;
use super::{prompts, user_file};
use mageyard_config::{
    CatalogEntry, Config, ModelProfile, Origin, Problem, ResolvedSetting, load_own_prices, load_prices,
};
use mageyard_domain::{EnvironmentSpec, Presets, Prices};
use mageyard_lab::LevelList;

/// Show and check settings, files and folders
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// Print the paths of files and folders
    Path(Args),
    /// Print every setting with its value and origin
    Print(Args),
    /// Check the files that you edit
    Check(Args),
    /// List and check presets of model families
    #[command(subcommand, alias = "models")]
    Presets(user_file::Verb),
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Path(args) => path(&args, context),
            Self::Print(args) => print(&args, &context.config()?),
            Self::Check(args) => print_findings(&findings(context), args.json),
            Self::Presets(verb) => verb.run::<Presets>(context),
        }
    }
}

/// A file or folder (`config path`).
#[derive(Serialize, JsonSchema)]
pub(super) struct PathRow {
    /// Name.
    name: &'static str,
    /// Path.
    path: String,
    /// Whether it exists.
    exists: bool,
}

impl Record for PathRow {
    const TYPE: &'static str = "path";
}

fn path(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let folders = context.folders();
    let spot = |(name, path): (_, std::path::PathBuf)| PathRow {
        name,
        exists: path.exists(),
        path: path.display().to_string(),
    };
    let spots = [
        ("settings", context.settings_file()),
        ("project", folders.project_file()),
        ("keys", folders.keys_file()),
        ("prices", folders.prices_file()),
        ("presets", folders.models_file()),
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
        spots.iter().try_for_each(|spot| out.record(spot))?;
        return Ok(Exit::Done);
    }
    let missing = |spot: &PathRow| if spot.exists { "" } else { "(does not exist)" }.to_owned();
    let cells = spots.iter().map(|spot| vec![spot.name.to_owned(), spot.path.clone(), missing(spot)]);
    align_columns(&cells.collect::<Vec<_>>()).iter().try_for_each(|line| out.line(line))?;
    Ok(Exit::Done)
}

/// A setting (`config print`).
#[derive(Serialize, JsonSchema)]
pub(super) struct SettingRow<'a> {
    /// Name.
    name: String,
    /// Value: a text, a number, true or false, or an object of texts for a table.
    value: &'a Value,
    /// Kind of the origin.
    origin: &'static str,
    /// Origin: file and line, variable or flag.
    from: String,
}

impl Record for SettingRow<'_> {
    const TYPE: &'static str = "setting";
}

fn print(args: &Args, config: &Config) -> Result<Exit, Failure> {
    let mut out = Output::open();
    let rows: Vec<&ResolvedSetting> = config
        .resolved_settings()
        .iter()
        .chain(config.profiles().iter().flat_map(|profile| &profile.settings))
        .collect();
    if args.json {
        for row in rows {
            let origin = origin_name(&row.origin);
            let from = row.origin.to_string();
            out.record(&SettingRow { name: row.name(), value: &row.value, origin, from })?;
        }
        return Ok(Exit::Done);
    }
    let cell = |row: &&ResolvedSetting| {
        vec![format!("{} = {}", row.key, row.written_value()), format!("# {}", row.origin)]
    };
    let lines = align_columns(&rows.iter().map(cell).collect::<Vec<_>>());
    let mut table = "";
    for (row, line) in rows.iter().zip(lines) {
        if table != row.table {
            let heading = row.written_table();
            out.line(format!("{}[{heading}]", if table.is_empty() { "" } else { "\n" }))?;
            table = &row.table;
        }
        out.line(line)?;
    }
    Ok(Exit::Done)
}

fn origin_name(origin: &Origin) -> &'static str {
    match origin {
        Origin::Default | Origin::Environment(_) => "default",
        Origin::File(_) => "file",
        Origin::Variable(_) => "variable",
        Origin::Flag(_) => "flag",
    }
}

/// The checks of the files that the user edits.
pub(super) fn findings(context: &Context) -> Vec<Finding> {
    let folders = context.folders();
    let settings = context.config().and_then(|config| check_settings(&config, context).map(|()| config));
    let profiles = profile_findings(context);
    let keys = context.screen.count_commands(folders).map(|count| format!("{count} commands"));
    let own =
        mageyard_terminal::theme_catalog(folders).entries().into_iter().filter(|entry| entry.path.is_some());
    let theme = |entry: CatalogEntry| {
        let read = mageyard_terminal::load_theme(folders, &entry.name).map(|_| "yours".to_owned());
        Finding::of(format!("theme {}", entry.name), read)
    };
    let reader = |entry: CatalogEntry| {
        let read = mageyard_lab::reader(folders, &entry.name).map(|_| "yours".to_owned());
        Finding::of(format!("reader {}", entry.name), read)
    };
    let rules =
        mageyard_lab::reader_catalog(folders).entries().into_iter().filter(|entry| entry.path.is_some());
    let first = [
        Finding::of("settings", settings.map(|config| settings_files(&config))),
        Finding::of("keys", keys),
        user_file::finding::<Prices>(folders),
        user_file::finding::<Presets>(folders),
    ];
    let prompts = prompts::findings(&context.lab, folders, |entry| entry.path.is_some());
    first
        .into_iter()
        .chain(profiles)
        .chain(own.map(theme))
        .chain(rules.map(reader))
        .chain(prompts)
        .chain(user_levels(context))
        .collect()
}

/// The profiles of models.
fn profile_findings(context: &Context) -> Vec<Finding> {
    let Ok(config) = context.config() else { return Vec::new() };
    let models = config.profiles().iter().map(ModelProfile::model);
    let checked = check_profiles(&context.lab, &config).into_iter().zip(models);
    checked
        .map(|((name, checked), model)| {
            Finding::of(format!("profile {name}"), checked.map(|()| format!("model {model}")))
        })
        .collect()
}

/// The level files of the user.
fn user_levels(context: &Context) -> Vec<Finding> {
    let folders = context.folders();
    let files = |spec: &'static dyn EnvironmentSpec| {
        let entries = mageyard_lab::level_catalog(spec, folders).entries().into_iter();
        entries.filter(|entry| entry.path.is_some()).map(move |entry| {
            let read = LevelList::from_entry(spec, folders, &entry).map(|source| match source.count() {
                1 => "1 level, yours".to_owned(),
                count => format!("{count} levels, yours"),
            });
            Finding::of(format!("levels {}/{}", spec.name(), entry.name), read)
        })
    };
    context.lab.environments().iter().flat_map(|spec| files(*spec)).collect()
}

/// The files that set something.
fn settings_files(config: &Config) -> String {
    let profiles = config.profiles().iter().flat_map(|profile| &profile.settings);
    let rows = config.resolved_settings().iter().chain(profiles);
    let mut files: Vec<String> = rows.filter_map(|row| file(&row.origin)).collect();
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

/// Checks the names in the settings, and that each environment accepts its settings (tried on its first
/// level).
fn check_settings(config: &Config, context: &Context) -> Result<(), Problem> {
    let folders = context.folders();
    let play = &config.settings().play;
    mageyard_terminal::configured_theme(folders, config)?;
    mageyard_lab::configured_reader(folders, config)?;
    let level = select_level(&context.lab, folders, &play.level).map_err(|problem| Problem {
        help: problem.help,
        ..config.problem_with("play.level", format!("play.level: {}", problem.message))
    })?;
    mageyard_lab::check_prompt_setting(level.spec, config)?;
    if context.lab.agent(&play.agent).is_none() {
        let problem = config.problem_with("play.agent", format!("there is no agent {}", play.agent));
        return Err(problem.with_suggestions(&play.agent, context.lab.agents().iter().map(|row| row.name)));
    }
    check_agent_settings(&context.lab, config)?;
    // A mistake in the file of prices is a finding of its own.
    if load_own_prices(folders).is_ok() {
        load_prices(config)?;
    }
    context.lab.environments().iter().filter(|spec| !spec.level_sets().is_empty()).try_for_each(|spec| {
        let first = select_level(&context.lab, folders, spec.name())?;
        mageyard_lab::create_for_level(&first, config).map(drop)
    })
}
