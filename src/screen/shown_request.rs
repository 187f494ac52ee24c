//! The request of the shown step: as it was sent, or as it would be sent. The request dialog, the
//! frame as sent and the copy menu all use it.

use std::sync::Arc;

use super::model::{EpisodeView, Model};
use mageyard_dialog::Request;
use mageyard_domain::{SentRequest, Setting};
use mageyard_engine::{Attempt, PromptVersion, SideExchange, Snapshot, Step, Waiting};

/// One request of the shown step.
pub(crate) struct SelectedRequest {
    /// The step that the request is for.
    pub(crate) step: Arc<Step>,
    /// Index among the requests of the step.
    pub(crate) index: usize,
    /// Number of requests of the step.
    pub(crate) count: usize,
    pub(crate) content: RequestContent,
}

impl SelectedRequest {
    /// The side request, if it is one.
    pub(crate) fn side(&self) -> Option<&SideExchange> {
        match self.content {
            RequestContent::Side(at) => self.step.side.get(at),
            _ => None,
        }
    }
}

/// The content of a request, or why it is missing.
pub(crate) enum RequestContent {
    /// A side request of the step at this index.
    Side(usize),
    /// The request as sent, and what it was composed from.
    Sent(Arc<SentRequest>, Option<Arc<PromptVersion>>),
    /// A request that was not sent, composed now, and why it was not sent.
    Unsent(Request, UnsentReason),
    /// There is no request; the text says why.
    Missing(String),
}

/// Why a request was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsentReason {
    /// It is the next request.
    Next,
    /// The agent sends no requests.
    AgentIgnoresRequests,
    /// The agent replays a recording: it composes the request and sends nothing.
    FromRecording,
    /// The step was decided without a request.
    NeverRequested,
    /// The episode is over.
    AfterEnd,
    /// It is a preview with another window or prompt.
    Preview,
}

/// One request of a step.
enum RequestEntry {
    Sent(Arc<SentRequest>, Option<Arc<PromptVersion>>),
    /// A reply that was recorded without a request.
    ReplyOnly,
    Next,
}

/// The selected request of the shown step, or why there is none.
pub(crate) fn selected_request(model: &Model) -> Result<SelectedRequest, String> {
    let viewed = model.episode().ok_or("nothing is open")?;
    let index = request_step(viewed).ok_or("the environment is still opening")?;
    let step = viewed.snapshot.steps[index].clone();
    let after_end = viewed.is_end(index) && step.attempts.is_empty();
    if after_end || viewed.previews() {
        let why = if viewed.previews() { UnsentReason::Preview } else { UnsentReason::AfterEnd };
        let content = match viewed.snapshot.request_with(index, viewed.window(), viewed.prompt()) {
            Some(request) => RequestContent::Unsent(request, why),
            None => RequestContent::Missing(missing_request_message(&viewed.snapshot)),
        };
        return Ok(SelectedRequest { step, index: 0, count: 1, content });
    }
    let sides = step.side.len();
    let mut slots = entries(viewed, index);
    let of = slots.len();
    if let Some(at) = model.agent.shown_side.filter(|at| *at < sides) {
        return Ok(SelectedRequest { step, index: at, count: sides + of, content: RequestContent::Side(at) });
    }
    let at = model.agent.shown_reply.unwrap_or(of).min(of.saturating_sub(1));
    let slot = if of > 0 { Some(slots.swap_remove(at)) } else { None };
    let what = content(viewed, index, slot);
    Ok(SelectedRequest { step, index: sides + at, count: sides + of, content: what })
}

/// Selects the request at this index: first the side requests of the step, then those of its decision.
pub(crate) fn select(model: &mut Model, at: usize) {
    let Ok(asked) = selected_request(model) else { return };
    let sides = asked.step.side.len();
    model.agent.shown_side = Some(at).filter(|at| *at < sides);
    if let Some(reply) = at.checked_sub(sides) {
        model.agent.shown_reply = Some(reply).filter(|_| at + 1 < asked.count);
    }
}

