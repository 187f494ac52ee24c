//! `keys`: the commands of the screen with their keys.

use serde_json::json;

use super::appearance;
use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use mageyard_screen::join_keys;

/// List the commands of the screens with their keys
///
/// The first column is the table of `keys.toml` to which a binding belongs: `keys` for the screen, `sweep` for the dashboard.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let rows = appearance::load_keymap(context.folders())?.rows();
    let mut out = Output::open();
    if args.json {
        let object = |row: &mageyard_screen::KeyRow| json!({ "table": row.table, "command": row.command, "keys": row.keys, "default": row.default, "help": row.help });
        rows.iter().try_for_each(|row| out.object_line("key_binding", &object(row)))?;
    } else {
        let cells: Vec<_> = rows
            .iter()
            .map(|row| {
                vec![row.table.to_owned(), row.command.to_owned(), join_keys(&row.keys), row.help.to_owned()]
            })
            .collect();
        out.table(&cells)?;
    }
    Ok(Exit::Done)
}
