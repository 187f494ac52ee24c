//! `config`: where the settings are, what holds and why, and whether the files are right.

use serde::Serialize;
use serde_json::Value;

use super::exit::Exit;
use super::exit::Failure;
use super::finding::Finding;
use super::finding::report;
use super::house::House;
use super::look;
use super::open;
use super::output::Output;
use super::prices;
use super::prompts;
use super::readers;
use super::reference;
use super::reference::Source;
use super::table::columns;
use super::variants;
use crate::agents;
use crate::config::Config;
use crate::config::Entry;
use crate::config::Folders;
use crate::config::Origin;
use crate::config::Problem;
use crate::domain::Kind;
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
    pub(super) fn run(self, house: &House) -> Result<Exit, Failure> {
        match self {
            Self::Path(args) => path(&args, house),
            Self::Print(args) => print(&args, &house.config()?),
            Self::Check(args) => report(&findings(house), args.json),
        }
    }
}

#[derive(Serialize)]
struct Spot {
    name: &'static str,
    path: String,
    exists: bool,
}

fn path(args: &Args, house: &House) -> Result<Exit, Failure> {
    let folders = house.folders();
    let spot = |(name, path): (_, std::path::PathBuf)| Spot {
        name,
        exists: path.exists(),
        path: path.display().to_string(),
    };
    let spots = [
        ("settings", house.sources.instead.clone().unwrap_or_else(|| folders.user_file())),
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
        spots.iter().try_for_each(|spot| out.object(spot))?;
        return Ok(Exit::Done);
    }
    let missing = |spot: &Spot| if spot.exists { "" } else { "(none yet)" }.to_owned();
    let cells = spots.iter().map(|spot| vec![spot.name.to_owned(), spot.path.clone(), missing(spot)]);
    columns(&cells.collect::<Vec<_>>()).iter().try_for_each(|line| out.line(line))?;
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct Line<'a> {
    name: String,
    value: &'a Value,
    origin: &'static str,
    from: String,
}

fn print(args: &Args, config: &Config) -> Result<Exit, Failure> {
    let mut out = Output::open();
    if args.json {
        for row in config.rows() {
            let (origin, from) = (sort(&row.origin), row.origin.to_string());
            out.object(&Line { name: row.name(), value: &row.value, origin, from })?;
        }
        return Ok(Exit::Done);
    }
    let cell =
        |row: &crate::config::Row| vec![format!("{} = {}", row.key, row.value), format!("# {}", row.origin)];
    let lines = columns(&config.rows().iter().map(cell).collect::<Vec<_>>());
    let mut table = "";
    for (row, line) in config.rows().iter().zip(lines) {
        if table != row.table {
            out.line(format!("{}[{}]", if table.is_empty() { "" } else { "\n" }, row.table))?;
            table = &row.table;
        }
        out.line(line)?;
    }
    Ok(Exit::Done)
}

fn sort(origin: &Origin) -> &'static str {
    match origin {
        Origin::Default => "default",
        Origin::File(_) => "file",
        Origin::Variable(_) => "variable",
        Origin::Flag(_) => "flag",
    }
}

/// What people edit, one finding each.
pub(super) fn findings(house: &House) -> Vec<Finding> {
    let folders = house.folders();
    let settings = house.config().and_then(|config| judge(&config, house).map(|()| config));
    let keys = look::keys(folders).map(|keys| format!("{} commands", keys.rows().len()));
    let own = look::themes(folders).entries().into_iter().filter(|entry| entry.path.is_some());
    let theme = |entry: Entry| {
        let read = look::theme(folders, &entry.name).map(|_| "yours".to_owned());
        Finding::of(format!("theme {}", entry.name), read)
    };
    let reader = |entry: Entry| {
        let read = readers::named(folders, &entry.name).map(|_| "yours".to_owned());
        Finding::of(format!("reader {}", entry.name), read)
    };
    let rules = readers::shelf(folders).entries().into_iter().filter(|entry| entry.path.is_some());
    let first = [
        Finding::of("settings", settings.map(|config| files(&config))),
        Finding::of("keys", keys),
        prices::finding(folders),
    ];
    let prompts = prompts::all(folders, |entry| entry.path.is_some());
    first
        .into_iter()
        .chain(own.map(theme))
        .chain(rules.map(reader))
        .chain(prompts)
        .chain(own_levels(folders))
        .collect()
}

/// The level files that people put on the shelf.
fn own_levels(folders: &Folders) -> Vec<Finding> {
    let files = |kind: &'static dyn Kind| {
        let entries = reference::shelf(kind, folders).entries().into_iter();
        entries.filter(|entry| entry.path.is_some()).map(move |entry| {
            let read = Source::entry(kind, folders, &entry).map(|source| match source.levels.len() {
                1 => "1 level, yours".to_owned(),
                count => format!("{count} levels, yours"),
            });
            Finding::of(format!("levels {}/{}", kind.name(), entry.name), read)
        })
    };
    envs::kinds().iter().flat_map(|kind| files(*kind)).collect()
}

/// The files that set something.
fn files(config: &Config) -> String {
    let mut files: Vec<String> = config.rows().iter().filter_map(|row| file(&row.origin)).collect();
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
fn judge(config: &Config, house: &House) -> Result<(), Problem> {
    let (folders, play) = (house.folders(), &config.settings().play);
    look::chosen(folders, config)?;
    readers::chosen(folders, config)?;
    let level = reference::level(folders, &play.level).map_err(|problem| Problem {
        help: problem.help,
        ..config.refuse("play.level", format!("play.level: {}", problem.what))
    })?;
    variants::known(level.kind, config)?;
    if !agents::ROWS.iter().any(|row| row.name == play.agent) {
        let problem = config.refuse("play.agent", format!("there is no agent {}", play.agent));
        return Err(problem.known(&play.agent, agents::ROWS.iter().map(|row| row.name)));
    }
    agents::judge(&config.settings().model.options)
        .map_err(|error| config.refuse(&format!("model.{}", error.name), format!("model.{error}")))?;
    envs::kinds().iter().filter(|kind| !kind.sets().is_empty()).try_for_each(|kind| {
        let first = reference::level(folders, kind.name())?;
        open::chosen(&first, config).map(drop)
    })
}
