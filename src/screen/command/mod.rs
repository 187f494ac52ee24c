//! The table of commands. Keys, help, palette and hint line are generated from it, and so are the identifiers; there is no
//! other list. A row also names the function of its command in each view. `update` and `sweep` call these functions; what
//! draws only reads the rows and never reaches a function.

mod family;
mod row;
mod table;

pub(crate) use self::family::{FAMILIES, Family, called, find_family, is_listed, split};
pub(crate) use self::row::{
    Argument, Command, Group, ScreenView, commands_in, find_command, find_command_in,
};
pub(crate) use self::row::{CommandId, meaning};
pub(crate) use self::table::{functions_of_commands, with_commands};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::row::COMMANDS;
    use super::*;

    #[test]
    fn names_are_unique_in_a_view_and_each_command_has_help() {
        for view in [ScreenView::Episode, ScreenView::Lines, ScreenView::Sweep] {
            let names: HashSet<_> = commands_in(view).map(|row| row.name).collect();
            assert_eq!(names.len(), commands_in(view).count());
            for row in commands_in(view) {
                assert_eq!(find_command_in(view, row.name).unwrap().id, row.id);
            }
        }
        for row in COMMANDS {
            assert!(row.help.len() > 10, "{}", row.name);
            let words = row.brief.split(' ').count();
            assert!((1..=4).contains(&words) && row.brief.len() <= 24, "{}: {}", row.name, row.brief);
            assert_eq!(row.hint.is_empty(), row.panes.is_empty(), "{}", row.name);
            assert_eq!(row.id.command().name, row.name);
            assert!(!row.is_in(ScreenView::Lines) || row.is_in(ScreenView::Episode), "{}", row.name);
        }
    }

    #[test]
    fn a_command_without_a_key_takes_an_argument_or_is_listed_here() {
        for row in COMMANDS.iter().filter(|row| row.keys.is_empty()) {
            assert!(
                row.argument != Argument::None
                    || [
                        CommandId::Abandon,
                        CommandId::Claims,
                        CommandId::Themes,
                        CommandId::Layout,
                        CommandId::Bandwidth,
                        CommandId::NextLevel,
                        CommandId::Model
                    ]
                    .contains(&row.id),
                "{}",
                row.name
            );
        }
    }
}
