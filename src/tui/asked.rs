//! Which request is looked at: one that was sent, as it went out, or one that was not, as it would be
//! asked. The request sheet, the frame as sent and the copy menu all mean this one.

use std::sync::Arc;

use super::model::Model;
use super::model::Viewed;
use crate::dialog::Request;
use crate::domain::Sent;
use crate::domain::Setting;
use crate::engine::Asking;
use crate::engine::Attempt;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;

/// The request that is looked at, among those of its step.
pub(crate) struct Asked {
    /// The step it asks for.
    pub(crate) step: Arc<Step>,
    /// Which of the step's requests, from 0.
    pub(crate) at: usize,
    /// How many requests the step has.
    pub(crate) of: usize,
    pub(crate) what: What,
}

/// What there is of a request.
pub(crate) enum What {
    /// It went out like this, made of these words.
    Sent(Arc<Sent>, Option<Asking>),
    /// It did not go out; it would be made of these turns.
    Unsent(Request, Why),
    /// There is none, in words.
    None(String),
}

/// Why a request has not gone out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It comes next.
    Coming,
    /// The agent sends none.
    Unread,
    /// The agent speaks from a recording: it makes the request and sends nothing.
    Repeated,
    /// It was never asked for.
    Unasked,
}

/// One request of a step.
enum Slot {
    Went(Arc<Sent>, Option<Asking>),
    /// A reply without a request.
    Bare,
    Next,
}

/// The request that is looked at, or why there is none.
pub(crate) fn asked(model: &Model) -> Result<Asked, String> {
    let viewed = model.viewed().ok_or("nothing is open")?;
    let index = index(viewed).ok_or("the environment is still opening")?;
    let step = viewed.snapshot.steps[index].clone();
    if viewed.is_final(index) && step.attempts.is_empty() {
        return Err("the episode is over: nothing is asked any more".into());
    }
    let mut slots = slots(viewed, index);
    let of = slots.len();
    let at = model.reply.unwrap_or(of).min(of.saturating_sub(1));
    let slot = if of > 0 { Some(slots.swap_remove(at)) } else { None };
    let what = what(viewed, index, slot);
    Ok(Asked { step, at, of, what })
}

/// How many requests the step looked at has, and which is looked at.
pub(crate) fn place(model: &Model) -> (usize, usize) {
    asked(model).map_or((0, 0), |asked| (asked.at, asked.of))
}

/// The step that was asked for: a plan's later steps were asked for with its first.
fn index(viewed: &Viewed) -> Option<usize> {
    let only = viewed.snapshot.head.setting == Setting::Global;
    viewed.step().map(|_| if only { 0 } else { viewed.index() })
}

fn slots(viewed: &Viewed, index: usize) -> Vec<Slot> {
    let snapshot = &viewed.snapshot;
    let went = |attempt: &Attempt| match &attempt.sent {
        Some(sent) => Slot::Went(sent.clone(), attempt.asking.clone()),
        None => Slot::Bare,
    };
    let mut slots: Vec<Slot> = snapshot.steps[index].attempts.iter().map(went).collect();
    let bare = slots.iter().all(|slot| matches!(slot, Slot::Bare));
    if bare && (snapshot.packing.is_none() || snapshot.head.repeats()) {
        return Vec::new();
    }
    if viewed.live && index == viewed.newest() {
        let under_way = snapshot.heard.as_ref().and_then(|heard| heard.sent.clone());
        match snapshot.waiting {
            Waiting::Thinking => {
                slots.push(under_way.map_or(Slot::Next, |sent| Slot::Went(sent, None)));
            }
            Waiting::Ask => slots.push(Slot::Next),
            Waiting::Opening | Waiting::Apply | Waiting::Ended(_) => {}
        }
    }
    slots
}

fn what(viewed: &Viewed, index: usize, slot: Option<Slot>) -> What {
    let why = match slot {
        Some(Slot::Went(sent, asking)) => return What::Sent(sent, asking),
        Some(Slot::Bare) => return What::None("this reply came without a request".into()),
        Some(Slot::Next) => Why::Coming,
        None if viewed.snapshot.head.repeats() => Why::Repeated,
        None if viewed.snapshot.packing.is_none() => Why::Unread,
        None => Why::Unasked,
    };
    match viewed.snapshot.request_at(index) {
        Some(request) => What::Unsent(request, why),
        None => What::None(wordless(&viewed.snapshot)),
    }
}

fn wordless(snapshot: &Snapshot) -> String {
    if snapshot.prompts.is_empty() {
        return "this environment has no prompts, so there is no request in words".into();
    }
    format!("there is no prompt {:?} any more, so what would be asked cannot be shown", snapshot.prompt)
}

/// What there is to say of a request that did not go out.
pub(crate) fn unsent(snapshot: &Snapshot, why: Why) -> String {
    match why {
        Why::Coming => "not sent yet: this is what is asked next".into(),
        Why::Unread => {
            format!(
                "{} reads no request and none was sent: this is what a model would be asked",
                snapshot.head.agent
            )
        }
        Why::Repeated => {
            let stands = match snapshot.packing {
                Some(_) => "this is held against the recorded request",
                None => "this is what a model would be asked",
            };
            format!("{} speaks from a recording and sends nothing: {stands}", snapshot.head.agent)
        }
        Why::Unasked => "nothing was sent at this step: this is what would have been asked".into(),
    }
}
