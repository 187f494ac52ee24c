//! The stored form of an event: a line of a journal. It is separate from [`Event`] so that types in memory can change
//! while old journals stay readable.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::stored_observation::StoredObservation;
use crate::attempt::{FailedTry, PromptVersion};
use crate::edit::Edit;
use crate::event::Event;
use crate::head::Head;
use crate::seat::Seat;
use crate::side::SideEvent;
use mageyard_dialog::{ParseError, PersonAnswer, PersonQuestion, PersonReply, Spans};
use mageyard_domain::{
    ActProblem, Action, BlobRef, Digest, Judgement, Options, Question, Reference, Reply, RequestOutcome,
    SentRequest, Settlement, Status, Usage, Window,
};

/// One line of a journal, without its seal.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalLine {
    /// The line's number, from 0 (the head).
    pub n: u64,
    /// Milliseconds of the episode's own time; it does not run while the episode is closed.
    pub at: u64,
    /// The event.
    pub stored: StoredEvent,
}

/// An event as stored. An observation that a replay makes again is stored as a digest, which verifies the replay; any
/// other is stored whole in `shown`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields mirror those of Event")]
pub enum StoredEvent {
    Head {
        format: u32,
        head: Box<Head>,
    },
    Opened {
        state: Digest,
        status: Status,
        reference: Option<Reference>,
        /// Not in journals of before this field, whose sums begin at 0.
        #[serde(default, skip_serializing_if = "is_zero")]
        points: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Box<StoredObservation>>,
    },
    Asked,
    /// Its stored form refers to earlier lines, so it is written and read by a form of its own.
    #[serde(skip)]
    Sent {
        asking: Arc<PromptVersion>,
        request: Arc<SentRequest>,
    },
    Failed {
        why: String,
        class: String,
        outcome: RequestOutcome,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// Written and read by the form of requests.
    #[serde(skip)]
    SideSent {
        asking: Arc<PromptVersion>,
        request: Arc<SentRequest>,
    },
    SideFailed {
        why: String,
        class: String,
        outcome: RequestOutcome,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    SideRetried,
    /// A reply with the answer that was read in it, or why none can be read.
    SideReplied {
        #[serde(flatten)]
        reply: Reply,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Value>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unread: Option<String>,
    },
    SideCut(Reply),
    SideReused {
        request: Digest,
    },
    Person {
        question: PersonQuestion,
        answer: PersonAnswer,
        /// What was read in a text, or why nothing can be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unread: Option<String>,
        milliseconds: u32,
    },
    Settled(Settlement),
    Questioned {
        questions: Vec<Question>,
    },
    /// In older journals, which have no `Failed`, it says why the try before it failed.
    Retried {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
    },
    Replied(Reply),
    Stood,
    /// A cancelled request. Its stored form is that of a reply.
    Cut(Reply),
    Accepted {
        action: Action,
        marks: Spans,
    },
    Planned {
        actions: Vec<Action>,
        marks: Spans,
    },
    Refused {
        failure: ParseError,
        marks: Spans,
    },
    Passed,
    Edited {
        edit: Edit,
    },
    Acting {
        action: Action,
    },
    Acted {
        action: Action,
        reward: f64,
        status: Status,
        state: Digest,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<ActProblem>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Box<StoredObservation>>,
    },
    Interrupted,
    Looked {
        state: Digest,
        status: Status,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Box<StoredObservation>>,
    },
    Checkpointed {
        blob: BlobRef,
    },
    Set {
        window: Window,
    },
    Prompted {
        prompt: String,
    },
    Seated {
        #[serde(flatten)]
        seat: Seat,
    },
    Hinted {
        hint: Option<Arc<str>>,
    },
    Connected {
        settings: Arc<Options>,
    },
    AskedAgain,
    StateSet {
        text: Arc<str>,
        state: Digest,
        status: Status,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Box<StoredObservation>>,
    },
    FrameSet {
        blob: BlobRef,
        size: (u32, u32),
    },
    Expired,
    Exhausted,
    Judged {
        judgement: Arc<Judgement>,
    },
    Abandoned,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(points: &f64) -> bool {
    *points == 0.0
}

impl StoredEvent {
    /// The observation, if it is stored.
    pub(super) fn shown_mut(&mut self) -> Option<&mut StoredObservation> {
        match self {
            Self::Opened { shown, .. }
            | Self::Acted { shown, .. }
            | Self::Looked { shown, .. }
            | Self::StateSet { shown, .. } => shown.as_deref_mut(),
            _ => None,
        }
    }

    /// Whether this event ends every episode that is not judged. Limits that depend on earlier events are not known from it
    /// alone.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Acted { questions, .. } if !questions.is_empty() => false,
            Self::Opened { status, .. }
            | Self::Acted { status, .. }
            | Self::Settled(Settlement { status, .. })
            | Self::Looked { status, .. }
            | Self::StateSet { status, .. } => *status != Status::Running,
            Self::Stood | Self::Expired | Self::Exhausted => true,
            Self::Person { answer: PersonAnswer::End, .. } => true,
            event => event.is_last(),
        }
    }
}

impl StoredEvent {
    /// Whether no event follows this one.
    pub fn is_last(&self) -> bool {
        let is_not_opened = matches!(
            self,
            Self::Person { question: PersonQuestion::Allow(_), answer: PersonAnswer::End, .. }
        );
        is_not_opened || matches!(self, Self::Judged { .. } | Self::Abandoned)
    }

