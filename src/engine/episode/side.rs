//! Side requests: which question is due, and what its answer changes. They are no attempts, and no step is numbered by them.

use std::sync::Arc;

use serde_json::Value;

use super::{Episode, Need};
use crate::attempt::Attempt;
use crate::event::Ending;
use crate::side::{Inquiry, Purpose, RoleTotals, SideEvent, SideExchange, TotalsByRole};
use mageyard_domain::{
    Amount, AnswerForm, Answered, Digest, Price, Question, Reply, RequestOutcome, Setting, Settlement,
    SideRole, Usage,
};

/// Questions that are being asked.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    purpose: Purpose,
    /// Those that are left, the last one first.
    left: Vec<Arc<Question>>,
    /// The answers so far.
    answers: Vec<Answered>,
}

impl Asking {
    /// Leaves out the question that was asked last: it has no answer that is told.
    pub(super) fn pop(&mut self) {
        self.left.pop();
    }

    /// Whether nothing is left to ask and there is no answer to tell.
    pub(super) fn is_over(&self) -> bool {
        self.left.is_empty() && self.answers.is_empty()
    }
}

impl Episode {
    /// The agent's turn begins: its modules are asked first, from the second step on.
    pub(super) fn begin_decision(&mut self) {
        let questions = self.module_questions();
        if questions.is_empty() {
            self.need = self.need_decision(1);
        } else {
            self.begin_asking(Purpose::Decision, questions);
        }
    }

    /// The episode is won: it ends, after its modules have seen its last state, if its rules say so.
    pub(super) fn won(&mut self) {
        let has_last_look = self.head.conduct.last_look && self.head.setting == Setting::Online;
        let questions = if has_last_look { self.module_questions() } else { Vec::new() };
        if questions.is_empty() {
            return self.end(Ending::Won);
        }
        self.begin_asking(Purpose::LastLook, questions);
    }

    /// Whether it is won and its modules look at its last state.
    pub(super) fn looks_last(&self) -> bool {
        matches!(self.need, Need::Ask(Inquiry { purpose: Purpose::LastLook, .. }))
    }

    /// The questions of the modules: none at the first step, before which nothing was done.
    fn module_questions(&self) -> Vec<Arc<Question>> {
        let is_first = self.steps.last().is_none_or(|step| step.number == 1);
        let modules = self.head.roles.keys().filter(|role| role.is_module() && !is_first);
        modules.map(|role| module_question(*role).into()).collect()
    }

    /// Asks these questions, then goes on with what they are for.
    pub(super) fn begin_asking(&mut self, purpose: Purpose, mut questions: Vec<Arc<Question>>) {
        questions.reverse();
        self.asking = Some(Box::new(Asking { purpose, left: questions, answers: Vec::new() }));
        self.ask_next();
    }

    pub(super) fn ask_next(&mut self) {
        let Some(asking) = &mut self.asking else { return };
        let purpose = asking.purpose;
        if let Some(question) = asking.left.last() {
            let question = question.clone();
            let by_person = self.is_of_person(question.role);
            self.need = Need::Ask(Inquiry { question, purpose, number: 1, by_person });
            return;
        }
        self.need = match purpose {
            Purpose::Decision => self.need_decision(1),
            Purpose::LastLook => return self.end(Ending::Won),
            Purpose::Outcome => Need::Settle,
            Purpose::Verdict(ending) => Need::Judge(ending),
        };
        if purpose != Purpose::Outcome {
            self.asking = None;
        }
    }

    /// The question that is due, if one is.
    pub fn inquiry(&self) -> Option<&Inquiry> {
        match &self.need {
            Need::Ask(inquiry) => Some(inquiry),
            _ => None,
        }
    }

    /// Whether the agent's turn begins and nothing was asked at the step yet.
    pub fn starts_decision(&self) -> bool {
        let fresh = self.steps.last().is_some_and(|step| step.side.iter().all(|one| !one.role().is_module()));
        match &self.need {
            Need::Ask(Inquiry { purpose: Purpose::Decision, number: 1, .. }) => fresh,
            Need::Decide { attempt: 1, .. } => fresh,
            _ => false,
        }
    }

    /// The answers with which the outcome of the last action is settled.
    pub(crate) fn answers_to_settle(&self) -> &[Answered] {
        self.asking.as_ref().map_or(&[], |asking| &asking.answers)
    }

    /// The answers to the questions of the environment so far, oldest first.
    pub fn answers(&self) -> &[Answered] {
        &self.answers
    }

    /// How many replies to side requests of this role there are.
    pub(crate) fn side_replies(&self, role: SideRole) -> u32 {
        self.roles.get(&role).map_or(0, |totals| totals.replies)
    }

    /// Which step from the end side requests belong to now, from 1: the one that acted, while its outcome is not settled.
    fn side_step_from_end(&self) -> usize {
        let settles = matches!(&self.need, Need::Ask(Inquiry { purpose: Purpose::Outcome, .. }));
        if settles { 2 } else { 1 }
    }

    pub(super) fn accepts_side(&self, event: &SideEvent) -> bool {
        let pending = self.pending_request.as_ref();
        self.inquiry().is_some_and(|inquiry| !inquiry.by_person)
            && match event {
                SideEvent::Failed(_) => pending.is_some_and(|sent| sent.under_way),
                SideEvent::Retried => pending.is_some_and(|sent| !sent.under_way),
                SideEvent::Reused(digest) => self.side_answers.contains_key(digest),
                SideEvent::Sent(..) | SideEvent::Replied(..) | SideEvent::Cancelled(_) => true,
            }
    }

