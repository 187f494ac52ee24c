//! `themes`: the colour themes.

use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use mageyard_config::{Catalog, CatalogEntry, Config, Folders, Problem};
use mageyard_terminal::Theme;

/// List the colour themes, shipped ones and your own
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ThemeRow {
    theme: String,
    origin: String,
    chosen: bool,
    /// Why it cannot be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let chosen = &config.settings().screen.theme;
    let rows: Vec<ThemeRow> = theme_catalog(context.folders())
        .entries()
        .into_iter()
        .map(|entry| row(entry, chosen, context))
        .collect();
    let mut out = Output::open();
    if args.json {
        rows.iter().try_for_each(|row| out.object_line("theme", row))?;
    } else {
        let mark = |row: &ThemeRow| if row.chosen { "*" } else { "" }.to_owned();
        let origin = |row: &ThemeRow| match &row.broken {
            Some(why) => format!("BROKEN, {why}"),
            None => row.origin.clone(),
        };
        let cells: Vec<_> = rows.iter().map(|row| vec![mark(row), row.theme.clone(), origin(row)]).collect();
        out.table(&cells)?;
    }
    Ok(Exit::Done)
}

fn row(entry: CatalogEntry, chosen: &str, context: &Context) -> ThemeRow {
    let broken = load_theme(context.folders(), &entry.name).err().map(|problem| problem.to_string());
    let origin = entry.path.map_or_else(|| "shipped".to_owned(), |path| path.display().to_string());
    ThemeRow { chosen: entry.name == chosen, theme: entry.name, origin, broken }
}

/// The configured theme; an unknown name is reported at the place where it was set.
pub fn configured_theme(folders: &Folders, config: &Config) -> Result<Theme, Problem> {
    let wanted = &config.settings().screen.theme;
    let names: Vec<String> = theme_catalog(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.problem_with("screen.theme", format!("there is no theme {wanted}"));
        return Err(problem.with_suggestions(wanted, names.iter().map(String::as_str)));
    }
    load_theme(folders, wanted)
}

/// The themes: shipped ones and the user's own.
pub fn theme_catalog(folders: &Folders) -> Catalog {
    let shipped = Theme::shipped().iter().copied();
    Catalog::new("theme", "themes", shipped, folders.themes(), &["toml"])
}

/// A theme by name; the user's own take precedence over shipped ones.
pub fn load_theme(folders: &Folders, name: &str) -> Result<Theme, Problem> {
    let catalog = theme_catalog(folders);
    let file = catalog.find(name)?;
    let parent = |name: &str| {
        let file = catalog.find(name).ok()?;
        Some((file.path, file.text.to_string()))
    };
    Theme::parse(name, &file.path, &file.text, &parent)
}
