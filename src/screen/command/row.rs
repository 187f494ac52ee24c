//! What a row of the table says of a command, and the rows.

use super::table::with_commands;
use crate::pane::Pane;

/// The argument that a command takes in the palette.
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
    /// Breakpoints; without it the list of breakpoints opens.
    Breaks,
    /// What to edit; without it what is pending.
    Edited,
    /// The number of a picture; without it the next one.
    Picture,
    /// The name of a view of the frame; without it the next one.
    View,
    /// By how much the picture of the frame is magnified.
    Factor,
    /// The form of pictures; without it the present one is said.
    Form,
    /// `on` or `off`; without it the other one.
    Switch,
    /// The name of a lesson, or `off`; without it the next one.
    Lesson,
    /// The speed of the link; without it the present one is said.
    Link,
    /// The agent that is seated, and for how many steps; without it the list of agents opens.
    Seat,
    /// What a branch changes; without it nothing.
    Changes,
    /// What is asked again; without it the dialog opens with the settings of the step.
    Asked,
    /// How the step that lost an episode is looked for; without it by the solver.
    Blamed,
    /// What is diagnosed, and how; without it the shown step.
    Diagnosed,
    /// What is asked about, and which questions; without it the shown step.
    Probed,
    /// A suite and what is asked about it; without it the list of suites opens.
    Suite,
    /// `add` with the name of a suite, and why the step is in it.
    SuiteStep,
    /// A number of replies; without it three.
    Candidates,
    /// A hint, or `none`; without it the editor opens.
    Hint,
    /// A tag: one that is in use, or a new one.
    Tag,
    /// A tag of the step.
    OwnTag,
    /// Any text.
    Text,
    /// A comment of the step.
    OwnComment,
    /// A session, a branch or a step to compare with; without it the parent, or the step before.
    Compared,
    /// A setting and its value.
    Setting,
    /// A condition on steps; without it what was found last is shown.
    Condition,
}

/// What a command is for: the section of the help and of the palette that lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Step,
    Look,
    Change,
    Ask,
    Back,
    Find,
    Share,
    Screen,
    /// The dashboard of sweeps, whose help has one section.
    Sweep,
}

impl Group {
    /// Those of the screen of episodes.
    pub(crate) const OF_EPISODE: [Self; 8] =
        [Self::Step, Self::Look, Self::Change, Self::Ask, Self::Back, Self::Find, Self::Share, Self::Screen];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Step => "Step",
            Self::Look => "Look",
            Self::Change => "Change",
            Self::Ask => "Ask",
            Self::Back => "Go back, compare",
            Self::Find => "Find",
            Self::Share => "Note, copy",
            Self::Screen => "Screen",
            Self::Sweep => "Sweep",
        }
    }
}

/// Where a command holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenView {
    /// The full screen of an episode.
    Episode,
    /// An episode as lines of text: what moves or scales the panes is not in it.
    Lines,
    /// The dashboard of a sweep.
    Sweep,
}

/// Whether a count before a command repeats it or means something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Counted,
    Uncounted,
}

/// One row of the table, without the functions.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) id: CommandId,
    /// Name in the palette and in `keys.toml`.
    pub(crate) name: &'static str,
    /// Default keys, in the notation of `keys.toml`.
    pub(crate) keys: &'static [&'static str],
    pub(crate) argument: Argument,
    count: Count,
    pub(crate) group: Group,
    /// Label in the hint line; empty for a command that is not listed there.
    pub(crate) hint: &'static str,
    /// Panes whose hint line lists it.
    pub(crate) panes: &'static [Pane],
    /// The views that it is in.
    views: &'static [ScreenView],
    /// What it does in about three words; neighbours with the same words do it in two directions.
    pub(crate) brief: &'static str,
    pub(crate) help: &'static str,
}

impl Command {
    /// Whether a count before it repeats it or means something else.
    pub(crate) fn takes_count(&self) -> bool {
        self.count == Count::Counted
    }

    /// Whether it is in this view.
    pub(crate) fn is_in(&self, view: ScreenView) -> bool {
        self.views.contains(&view)
    }
}

const ALL_PANES: &[Pane] = &Pane::ALL;
const TEXT_PANES: &[Pane] = &[Pane::Agent, Pane::Memory];
const STEP_PANES: &[Pane] = &[Pane::Frame, Pane::Agent, Pane::Memory];

macro_rules! describe {
    ($($id:ident $name:literal [$($key:literal)*] $argument:ident $count:ident $group:ident $hint:literal
        $panes:expr, [$($($view:ident)+: $function:path);+], $brief:literal, $help:literal;)*) => {
        /// Identifies a command; the table has its name, keys and help.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum CommandId {
            $($id),*
        }

        /// Every command, in the order of help and hint line.
        pub(super) const COMMANDS: &[Command] = &[$(Command {
            id: CommandId::$id,
            name: $name,
            keys: &[$($key),*],
            argument: Argument::$argument,
            count: Count::$count,
            group: Group::$group,
            hint: $hint,
            panes: $panes,
            views: &[$($(ScreenView::$view),+),+],
            brief: $brief,
            help: $help,
        }),*];
    };
}

with_commands!(describe);

impl CommandId {
    /// The row of this command.
    pub(crate) fn command(self) -> &'static Command {
        &COMMANDS[self as usize]
    }
}

/// The commands of a view, in the order of its help.
pub(crate) fn commands_in(view: ScreenView) -> impl Iterator<Item = &'static Command> + Clone {
    COMMANDS.iter().filter(move |row| row.is_in(view))
}

/// The command of this name in a view.
pub(crate) fn find_command_in(view: ScreenView, name: &str) -> Option<&'static Command> {
    commands_in(view).find(|row| row.name == name)
}

/// The command of this name on the screen of episodes.
pub(crate) fn find_command(name: &str) -> Option<&'static Command> {
    find_command_in(ScreenView::Episode, name)
}

/// What a command means in a dialog, by the table of the dialog; `None` if it has no meaning there.
pub(crate) fn meaning<T: Copy>(meanings: &[(CommandId, T)], id: Option<CommandId>) -> Option<T> {
    let found = meanings.iter().find(|(known, _)| Some(*known) == id);
    found.map(|(_, meaning)| *meaning)
}