    pub(super) fn side(&mut self, event: SideEvent) {
        match event {
            SideEvent::Sent(request, version) => self.set_pending(request, version),
            SideEvent::Failed(failed) => self.failed(failed),
            SideEvent::Retried => self.retried(),
            SideEvent::Replied(reply, answer) => {
                let attempt = Attempt::ended(reply, self.pending_request.take(), RequestOutcome::Replied);
                self.remember_answer(&attempt, &answer);
                self.push_side(attempt, Some(answer.clone()), false);
                self.take_answer(answer);
            }
            SideEvent::Cancelled(reply) => {
                let sent = self.pending_request.take();
                let attempt = Attempt::ended(reply, sent, RequestOutcome::Cancelled);
                self.push_side(attempt, None, false);
            }
            SideEvent::Reused(digest) => {
                let Some((text, answer)) = self.side_answers.get(&digest).cloned() else { return };
                let reply = Reply { text: text.to_string(), ..Reply::default() };
                self.push_side(Attempt::pending(reply, None), Some(Ok(answer.clone())), true);
                self.take_answer(Ok(answer));
            }
        }
    }

    /// Keeps a side request of the present question.
    pub(super) fn push_side(
        &mut self,
        attempt: Attempt,
        answer: Option<Result<Value, String>>,
        reused: bool,
    ) {
        let Some(Inquiry { question, number, .. }) = self.inquiry().cloned() else { return };
        self.spent = self.spent.plus(attempt.spent());
        attempt.add_to(&mut self.estimate);
        self.unmetered_replies += usize::from(attempt.is_unmetered());
        let exchange = SideExchange { question, number, attempt, answer, reused };
        RoleTotals::add_to(&mut self.roles, &exchange, &self.head);
        let index = self.steps.len().checked_sub(self.side_step_from_end());
        if let Some(step) = index.and_then(|index| self.steps.get_mut(index)) {
            Arc::make_mut(step).side.push(exchange);
        }
    }

    /// A readable answer can be used again for an equal request.
    fn remember_answer(&mut self, attempt: &Attempt, answer: &Result<Value, String>) {
        if let (Some(sent), Ok(answer)) = (&attempt.sent, answer) {
            self.side_answers.insert(sent.digest(), (attempt.reply.clone(), answer.clone()));
        }
    }

    /// Goes on with an answer, or asks again if it cannot be read and there are tries left.
    pub(super) fn take_answer(&mut self, answer: Result<Value, String>) {
        let Some(inquiry) = self.inquiry().cloned() else { return };
        let role = inquiry.question.role;
        let tries = self.head.roles.get(&role).map_or(1, |role| role.tries);
        if answer.is_err() && inquiry.number < tries {
            self.need = Need::Ask(Inquiry { number: inquiry.number + 1, ..inquiry });
            return;
        }
        if inquiry.purpose.is_of_module() {
            return self.take_reflection(role, &answer);
        }
        let answered = Answered { question: inquiry.question, answer };
        self.answers.push(answered.clone());
        if let Some(asking) = &mut self.asking {
            asking.left.pop();
            asking.answers.push(answered);
        }
        self.ask_next();
    }

    fn take_reflection(&mut self, role: SideRole, answer: &Result<Value, String>) {
        let text = answer.as_ref().ok().and_then(|answer| role.reflection(answer));
        if let (Some(text), Some(step)) = (text, self.open_step()) {
            step.reflection = Some(text.into());
        }
        if let Some(asking) = &mut self.asking {
            asking.left.pop();
        }
        if answer.as_ref().is_ok_and(|answer| role.declares_done(answer)) {
            return self.end(Ending::Finished);
        }
        self.ask_next();
    }

    /// Adds what the answers add to the outcome of the last action, and goes on after it.
    pub(super) fn settled(&mut self, settlement: Settlement) {
        self.asking = None;
        let Settlement { reward, status, note } = settlement;
        let acted = self.steps.len().checked_sub(2).and_then(|index| self.steps.get_mut(index));
        if let Some(step) = acted.map(Arc::make_mut)
            && let Some(effect) = &mut step.effect
        {
            effect.reward += reward;
            effect.note = note.or(effect.note.take());
            step.returns = step.returns.plus(reward);
        }
        if let Some(step) = self.open_step() {
            step.returns = step.returns.plus(reward);
        }
        let repeating = std::mem::take(&mut self.repeating);
        self.set_need_after(status, repeating);
    }

    /// What the requests of each role came to.
    pub fn roles(&self) -> &TotalsByRole {
        &self.roles
    }

    /// Whether the budget is used up with these tokens, of which those of the roles have prices of their own.
    pub(crate) fn exhausts(&self, used: Usage) -> bool {
        let budget = &self.head.budget;
        let Some((most, price)) = &budget.cost else { return budget.is_exhausted(used) };
        let of_role = |role: &SideRole, totals: &RoleTotals| {
            let own: Option<&Price> = self.head.roles.get(role).and_then(|role| role.price.as_ref());
            own.unwrap_or(price).cost_of(totals.spent.usage)
        };
        let of_agent = self.roles.values().fold(used, |left, role| left.since(role.spent.usage));
        let aside = self.roles.iter().map(|(role, totals)| of_role(role, totals));
        let cost = aside.fold(price.cost_of(of_agent), Amount::plus);
        budget.tokens.is_some_and(|most| used.total() >= most) || cost >= *most
    }

    /// Whether the answer to any side request is known.
    pub(crate) fn has_side_answers(&self) -> bool {
        !self.side_answers.is_empty()
    }

    /// Whether the answer to this request is known.
    pub(crate) fn has_side_answer(&self, request: Digest) -> bool {
        self.side_answers.contains_key(&request)
    }
}

/// The question of a module. What it shows and says follows from the episode.
fn module_question(role: SideRole) -> Question {
    Question {
        role,
        form: AnswerForm::Assessment,
        values: std::collections::BTreeMap::new(),
        shown: Vec::new(),
    }
}
