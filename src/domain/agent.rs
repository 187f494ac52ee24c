//! Whoever decides.

use async_trait::async_trait;
use thiserror::Error;

use super::ActionSpace;
use super::Form;
use super::Observation;
use super::Setting;

/// What an agent is asked at a step.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// The step this decision is for, from 1.
    pub step: u32,
    /// The attempt within the step, from 1; more than 1 after a reply that could not be read.
    pub attempt: u32,
    /// One action, or the whole list.
    pub setting: Setting,
    /// The form the reply must have.
    pub form: &'a Form,
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// What it may do.
    pub space: &'a ActionSpace,
    /// How many more steps the episode has; a longer plan is cut there.
    pub steps_left: u32,
}

/// What an agent answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A reply, still to be read.
    Said(String),
    /// The agent declares that it will do nothing more.
    Stood,
}

/// Why an agent gave no answer. Never a bad score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// A solver gave up or found the level unsolvable.
    #[error("the {agent} agent has no move: {why}")]
    NoMove {
        /// The agent's name.
        agent: &'static str,
        /// The reason.
        why: String,
    },
    /// The seat is a person's and nobody sits there.
    #[error("the person at the screen has left")]
    Empty,
}

/// Whoever decides: a model, a person, a policy. Dropping the future of [`Agent::decide`] is a
/// cancel and must leave the agent able to decide again.
#[async_trait]
pub trait Agent: Send {
    /// Looks, thinks, answers.
    async fn decide(&mut self, ask: Ask<'_>) -> Result<Answer, AgentError>;
}
