//! Edits by a person: whether one can replace what is pending, and what it changes.

use super::{Episode, Need, RemainingPlan};
use crate::attempt::Attempt;
use crate::edit::{Edit, EditError, PickedReply};
use mageyard_dialog::PersonQuestion;
use mageyard_domain::{Action, Reply, Setting};

impl Episode {
    /// Whether this edit is possible now; if not, why.
    pub fn can_edit(&self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Reply(text) => check_reply(self, text),
            Edit::Actions(written) => check_actions(self, written),
            Edit::Picked(_) => check_pick(self),
        }
    }

    /// Replaces what is pending: a reply is read again, an action waits to be applied.
    pub(super) fn edited(&mut self, edit: Edit) {
        self.mixed = true;
        match edit {
            Edit::Reply(text) => {
                (self.planned, self.plan) = (false, RemainingPlan::default());
                if let Some(step) = self.open_step() {
                    (step.action, step.edited) = (None, false);
                }
                if let Some(attempt) = self.newest_reply() {
                    *attempt = attempt.clone().edited(&text);
                }
                self.need = Need::Read(text.into());
            }
            Edit::Actions(actions) => {
                self.plan = RemainingPlan::new(actions);
                if let Some(step) = self.open_step() {
                    step.edited = true;
                }
                self.next_of_plan();
            }
            Edit::Picked(picked) => self.picked(*picked),
        }
    }

    /// The step has this reply, which is read next. What it cost belongs to where it comes from.
    fn picked(&mut self, PickedReply { reply, from }: PickedReply) {
        if !matches!(self.need, Need::Decide { .. }) {
            self.asked_again();
        }
        let reply = Reply { latency_ms: None, ..reply };
        let attempt = Attempt { picked_from: Some(from.into()), ..Attempt::pending(reply, None) };
        self.need = Need::Read(attempt.reply.clone());
        self.push_attempt(attempt);
    }
}

fn check_pick(episode: &Episode) -> Result<(), EditError> {
    let step = episode.steps().last().map_or(1, |step| step.number);
    let fail = |why| Err(EditError::NoReply { step, why });
    match episode.need() {
        Need::Decide { .. } => Ok(()),
        Need::Judge(_) | Need::Nothing(_) => fail("the episode is over"),
        _ if episode.can_ask_again().is_ok() => Ok(()),
        _ => fail("its action has started or is part of a plan; a branch at this step takes the reply"),
    }
}

fn check_reply(episode: &Episode, text: &str) -> Result<(), EditError> {
    let step = episode.steps().last();
    let fail = |why| Err(EditError::NoReply { step: step.map_or(1, |step| step.number), why });
    let pending = step.and_then(|step| step.last_reply());
    match (episode.need(), pending) {
        (Need::Judge(_) | Need::Nothing(_), _) => fail("the episode is over"),
        (Need::Finish(_) | Need::Look, _) => fail("its action has started already"),
        (_, Some(attempt)) if *attempt.reply == *text => Err(EditError::Unchanged),
        (_, Some(_)) => Ok(()),
        (Need::Act(_) | Need::Person(PersonQuestion::Confirm(_)), None) => {
            fail("the plan was given at the first step, which is finished; edit the remaining actions")
        }
        (_, None) => fail("the agent has not replied yet"),
    }
}

fn check_actions(episode: &Episode, actions: &[Action]) -> Result<(), EditError> {
    let (Need::Act(due) | Need::Person(PersonQuestion::Confirm(due)), Some(step)) =
        (episode.need(), episode.steps().last())
    else {
        return Err(EditError::NoAction);
    };
    let setting = episode.head().setting;
    let wanted = match setting {
        Setting::Online if actions.len() != 1 => Some("exactly one action"),
        Setting::Global if actions.is_empty() => Some("at least one action"),
        _ => None,
    };
    if let Some(wanted) = wanted {
        return Err(EditError::Count { setting, wanted, found: actions.len() });
    }
    actions.iter().try_for_each(|action| step.space.check(action))?;
    if std::iter::once(due).chain(episode.plan().iter()).eq(actions) {
        Err(EditError::Unchanged)
    } else {
        Ok(())
    }
}
