//! The stored form of an event: a line of a journal. It is separate from [`Event`] so that types in memory can change
//! while old journals stay readable.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

use crate::dialog::ParseError;
use crate::dialog::Spans;
use crate::domain::Action;
use crate::domain::BlobRef;
use crate::domain::Digest;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::Segment;
use crate::domain::SentImage;
use crate::domain::Status;
use crate::domain::Usage;
use crate::domain::Window;
use crate::engine::edit::Edit;
use crate::engine::event::Event;
use crate::engine::head::Head;
use crate::engine::step::PromptVersion;

/// One line of a journal, without its seal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalLine {
    /// The line's number, from 0 (the head).
    pub n: u64,
    /// Milliseconds of the episode's own time; it does not run while the episode is closed.
    pub at: u64,
    /// The event.
    #[serde(flatten)]
    pub stored: StoredEvent,
}

/// An event as stored. Observations are stored as digests: replaying the recorded actions restores them, and the
/// digests verify that.
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
    Retried {
        why: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
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
    Acting {
        action: Action,
    },
    Acted {
        action: Action,
        reward: f64,
        status: Status,
        state: Digest,
    },
    Interrupted,
    Looked {
        state: Digest,
        status: Status,
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
    Expired,
    Exhausted,
    Abandoned,
}

impl StoredEvent {
    /// Whether this event ends every episode. Limits that depend on earlier events are not known from it alone.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Opened { status, .. } | Self::Acted { status, .. } | Self::Looked { status, .. } => {
                *status != Status::Running
            }
            Self::Stood | Self::Expired | Self::Exhausted | Self::Abandoned => true,
            _ => false,
        }
    }
}

/// An image of a request: its file is beside the journal, named by its digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredBlob {
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its media type.
    pub media: String,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// The step of the observation that it shows.
    pub step: u32,
    /// The index among the parts of that observation.
    #[serde(default, skip_serializing_if = "is_first")]
    pub index: u16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(index: &u16) -> bool {
    *index == 0
}

impl StoredBlob {
    fn of(image: &SentImage) -> Self {
        Self {
            digest: image.blob.digest,
            media: image.blob.media_type.to_string(),
            size: image.size,
            step: image.part.step,
            index: image.part.index,
        }
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
                outline: sent.turns.iter().map(|turn| turn.outline().to_vec()).collect(),
                body: sent.to_version_1(),
            },
            Event::Retried(failed) => Self::Retried { why: failed.why.to_string(), refused: failed.refused },
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
            // Matched by reference: cloning the outcome would copy its observation.
            Event::Acted(action, outcome) => Self::Acted {
                action: action.clone(),
                reward: outcome.reward,
                status: outcome.status,
                state: outcome.observation.digest(),
            },
            Event::Acting(action) => Self::Acting { action: action.clone() },
            Event::Interrupted => Self::Interrupted,
            Event::Looked(opening) => {
                Self::Looked { state: opening.observation.digest(), status: opening.status }
            }
            Event::Checkpointed(blob) => Self::Checkpointed { blob: blob.clone() },
            Event::WindowSet(window) => Self::Set { window: *window },
            Event::Expired => Self::Expired,
            Event::Exhausted => Self::Exhausted,
            Event::Abandoned => Self::Abandoned,
        }
    }
}
