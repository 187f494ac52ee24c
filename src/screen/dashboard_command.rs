//! The table of commands of the dashboard of sweeps. Keys, help and hint line are generated from it.

/// Identifies a command of the dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DashboardCommand {
    Open,
    Back,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
    Switch,
    NextMap,
    PreviousMap,
    Filter,
    Help,
    Redraw,
    Suspend,
    Interrupt,
    Quit,
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct DashboardRow {
    pub(crate) id: DashboardCommand,
    /// Name in `keys.toml`.
    pub(crate) name: &'static str,
    /// Default keys, in the notation of `keys.toml`.
    pub(crate) keys: &'static [&'static str],
    pub(crate) help: &'static str,
}

macro_rules! commands {
    ($($id:ident $name:literal [$($key:literal)*] $help:literal;)*) => {
        /// Every command of the dashboard, in the order of the help.
        pub(crate) const DASHBOARD_COMMANDS: &[DashboardRow] = &[$(DashboardRow {
            id: DashboardCommand::$id, name: $name, keys: &[$($key),*], help: $help,
        }),*];
    };
}

commands! {
    Open "open" ["enter"] "open the selected cell: the list of its episodes; there, show the selected episode step by step";
    Back "back" ["esc"] "go back: from the episodes to the map or the table, from a list of one state to all cells, from the table to the map";
    Up "up" ["up" "k"] "select the place or row above";
    Down "down" ["down" "j"] "select the place or row below";
    Left "left" ["left" "h"] "select the place of the map to the left";
    Right "right" ["right" "l"] "select the place of the map to the right";
    PageUp "page-up" ["pageup"] "go up by a page";
    PageDown "page-down" ["pagedown"] "go down by a page";
    First "first" ["g" "home"] "select the first place or row";
    Last "last" ["G" "end"] "select the last place or row";
    Switch "switch" ["tab"] "switch between the map of AM and OM and the table of all cells";
    NextMap "next-map" ["n"] "show the next map; there is one for each combination of the other settings";
    PreviousMap "previous-map" ["N"] "show the previous map";
    Filter "filter" ["f"] "list only the cells of the next state, and at last all; among episodes, only unsolved ones, then those with errors";
    Help "help" ["?"] "list these keys";
    Redraw "redraw" ["ctrl-l"] "redraw the screen";
    Suspend "suspend" ["ctrl-z"] "suspend the program and return to the shell; fg resumes it";
    Interrupt "interrupt" ["ctrl-c"] "quit at once; this stops a run, which the same command continues";
    Quit "quit" ["q"] "quit; while a run goes on, a second q or y confirms that it stops";
}

/// The command of this name.
pub(crate) fn find_dashboard_command(name: &str) -> Option<&'static DashboardRow> {
    DASHBOARD_COMMANDS.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_ids_are_unique_and_each_command_has_a_key_and_help() {
        let names: HashSet<_> = DASHBOARD_COMMANDS.iter().map(|row| row.name).collect();
        let ids: HashSet<_> = DASHBOARD_COMMANDS.iter().map(|row| row.id).collect();
        assert_eq!((names.len(), ids.len()), (DASHBOARD_COMMANDS.len(), DASHBOARD_COMMANDS.len()));
        for row in DASHBOARD_COMMANDS {
            assert!(row.help.len() > 10 && !row.keys.is_empty(), "{}", row.name);
            assert_eq!(find_dashboard_command(row.name).map(|found| found.id), Some(row.id));
        }
    }
}
