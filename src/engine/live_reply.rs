//! The reply that is being received: shared between agent and session, and kept when the request is cancelled.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::wait::Wait;
use mageyard_dialog::Request;
use mageyard_domain::{AgentError, AgentEvent, DecodedTurn, Digest, PartId, SentRequest, SideRole, Usage};

/// What has been received so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveReplySnapshot {
    /// Who is asked, if it is a side request.
    pub role: Option<SideRole>,
    /// The request that was sent, if one was.
    pub sent: Option<Arc<SentRequest>>,
    /// The reply so far.
    pub text: String,
    /// The model's reasoning so far.
    pub reasoning: String,
    /// The token counts that the server reported; kept even if the request fails.
    pub usage: Option<Usage>,
    /// When the newest try was sent.
    pub sent_at: Option<Instant>,
    /// The wait before the next try, if the agent is waiting.
    pub retry: Option<RetryDelay>,
    /// The number of the newest try and the largest number of tries, as in [`RetryDelay`], if it is a retry.
    pub retried: Option<(u32, u32)>,
}

impl LiveReplySnapshot {
    /// Moves the newest part of the text, with this length in bytes, to the reasoning.
    fn move_text(&mut self, bytes: usize) {
        let at = self.text.len().saturating_sub(bytes);
        if self.text.is_char_boundary(at) {
            let thought = self.text.split_off(at);
            self.reasoning.push_str(&thought);
        }
    }
}

/// A pause before a request is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryDelay {
    /// The error of the last try.
    pub why: String,
    /// When it ends.
    pub until: Instant,
    /// The number of the next try: 1 if other requests made the server ask for a pause, else from 2.
    pub attempt: u32,
    /// The largest number of tries.
    pub most: u32,
}

impl LiveReplySnapshot {
    /// What is waited for at this time; `None` if nothing was sent, or a part of the reply was received.
    pub fn wait(&self, now: Instant) -> Option<Wait> {
        if let Some(RetryDelay { why, until, attempt, most }) = &self.retry {
            let left = until.saturating_duration_since(now);
            let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
            return Some(Wait::Retry { seconds, attempt: *attempt, most: *most, why: why.clone() });
        }
        let waited = now.saturating_duration_since(self.sent_at?);
        let silent = self.text.is_empty() && self.reasoning.is_empty();
        let (attempt, most) = self.retried.unwrap_or((1, 1));
        silent.then_some(Wait::Reply { seconds: waited.as_secs(), attempt, most })
    }

    /// When the seconds of [`LiveReplySnapshot::wait`] change next.
    pub fn next_second(&self, now: Instant) -> Option<Instant> {
        self.wait(now)?;
        let second = Duration::from_secs(1);
        let fraction = |duration: Duration| Duration::from_nanos(duration.subsec_nanos().into());
        if let Some(retry) = &self.retry {
            let left = retry.until.saturating_duration_since(now);
            let rest = if fraction(left).is_zero() { second } else { fraction(left) };
            return (!left.is_zero()).then(|| now + rest);
        }
        let waited = now.saturating_duration_since(self.sent_at?);
        Some(now + second - fraction(waited))
    }
}

/// The observer that a driver gives to its agent; the session reads it. Locked only for moments.
#[derive(Debug, Default)]
pub(super) struct LiveReply {
    reply: Mutex<LiveReplySnapshot>,
    expected: Mutex<Arc<Request>>,
    changed: Notify,
}

impl LiveReply {
    /// Starts a new request, which must match this one; a side request has a role.
    pub(super) fn begin(&self, expected: Arc<Request>, role: Option<SideRole>) {
        *lock(&self.expected) = expected;
        *lock(&self.reply) = LiveReplySnapshot { role, ..LiveReplySnapshot::default() };
    }

    /// The current request as composed.
    pub(super) fn expected(&self) -> Arc<Request> {
        lock(&self.expected).clone()
    }

    /// Starts a try of the request: what an earlier try received is dropped.
    pub(super) fn begin_try(&self, request: &Arc<SentRequest>) {
        let mut reply = lock(&self.reply);
        let retried = reply.retry.as_ref().map(|retry| (retry.attempt, retry.most));
        *reply = LiveReplySnapshot {
            role: reply.role,
            sent: Some(request.clone()),
            sent_at: Some(Instant::now()),
            retried: retried.filter(|(attempt, _)| *attempt > 1),
            ..LiveReplySnapshot::default()
        };
        drop(reply);
        self.changed.notify_one();
    }

    /// Takes what was received: the request is over.
    pub(super) fn take(&self) -> LiveReplySnapshot {
        std::mem::take(&mut *lock(&self.reply))
    }

    /// The milliseconds since the newest try was sent, if one was.
    pub(super) fn latency_ms(&self) -> Option<u32> {
        let waited = lock(&self.reply).sent_at?.elapsed();
        u32::try_from(waited.as_millis()).ok()
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

/// What an agent waits for, readable while its episode is busy.
#[derive(Clone, Debug)]
pub struct LiveWait(Arc<LiveReply>);

impl LiveWait {
    pub(super) fn new(reply: Arc<LiveReply>) -> Self {
        Self(reply)
    }

    /// What is waited for now.
    pub fn now(&self) -> Option<Wait> {
        lock(&self.0.reply).wait(Instant::now())
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
        sent: &[&DecodedTurn],
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
                AgentEvent::TextWasReasoning { bytes } => heard.move_text(bytes),
                AgentEvent::UsageReported(usage) => heard.usage = Some(usage),
                AgentEvent::OriginReported(_) => {}
                AgentEvent::RetryScheduled { why, milliseconds, attempt, most } => {
                    let until = Instant::now() + Duration::from_millis(milliseconds);
                    heard.retry = Some(RetryDelay { why, until, attempt, most });
                }
            }
        }
        self.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seconds_of_a_wait_are_whole_and_the_screen_wakes_when_they_change() {
        let began = Instant::now();
        let at = |milliseconds| began + Duration::from_millis(milliseconds);
        let sent = LiveReplySnapshot { sent_at: Some(began), ..LiveReplySnapshot::default() };
        assert_eq!(sent.wait(at(2500)), Some(Wait::Reply { seconds: 2, attempt: 1, most: 1 }));
        assert_eq!(sent.next_second(at(2500)), Some(at(3000)));
        let retried = LiveReplySnapshot { retried: Some((2, 3)), ..sent.clone() };
        assert_eq!(retried.wait(at(2500)), Some(Wait::Reply { seconds: 2, attempt: 2, most: 3 }));
        let why = String::from("busy");
        let retry = Some(RetryDelay { why: why.clone(), until: at(5000), attempt: 2, most: 3 });
        let paused = LiveReplySnapshot { retry, ..sent.clone() };
        assert_eq!(paused.wait(at(2500)), Some(Wait::Retry { seconds: 3, attempt: 2, most: 3, why }));
        assert_eq!(paused.next_second(at(2500)), Some(at(3000)));
        assert_eq!((paused.next_second(at(3000)), paused.next_second(at(5000))), (Some(at(4000)), None));
        for idle in [
            LiveReplySnapshot::default(),
            LiveReplySnapshot { text: "so".into(), ..sent.clone() },
            LiveReplySnapshot { reasoning: "so".into(), ..sent },
        ] {
            assert_eq!((idle.wait(at(9000)), idle.next_second(at(9000))), (None, None));
        }
    }
}
