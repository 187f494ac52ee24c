//! Sends one request of a test.

use crate::trial_agent;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::Answered;
use super::table::{Task, Trial};
use crate::Lab;
use mageyard_config::{Config, Problem};
use mageyard_dialog::verify;
use mageyard_domain::{
    ActionSpace, AgentError, AgentEvent, AgentObserver, Answer, DecisionInput, DecodedTurn, Digest, Message,
    Observation, PartId, Reply, ReplyFormat, SentRequest, Setting,
};

/// One request.
pub(super) struct Call<'a> {
    pub(super) lab: &'a Lab,
    pub(super) config: &'a Config,
    pub(super) trial: &'a Trial,
    pub(super) task: &'a Task,
}

impl Call<'_> {
    /// Sends it once.
    pub(super) async fn send(self) -> Result<Result<Answered, AgentError>, Problem> {
        let mut agent = trial_agent(self.lab, self.config, self.trial.form)?;
        let observer = CountingObserver { expected: &self.task.messages, chunks: Mutex::new(0) };
        let space = ActionSpace::new(&[]);
        let nothing = Observation::from_parts(vec![], "", ());
        let input = DecisionInput {
            step: 1,
            attempt: 1,
            setting: Setting::Online,
            form: &ReplyFormat::headings("", "", false),
            observation: &nothing,
            space: &space,
            steps_left: 1,
            request: &self.task.messages,
            question: None,
            probe: None,
            observer: &observer,
        };
        let began = Instant::now();
        let reply = agent.decide(input).await.and_then(readable);
        let chunks = *observer.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(reply.map(|reply| Answered { reply, chunks, took: began.elapsed() }))
    }
}

/// A reply that was cut or refused is an error here.
fn readable(answer: Answer) -> Result<Reply, AgentError> {
    match answer {
        Answer::Replied(reply) if reply.ending.is_readable() => Ok(reply),
        Answer::Replied(reply) => Err(AgentError::ReplyFailed(reply.ending)),
        Answer::GaveUp => Ok(Reply::default()),
    }
}

/// Verifies what is sent against the expected turns and counts the chunks of the reply.
struct CountingObserver<'a> {
    expected: &'a [Message],
    chunks: Mutex<usize>,
}

impl AgentObserver for CountingObserver<'_> {
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        verify(self.expected, sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, news: AgentEvent) {
        if let AgentEvent::TextReceived(_) = news {
            *self.chunks.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
    }
}
