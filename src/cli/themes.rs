//! `themes`: the colour themes.

use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use mageyard_config::CatalogEntry;
use mageyard_terminal::{load_theme, theme_catalog};

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
