//! What a person changes at the current step besides edits: the hint, another reply, the state, the frame.
//!
//! Replies before one that is asked again keep their verdicts: they count for costs and for nothing else, and the
//! numbers of attempts go on, so that recorded replies stay distinct. State and frame change only at the start of a
//! step, so a person makes them as a branch.

use std::sync::Arc;

use thiserror::Error;

use super::{Episode, Need, RemainingPlan};
use crate::step::Step;
use mageyard_dialog::PersonQuestion;
use mageyard_domain::{Opening, Picture, Status};

/// Why the agent cannot be asked again at this step; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AskAgainError {
    /// It has not replied.
    #[error("the agent has not replied at this step yet")]
    NoReply,
    /// The reply with the plan belongs to an earlier step.
    #[error("the plan was given at the first step, which is finished; a branch at step 1 asks again")]
    Planned,
    /// The action has begun, or the episode is over.
    #[error("the action of this step has started; a branch at this step asks again")]
    TooLate,
}

impl Episode {
    /// The hint that requests have in addition to the prompt, if there is one.
    pub fn hint(&self) -> Option<&Arc<str>> {
        self.hint.as_ref()
    }

    /// Whether the agent can be asked again at the current step; if not, why.
    pub fn can_ask_again(&self) -> Result<(), AskAgainError> {
        let replied = self.steps.last().is_some_and(|step| step.last_reply().is_some());
        match self.need {
            Need::Open | Need::Decide { .. } | Need::Ask(_) | Need::Settle if !replied => {
                Err(AskAgainError::NoReply)
            }
            Need::Person(PersonQuestion::Allow(_)) => Err(AskAgainError::NoReply),
            Need::Act(_) | Need::Person(_) if !replied => Err(AskAgainError::Planned),
            Need::Decide { .. } | Need::Read(_) | Need::Skip | Need::Act(_) | Need::Person(_) => Ok(()),
            Need::Open
            | Need::Ask(_)
            | Need::Settle
            | Need::Finish(_)
            | Need::Look
            | Need::Judge(_)
            | Need::Nothing(_) => Err(AskAgainError::TooLate),
        }
    }

    /// Makes the episode mixed if what is decided now is decided under other settings than those of its head. Settings that
    /// are changed back before, or the same agent in a seat, make no difference.
    pub(super) fn note_decision(&mut self) {
        let own = &self.head;
        let is_own = self.window == own.window && self.prompt == own.prompt && self.hint.is_none();
        let is_other_agent = self.steps.last().is_some_and(|step| *step.agent != own.agent);
        self.mixed |= !is_own || is_other_agent;
    }

    pub(super) fn hint_set(&mut self, hint: Option<Arc<str>>) {
        self.hint.clone_from(&hint);
        // The request of a step that has its action was sent before.
        if !matches!(self.need, Need::Act(_) | Need::Person(_) | Need::Look)
            && let Some(step) = self.open_step()
        {
            step.hint = hint;
        }
    }

    /// The replies so far no longer count: the step has all its attempts again.
    pub(super) fn asked_again(&mut self) {
        self.mixed = true;
        (self.planned, self.plan) = (false, RemainingPlan::default());
        let window = self.window;
        let hint = self.hint.clone();
        if let Some(step) = self.open_step() {
            for one in step.attempts.iter_mut().filter(|attempt| attempt.counts()) {
                one.replaced = true;
            }
            (step.action, step.edited) = (None, false);
            (step.window, step.hint) = (window, hint);
        }
        self.need = self.need_decision(self.replies() + 1);
    }

    /// The current step begins with this state instead of the one that the environment had come to.
    pub(super) fn state_set(&mut self, text: Arc<str>, opening: Opening) {
        self.mixed = true;
        if let Some(step) = self.open_step() {
            let Step { number, returns, window, .. } = *step;
            let hint = step.hint.take();
            let agent = step.agent.clone();
            let seen = Step::new(number, opening.observation, opening.space, window, agent);
            *step = Step { returns, hint, action: step.action.take(), state_set: Some(text), ..seen };
        }
        if opening.status != Status::Running {
            self.set_need_after(opening.status, false);
        }
    }

    /// The agent is shown this image in place of the first one of the observation.
    pub(super) fn frame_set(&mut self, picture: Arc<Picture>) {
        self.mixed = true;
        if let Some(step) = self.open_step() {
            step.observation = step.observation.with_frame(picture);
            step.frame_set = true;
        }
    }
}
