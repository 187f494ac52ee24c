//! What an agent tells during a thought, kept where the session can see it and a cancel cannot lose it.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use tokio::sync::Notify;

use crate::dialog::verify;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::AgentObserver;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::SentRequest;
use crate::domain::Usage;

/// What has been heard of the thought under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveReplySnapshot {
    /// The request that went out, if one did.
    pub sent: Option<Arc<SentRequest>>,
    /// The reply so far.
    pub text: String,
    /// The model's own reasoning so far.
    pub reasoning: String,
    /// What the server says the request took, which is worth keeping also when nothing comes of it.
    pub usage: Option<Usage>,
    /// What it waits for before the next try.
    pub retry: Option<RetryDelay>,
}

/// A pause before a request is tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetryDelay {
    /// What went wrong.
    pub why: String,
    /// How long it takes.
    pub milliseconds: u64,
    /// Which try comes then, from 2.
    pub attempt: u32,
}

/// The ear of a driver: agents tell it, the session looks. Locked for moments only.
#[derive(Debug, Default)]
pub(super) struct LiveReply {
    reply: Mutex<LiveReplySnapshot>,
    expected_turns: Mutex<Arc<[Message]>>,
    changed: Notify,
}

impl LiveReply {
    /// Forgets the last thought; the next request must agree with these turns.
    pub(super) fn begin(&self, due: Arc<[Message]>) {
        *lock(&self.expected_turns) = due;
        *lock(&self.reply) = LiveReplySnapshot::default();
    }

    /// The turns of the request under way.
    pub(super) fn expected_turns(&self) -> Arc<[Message]> {
        lock(&self.expected_turns).clone()
    }

    /// What has been heard, for good: the thought is over.
    pub(super) fn take(&self) -> LiveReplySnapshot {
        std::mem::take(&mut *lock(&self.reply))
    }

    /// What has been heard so far.
    pub(super) fn snapshot(&self) -> LiveReplySnapshot {
        lock(&self.reply).clone()
    }

    /// Returns when there is something new.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }
}

/// Nobody can leave these half-changed, so a panic elsewhere does not spoil them.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AgentObserver for LiveReply {
    fn verify(
        &self,
        sent: &[DecodedTurn],
        encoded: &dyn Fn(u32) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        verify(&lock(&self.expected_turns), sent, encoded)
            .map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn notify(&self, news: AgentEvent) {
        {
            let mut heard = lock(&self.reply);
            match news {
                AgentEvent::Sent(sent) => {
                    *heard = LiveReplySnapshot { sent: Some(Arc::new(sent)), ..LiveReplySnapshot::default() };
                }
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
