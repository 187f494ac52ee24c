//! What an agent tells during a thought, kept where the session can see it and a cancel cannot lose it.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use tokio::sync::Notify;

use crate::dialog::prove;
use crate::domain::AgentError;
use crate::domain::Digest;
use crate::domain::Line;
use crate::domain::Message;
use crate::domain::News;
use crate::domain::Sent;
use crate::domain::SentTurn;
use crate::domain::Usage;

/// What has been heard of the thought under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The request that went out, if one did.
    pub sent: Option<Arc<Sent>>,
    /// The reply so far.
    pub text: String,
    /// The model's own reasoning so far.
    pub reasoning: String,
    /// What the server says the request took, which is worth keeping also when nothing comes of it.
    pub usage: Option<Usage>,
    /// What it waits for before the next try.
    pub waiting: Option<Pause>,
}

/// A pause before a request is tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pause {
    /// What went wrong.
    pub why: String,
    /// How long it takes.
    pub milliseconds: u64,
    /// Which try comes then, from 2.
    pub attempt: u32,
}

/// The ear of a driver: agents tell it, the session looks. Locked for moments only.
#[derive(Debug, Default)]
pub(super) struct Hearing {
    heard: Mutex<Heard>,
    due: Mutex<Arc<[Message]>>,
    changed: Notify,
}

impl Hearing {
    /// Forgets the last thought; the next request must agree with these turns.
    pub(super) fn begin(&self, due: Arc<[Message]>) {
        *lock(&self.due) = due;
        *lock(&self.heard) = Heard::default();
    }

    /// The turns of the request under way.
    pub(super) fn due(&self) -> Arc<[Message]> {
        lock(&self.due).clone()
    }

    /// What has been heard, for good: the thought is over.
    pub(super) fn take(&self) -> Heard {
        std::mem::take(&mut *lock(&self.heard))
    }

    /// What has been heard so far.
    pub(super) fn heard(&self) -> Heard {
        lock(&self.heard).clone()
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

impl Line for Hearing {
    fn prove(&self, sent: &[SentTurn], encoded: &dyn Fn(u32) -> Option<Digest>) -> Result<(), AgentError> {
        prove(&lock(&self.due), sent, encoded).map_err(|error| AgentError::Unproven(error.to_string()))
    }

    fn tell(&self, news: News) {
        {
            let mut heard = lock(&self.heard);
            match news {
                News::Sent(sent) => {
                    *heard = Heard { sent: Some(Arc::new(sent)), ..Heard::default() };
                }
                News::Text(text) => heard.text.push_str(&text),
                News::Reasoning(text) => heard.reasoning.push_str(&text),
                News::Used(usage) => heard.usage = Some(usage),
                News::Waiting { why, milliseconds, attempt } => {
                    heard.waiting = Some(Pause { why, milliseconds, attempt });
                }
            }
        }
        self.changed.notify_one();
    }
}
