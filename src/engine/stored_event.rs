//! The stored form of an event: what a journal's line holds. It has its own type so that the types in
//! memory can change without making old journals unreadable.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

use super::edit::Edit;
use super::event::Event;
use super::head::Head;
use super::step::PromptVersion;
use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::Blob;
use crate::domain::Digest;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::Segment;
use crate::domain::Status;
use crate::domain::Usage;
use crate::domain::Window;

/// One line of a journal, its seal aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalLine {
    /// The line's number, from 0 (the head).
    pub n: u64,
    /// Milliseconds of the episode's own time; it stands still while the episode is left.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub stored: StoredEvent,
}

/// An event as journals keep it. Observations are kept as a fingerprint: playing the recorded actions
/// again brings them back, and the fingerprint proves it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
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
    },
    Asked,
    Sent {
        asking: PromptVersion,
        images: u32,
        pictures: Vec<StoredBlob>,
        #[serde(default)]
        outline: Vec<Vec<Option<Segment>>>,
        body: Value,
    },
    Replied(Reply),
    Stood,
    Cut {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
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
    Acted {
        action: Action,
        reward: f64,
        status: Status,
        state: Digest,
    },
    Set {
        window: Window,
    },
    Prompted {
        prompt: String,
    },
    Expired,
    Exhausted,
    Abandoned,
}

/// A picture of a request: its file stands beside the journal, named by its digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredBlob {
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its media type.
    pub media: String,
    /// Pixels across and down.
    pub size: (u32, u32),
    /// The step whose frame it is.
    pub step: u32,
}

impl StoredBlob {
    fn of(blob: &Blob) -> Self {
        Self { digest: blob.digest, media: blob.media_type.clone(), size: blob.size, step: blob.step }
    }
}

impl From<&Event> for StoredEvent {
    fn from(event: &Event) -> Self {
        match event {
            Event::Opened(opening, reference) => Self::Opened {
                state: opening.observation.digest(),
                status: opening.status,
                reference: reference.clone(),
            },
            Event::Asked => Self::Asked,
            Event::Sent(sent, asking) => Self::Sent {
                asking: asking.clone(),
                images: sent.images,
                pictures: sent.frames.iter().map(StoredBlob::of).collect(),
                outline: sent.segments.clone(),
                body: sent.body.clone(),
            },
            Event::Replied(reply) => Self::Replied(reply.clone()),
            Event::PromptSet(prompt) => Self::Prompted { prompt: prompt.clone() },
            Event::GaveUp => Self::Stood,
            Event::Cancelled(reply) => Self::Cut { text: reply.text.clone(), usage: reply.usage },
            Event::Accepted(action, marks) => Self::Accepted { action: action.clone(), marks: marks.clone() },
            Event::Planned(actions, marks) => {
                Self::Planned { actions: actions.clone(), marks: marks.clone() }
            }
            Event::Refused(failure, marks) => {
                Self::Refused { failure: failure.clone(), marks: marks.clone() }
            }
            Event::Skipped => Self::Passed,
            Event::Edited(edit) => Self::Edited { edit: edit.clone() },
            // Not the outcome whole: copying what it shows costs more than all the rest.
            Event::Acted(action, outcome) => Self::Acted {
                action: action.clone(),
                reward: outcome.reward,
                status: outcome.status,
                state: outcome.observation.digest(),
            },
            Event::WindowSet(window) => Self::Set { window: *window },
            Event::Expired => Self::Expired,
            Event::Exhausted => Self::Exhausted,
            Event::Abandoned => Self::Abandoned,
        }
    }
}
