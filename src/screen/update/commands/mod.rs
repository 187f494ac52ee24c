//! What commands do: one function for each command of the screen of episodes, named in its row of the table. It does the
//! command of a bare key, of a line in the palette and of a line in the linear mode. The modules are the groups of the help.

mod look;
mod memory;
mod panes;
mod run;
mod screen;

use super::Effect;
use crate::command::{CommandId, functions_of_commands, with_commands};
use crate::model::{Modal, Model, Palette};

/// Performs a command.
pub(super) type Function = fn(&mut Model, Call<'_>, &mut Vec<Effect>);

/// Where a command was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// By its key, or by choosing it.
    Key,
    /// By its name in the palette.
    Palette,
    /// By its name in a line of the linear mode.
    Line,
}

/// How a command was called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    id: CommandId,
    origin: Origin,
    /// The number that was typed before it.
    count: Option<u32>,
    /// What follows its name; empty without an argument.
    argument: &'a str,
}

impl<'a> Call<'a> {
    /// How often a command is repeated.
    fn times(self) -> u32 {
        self.count.unwrap_or(1)
    }

    /// The count as a distance.
    fn distance(self) -> isize {
        isize::try_from(self.times()).unwrap_or(isize::MAX)
    }

    fn is_by_key(self) -> bool {
        self.origin == Origin::Key
    }

    /// The argument, if there is one.
    fn written(self) -> Option<&'a str> {
        Some(self.argument).filter(|argument| !argument.is_empty())
    }

    /// The argument; without one the palette opens for it.
    fn required(self, model: &mut Model) -> Option<&'a str> {
        if self.argument.is_empty() {
            model.modal = Some(Modal::Palette(Palette::with(format!("{} ", self.id.command().name))));
        }
        self.written()
    }

    /// The argument was refused: it is corrected in the palette if it was typed there.
    fn correct(self, model: &mut Model) {
        if self.origin == Origin::Palette {
            let line = format!("{} {}", self.id.command().name, self.argument);
            model.modal = Some(Modal::Palette(Palette::refused(line)));
        }
    }
}

macro_rules! in_episode {
    (Episode $($other:ident)*: $function:path) => {
        Some($function as Function)
    };
    ($($other:ident)+: $function:path) => {
        None
    };
}

with_commands!(functions_of_commands use in_episode, Function;);

/// Performs the command of a key, with the count typed before it.
pub(crate) fn perform(model: &mut Model, id: CommandId, effects: &mut Vec<Effect>) {
    call(model, id, "", Origin::Key, effects);
}

/// Performs a command with the count typed before it and what follows its name.
pub(super) fn call(
    model: &mut Model,
    id: CommandId,
    argument: &str,
    origin: Origin,
    effects: &mut Vec<Effect>,
) {
    let count = model.typed.count.take();
    if let Some(function) = function_of(id) {
        function(model, Call { id, origin, count, argument }, effects);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{ScreenView, commands_in};

    #[test]
    fn every_command_of_the_screen_of_episodes_has_a_function_and_no_other_one() {
        let named = commands_in(ScreenView::Episode).filter(|row| function_of(row.id).is_some()).count();
        assert_eq!(named, commands_in(ScreenView::Episode).count());
        assert!(function_of(CommandId::SweepOpen).is_none());
    }
}
