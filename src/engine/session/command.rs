//! The commands that a screen or a verb can send to a session.

use std::time::Duration;

use crate::breakpoints::Breakpoints;
use crate::edit::{Edit, EditTarget};
use mageyard_dialog::{PersonAnswer, PersonQuestion, Prompt};
use mageyard_domain::{Action, Window};

/// A command. Commands can be sent at any time and are carried out one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionCommand {
    /// Do the next half of a step: ask the agent, or apply the accepted action.
    Step,
    /// Run, for so many steps or to the end.
    Run(Option<u32>),
    /// Pause after the current half of a step.
    Pause,
    /// Cancel the running request and pause; the environment does not change.
    Cancel,
    /// Set the pause between two steps while running.
    SetPace(Duration),
    /// Set the breakpoints that pause a run.
    SetBreakpoints(Breakpoints),
    /// Set the memory window for the next request.
    SetWindow(Window),
    /// Set the prompt variant for the next request.
    SetPrompt(String),
    /// Add a new prompt variant and set it for the next request.
    AddPrompt(Box<Prompt>),
    /// Give the seat to the agent of this name from the next request on, for so many steps or to the end. A person who is
    /// asked need not answer any more.
    Seat(String, Option<u32>),
    /// Set the hint that requests have in addition to the prompt, or remove it.
    SetHint(Option<String>),
    /// Ask the agent again at this step; its replies so far are kept and do not count. An error if it has not replied, or
    /// if the action has begun.
    AskAgain,
    /// Replace what is pending. An error if the episode has moved on, or if the edit is not legal.
    Edit(EditTarget, Edit),
    /// Play a person's decision: one action, asked and applied at once, or in the Global setting the complete plan,
    /// which is then applied step by step. An error if the agent is not a person.
    Play(Vec<Action>),
    /// Answer the question to a person. An error if it is not open any more.
    Answer(PersonQuestion, PersonAnswer),
    /// Abandon the episode: it ends.
    Abandon,
    /// Close the session: a running request is cancelled, a running action is finished, and the episode can be resumed.
    Leave,
}
