//! The table of commands. Keys, help, palette and hint line are generated from it; there is no other
//! list.

mod id;
mod row;
mod table;

pub(crate) use id::CommandId;
pub(crate) use row::{Argument, Command, Group};
pub(crate) use table::{COMMANDS, find_command};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_ids_are_unique_and_each_command_has_help() {
        let names: HashSet<_> = COMMANDS.iter().map(|row| row.name).collect();
        let ids: HashSet<_> = COMMANDS.iter().map(|row| row.id).collect();
        assert_eq!((names.len(), ids.len()), (COMMANDS.len(), COMMANDS.len()));
        for row in COMMANDS {
            assert!(row.help.len() > 10, "{}", row.name);
            assert_eq!(row.hint.is_empty(), row.panes.is_empty(), "{}", row.name);
            assert_eq!(row.id.command().name, row.name);
            assert_eq!(find_command(row.name).unwrap().id, row.id);
        }
    }

    #[test]
    fn a_command_without_a_key_takes_an_argument_or_is_listed_here() {
        for row in COMMANDS.iter().filter(|row| row.keys.is_empty()) {
            assert!(
                row.argument != Argument::None
                    || [CommandId::Abandon, CommandId::Themes, CommandId::Layout, CommandId::Bandwidth]
                        .contains(&row.id),
                "{}",
                row.name
            );
        }
    }
}
