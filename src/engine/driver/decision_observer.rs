//! The observer of a decision: it writes each try of a request to the journal before the bytes go out, and passes on
//! what is received.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use super::error::DriverError;
use super::write_ahead::WriteAhead;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::AgentObserver;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::PartId;
use crate::domain::SentRequest;
use crate::engine::event::Event;
use crate::engine::live_reply::LiveReply;
use crate::engine::step::FailedTry;
use crate::engine::step::PromptVersion;

/// Observes one decision.
pub(super) struct DecisionObserver<'a> {
    live_reply: &'a LiveReply,
    version: Arc<PromptVersion>,
    journal: Mutex<JournalState<'a>>,
}

/// The journal, and the error that stopped the decision.
struct JournalState<'a> {
    log: &'a mut WriteAhead,
    error: Option<DriverError>,
}

impl<'a> DecisionObserver<'a> {
    /// An observer for a request made from this prompt version.
    pub(super) fn new(live_reply: &'a LiveReply, version: PromptVersion, log: &'a mut WriteAhead) -> Self {
        Self { live_reply, version: version.into(), journal: Mutex::new(JournalState { log, error: None }) }
    }

    /// Why a try could not be written, if one could not.
    pub(super) fn into_error(self) -> Option<DriverError> {
        self.journal.into_inner().unwrap_or_else(PoisonError::into_inner).error
    }
}

impl AgentObserver for DecisionObserver<'_> {
    fn verify(
        &self,
        sent: &[DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        self.live_reply.verify(sent, encoded)
    }

    fn sending(&self, request: &Arc<SentRequest>, failed: Option<&AgentError>) -> Result<(), AgentError> {
        let event = match failed {
            None => Event::Sent(request.clone(), self.version.clone()),
            Some(error) => Event::Retried(FailedTry {
                why: error.to_string().into(),
                refused: matches!(
                    error,
                    AgentError::Api { .. } | AgentError::Unreachable(_) | AgentError::Certificate(_)
                ),
            }),
        };
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = journal.log.announce(event) {
            let why = error.to_string();
            journal.error = Some(error);
            return Err(AgentError::NotJournaled(why));
        }
        self.live_reply.begin_try(request);
        Ok(())
    }

    fn notify(&self, event: AgentEvent) {
        self.live_reply.notify(event);
    }
}
