//! Transitions: how replies, verdicts and outcomes change an episode, and what it needs after them.

use std::sync::Arc;

use super::{Episode, Need, RemainingPlan};
use crate::attempt::Attempt;
use crate::event::Ending;
use crate::repetition::repeats_same;
use crate::side::Purpose;
use crate::step::{Effect, Step};
use mageyard_dialog::{ParseError, Spans};
use mageyard_domain::{
    Action, Judgement, OnRepeating, OnReplyFailure, OnUnreadable, Opening, Outcome, Question, Reference,
    Reply, ReplyEnding, RequestOutcome, Returns, Setting, Status, Window,
};

impl Episode {
    pub(super) fn replied(&mut self, reply: Reply) {
        self.note_decision();
        let continued = self.continues(&reply);
        let attempt = Attempt { continued, ..Attempt::pending(reply, self.pending_request.take()) };
        let attempt = match self.steps.last().and_then(|step| step.continued_reply()) {
            Some(earlier) => attempt.continuing(earlier),
            None => attempt,
        };
        self.need = if attempt.continued {
            self.need_decision(self.replies() + 2)
        } else {
            Need::Read(attempt.reply.clone())
        };
        self.push_attempt(attempt);
    }

    /// Whether the agent is asked to continue this reply: it ends within a code block, and is no continuation itself. A
    /// reply that was refused is not continued.
    pub fn continues(&self, reply: &Reply) -> bool {
        let has_text = reply.ending.is_readable() || matches!(reply.ending, ReplyEnding::Cut { .. });
        let applies = self.head.conduct.continue_replies && self.head.setting == Setting::Online;
        let is_first = self.steps.last().is_none_or(|step| step.continued_reply().is_none());
        applies && has_text && is_first && has_open_fence(&reply.text)
    }

    /// The number of complete replies of the current step, those that no longer count included: attempts have numbers of
    /// their own.
    pub(super) fn replies(&self) -> u32 {
        let attempts = self.steps.last().map_or(&[][..], |step| &step.attempts);
        let count = attempts.iter().filter(|attempt| !attempt.cancelled).count();
        u32::try_from(count).unwrap_or(u32::MAX - 2)
    }

    /// Keeps a reply that does not count: what was received before a cancel, or a whole one at which the policy stops the
    /// episode.
    pub(super) fn cancelled(&mut self, reply: Reply) {
        let sent = self.pending_request.take();
        let came = !reply.ending.is_complete();
        let outcome = if came { RequestOutcome::Replied } else { RequestOutcome::Cancelled };
        self.push_attempt(Attempt::ended(reply, sent, outcome));
    }

    /// The reply of a request is lost: it becomes a cancelled attempt with unknown tokens.
    pub(super) fn give_up_pending_request(&mut self) {
        let Some(sent) = self.pending_request.take() else { return };
        let lost = Attempt::ended(Reply::default(), Some(sent), RequestOutcome::Lost);
        if matches!(self.need, Need::Ask(_)) {
            self.push_side(lost, None, false);
        } else {
            self.push_attempt(lost);
        }
    }

    pub(super) fn push_attempt(&mut self, attempt: Attempt) {
        self.spent = self.spent.plus(attempt.spent());
        attempt.add_to(&mut self.estimate);
        let of_person = attempt.latency_ms.filter(|_| attempt.sent.is_none());
        self.person_ms = self.person_ms.saturating_add(of_person.unwrap_or(0).into());
        self.unmetered_replies += usize::from(attempt.is_unmetered());
        if let Some(step) = self.open_step() {
            // Most steps have one attempt; a list that grows by itself begins with room for four.
            step.attempts.reserve_exact(1);
            step.attempts.push(attempt);
        }
    }

