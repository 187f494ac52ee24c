//! One decision: the request is recorded, the agent replies, and the reply is recorded, also a partial one after a
//! cancel.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::decision_observer::{DecisionObserver, TextReader};
use super::error::DriverError;
use super::{Advance, Driver};
use crate::attempt::PromptVersion;
use crate::event::Event;
use crate::step_request;
use mageyard_dialog::Request;
use mageyard_domain::{
    AgentError, Answer, DecisionInput, Digest, OnReplyFailure, Reply, Segment, UnknownUsage,
};

impl Driver {
    /// The first part of a decision: records that the agent is asked.
    pub(super) fn ask(&mut self) -> Result<(), DriverError> {
        self.log.flush()?;
        if self.is_budget_exhausted()? {
            return self.log.record(Event::Exhausted);
        }
        let request = self.request_to_send()?;
        if self.participants.agent.reads_requests() {
            // Nothing happens before the request is sent, which is recorded first.
            self.log.hold(Event::Asked)?;
        } else {
            self.log.record(Event::Asked)?;
        }
        self.live_reply.begin(request, None);
        Ok(())
    }

    /// Whether the budget is used up. A server that reports no token count for any reply is an error, unless an estimate
    /// counts.
    pub(super) fn is_budget_exhausted(&self) -> Result<bool, DriverError> {
        let episode = self.episode();
        let budget = &self.episode().head().budget;
        let known = episode.spent().usage;
        match budget.unknown {
            _ if budget.is_unlimited() => Ok(false),
            UnknownUsage::Estimate => Ok(episode.exhausts(known.plus(episode.estimated_unknown()))),
            UnknownUsage::Ignore if known.total() == 0 && episode.unmetered_replies() > 0 => {
                Err(DriverError::Unmetered)
            }
            UnknownUsage::Ignore => Ok(episode.exhausts(known)),
        }
    }

    /// The second part of a decision: waits for the agent's reply.
    pub(super) async fn await_reply(
        &mut self,
        step: u32,
        attempt: u32,
        cancel: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        let current = self.episode().steps().last().cloned();
        let Some(current) = current.filter(|_| self.episode().ending().is_none()) else {
            return Ok(Advance::Done);
        };
        let request = self.live_reply.expected();
        let version = self.prompt_version();
        let head = self.log.episode().head().clone();
        let reader =
            TextReader::Action { rules: &head.rules, form: &self.participants.form, space: &current.space };
        let observer = DecisionObserver::new(&self.live_reply, version, reader, &mut self.log);
        let input = DecisionInput {
            step,
            attempt,
            setting: head.setting,
            form: &self.participants.form,
            observation: &current.observation,
            space: &current.space,
            steps_left: head.max_steps.saturating_sub(step - 1),
            request: &request.messages,
            question: None,
            probe: None,
            observer: &observer,
        };
        let answer = tokio::select! {
            biased;
            answer = self.participants.agent.decide(input) => Some(answer),
            () = cancel.cancelled() => None,
            () = self.link.time_is_up() => None,
        };
        let journal_error = observer.into_error();
        // Changing a step that is still borrowed here would copy it.
        drop(current);
        match (journal_error, answer) {
            (Some(error), _) => Err(error),
            (None, Some(answer)) => self.record_answer(answer).map(|()| Advance::Done),
            (None, None) => {
                self.append_cancelled()?;
                self.stopped(cancel)
            }
        }
    }

    fn record_answer(&mut self, answer: Result<Answer, AgentError>) -> Result<(), DriverError> {
        match answer {
            Ok(Answer::Replied(reply)) => self.record_reply(reply),
            Ok(Answer::GaveUp) => self.log.record(Event::GaveUp),
            // Keep the partial reply of a failed request.
            Err(error) if self.episode().pending_request().is_some() => {
                self.append_cancelled()?;
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Records a reply. If the policy of the episode stops it at such an ending, the reply does not count.
    fn record_reply(&mut self, reply: Reply) -> Result<(), DriverError> {
        let of_person = self.participants.agent.is_person().then(|| self.log.decision_time());
        let of_person = of_person.and_then(|time| u32::try_from(time.as_millis()).ok());
        let reply = Reply { latency_ms: self.live_reply.latency_ms().or(of_person), ..reply };
        self.live_reply.take();
        let ending = reply.ending.clone();
        let stops = self.episode().head().conduct.on_failed_reply(&ending) == Some(OnReplyFailure::Stop);
        if !stops || self.episode().continues(&reply) {
            // It is read at once.
            return self.log.hold(Event::Replied(reply));
        }
        self.log.record(Event::Cancelled(reply))?;
        Err(AgentError::ReplyFailed(ending).into())
    }

    /// The request for the current step; an empty one for an agent that reads no requests.
    fn request_to_send(&self) -> Result<Arc<Request>, DriverError> {
        if !self.participants.agent.reads_requests() {
            return Ok(Arc::default());
        }
        let episode = self.episode();
        let prompt = self.participants.prompt(episode.prompt())?;
        let request = step_request::compose_request(
            episode.head(),
            episode.steps(),
            episode.steps().len().saturating_sub(1),
            episode.window(),
            prompt,
            &self.participants.form,
            self.asks_for_caching,
        );
        Ok(request.unwrap_or_default().into())
    }

    /// The prompt version of the next request; `None` for an agent that reads no requests.
    fn prompt_version(&self) -> Arc<PromptVersion> {
        let episode = self.episode();
        let prompt = self.participants.prompt(episode.prompt());
        let digests = prompt.map(|prompt| prompt.digests(episode.head().setting));
        let mut segments = digests.unwrap_or_default();
        segments.extend(episode.hint().map(|hint| (Segment::Hint, Digest::of(hint.as_bytes()))));
        episode.prompt_version(&segments)
    }

    fn append_cancelled(&mut self) -> Result<(), DriverError> {
        let reply = self.partial_reply();
        self.log.record(Event::Cancelled(reply))
    }

    /// Takes what was received of the reply so far.
    pub(super) fn partial_reply(&self) -> Reply {
        let partial = self.live_reply.take();
        Reply {
            text: partial.text,
            reasoning: Some(partial.reasoning).filter(|text| !text.is_empty()),
            usage: partial.usage,
            ..Reply::default()
        }
    }
}
