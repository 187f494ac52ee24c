//! Branches: where one can leave an episode, and what it begins with.

use mageyard_dialog::PersonQuestion;
use std::sync::Arc;

use super::{Episode, Need};
use crate::head::Head;
use crate::seat::Seats;

impl Episode {
    /// Whether a branch can leave it here: at the start of a step, before anything is asked or done at it.
    pub fn can_branch(&self) -> bool {
        let fresh = self.steps.last().is_some_and(|step| step.attempts.is_empty() && !step.is_done());
        let waits = self.starts_decision()
            || matches!(self.need, Need::Act(_) | Need::Person(PersonQuestion::Confirm(_)));
        fresh && waits && self.pending_request.is_none()
    }

    /// Whether the agent is to be asked for the first time at a step, or an action of its plan is due: what modules have said of
    /// the state is there.
    pub(crate) fn awaits_first_reply(&self) -> bool {
        let fresh = self.steps.last().is_some_and(|step| step.attempts.is_empty() && !step.is_done());
        let waits = matches!(self.need, Need::Decide { attempt: 1, .. } | Need::Act(_));
        fresh && waits && self.pending_request.is_none()
    }

    /// Continues with the settings of a branch. One with changes is not an episode of one condition any more.
    pub(super) fn branched(&mut self, head: Arc<Head>) {
        self.window = head.window;
        self.prompt.clone_from(&head.prompt);
        self.mixed |= head.parent.as_ref().is_some_and(|parent| !parent.changes.is_empty());
        self.note_model(&head.agent);
        if *self.agent != head.agent {
            // The settings of its agent were chosen for the branch.
            self.connection = Arc::default();
        }
        (self.agent, self.seats) = (Arc::new(head.agent.clone()), Seats::default());
        let window = head.window;
        let agent = self.agent.clone();
        if let Some(step) = self.open_step() {
            (step.window, step.agent) = (window, agent);
        }
        self.head = head;
        if self.starts_decision() {
            // The branch may have other modules.
            self.begin_decision();
        }
    }
}
