//! Questions to a person: which one is open, and what its answer changes.

use std::sync::Arc;

use super::{Episode, Need};
use crate::attempt::Attempt;
use crate::event::Ending;
use crate::step::{Effect, Step};
use mageyard_dialog::{PersonAnswer, PersonQuestion, PersonReply};
use mageyard_domain::{ActProblem, Action, Confirm, Opening, Reply, SideRole, Status};

impl Episode {
    /// The question that waits for a person, if one does.
    pub fn person_question(&self) -> Option<PersonQuestion> {
        match &self.need {
            Need::Person(question) => Some(question.clone()),
            Need::Ask(inquiry) if inquiry.by_person => Some(PersonQuestion::Ask(inquiry.question.clone())),
            _ => None,
        }
    }

    /// Whether it waits for the answer of a person.
    pub fn asks_person(&self) -> bool {
        match &self.need {
            Need::Person(_) => true,
            Need::Ask(inquiry) => inquiry.by_person,
            _ => false,
        }
    }

    /// Whether a person answers for this role.
    pub(super) fn is_of_person(&self, role: SideRole) -> bool {
        role == SideRole::Person || self.head.roles.get(&role).is_some_and(|role| role.agent.is_person())
    }

    /// What is needed for an action that is due.
    pub(super) fn need_act(&self, action: Action) -> Need {
        match self.head.conduct.confirm {
            Confirm::Never => Need::Act(action),
            Confirm::Each => Need::Person(PersonQuestion::Confirm(action)),
        }
    }

    pub(super) fn accepts_reply_of_person(&self, reply: &PersonReply) -> bool {
        self.person_question().as_ref() == Some(&reply.question) && reply.question.takes(&reply.answer)
    }

    /// Goes on with the answer of a person.
    pub(super) fn person_replied(&mut self, reply: PersonReply) {
        self.person_ms = self.person_ms.saturating_add(reply.milliseconds.into());
        match (reply.question.clone(), reply.answer.clone()) {
            (PersonQuestion::Confirm(action), PersonAnswer::Yes) => self.need = Need::Act(action),
            (PersonQuestion::Confirm(_), PersonAnswer::Refuse(reason)) => self.withheld(reason),
            (PersonQuestion::Allow(_), PersonAnswer::Yes) => self.need = Need::Open,
            (PersonQuestion::Allow(_), _) => self.need = Need::Nothing(Ending::Abandoned),
            (PersonQuestion::Ask(_), PersonAnswer::Yes) => self.taken_over(),
            (PersonQuestion::Ask(_), PersonAnswer::Text(text)) => self.answered(&text, reply),
            (_, _) => self.end(Ending::Stopped),
        }
    }

    /// A person refused the action that is due: nothing happens, and the agent reads the reason.
    fn withheld(&mut self, reason: Arc<str>) {
        self.mixed = true;
        let planned = self.planned;
        let window = self.window;
        let agent = self.next_agent();
        let Some(step) = self.open_step() else { return };
        let reason = if reason.is_empty() { NO_REASON.into() } else { reason };
        let problem = ActProblem::Refused(reason);
        step.effect = Some(Effect {
            reward: 0.0,
            note: Some(problem.remark(None)),
            problem: Some(problem),
            unchanged: true,
            interrupted: false,
            withheld: true,
        });
        let next = Step {
            edited: step.edited && planned,
            returns: step.returns,
            dead_state: step.dead_state.clone(),
            ..Step::new(step.number + 1, step.observation.clone(), step.space.clone(), window, agent)
        };
        self.begin_step(next, Status::Running, Vec::new());
    }

    /// A person has done what was asked on the surface, which is looked at next.
    fn taken_over(&mut self) {
        if let Some(asking) = &mut self.asking {
            asking.pop();
        }
        self.need = Need::Look;
    }

    /// Whether the environment must be looked at because a person had the surface.
    pub(super) fn was_taken_over(&self) -> bool {
        self.need == Need::Look && self.asking.is_some()
    }

    /// Takes what is there after a person had the surface, and goes on with the questions that are left.
    pub(super) fn seen_after_take_over(&mut self, opening: Opening) {
        let status = opening.status;
        self.begin_step_with(opening);
        if self.asking.as_ref().is_some_and(|asking| !asking.is_over()) {
            return self.ask_next();
        }
        self.asking = None;
        let repeating = std::mem::take(&mut self.repeating);
        self.set_need_after(status, repeating);
    }

    /// Takes a text as the answer of the role that a person has.
    fn answered(&mut self, text: &str, reply: PersonReply) {
        let read = reply.read.unwrap_or_else(|| Ok(text.into()));
        let said = Reply { text: text.to_owned(), ..Reply::default() };
        self.push_side(Attempt::pending(said, None), Some(read.clone()), false);
        self.take_answer(read);
    }
}

/// What the agent reads if a person gave no reason.
const NO_REASON: &str = "a person refused this action";
