//! What a reply changes, and what the verdict on it does.

use super::ATTEMPTS;
use super::Episode;
use super::Need;
use crate::dialog::Failure;
use crate::dialog::Marks;
use crate::domain::Action;
use crate::domain::OnUnreadable;
use crate::domain::Reply;
use crate::domain::Setting;
use crate::engine::event::Ending;
use crate::engine::step::Attempt;

impl Episode {
    pub(super) fn replied(&mut self, reply: Reply) {
        let attempt = Attempt::unread(reply, self.sent.take());
        self.need = Need::Read(attempt.reply.clone());
        self.attempt(attempt);
    }

    pub(super) fn cut(&mut self, reply: Reply) {
        let sent = self.sent.take();
        self.attempt(Attempt { cut: true, ..Attempt::unread(reply, sent) });
    }

    fn attempt(&mut self, attempt: Attempt) {
        if let Some(step) = self.open_step() {
            step.attempts.push(attempt);
        }
    }

    fn judge(&mut self, verdict: Result<Vec<Action>, Failure>, marks: Marks) {
        if let Some(attempt) = self.newest_reply() {
            attempt.verdict = Some(verdict);
            attempt.marks = marks;
        }
    }

    pub(super) fn accepted(&mut self, action: Action, marks: Marks) {
        self.judge(Ok(vec![action.clone()]), marks);
        self.due(action);
    }

    pub(super) fn planned(&mut self, actions: Vec<Action>, marks: Marks) {
        self.judge(Ok(actions.clone()), marks);
        self.planned = true;
        self.plan = actions.into();
        self.next_of_plan();
    }

    pub(super) fn refused(&mut self, failure: Failure, marks: Marks) {
        self.judge(Err(failure), marks);
        let counted = self.steps.last().map_or(0, |step| step.parse_errors());
        self.need = match u32::try_from(counted).unwrap_or(u32::MAX) {
            counted if counted < ATTEMPTS => self.decide(counted + 1),
            _ if self.head.setting == Setting::Global => Need::Nothing(Ending::Unreadable),
            _ if self.head.conduct.on_unreadable == OnUnreadable::End => Need::Nothing(Ending::Unreadable),
            _ => Need::Pass,
        };
    }

    /// The reply that the verdict of now is about: a thought that was cut short has none.
    pub(super) fn newest_reply(&mut self) -> Option<&mut Attempt> {
        self.open_step()?.attempts.iter_mut().rev().find(|attempt| !attempt.cut)
    }
}
