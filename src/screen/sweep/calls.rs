//! Calls of commands of the dashboard: the function of a command is named in its row of the table.

use super::commands;
use super::content::Content;
use super::state::{DashboardState, Outcome};
use crate::command::{CommandId, functions_of_commands, meaning, with_commands};

/// Performs a command.
type Function = fn(&mut DashboardState, Call<'_>) -> Outcome;

/// How a command was called.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) content: &'a Content,
    /// Whether the key before it asked to quit, which this one may confirm.
    pub(super) is_confirmed: bool,
}

/// Where the selection, or the help, is moved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
}

/// The commands that scroll the help. Others close it, but those of the terminal.
const HELP_MOVES: [(CommandId, Move); 6] = [
    (CommandId::SweepDown, Move::Down),
    (CommandId::SweepUp, Move::Up),
    (CommandId::SweepPageDown, Move::PageDown),
    (CommandId::SweepPageUp, Move::PageUp),
    (CommandId::SweepFirst, Move::First),
    (CommandId::SweepLast, Move::Last),
];

const OF_TERMINAL: [CommandId; 3] = [CommandId::SweepInterrupt, CommandId::Suspend, CommandId::Redraw];

macro_rules! in_sweep {
    (Sweep: $function:path) => {
        Some($function as Function)
    };
    ($($other:ident)+: $function:path) => {
        None
    };
}

with_commands!(functions_of_commands use in_sweep, Function;);

/// Performs a command. While the help is open, it is scrolled or closed.
pub(super) fn perform(state: &mut DashboardState, id: CommandId, call: Call<'_>) -> Outcome {
    if state.help.get().is_some() && !OF_TERMINAL.contains(&id) {
        state.move_help(meaning(&HELP_MOVES, Some(id)));
        return Outcome::Draw;
    }
    function_of(id).map_or(Outcome::Draw, |function| function(state, call))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{ScreenView, commands_in};

    #[test]
    fn every_command_of_the_dashboard_has_a_function_and_no_other_one() {
        assert!(commands_in(ScreenView::Sweep).all(|row| function_of(row.id).is_some()));
        assert!(function_of(CommandId::Step).is_none());
    }
}
