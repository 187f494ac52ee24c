//! What a screen or a verb may ask of a session.

use std::time::Duration;

use crate::dialog::Prompt as Variant;
use crate::domain::Action;
use crate::domain::Window;
use crate::engine::breakpoints::Breakpoints;
use crate::engine::edit::Edit;
use crate::engine::edit::EditTarget;

/// An order. Orders come in at any time and are taken one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionCommand {
    /// Do the pending half of a step: ask the agent, or apply the accepted action.
    Step,
    /// Go on by oneself, so many steps or to the end.
    Run(Option<u32>),
    /// Finish what is under way, then stand.
    Pause,
    /// Cut the thought under way and stand; the environment does not move.
    Cancel,
    /// Set the pause between two steps while running.
    SetPace(Duration),
    /// Set the breakpoints: what makes a run stand.
    SetBreakpoints(Breakpoints),
    /// Set the memory window for the next request.
    SetWindow(Window),
    /// Set the prompt variant for the next request.
    SetPrompt(String),
    /// Add a prompt variant that was written since, and set it for the next request.
    AddPrompt(Box<Variant>),
    /// Put this in the place of what is pending there. A fault when the episode stands elsewhere, or when it
    /// is not legal.
    Edit(EditTarget, Edit),
    /// A person's decision: one action, asked and applied at once, or in the Global setting the whole
    /// plan, which waits to be stepped through. A fault when the seat is not a person's.
    Play(Vec<Action>),
    /// Give the episode up: it ends.
    Abandon,
    /// Leave: a thought is cut, an act is finished, and the episode can be picked up later.
    Leave,
}
