//! The one table of commands. Keys, help, palette, hint line and their tests all come from here:
//! a command that is not in it does not exist.

use super::pane::Pane;

/// What a command does. The table says how it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CommandId {
    Step,
    Run,
    Faster,
    Slower,
    Cancel,
    Back,
    Forward,
    First,
    Newest,
    GoTo,
    PreviousEpisode,
    NextEpisode,
    Find,
    NextMarked,
    PreviousMarked,
    OnlyMarked,
    Verdict,
    FocusNext,
    FocusPrevious,
    Zoom,
    View,
    Sent,
    Raw,
    PreviousReply,
    NextReply,
    Up,
    Down,
    Left,
    Right,
    ScrollUp,
    ScrollDown,
    PageUp,
    PageDown,
    Top,
    Bottom,
    LessActions,
    MoreActions,
    LessFrames,
    MoreFrames,
    Prompt,
    Request,
    Copy,
    Edit,
    Open,
    Act,
    Plan,
    Theme,
    Abandon,
    Break,
    Help,
    Palette,
    Redraw,
    Suspend,
    Quit,
    Leave,
}

/// What a command wants to be told in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    None,
    Step,
    Level,
    Action,
    Actions,
    Theme,
    Prompt,
    Extract,
    Marks,
    /// Breakpoints; the sheet of them when left out.
    Breaks,
    /// What is to be edited; what is pending when left out.
    Edited,
}

impl Argument {
    /// Whether the command does nothing without it.
    pub(crate) fn is_required(self) -> bool {
        !matches!(self, Self::None | Self::Edited | Self::Breaks)
    }
}

/// Where in the help a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Run,
    Look,
    Memory,
    Panes,
    Screen,
}

impl Group {
    pub(crate) const ALL_PANES: [Self; 5] = [Self::Run, Self::Look, Self::Memory, Self::Panes, Self::Screen];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Run => "The run",
            Self::Look => "Looking back (never changes the run)",
            Self::Memory => "The next request",
            Self::Panes => "Panes",
            Self::Screen => "The screen",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) id: CommandId,
    /// The name in the palette and in `keys.toml`.
    pub(crate) name: &'static str,
    /// Default keys, as `keys.toml` spells them.
    pub(crate) keys: &'static [&'static str],
    pub(crate) argument: Argument,
    pub(crate) group: Group,
    /// The word in the hint line; empty for a command that never stands there.
    pub(crate) hint: &'static str,
    /// The panes in whose hint line it stands.
    pub(crate) panes: &'static [Pane],
    pub(crate) help: &'static str,
}

const ALL: &[Pane] = &Pane::ALL;
const TEXT_PANES: &[Pane] = &[Pane::Agent, Pane::Memory];
const STEP_PANES: &[Pane] = &[Pane::Frame, Pane::Agent, Pane::Memory];

macro_rules! commands {
    ($($deed:ident $name:literal [$($key:literal)*] $argument:ident $group:ident $hint:literal $panes:expr, $help:literal;)*) => {
        /// Every command, in the order of help and hint line.
        pub(crate) const COMMANDS: &[Command] = &[$(Command {
            id: CommandId::$deed, name: $name, keys: &[$($key),*], argument: Argument::$argument,
            group: Group::$group, hint: $hint, panes: $panes, help: $help,
        }),*];
    };
}

