//! Looks: what an episode takes from looking at an environment that did not finish an action, or that came back in
//! another state.

use super::{Episode, Need};
use crate::step::{Effect, Step};
use mageyard_domain::{BlobRef, Opening};

/// The note of a step whose action did not finish.
const INTERRUPTED: &str =
    "the action was interrupted, so its effect is unknown; the environment was observed again";
/// The note of a step whose decision was made for a state that is gone.
const DROPPED: &str = "the environment had changed before the action began, so the action was dropped";

impl Episode {
    /// Takes what is there now. A decision that was made for an earlier state ends with its step.
    pub(super) fn looked(&mut self, opening: Opening) {
        if self.was_taken_over() {
            return self.seen_after_take_over(opening);
        }
        let interrupted = self.need == Need::Look;
        if !interrupted && self.is_undecided() {
            return self.replace_state(opening);
        }
        if self.planned && matches!(self.need, Need::Act(_) | Need::Person(_)) {
            self.plan.put_back();
        }
        let planned = self.planned;
        let window = self.window;
        let agent = self.next_agent();
        let Some(step) = self.open_step() else { return };
        let note = if interrupted { INTERRUPTED } else { DROPPED };
        step.action = step.action.take().filter(|_| interrupted);
        step.effect = Some(Effect {
            reward: 0.0,
            note: Some(note.to_owned()),
            problem: None,
            unchanged: false,
            interrupted: true,
            withheld: false,
        });
        let edited = step.edited && planned;
        let returns = step.returns;
        let next = Step::new(step.number + 1, opening.observation, opening.space, window, agent);
        self.begin_step(Step { edited, returns, ..next }, opening.status, Vec::new());
    }

    /// Whether nothing was decided or asked at the current step yet.
    fn is_undecided(&self) -> bool {
        let fresh = self.steps.last().is_some_and(|step| step.attempts.is_empty());
        fresh && matches!(self.need, Need::Decide { .. } | Need::Ask(_) | Need::Settle)
    }

    /// The current step begins with this state instead.
    fn replace_state(&mut self, opening: Opening) {
        let status = opening.status;
        self.begin_step_with(opening);
        self.asking = None;
        self.set_need_after(status, false);
    }

    /// The current step begins with what is seen now.
    pub(super) fn begin_step_with(&mut self, opening: Opening) {
        let window = self.window;
        if let Some(step) = self.open_step() {
            let returns = step.returns;
            let agent = step.agent.clone();
            let seen = Step::new(step.number, opening.observation, opening.space, window, agent);
            *step = Step { returns, hint: step.hint.take(), side: std::mem::take(&mut step.side), ..seen };
        }
    }

    pub(super) fn checkpointed(&mut self, blob: BlobRef) {
        self.checkpoint = self.steps.last().map(|step| (step.number, blob));
    }
}
