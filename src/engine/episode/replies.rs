//! What a reply changes, and what the verdict on it does.

use super::Episode;
use super::MAX_ATTEMPTS;
use super::Need;
use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::OnUnreadable;
use crate::domain::Reply;
use crate::domain::Setting;
use crate::engine::event::Ending;
use crate::engine::step::Attempt;

impl Episode {
    pub(super) fn replied(&mut self, reply: Reply) {
        let attempt = Attempt::pending(reply, self.sent.take());
        self.need = Need::Read(attempt.reply.clone());
        self.push_attempt(attempt);
    }

    pub(super) fn cancelled(&mut self, reply: Reply) {
        let sent = self.sent.take();
        self.push_attempt(Attempt { cancelled: true, ..Attempt::pending(reply, sent) });
    }

    fn push_attempt(&mut self, attempt: Attempt) {
        if let Some(step) = self.open_step() {
            step.attempts.push(attempt);
        }
    }

    fn set_verdict(&mut self, verdict: Result<Vec<Action>, ParseError>, marks: Spans) {
        if let Some(attempt) = self.newest_reply() {
            attempt.verdict = Some(verdict);
            attempt.marks = marks;
        }
    }

    pub(super) fn accepted(&mut self, action: Action, marks: Spans) {
        self.set_verdict(Ok(vec![action.clone()]), marks);
        self.set_due_action(action);
    }

    pub(super) fn planned(&mut self, actions: Vec<Action>, marks: Spans) {
        self.set_verdict(Ok(actions.clone()), marks);
        self.planned = true;
        self.plan = actions.into();
        self.next_of_plan();
    }

    pub(super) fn refused(&mut self, failure: ParseError, marks: Spans) {
        self.set_verdict(Err(failure), marks);
        let counted = self.steps.last().map_or(0, |step| step.parse_errors());
        self.need = match u32::try_from(counted).unwrap_or(u32::MAX) {
            counted if counted < MAX_ATTEMPTS => self.need_decision(counted + 1),
            _ if self.head.setting == Setting::Global => Need::Nothing(Ending::Unreadable),
            _ if self.head.conduct.on_unreadable == OnUnreadable::End => Need::Nothing(Ending::Unreadable),
            _ => Need::Skip,
        };
    }

    /// The reply that the verdict of now is about: a thought that was cut short has none.
    pub(super) fn newest_reply(&mut self) -> Option<&mut Attempt> {
        self.open_step()?.attempts.iter_mut().rev().find(|attempt| !attempt.cancelled)
    }
}
