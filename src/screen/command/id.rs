//! The identities of commands.

/// Identifies a command; the table has its name, keys and help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CommandId {
    Step,
    AskAgain,
    Ask,
    AskFrom,
    Candidates,
    Blame,
    Hint,
    EditState,
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
    Picture,
    Film,
    RealTime,
    Episodes,
    Find,
    Marked,
    Tag,
    Untag,
    Comment,
    Uncomment,
    Search,
    Diff,
    DiffRequests,
    NextMarked,
    PreviousMarked,
    OnlyMarked,
    Verdict,
    FocusNext,
    FocusPrevious,
    Zoom,
    FocusFrame,
    FocusAgent,
    FocusMemory,
    FocusScore,
    FocusSteps,
    GrowPane,
    ShrinkPane,
    Taller,
    Shorter,
    Layout,
    ResetLayout,
    View,
    Magnify,
    Before,
    Overlay,
    Oracle,
    Sent,
    Raw,
    Code,
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
    Pictures,
    Link,
    Bandwidth,
    Theme,
    Themes,
    Mouse,
    Tutor,
    Abandon,
    Restart,
    Fork,
    Branches,
    Suites,
    Suite,
    Seat,
    Break,
    Help,
    Palette,
    Redraw,
    Suspend,
    Interrupt,
    Quit,
}

impl CommandId {
    /// Whether a count before it repeats it or means something else.
    pub(crate) fn takes_count(self) -> bool {
        matches!(
            self,
            Self::Step
                | Self::Candidates
                | Self::Run
                | Self::Back
                | Self::Forward
                | Self::PreviousEpisode
                | Self::NextEpisode
                | Self::NextMarked
                | Self::PreviousMarked
                | Self::LessActions
                | Self::MoreActions
                | Self::LessFrames
                | Self::MoreFrames
                | Self::GrowPane
                | Self::ShrinkPane
                | Self::Taller
                | Self::Shorter
                | Self::Picture
                | Self::View
                | Self::PreviousReply
                | Self::NextReply
                | Self::ScrollDown
                | Self::ScrollUp
                | Self::PageDown
                | Self::PageUp
        )
    }
}