/// Index of the selected request and number of requests of the shown step.
pub(crate) fn position(model: &Model) -> (usize, usize) {
    selected_request(model).map_or((0, 0), |asked| (asked.index, asked.count))
}

/// Index of the step whose request applies: in the Global setting that is the first step.
fn request_step(viewed: &EpisodeView) -> Option<usize> {
    let only = viewed.snapshot.head.setting == Setting::Global;
    viewed.step().map(|_| if only { 0 } else { viewed.index() })
}

fn entries(viewed: &EpisodeView, index: usize) -> Vec<RequestEntry> {
    let snapshot = &viewed.snapshot;
    let went = |attempt: &Attempt| match &attempt.sent {
        Some(sent) => RequestEntry::Sent(sent.clone(), attempt.prompt_version.clone()),
        None => RequestEntry::ReplyOnly,
    };
    let mut slots: Vec<RequestEntry> = snapshot.steps[index].attempts.iter().map(went).collect();
    let bare = slots.iter().all(|slot| matches!(slot, RequestEntry::ReplyOnly));
    if bare && (snapshot.requests.encoder.is_none() || snapshot.agent().recording.is_some()) {
        return Vec::new();
    }
    if viewed.live && index == viewed.newest_index() {
        let under_way = snapshot.run.live_reply.as_ref().and_then(|heard| heard.sent.clone());
        match snapshot.run.waiting {
            Waiting::Reply if snapshot.run.live_reply.as_ref().is_some_and(|heard| heard.role.is_some()) => {}
            Waiting::Reply => {
                slots.push(under_way.map_or(RequestEntry::Next, |sent| RequestEntry::Sent(sent, None)));
            }
            Waiting::Ask => slots.push(RequestEntry::Next),
            Waiting::Opening
            | Waiting::Apply
            | Waiting::Environment
            | Waiting::Look
            | Waiting::Settle
            | Waiting::Verdict
            | Waiting::Person
            | Waiting::Ended(_) => {}
        }
    }
    slots
}

fn content(viewed: &EpisodeView, index: usize, slot: Option<RequestEntry>) -> RequestContent {
    let why = match slot {
        Some(RequestEntry::Sent(sent, asking)) => return RequestContent::Sent(sent, asking),
        Some(RequestEntry::ReplyOnly) => {
            return RequestContent::Missing("this reply has no recorded request".into());
        }
        Some(RequestEntry::Next) => UnsentReason::Next,
        None if viewed.snapshot.agent().recording.is_some() => UnsentReason::FromRecording,
        None if viewed.snapshot.requests.encoder.is_none() => UnsentReason::AgentIgnoresRequests,
        None => UnsentReason::NeverRequested,
    };
    match viewed.snapshot.request_at(index) {
        Some(request) => RequestContent::Unsent(request, why),
        None => RequestContent::Missing(missing_request_message(&viewed.snapshot)),
    }
}

fn missing_request_message(snapshot: &Snapshot) -> String {
    if snapshot.requests.prompts.is_empty() {
        return "this environment has no prompts, so there is no request".into();
    }
    format!("the prompt {:?} no longer exists, so the request cannot be composed", snapshot.prompt)
}

/// Explains why a request was not sent.
pub(crate) fn unsent_message(snapshot: &Snapshot, why: UnsentReason) -> String {
    match why {
        UnsentReason::Next => "not sent yet: this is the next request".into(),
        UnsentReason::AgentIgnoresRequests => {
            format!(
                "the agent {} sends no requests: this is what a model would receive",
                snapshot.agent().name
            )
        }
        UnsentReason::FromRecording => {
            let stands = match snapshot.requests.encoder {
                Some(_) => "this is compared with the recorded request",
                None => "this is what a model would receive",
            };
            format!("the agent {} replays a recording and sends nothing: {stands}", snapshot.agent().name)
        }
        UnsentReason::AfterEnd => "the episode is over: this is what the next request would be".into(),
        UnsentReason::Preview => {
            "preview, never sent: this is what the request would be with this window and prompt".into()
        }
        UnsentReason::NeverRequested => {
            "nothing was sent at this step: this is what would have been sent".into()
        }
    }
}