commands! {
    Step "step" ["enter"] None Run "step" ALL, "do the pending half of a step: ask the agent, or apply its action; 3 Enter does three halves";
    Cancel "cancel" ["esc"] None Run "cancel" ALL, "cut the thought under way (the environment does not move); also closes what is open";
    Run "run" ["space"] None Run "run" ALL, "run by itself, or stand again; 12 Space runs 12 steps";
    Faster "faster" ["+" "="] None Run "" &[], "a shorter pause between two steps of a run";
    Slower "slower" ["-"] None Run "" &[], "a longer pause between two steps of a run";
    Edit "edit" ["e"] Edited Run "edit" &[Pane::Frame, Pane::Agent], "edit what is pending: the action that waits, or a reply that was not read; :edit reply, :edit action, :edit prompt; over the open request it edits the prompt";
    Act "act" [] Action Run "" &[], "a person's action by name, such as :act Left; the arrow keys play the actions of their names";
    Plan "plan" [] Actions Run "" &[], "a person's whole plan in the Global setting, such as :plan Up,Left,Left";
    Open "open" [] Level Run "" &[], "play another level, such as :open sokoban/mini/8; this one stands and can be looked at with H";
    Abandon "abandon" [] None Run "" &[], "give the episode up: it ends here (asks first)";
    Break "break" ["b"] Breaks Run "" &[], "what makes a run stand: :break off_path dead, or :break none; the names are off_path, dead, ia, ra, parse, same";
    Back "back" ["h"] None Look "look" ALL, "look at the step before; 5h goes back five";
    Forward "forward" ["l"] None Look "look" ALL, "look at the step after";
    Find "find" [] Marks Look "" &[], "look for steps with a mark, such as :find ia or :find ia,ra; the marks are parse, ia, ra, same, off_path, dead, edited, or any";
    NextMarked "next-marked" ["n"] None Look "marked" &[Pane::Steps], "look at the next step with the mark that was looked for, at first with any";
    PreviousMarked "previous-marked" ["N"] None Look "marked" &[Pane::Steps], "look at the step before with the mark that was looked for";
    OnlyMarked "only-marked" ["M"] None Look "only marked" &[Pane::Steps], "the filmstrip shows only steps with the mark that was looked for, or all again";
    Verdict "verdict" ["V"] None Look "verdict" &[Pane::Score, Pane::Steps], "what went wrong in this episode, by name, with the definitions and the thresholds that hold";
    First "first" ["0" "home"] None Look "first" &[Pane::Steps], "look at the first step";
    Newest "newest" ["$" "end"] None Look "newest" &[Pane::Steps], "look at the newest step, and follow the run again";
    GoTo "go" [] Step Look "" &[], "look at a step by number: :42 or :go 42";
    PreviousEpisode "previous-episode" ["H"] None Look "" &[], "look at the episode opened before this one";
    NextEpisode "next-episode" ["L"] None Look "" &[], "look at the episode opened after this one";
    LessActions "less-am" ["["] None Memory "AM" &[Pane::Memory], "keep one output less (AM down) from the next request on";
    MoreActions "more-am" ["]"] None Memory "AM" &[Pane::Memory], "keep one output more (AM up) from the next request on";
    LessFrames "less-om" ["{"] None Memory "OM" &[Pane::Memory], "keep one frame less (OM down) from the next request on";
    MoreFrames "more-om" ["}"] None Memory "OM" &[Pane::Memory], "keep one frame more (OM up) from the next request on";
    Prompt "prompt" ["p"] Prompt Memory "prompt" STEP_PANES, "the prompt variant from the next request on: p and its number, or :prompt HD-CoT";
    Request "request" ["R"] None Memory "request" STEP_PANES, "the request of the step looked at, turn by turn: as sent, or as it will be asked; memory and prompt change that one at once";
    Copy "copy" ["y"] Extract Memory "copy" TEXT_PANES, "copy from the step looked at, or save: the request as curl or JSON, reply, action, board; :copy curl";
    FocusNext "focus-next" ["tab"] None Panes "pane" ALL, "give the keys to the next pane";
    FocusPrevious "focus-previous" ["backtab"] None Panes "" &[], "give the keys to the pane before";
    Zoom "zoom" ["z"] None Panes "zoom" ALL, "the focused pane alone on the screen, and back";
    View "view" ["v"] None Panes "view" &[Pane::Frame], "the frame as a picture, or as text";
    Sent "sent" ["s"] None Panes "sent" &[Pane::Frame], "the frame as it was sent to the model, from the very bytes, or as rendered";
    Raw "raw" ["r"] None Panes "raw" &[Pane::Agent], "one reply raw, with what each stretch was read as, or all replies as read";
    PreviousReply "previous-reply" [","] None Panes "reply" &[Pane::Agent], "the reply before, raw, where a step has several";
    NextReply "next-reply" ["."] None Panes "reply" &[Pane::Agent], "the reply after, raw, where a step has several";
    ScrollDown "scroll-down" ["j"] None Panes "scroll" TEXT_PANES, "scroll the pane down a line";
    ScrollUp "scroll-up" ["k"] None Panes "scroll" TEXT_PANES, "scroll the pane up a line";
    PageDown "page-down" ["pagedown"] None Panes "" &[], "scroll the pane down a page";
    PageUp "page-up" ["pageup"] None Panes "" &[], "scroll the pane up a page";
    Top "top" ["g"] None Panes "" &[], "scroll the pane to its top";
    Bottom "bottom" ["G"] None Panes "" &[], "scroll the pane to its end";
    Up "up" ["up"] None Panes "" &[], "a person's action Up; otherwise scrolls the pane";
    Down "down" ["down"] None Panes "" &[], "a person's action Down; otherwise scrolls the pane";
    Left "left" ["left"] None Panes "" &[], "a person's action Left; otherwise scrolls a wide board, or looks at the step before";
    Right "right" ["right"] None Panes "" &[], "a person's action Right; otherwise scrolls a wide board, or looks at the step after";
    Palette "commands" [":" "ctrl-p"] None Screen "commands" ALL, "every command by name, with completion";
    Help "help" ["?"] None Screen "help" ALL, "the keys of the focused pane, and all others";
    Theme "theme" [] Theme Screen "" &[], "another theme until the program ends, such as :theme light";
    Redraw "redraw" ["ctrl-l"] None Screen "" &[], "draw everything anew";
    Suspend "suspend" ["ctrl-z"] None Screen "" &[], "back to the shell; fg returns";
    Quit "quit" ["ctrl-c"] None Screen "" &[], "cancel what is under way; with nothing under way, leave";
    Leave "leave" ["q"] None Screen "leave" ALL, "leave; the episode can be picked up later";
}

impl CommandId {
    /// Its row.
    pub(crate) fn command(self) -> &'static Command {
        let row = COMMANDS.iter().find(|row| row.id == self);
        row.unwrap_or(&COMMANDS[0])
    }
}

/// The command of this name.
pub(crate) fn find_command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_deeds_stand_once_and_each_has_help() {
        let names: HashSet<_> = COMMANDS.iter().map(|row| row.name).collect();
        let deeds: HashSet<_> = COMMANDS.iter().map(|row| row.id).collect();
        assert_eq!((names.len(), deeds.len()), (COMMANDS.len(), COMMANDS.len()));
        for row in COMMANDS {
            assert!(row.help.len() > 10, "{}", row.name);
            assert_eq!(row.hint.is_empty(), row.panes.is_empty(), "{}", row.name);
            assert_eq!(row.id.command().name, row.name);
            assert_eq!(find_command(row.name).unwrap().id, row.id);
        }
    }

    #[test]
    fn a_command_without_a_key_takes_an_argument_or_is_named_in_the_palette_only() {
        for row in COMMANDS.iter().filter(|row| row.keys.is_empty()) {
            assert!(row.argument != Argument::None || row.id == CommandId::Abandon, "{}", row.name);
        }
    }
}
