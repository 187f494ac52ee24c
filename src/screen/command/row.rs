//! What a row of the table says of a command.

use super::id::CommandId;
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
    /// A condition on steps; without it what was found last is shown.
    Condition,
}

impl Argument {
    /// Whether the command needs it.
    pub(crate) fn is_required(self) -> bool {
        !matches!(
            self,
            Self::None
                | Self::Edited
                | Self::Breaks
                | Self::Picture
                | Self::View
                | Self::Form
                | Self::Switch
                | Self::Lesson
                | Self::Link
                | Self::Changes
                | Self::Asked
                | Self::Blamed
                | Self::Suite
                | Self::Candidates
                | Self::Seat
                | Self::Hint
                | Self::Condition
                | Self::Compared
        )
    }
}

/// The section of the help that lists a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Run,
    Look,
    Memory,
    Panes,
    Screen,
}

impl Group {
    pub(crate) const ALL: [Self; 5] = [Self::Run, Self::Look, Self::Memory, Self::Panes, Self::Screen];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Run => "Run",
            Self::Look => "Navigate (never changes the run)",
            Self::Memory => "Next request",
            Self::Panes => "Panes",
            Self::Screen => "Screen",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) id: CommandId,
    /// Name in the palette and in `keys.toml`.
    pub(crate) name: &'static str,
    /// Default keys, in the notation of `keys.toml`.
    pub(crate) keys: &'static [&'static str],
    pub(crate) argument: Argument,
    pub(crate) group: Group,
    /// Label in the hint line; empty for a command that is not listed there.
    pub(crate) hint: &'static str,
    /// Panes whose hint line lists it.
    pub(crate) panes: &'static [Pane],
    pub(crate) help: &'static str,
}
