//! The panes by name, and what each is for.

/// A pane, in the order in which Tab goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pane {
    Frame,
    Agent,
    Memory,
    Score,
    Steps,
}

impl Pane {
    pub(crate) const ALL: [Self; 5] = [Self::Frame, Self::Agent, Self::Memory, Self::Score, Self::Steps];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Frame => "Frame",
            Self::Agent => "Agent",
            Self::Memory => "Memory",
            Self::Score => "Score",
            Self::Steps => "Steps",
        }
    }

    /// What the pane shows, for its help.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Frame => "What the environment showed at this step.",
            Self::Agent => {
                "What the agent said, and how it was read. The bar beside the text marks the analysis, the arrow the action. Below each reply stand the reading rules and their version: read by strict/1 means that they took the reply as it is. The raw view shows one reply character by character, with what each stretch was read as in the margin. ✎ marks what a person edited; the raw view has the agent's own words below."
            }
            Self::Memory => {
                "Which earlier outputs and frames are in the request of this step, and why the others are not."
            }
            Self::Score => {
                "What the step earned, the sum, the best moment, and the score against the optimum. Below, where a search tells it: how many moves the goal is away from the state looked at, how many were wasted up to it, and the step that lost the level. Mixed: a person changed the window or the prompt, or edited a reply or an action on the way, so the episode does not count as the agent's alone."
            }
            Self::Steps => {
                "One tick a step. First row: a full bar gained, a low bar is the usual penalty of a step, a half bar lost more than that; ■ is the end. Second row: × the step ended without a legal action (IA), ✎ a person edited the reply or the action, ! a reply could not be read, = the action left the frame as it was. Third row: ≡ the step is part of a repetition (RA), † the level was lost from here on, ~ the step left the best path (it appears when a search has told). Where several hold, the first named stands; the step that lost the level is always †."
            }
        }
    }
}

/// From so many columns on the status takes one line.
const ONE_LINE_STATUS: u16 = 110;

/// The lines that status and hints take below the panes, in a terminal of so many columns.
pub(crate) fn footer_height(width: u16) -> u16 {
    if width >= ONE_LINE_STATUS { 2 } else { 3 }
}
