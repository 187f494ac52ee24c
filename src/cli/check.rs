//! `check`: tries every file that ships with the program. One row a sort of file.

use std::path::Path;

use super::exit::Exit;
use super::exit::Failure;
use super::finding::Finding;
use super::finding::report;
use super::house::House;
use super::open;
use super::prompts;
use super::reference::Source;
use crate::config;
use crate::config::Config;
use crate::config::Entry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::Sources;
use crate::dialog::Rules;
use crate::envs;
use crate::tui::Keymap;
use crate::tui::Role;
use crate::tui::Theme;

/// Try every file that ships with the program
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

/// What is tried, in this order.
const CHECKS: &[fn(&House) -> Vec<Finding>] = &[settings, themes, readers, keys, levels, prompts, prices];

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    report(&findings(house), args.json)
}

/// Everything that was tried.
pub(super) fn findings(house: &House) -> Vec<Finding> {
    CHECKS.iter().flat_map(|check| check(house)).collect()
}

/// The settings as they ship, with nobody's changes.
fn shipped() -> Result<Config, Problem> {
    Sources { folders: nowhere(), instead: None, given: Vec::new() }.read()
}

/// Folders with nothing of anybody's in them.
fn nowhere() -> Folders {
    Folders::below(Path::new("/nonexistent"))
}

fn settings(_: &House) -> Vec<Finding> {
    let read = shipped().map(|config| format!("{} settings", config.rows().len()));
    vec![Finding::of("config.toml", read)]
}

fn themes(_: &House) -> Vec<Finding> {
    let read = |name: &str| Theme::named(name).map(|_| format!("{} styles", Role::all().count()));
    let names = Theme::shipped().iter().map(|(name, _)| *name);
    names.map(|name| Finding::of(format!("themes/{name}.toml"), read(name))).collect()
}

fn readers(_: &House) -> Vec<Finding> {
    let read = |(name, text): &(&str, &str)| {
        let rules = Rules::parse(name, text).map(|rules| rules.about().to_owned());
        Finding::of(format!("readers/{name}.toml"), rules.map_err(|error| Problem::new(error.what)))
    };
    Rules::shipped().iter().map(read).collect()
}

fn keys(_: &House) -> Vec<Finding> {
    vec![Finding::ok("keys", format!("{} commands", Keymap::default().rows().len()))]
}

fn levels(house: &House) -> Vec<Finding> {
    let sets = envs::kinds().iter().flat_map(|kind| {
        let names = kind.sets().iter().map(|set| Entry { name: set.name.to_owned(), path: None });
        names.map(|entry| (*kind, entry))
    });
    let read = |kind, entry: &Entry| {
        let source = Source::entry(kind, house.folders(), entry)?;
        opens(&source, &shipped()?)
    };
    sets.map(|(kind, entry)| {
        Finding::of(format!("levels/{}/{}", kind.name(), entry.name), read(kind, &entry))
    })
    .collect()
}

/// The shipped ones alone: what a user has in front of them is not what is tried here.
fn prompts(_: &House) -> Vec<Finding> {
    prompts::all(&nowhere(), |_| true)
}

/// The example that ships; one's own file is a matter of `config check`.
fn prices(_: &House) -> Vec<Finding> {
    let read = config::example_prices().map(|prices| super::prices::counted(&prices));
    vec![Finding::of("prices.toml", read)]
}

/// Whether every level of a file opens; how many there are.
pub(super) fn opens(source: &Source, config: &Config) -> Result<String, Problem> {
    let all = source.all();
    all.iter().try_for_each(|chosen| open::chosen(chosen, config).map(drop))?;
    Ok(match all.len() {
        1 => "1 level".to_owned(),
        count => format!("{count} levels"),
    })
}
