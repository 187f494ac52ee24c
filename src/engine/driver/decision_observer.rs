//! The observer of a decision: it writes each try of a request to the journal before the bytes go out, and its failure
//! as soon as it is known, and passes on what is received.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::DriverError;
use super::write_ahead::WriteAhead;
use crate::attempt::{FailedTry, PromptVersion};
use crate::event::Event;
use crate::live_reply::LiveReply;
use crate::side::SideEvent;
use mageyard_dialog::{ReaderRules, parse_reply, read_answer};
use mageyard_domain::{
    ActionSpace, AgentError, AgentEvent, AgentObserver, AnswerForm, DecodedTurn, Digest, EndpointFailure,
    PartId, ReplyFormat, RequestOutcome, SentRequest,
};

/// Observes one decision.
pub(super) struct DecisionObserver<'a> {
    live_reply: &'a LiveReply,
    version: Arc<PromptVersion>,
    reader: TextReader<'a>,
    /// Whether the request was sent in this decision.
    has_sent: AtomicBool,
    journal: Mutex<JournalState<'a>>,
}

/// What is read in the text of a reply.
#[derive(Clone, Copy)]
pub(super) enum TextReader<'a> {
    /// An action.
    Action { rules: &'a ReaderRules, form: &'a ReplyFormat, space: &'a ActionSpace },
    /// The answer of a side request.
    Side(AnswerForm),
}

impl TextReader<'_> {
    fn reads(self, text: &str) -> bool {
        match self {
            Self::Action { rules, form, space } => parse_reply(rules, form, text, space).result.is_ok(),
            Self::Side(form) => read_answer(form, text).is_ok(),
        }
    }

    fn sent(self, request: Arc<SentRequest>, version: Arc<PromptVersion>) -> Event {
        match self {
            Self::Action { .. } => Event::Sent(request, version),
            Self::Side(_) => Event::Side(SideEvent::Sent(request, version)),
        }
    }

    fn retried(self) -> Event {
        match self {
            Self::Action { .. } => Event::Retried,
            Self::Side(_) => Event::Side(SideEvent::Retried),
        }
    }

    fn failed(self, failed: FailedTry) -> Event {
        match self {
            Self::Action { .. } => Event::Failed(failed),
            Self::Side(_) => Event::Side(SideEvent::Failed(failed)),
        }
    }
}

/// The journal, and the error that stopped the decision.
struct JournalState<'a> {
    log: &'a mut WriteAhead,
    error: Option<DriverError>,
}

impl<'a> DecisionObserver<'a> {
    /// An observer for a request made from this prompt version.
    pub(super) fn new(
        live_reply: &'a LiveReply,
        version: Arc<PromptVersion>,
        reader: TextReader<'a>,
        log: &'a mut WriteAhead,
    ) -> Self {
        let journal = Mutex::new(JournalState { log, error: None });
        Self { live_reply, version, reader, has_sent: AtomicBool::new(false), journal }
    }

    /// Why a try could not be written, if one could not.
    pub(super) fn into_error(self) -> Option<DriverError> {
        self.journal.into_inner().unwrap_or_else(PoisonError::into_inner).error
    }
}

impl DecisionObserver<'_> {
    /// Writes to the journal; an error is kept and ends the decision.
    fn write(
        &self,
        write: impl FnOnce(&mut WriteAhead) -> Result<(), DriverError>,
    ) -> Result<(), AgentError> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        write(journal.log).map_err(|error| {
            let why = error.to_string();
            journal.error = Some(error);
            AgentError::NotJournaled(why)
        })
    }
}

impl AgentObserver for DecisionObserver<'_> {
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        self.live_reply.verify(sent, encoded)
    }

    fn sending(&self, request: &Arc<SentRequest>) -> Result<(), AgentError> {
        self.write(|log| {
            // A request that is pending from before, as after a kill, is lost.
            let event = if self.has_sent.swap(true, Ordering::Relaxed) {
                self.reader.retried()
            } else {
                self.reader.sent(request.clone(), self.version.clone())
            };
            log.announce(event)
        })?;
        self.live_reply.begin_try(request);
        Ok(())
    }

    fn failed(&self, error: &AgentError) -> Result<(), AgentError> {
        let class = EndpointFailure::of(error);
        let failed = FailedTry {
            why: error.to_string().into(),
            class: class.map_or_else(|| "reply".to_owned(), |class| class.to_string()).into(),
            outcome: class.map_or(RequestOutcome::Failed, EndpointFailure::outcome),
            usage: self.live_reply.take_usage(),
        };
        self.write(|log| log.record(self.reader.failed(failed)))
    }

    fn stable_turns(&self) -> usize {
        self.live_reply.expected().stable
    }

    fn gives_action(&self, text: &str) -> bool {
        self.reader.reads(text)
    }

    fn notify(&self, event: AgentEvent) {
        self.live_reply.notify(event);
    }
}
