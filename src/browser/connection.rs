//! The `DevTools` protocol over a pipe: JSON messages, each ended by a zero byte. Knows requests, answers and events,
//! and nothing of what they mean.
//!
//! It is our own: public crates hang after a crash, a dialog or an endless loop of a page, and leave processes
//! behind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};

use super::BrowserFailure;

/// A connection to a browser. Requests are sent at once; their answers arrive in any order.
#[derive(Debug)]
pub(super) struct Connection {
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    answers: Mutex<Answers>,
    ended: watch::Sender<Option<BrowserFailure>>,
}

#[derive(Debug, Default)]
struct Answers {
    last: u64,
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
}

type Answer = Result<Box<RawValue>, CallError>;

/// Why a request has no result.
#[derive(Clone, Debug)]
pub(super) enum CallError {
    /// The browser refused it, in these words.
    Refused(String),
    /// The browser is gone.
    Gone(BrowserFailure),
}

/// A message of the browser.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Incoming<'a> {
    id: Option<u64>,
    #[serde(default)]
    pub(super) method: String,
    #[serde(borrow)]
    pub(super) params: Option<&'a RawValue>,
    pub(super) session_id: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    message: String,
}

impl Connection {
    /// A connection, and the messages to write to the pipe.
    pub(super) fn new() -> (Arc<Self>, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (outgoing, messages) = mpsc::unbounded_channel();
        let ended = watch::Sender::new(None);
        (Arc::new(Self { outgoing, answers: Mutex::default(), ended }), messages)
    }

    /// Sends a request and awaits its answer, without a limit. Dropping the future forgets the answer.
    pub(super) async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Answer {
        let (sender, answer) = oneshot::channel();
        let id = self.send(session, method, &params, Some(sender));
        let _forget = Forget { connection: self, id };
        match answer.await {
            Ok(answer) => answer,
            Err(_) => Err(CallError::Gone(self.failure())),
        }
    }

    /// Sends a request whose answer does not matter.
    pub(super) fn tell(&self, session: Option<&str>, method: &str, params: &Value) {
        self.send(session, method, params, None);
    }

    fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: &Value,
        answer: Option<oneshot::Sender<Answer>>,
    ) -> u64 {
        let mut answers = self.answers();
        answers.last += 1;
        let id = answers.last;
        if let (Some(answer), None) = (answer, &*self.ended.borrow()) {
            answers.waiting.insert(id, answer);
        }
        drop(answers);
        // Refused only if the browser has ended; then the sender of the answer is dropped as well.
        let _ = self.outgoing.send(message(id, session, method, params));
        id
    }

    /// Passes an answer to its request; a message that is none is returned: an event.
    pub(super) fn receive<'a>(&self, incoming: Incoming<'a>) -> Option<Incoming<'a>> {
        let Some(id) = incoming.id else { return Some(incoming) };
        let Incoming { result, error, .. } = incoming;
        let answer = match (result, error) {
            (Some(result), None) => Ok(result.to_owned()),
            (_, refusal) => Err(CallError::Refused(refusal.map_or_else(String::new, |it| it.message))),
        };
        if let Some(sender) = self.answers().waiting.remove(&id) {
            // The request may have been dropped.
            let _ = sender.send(answer);
        }
        None
    }

    /// Ends the connection: all requests, now and later, fail with this. The first reason stays.
    pub(super) fn end(&self, failure: BrowserFailure) {
        self.ended.send_if_modified(|ended| {
            let first = ended.is_none();
            ended.get_or_insert(failure);
            first
        });
        self.answers().waiting.clear();
    }

    /// Why the browser is gone, if it is.
    pub(super) fn ended(&self) -> Option<BrowserFailure> {
        self.ended.borrow().clone()
    }

    /// Completes when the browser is gone.
    pub(super) async fn end_reached(&self) -> BrowserFailure {
        let mut ended = self.ended.subscribe();
        match ended.wait_for(Option::is_some).await {
            Ok(failure) => failure.clone().unwrap_or_else(unexplained),
            Err(_) => unexplained(),
        }
    }

    fn failure(&self) -> BrowserFailure {
        self.ended().unwrap_or_else(unexplained)
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unexplained() -> BrowserFailure {
    BrowserFailure::Ended("its connection was closed".to_owned())
}

/// Removes a request that is no longer awaited.
struct Forget<'a> {
    connection: &'a Connection,
    id: u64,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.connection.answers().waiting.remove(&self.id);
    }
}

fn message(id: u64, session: Option<&str>, method: &str, params: &Value) -> Vec<u8> {
    let mut message = json!({ "id": id, "method": method, "params": params });
    if let Some(session) = session {
        message["sessionId"] = session.into();
    }
    let mut bytes = message.to_string().into_bytes();
    bytes.push(0);
    bytes
}