    /// The stored form of an event. `shown` is its observation, if that is stored.
    pub(super) fn of(event: &Event, shown: Option<StoredObservation>) -> Self {
        let shown = shown.map(Box::new);
        match event {
            Event::Opened(opening, reference) => Self::Opened {
                state: opening.observation.state(),
                status: opening.status,
                reference: reference.clone(),
                points: opening.points,
                shown,
            },
            Event::Branched(head) => {
                Self::Head { format: head.journal_format(), head: Box::new(head.as_ref().clone()) }
            }
            Event::Asked => Self::Asked,
            Event::Sent(request, asking) => Self::Sent { asking: asking.clone(), request: request.clone() },
            Event::Failed(FailedTry { why, class, outcome, usage }) => Self::Failed {
                why: why.to_string(),
                class: class.to_string(),
                outcome: *outcome,
                usage: *usage,
            },
            Event::Side(side) => Self::of_side(side),
            Event::Person(reply) => Self::of_person(reply),
            Event::Settled(settlement) => Self::Settled(settlement.clone()),
            Event::Questioned(questions) => Self::Questioned { questions: questions.clone() },
            Event::Retried => Self::Retried { why: None, refused: false },
            Event::Replied(reply) => Self::Replied(reply.clone()),
            Event::PromptSet(prompt) => Self::Prompted { prompt: prompt.clone() },
            Event::GaveUp => Self::Stood,
            Event::Cancelled(reply) => Self::Cut(reply.clone()),
            Event::Accepted(action, marks) => Self::Accepted { action: action.clone(), marks: marks.clone() },
            Event::Planned(actions, marks) => {
                Self::Planned { actions: actions.clone(), marks: marks.clone() }
            }
            Event::Refused(failure, marks) => {
                Self::Refused { failure: failure.clone(), marks: marks.clone() }
            }
            Event::Skipped => Self::Passed,
            Event::Edited(edit) => Self::Edited { edit: edit.clone() },
            // Matched by reference: cloning the outcome would copy its observation.
            Event::Acted(action, outcome) => Self::Acted {
                action: action.clone(),
                reward: outcome.reward,
                status: outcome.status,
                state: outcome.observation.state(),
                problem: outcome.problem.clone(),
                questions: outcome.questions.clone(),
                shown,
            },
            Event::Acting(action) => Self::Acting { action: action.clone() },
            Event::Interrupted => Self::Interrupted,
            Event::Looked(opening) => {
                Self::Looked { state: opening.observation.state(), status: opening.status, shown }
            }
            Event::Checkpointed(blob) => Self::Checkpointed { blob: blob.clone() },
            Event::WindowSet(window) => Self::Set { window: *window },
            Event::Seated(seat) => Self::Seated { seat: seat.as_ref().clone() },
            Event::HintSet(hint) => Self::Hinted { hint: hint.clone() },
            Event::ConnectionSet(settings) => Self::Connected { settings: settings.clone() },
            Event::AskedAgain => Self::AskedAgain,
            Event::StateSet(text, opening) => Self::StateSet {
                text: text.clone(),
                state: opening.observation.state(),
                status: opening.status,
                shown,
            },
            Event::FrameSet(picture) => Self::FrameSet {
                blob: picture
                    .blob()
                    .map_or_else(|| BlobRef::of("image/png", b""), |blob| blob.blob().clone()),
                size: (picture.width(), picture.height()),
            },
            Event::Expired => Self::Expired,
            Event::Exhausted => Self::Exhausted,
            Event::Judged(judgement) => Self::Judged { judgement: judgement.clone() },
            Event::Abandoned => Self::Abandoned,
        }
    }

