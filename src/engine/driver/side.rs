//! Side requests: composed, proven and written ahead like the requests of the agent, and answered by the agent of their role.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::decision_observer::{DecisionObserver, TextReader};
use super::error::DriverError;
use super::{Advance, Driver};
use crate::attempt::PromptVersion;
use crate::event::Event;
use crate::side::{Inquiry, Purpose, SideEvent};
use crate::step_request::{ModuleContext, compose_side_request};
use mageyard_dialog::{Request, read_answer};
use mageyard_domain::{AgentError, Answer, DecisionInput, Digest, Judgement, Reply, RequestEncoder, Segment};

impl Driver {
    /// The first part of a side request. True if it must be sent; else the question is answered, or the episode is over.
    pub(super) fn begin_side(&mut self, inquiry: &Inquiry) -> Result<bool, DriverError> {
        self.log.flush()?;
        if self.is_budget_exhausted()? {
            let event = match inquiry.purpose {
                Purpose::Verdict(_) => Event::Judged(Judgement::NotJudged(NO_BUDGET.into()).into()),
                Purpose::Decision | Purpose::LastLook | Purpose::Outcome => Event::Exhausted,
            };
            return self.log.record(event).map(|()| false);
        }
        let request = self.side_request(inquiry)?;
        let encoder = self.participants.roles.of(inquiry.question.role)?.agent.request_encoder();
        if let Some(known) = encoder.and_then(|encoder| self.known_answer(&*encoder, &request)) {
            return self.log.record(Event::Side(SideEvent::Reused(known))).map(|()| false);
        }
        self.live_reply.begin(request.into(), Some(inquiry.question.role));
        Ok(true)
    }

    /// The digest of an equal request of the episode whose answer is known, if such requests always have the same answer.
    fn known_answer(&self, encoder: &dyn RequestEncoder, request: &Request) -> Option<Digest> {
        if !encoder.is_deterministic() || !self.episode().has_side_answers() {
            return None;
        }
        let digest = encoder.encode(&request.messages, 0).ok()?.digest();
        Some(digest).filter(|digest| self.episode().has_side_answer(*digest))
    }

    fn side_request(&self, inquiry: &Inquiry) -> Result<Request, DriverError> {
        let seat = self.participants.roles.of(inquiry.question.role)?;
        let episode = self.episode();
        let context = ModuleContext {
            prompt: self.participants.prompt(episode.prompt()).ok(),
            form: &self.participants.form,
        };
        let role = inquiry.question.role;
        compose_side_request(episode, &inquiry.question, &seat.prompt, seat.system_role, context)
            .map_err(|part| DriverError::NoPart { role, part })
    }

    /// The second part: waits for the reply, and records what was read in it.
    pub(super) async fn await_side(
        &mut self,
        inquiry: Inquiry,
        cancel: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        let Some(current) = self.episode().steps().last().cloned() else { return Ok(Advance::Done) };
        let question = inquiry.question;
        let role = question.role;
        let attempt = self.episode().side_replies(role) + 1;
        let request = self.live_reply.expected();
        let head = self.log.episode().head().clone();
        let seat = self.participants.roles.of_mut(role)?;
        let version = PromptVersion {
            prompt: role.name().to_owned(),
            segments: [(Segment::Task, seat.prompt.digest())].into(),
        };
        let reader = TextReader::Side(question.form);
        let observer = DecisionObserver::new(&self.live_reply, Arc::new(version), reader, &mut self.log);
        let input = DecisionInput {
            step: current.number,
            attempt,
            setting: head.setting,
            form: &self.participants.form,
            observation: &current.observation,
            space: &current.space,
            steps_left: head.max_steps.saturating_sub(current.number - 1),
            request: &request.messages,
            question: Some(&question),
            probe: None,
            observer: &observer,
        };
        let answer = tokio::select! {
            biased;
            answer = seat.agent.decide(input) => Some(answer),
            () = cancel.cancelled() => None,
            () = self.link.time_is_up() => None,
        };
        let journal_error = observer.into_error();
        drop(current);
        match (journal_error, answer) {
            (Some(error), _) => Err(error),
            (None, Some(Ok(Answer::Replied(reply)))) => {
                let answer = read_answer(question.form, &reply.text);
                let reply = Reply { latency_ms: self.live_reply.latency_ms(), ..reply };
                self.live_reply.take();
                self.log.record(Event::Side(SideEvent::Replied(reply, answer)))?;
                Ok(Advance::Done)
            }
            (None, Some(Ok(Answer::GaveUp))) => {
                let why = format!("the role {role} has no answer");
                Err(AgentError::NoAction { agent: role.name(), why }.into())
            }
            (None, Some(Err(error))) => {
                if self.episode().pending_request().is_some() {
                    self.record_cut_side()?;
                }
                Err(error.into())
            }
            (None, None) => {
                self.record_cut_side()?;
                self.stopped(cancel)
            }
        }
    }

    fn record_cut_side(&mut self) -> Result<(), DriverError> {
        let reply = self.partial_reply();
        self.log.record(Event::Side(SideEvent::Cancelled(reply)))
    }

    /// Has the environment settle the last outcome with the answers.
    pub(super) async fn settle(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        self.link.renew();
        let Some(last) = self.episode().steps().last().cloned() else { return Ok(Advance::Done) };
        let answers = self.episode().answers_to_settle().to_vec();
        let environment = &mut self.participants.environment;
        let grace = environment.grace();
        let settling = environment.settle(&last.observation, &answers, &self.link.context);
        let called = self.link.limit(settling, grace, stop).await;
        drop(last);
        let Some(settlement) = self.ended(called).await? else { return self.stopped(stop) };
        self.log.record(Event::Settled(settlement))?;
        Ok(Advance::Done)
    }
}

/// Why an episode is not judged whose verdict needs answers.
const NO_BUDGET: &str = "the verdict needs answers of a model, and the budget is used up";
