//! Which request is looked at: one that was sent, as it went out, or one that was not, as it would be
//! asked. The request sheet, the frame as sent and the copy menu all mean this one.

use std::sync::Arc;

use super::model::EpisodeView;
use super::model::Model;
use crate::dialog::Request;
use crate::domain::SentRequest;
use crate::domain::Setting;
use crate::engine::Attempt;
use crate::engine::PromptVersion;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;

/// The request that is looked at, among those of its step.
pub(crate) struct SelectedRequest {
    /// The step it asks for.
    pub(crate) step: Arc<Step>,
    /// Which of the step's requests, from 0.
    pub(crate) index: usize,
    /// How many requests the step has.
    pub(crate) count: usize,
    pub(crate) content: RequestContent,
}

/// What there is of a request.
pub(crate) enum RequestContent {
    /// It went out like this, made of these words.
    Sent(Arc<SentRequest>, Option<PromptVersion>),
    /// It did not go out; it would be made of these turns.
    Unsent(Request, UnsentReason),
    /// There is none, in words.
    Missing(String),
}

/// Why a request has not gone out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsentReason {
    /// It comes next.
    Next,
    /// The agent sends none.
    AgentIgnoresRequests,
    /// The agent speaks from a recording: it makes the request and sends nothing.
    FromRecording,
    /// It was never asked for.
    NeverRequested,
}

/// One request of a step.
enum RequestEntry {
    Sent(Arc<SentRequest>, Option<PromptVersion>),
    /// A reply without a request.
    ReplyOnly,
    Next,
}

/// The request that is looked at, or why there is none.
pub(crate) fn selected_request(model: &Model) -> Result<SelectedRequest, String> {
    let viewed = model.episode().ok_or("nothing is open")?;
    let index = request_step(viewed).ok_or("the environment is still opening")?;
    let step = viewed.snapshot.steps[index].clone();
    if viewed.is_end(index) && step.attempts.is_empty() {
        return Err("the episode is over: nothing is asked any more".into());
    }
    let mut slots = entries(viewed, index);
    let of = slots.len();
    let at = model.shown_reply.unwrap_or(of).min(of.saturating_sub(1));
    let slot = if of > 0 { Some(slots.swap_remove(at)) } else { None };
    let what = content(viewed, index, slot);
    Ok(SelectedRequest { step, index: at, count: of, content: what })
}

/// How many requests the step looked at has, and which is looked at.
pub(crate) fn position(model: &Model) -> (usize, usize) {
    selected_request(model).map_or((0, 0), |asked| (asked.index, asked.count))
}

/// The step that was asked for: a plan's later steps were asked for with its first.
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
    if bare && (snapshot.encoder.is_none() || snapshot.head.is_replay()) {
        return Vec::new();
    }
    if viewed.live && index == viewed.newest_index() {
        let under_way = snapshot.live_reply.as_ref().and_then(|heard| heard.sent.clone());
        match snapshot.waiting {
            Waiting::Reply => {
                slots.push(under_way.map_or(RequestEntry::Next, |sent| RequestEntry::Sent(sent, None)));
            }
            Waiting::Ask => slots.push(RequestEntry::Next),
            Waiting::Opening | Waiting::Apply | Waiting::Ended(_) => {}
        }
    }
    slots
}

fn content(viewed: &EpisodeView, index: usize, slot: Option<RequestEntry>) -> RequestContent {
    let why = match slot {
        Some(RequestEntry::Sent(sent, asking)) => return RequestContent::Sent(sent, asking),
        Some(RequestEntry::ReplyOnly) => {
            return RequestContent::Missing("this reply came without a request".into());
        }
        Some(RequestEntry::Next) => UnsentReason::Next,
        None if viewed.snapshot.head.is_replay() => UnsentReason::FromRecording,
        None if viewed.snapshot.encoder.is_none() => UnsentReason::AgentIgnoresRequests,
        None => UnsentReason::NeverRequested,
    };
    match viewed.snapshot.request_at(index) {
        Some(request) => RequestContent::Unsent(request, why),
        None => RequestContent::Missing(missing_request_message(&viewed.snapshot)),
    }
}

fn missing_request_message(snapshot: &Snapshot) -> String {
    if snapshot.prompts.is_empty() {
        return "this environment has no prompts, so there is no request in words".into();
    }
    format!("there is no prompt {:?} any more, so what would be asked cannot be shown", snapshot.prompt)
}

/// What there is to say of a request that did not go out.
pub(crate) fn unsent_message(snapshot: &Snapshot, why: UnsentReason) -> String {
    match why {
        UnsentReason::Next => "not sent yet: this is what is asked next".into(),
        UnsentReason::AgentIgnoresRequests => {
            format!(
                "{} reads no request and none was sent: this is what a model would be asked",
                snapshot.head.agent
            )
        }
        UnsentReason::FromRecording => {
            let stands = match snapshot.encoder {
                Some(_) => "this is held against the recorded request",
                None => "this is what a model would be asked",
            };
            format!("{} speaks from a recording and sends nothing: {stands}", snapshot.head.agent)
        }
        UnsentReason::NeverRequested => {
            "nothing was sent at this step: this is what would have been asked".into()
        }
    }
}