    fn of_person(reply: &PersonReply) -> Self {
        let PersonReply { question, answer, read, milliseconds } = reply.clone();
        let (value, unread) = match read {
            Some(Ok(value)) => (Some(value), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        Self::Person { question, answer, value, unread, milliseconds }
    }

    /// Whether a person refused the action of the step, which ends with it.
    pub fn is_withheld(&self) -> bool {
        matches!(self, Self::Person { answer: PersonAnswer::Refuse(_), .. })
    }

    /// The reply of a person; `None` if it is another event.
    pub fn person_reply(&self) -> Option<PersonReply> {
        let Self::Person { question, answer, value, unread, milliseconds } = self else { return None };
        let read = value.clone().map(Ok).or_else(|| unread.clone().map(Err));
        let (question, answer) = (question.clone(), answer.clone());
        Some(PersonReply { question, answer, read, milliseconds: *milliseconds })
    }

    fn of_side(event: &SideEvent) -> Self {
        match event {
            SideEvent::Sent(request, asking) => {
                Self::SideSent { asking: asking.clone(), request: request.clone() }
            }
            SideEvent::Failed(FailedTry { why, class, outcome, usage }) => Self::SideFailed {
                why: why.to_string(),
                class: class.to_string(),
                outcome: *outcome,
                usage: *usage,
            },
            SideEvent::Retried => Self::SideRetried,
            SideEvent::Replied(reply, answer) => Self::SideReplied {
                reply: reply.clone(),
                answer: answer.as_ref().ok().cloned(),
                unread: answer.as_ref().err().cloned(),
            },
            SideEvent::Cancelled(reply) => Self::SideCut(reply.clone()),
            SideEvent::Reused(request) => Self::SideReused { request: *request },
        }
    }

    /// The event of a side request; `None` if it is another one.
    pub(crate) fn side_event(&self) -> Option<SideEvent> {
        Some(match self {
            Self::SideSent { asking, request } => SideEvent::Sent(request.clone(), asking.clone()),
            Self::SideFailed { why, class, outcome, usage } => SideEvent::Failed(FailedTry {
                why: why.as_str().into(),
                class: class.as_str().into(),
                outcome: *outcome,
                usage: *usage,
            }),
            Self::SideRetried => SideEvent::Retried,
            Self::SideReplied { reply, answer, unread } => {
                let why = || unread.clone().unwrap_or_default();
                SideEvent::Replied(reply.clone(), answer.clone().ok_or_else(why))
            }
            Self::SideCut(reply) => SideEvent::Cancelled(reply.clone()),
            Self::SideReused { request } => SideEvent::Reused(*request),
            _ => return None,
        })
    }
}
