//! `keys`: prints the commands of the screens with their keys.

use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::keys::Args;
use mageyard_cli::output::Output;
use mageyard_screen::join_keys;
use serde_json::json;

use crate::appearance;

/// Prints the rows of the keymap of the user.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
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