    fn set_verdict(&mut self, verdict: Result<Vec<Action>, ParseError>, marks: Spans) {
        if let Some(attempt) = self.newest_reply() {
            attempt.verdict = Some(verdict.map_err(Box::new));
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
        self.plan = RemainingPlan::new(actions);
        self.next_of_plan();
    }

    pub(super) fn refused(&mut self, failure: ParseError, marks: Spans) {
        self.set_verdict(Err(failure), marks);
        if let Some(ending) = self.ending_after_failed_reply() {
            return self.end(ending);
        }
        let counted = self.steps.last().map_or(0, |step| step.parse_errors());
        self.need = match u32::try_from(counted).unwrap_or(u32::MAX) {
            counted if counted < self.head.conduct.attempts.count() => self.need_decision(self.replies() + 1),
            _ if self.head.setting == Setting::Global => self.need_after_end(Ending::Unreadable),
            _ if self.head.conduct.on_unreadable == OnUnreadable::End => {
                self.need_after_end(Ending::Unreadable)
            }
            _ => Need::Skip,
        };
    }

    /// How the episode ends if its policy ends it after the newest reply, which failed.
    fn ending_after_failed_reply(&self) -> Option<Ending> {
        let reply = self.steps.last()?.last_reply()?;
        match (self.head.conduct.on_failed_reply(&reply.ending)?, &reply.ending) {
            (OnReplyFailure::End, ReplyEnding::Cut { .. }) => Some(Ending::ReplyCut),
            (OnReplyFailure::End, _) => Some(Ending::Refusal),
            _ => None,
        }
    }

    /// The newest complete reply of the current step; cancelled ones are skipped.
    pub(super) fn newest_reply(&mut self) -> Option<&mut Attempt> {
        self.open_step()?.attempts.iter_mut().rev().find(|attempt| attempt.counts())
    }

    pub(super) fn opened(&mut self, opening: Opening, reference: Option<Reference>) {
        self.reference = reference;
        let Opening { observation, space, status, points } = opening;
        let first = Step::new(1, observation, space, self.window, self.agent.clone());
        self.start = Returns::starting_at(points);
        self.steps.push(Arc::new(Step { returns: self.start, ..first }));
        self.set_need_after(status, false);
    }

    pub(super) fn skipped(&mut self) {
        let window = self.window;
        let agent = self.next_agent();
        let Some(step) = self.open_step() else { return };
        step.skipped = true;
        let next = Step {
            returns: step.returns,
            dead_state: step.dead_state.clone(),
            ..Step::new(step.number + 1, step.observation.clone(), step.space.clone(), window, agent)
        };
        self.begin_step(next, Status::Running, Vec::new());
    }

    pub(super) fn acted(&mut self, outcome: Outcome) {
        let planned = self.planned;
        let window = self.window;
        let agent = self.next_agent();
        if outcome.reward < 0.0 {
            self.smallest_loss =
                Some(self.smallest_loss.map_or(-outcome.reward, |loss| loss.min(-outcome.reward)));
        }
        let Some(step) = self.open_step() else { return };
        let next = Step::new(step.number + 1, outcome.observation, outcome.space, window, agent);
        let unchanged = step.state == next.state;
        let Outcome { reward, problem, note, questions, .. } = outcome;
        let note = problem.as_ref().map(|problem| problem.remark(note.as_deref())).or(note);
        step.effect = Some(Effect { reward, note, problem, unchanged, interrupted: false, withheld: false });
        step.returns = step.returns.plus(outcome.reward);
        // An edited plan stays edited at its next step; an edited action ends with its step.
        let edited = step.edited && planned;
        let next = Step { edited, returns: step.returns, ..next };
        self.begin_step(next, outcome.status, questions);
    }

    /// Begins a step after one that came to this status, unless questions must be answered first.
    pub(super) fn begin_step(&mut self, next: Step, status: Status, questions: Vec<Question>) {
        let repeating = self.reaches_repetition_limit();
        let next = Step { hint: self.hint.clone(), ..next };
        self.steps.push(Arc::new(next));
        self.empty_forgotten_observation();
        if questions.is_empty() {
            return self.set_need_after(status, repeating);
        }
        self.repeating = repeating;
        self.begin_asking(Purpose::Outcome, questions.into_iter().map(Arc::new).collect());
    }

    /// Frees what was computed from the observation that has just left the memory window: no request needs it.
    fn empty_forgotten_observation(&mut self) {
        let remembered = usize::from(self.window.am()) + 2;
        let Some(index) = self.steps.len().checked_sub(remembered) else { return };
        let emptied = self.steps.get(index).and_then(|step| step.observation.emptied());
        if let Some((emptied, step)) = emptied.zip(self.steps.get_mut(index)) {
            Arc::make_mut(step).observation = emptied;
        }
    }

    /// Whether the finished step reaches the repetition limit, if there is one.
    fn reaches_repetition_limit(&mut self) -> bool {
        let conduct = self.head.conduct;
        let limited = conduct.on_repeating == OnRepeating::End;
        let done = self.steps.last().filter(|_| limited);
        done.is_some_and(|step| self.repeats.push(step, conduct.thresholds).is_some())
    }

    /// Decides what comes after an observation.
    pub(super) fn set_need_after(&mut self, status: Status, repeating: bool) {
        match status {
            Status::Won => self.won(),
            Status::Lost => self.end(Ending::Lost),
            Status::TimeUp => self.end(Ending::TimeLimit),
            Status::Finished => self.end(Ending::Finished),
            Status::Running if repeating => self.end(Ending::Repetition),
            Status::Running if self.steps_done() >= self.head.max_steps => self.end(Ending::StepLimit),
            Status::Running if self.planned => self.next_of_plan(),
            Status::Running => self.begin_decision(),
        }
    }

    pub(super) fn next_of_plan(&mut self) {
        match self.plan.next_action() {
            Some(action) => self.set_due_action(action),
            None => self.end(Ending::PlanEnded),
        }
    }

    pub(super) fn set_due_action(&mut self, action: Action) {
        let over_limit = self.refuses(&action);
        if let Some(step) = self.open_step() {
            step.action = Some(action.clone());
            step.over_limit = over_limit;
        }
        self.need = if over_limit { self.need_after_end(Ending::Repetition) } else { self.need_act(action) };
    }

    /// Whether the policy ends the episode instead of carrying out this action at the current step, because it would be equal
    /// to too many before it.
    pub(crate) fn refuses(&self, action: &Action) -> bool {
        let conduct = self.head.conduct;
        conduct.on_repeating == OnRepeating::Refuse && repeats_same(&self.steps, action, conduct.thresholds)
    }

    pub(super) fn need_decision(&self, attempt: u32) -> Need {
        let step = self.steps.last().map_or(1, |step| step.number);
        Need::Decide { step, attempt }
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.asking = None;
        self.need = self.need_after_end(ending);
    }

    /// A limit ends it. One that is won stays won, without the last look of its modules.
    pub(super) fn limited(&mut self, ending: Ending) {
        self.end(if self.looks_last() { Ending::Won } else { ending });
    }

    /// An episode of an environment that judges is over when it is judged.
    fn need_after_end(&self, ending: Ending) -> Need {
        match self.head.verdict_limit {
            Some(_) => Need::Judge(ending),
            None => Need::Nothing(ending),
        }
    }

    /// The environment needs answers before it judges.
    pub(super) fn questioned(&mut self, questions: Vec<Question>) {
        if let Some(ending) = self.end_of_play() {
            self.begin_asking(Purpose::Verdict(ending), questions.into_iter().map(Arc::new).collect());
        }
    }

    pub(super) fn judged(&mut self, judgement: Arc<Judgement>) {
        self.judgement = Some(judgement);
        self.need = Need::Nothing(self.end_of_play().unwrap_or(Ending::Abandoned));
    }

    /// An episode that is abandoned is not judged. One that had ended before keeps that ending.
    pub(super) fn abandoned(&mut self) {
        self.need = Need::Nothing(self.end_of_play().unwrap_or(Ending::Abandoned));
    }

    pub(super) fn window_set(&mut self, window: Window) {
        self.window = window;
        // The request of a step that has its action used the old window.
        if !matches!(self.need, Need::Act(_) | Need::Person(_) | Need::Look)
            && let Some(step) = self.open_step()
        {
            step.window = window;
        }
    }
}

/// Whether a text has an odd number of code fences (`MageBench`, released code).
fn has_open_fence(text: &str) -> bool {
    text.matches("```").count() % 2 == 1
}
