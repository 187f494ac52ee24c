//! `check`: checks every file that ships with the program. One row per kind of file.

use std::path::Path;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::finding::{Finding, print_findings};
use super::user_file::UserFile;
use super::{prompts, suite, sweep};
use mageyard_config::{CatalogEntry, Config, Folders, Problem, Sources};
use mageyard_dialog::ReaderRules;
use mageyard_lab::LevelList;
use mageyard_terminal::{StyleRole, Theme};

/// Check every file that ships with the program
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The checks, in order.
const CHECKS: &[fn(&Context) -> Vec<Finding>] =
    &[settings, themes, readers, keys, levels, prompts, prices, sweeps, suites];

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    print_findings(&findings(context), args.json)
}

/// All checks.
pub(super) fn findings(context: &Context) -> Vec<Finding> {
    CHECKS.iter().flat_map(|check| check(context)).collect()
}

/// The shipped settings, without any changes by the user.
fn default_config() -> Result<Config, Problem> {
    Sources { folders: empty_folders(), user_file_override: None, overrides: Vec::new() }.read()
}

/// Folders without any files of the user.
fn empty_folders() -> Folders {
    Folders::under(Path::new("/nonexistent"))
}

fn settings(_: &Context) -> Vec<Finding> {
    let read = default_config().map(|config| format!("{} settings", config.resolved_settings().len()));
    vec![Finding::of("config.toml", read)]
}

fn themes(_: &Context) -> Vec<Finding> {
    let read = |name: &str| Theme::named(name).map(|_| format!("{} styles", StyleRole::all().count()));
    let names = Theme::shipped().iter().map(|(name, _)| *name);
    names.map(|name| Finding::of(format!("themes/{name}.toml"), read(name))).collect()
}

fn readers(_: &Context) -> Vec<Finding> {
    let read = |(name, text): &(&str, &str)| {
        let rules = ReaderRules::parse(name, text).map(|rules| rules.about().to_owned());
        Finding::of(format!("readers/{name}.toml"), rules.map_err(|error| Problem::new(error.message)))
    };
    ReaderRules::shipped().iter().map(read).collect()
}

fn keys(context: &Context) -> Vec<Finding> {
    let count = context.screen.count_commands(&empty_folders());
    vec![Finding::of("keys", count.map(|count| format!("{count} commands")))]
}

fn levels(context: &Context) -> Vec<Finding> {
    let sets = context.lab.environments().iter().flat_map(|spec| {
        let names =
            spec.level_sets().iter().map(|set| CatalogEntry { name: set.name.to_owned(), path: None });
        names.map(|entry| (*spec, entry))
    });
    let read = |spec, entry: &CatalogEntry| {
        let source = LevelList::from_entry(spec, context.folders(), entry)?;
        check_levels_open(&source, &default_config()?)
    };
    sets.map(|(spec, entry)| {
        Finding::of(format!("levels/{}/{}", spec.name(), entry.name), read(spec, &entry))
    })
    .collect()
}

/// Only the shipped prompts; the user's own are checked by `prompts check`.
fn prompts(context: &Context) -> Vec<Finding> {
    prompts::findings(&context.lab, &empty_folders(), |_| true)
}

/// Only the shipped sweeps; `sweep plan` checks the user's own.
fn sweeps(context: &Context) -> Vec<Finding> {
    sweep::findings(&context.lab, &empty_folders())
}

/// Only the shipped suites; `suite check` checks the user's own.
fn suites(context: &Context) -> Vec<Finding> {
    suite::findings(&context.lab, &empty_folders())
}

/// The shipped example; the user's own file is checked by `config check`.
fn prices(_: &Context) -> Vec<Finding> {
    let read = mageyard_config::example_prices().map(|prices| prices.summary());
    vec![Finding::of("prices.toml", read)]
}

/// Checks that every level of a file opens; returns the number of levels as text.
pub(super) fn check_levels_open(source: &LevelList, config: &Config) -> Result<String, Problem> {
    let all = source.all()?.good()?;
    all.iter().try_for_each(|selected| mageyard_lab::create_for_level(selected, config).map(drop))?;
    Ok(match all.len() {
        1 => "1 level".to_owned(),
        count => format!("{count} levels"),
    })
}
