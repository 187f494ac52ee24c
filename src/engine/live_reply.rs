//! The reply that is being received: shared between agent and session, and kept when the request is cancelled.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use tokio::sync::Notify;

use crate::dialog::Request;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::PartId;
use crate::domain::SentRequest;
use crate::domain::Usage;

/// What has been received so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveReplySnapshot {
    /// The request that was sent, if one was.
    pub sent: Option<Arc<SentRequest>>,
    /// The reply so far.
    pub text: String,
    /// The model's reasoning so far.
    pub reasoning: String,
    /// The token counts that the server reported; kept even if the request fails.
    pub usage: Option<Usage>,
    /// The wait before the next try, if the agent is waiting.
    pub retry: Option<RetryDelay>,
}

/// A pause before a request is tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetryDelay {
    /// The error of the last try.
    pub why: String,
    /// The wait in milliseconds.
    pub milliseconds: u64,
    /// The number of the next try, from 2.
    pub attempt: u32,
}

/// The observer that a driver gives to its agent; the session reads it. Locked only for moments.
#[derive(Debug, Default)]
pub(super) struct LiveReply {
    reply: Mutex<LiveReplySnapshot>,
    expected: Mutex<Arc<Request>>,
    changed: Notify,
}

impl LiveReply {
    /// Starts a new request, which must match this one.
    pub(super) fn begin(&self, expected: Arc<Request>) {
        *lock(&self.expected) = expected;
        *lock(&self.reply) = LiveReplySnapshot::default();
    }

    /// The current request as composed.
    pub(super) fn expected(&self) -> Arc<Request> {
        lock(&self.expected).clone()
    }

    /// Starts a try of the request: what an earlier try received is dropped.
    pub(super) fn begin_try(&self, request: &Arc<SentRequest>) {
        *lock(&self.reply) =
            LiveReplySnapshot { sent: Some(request.clone()), ..LiveReplySnapshot::default() };
        self.changed.notify_one();
    }

    /// Takes what was received: the request is over.
    pub(super) fn take(&self) -> LiveReplySnapshot {
        std::mem::take(&mut *lock(&self.reply))
    }

    /// Takes the token counts that the server reported for a try that has failed.
    pub(super) fn take_usage(&self) -> Option<Usage> {
        lock(&self.reply).usage.take()
    }

    /// What has been received so far.
    pub(super) fn snapshot(&self) -> LiveReplySnapshot {
        lock(&self.reply).clone()
    }

    /// Waits for the next change.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }
}

/// No code panics while it holds these locks, and the values stay valid, so poisoning is ignored.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveReply {
    /// Compares a decoded request with the one that was composed.
    pub(super) fn verify(
        &self,
        sent: &[DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        self.expected().verify(sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    /// Takes an event of the agent.
    pub(super) fn notify(&self, news: AgentEvent) {
        {
            let mut heard = lock(&self.reply);
            match news {
                AgentEvent::TextReceived(text) => heard.text.push_str(&text),
                AgentEvent::ReasoningReceived(text) => heard.reasoning.push_str(&text),
                AgentEvent::UsageReported(usage) => heard.usage = Some(usage),
                AgentEvent::RetryScheduled { why, milliseconds, attempt } => {
                    heard.retry = Some(RetryDelay { why, milliseconds, attempt });
                }
            }
        }
        self.changed.notify_one();
    }
}
