//! A request to a model as turns of texts and images, independent of the protocol.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Digest, PartId, Picture, TEXT_SEPARATOR};

/// The role of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions before the conversation, for models that support this role.
    System,
    /// The environment.
    User,
    /// Earlier outputs of the agent.
    Assistant,
}

/// The segment of a prompt variant that a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Segment {
    /// The agent's role and the world.
    System,
    /// The task of this level.
    Task,
    /// Instructions for chain-of-thought reasoning.
    Cot,
    /// The reply format, with an example.
    Io,
    /// The beginning of a later turn.
    Turn,
    /// The beginning of a turn after a step without an action, in place of [`Segment::Turn`].
    Skipped,
    /// Why an action was refused or failed, before the state after it.
    Feedback,
    /// What a module of the agent said of the state, before it.
    Reflection,
    /// Replaces a frame outside the memory window.
    Placeholder,
    /// The request for another reply after a parse error.
    Retry,
    /// The order to continue a reply that ended within a code block.
    Continue,
    /// The reply so far, which the agent is to continue.
    Partial,
    /// A hint that a person adds to the newest state.
    Hint,
    /// The state as text, if no frame is sent.
    #[serde(rename = "board")]
    StateText,
    /// An earlier output of the agent.
    Output,
}

impl Segment {
    /// Its name in prompts and journals.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Task => "task",
            Self::Cot => "cot",
            Self::Io => "io",
            Self::Turn => "turn",
            Self::Skipped => "skipped",
            Self::Feedback => "feedback",
            Self::Reflection => "reflection",
            Self::Placeholder => "placeholder",
            Self::Retry => "retry",
            Self::Continue => "continue",
            Self::Partial => "partial",
            Self::Hint => "hint",
            Self::StateText => "board",
            Self::Output => "output",
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One part of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum MessagePart {
    /// A text and its segment.
    Text(Segment, Arc<str>),
    /// An image, and the part of an observation that it shows.
    Image(PartId, Arc<Picture>),
}

/// One turn of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The role.
    pub role: Role,
    /// The texts and images, in order.
    pub parts: Vec<MessagePart>,
}

impl Message {
    /// The images of the turn, in order.
    pub fn images(&self) -> impl Iterator<Item = (PartId, &Arc<Picture>)> {
        self.parts.iter().filter_map(|part| match part {
            MessagePart::Image(id, picture) => Some((*id, picture)),
            MessagePart::Text(..) => None,
        })
    }

    /// The texts of the turn, joined by blank lines.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            MessagePart::Text(_, text) => Some(text.as_ref()),
            MessagePart::Image(..) => None,
        });
        texts.collect::<Vec<_>>().join(TEXT_SEPARATOR)
    }
}

/// A turn decoded from an encoded request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedTurn {
    /// The role.
    pub role: Role,
    /// The texts and images, in order.
    pub parts: Vec<DecodedPart>,
}

/// One part of a decoded turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedPart {
    /// Adjacent texts, joined by blank lines: a turn without images may be encoded as one text.
    Text(String),
    /// The digest of an encoded image.
    Image(Digest),
}

impl DecodedTurn {
    /// A turn of these parts, whose adjacent texts are joined.
    pub fn new(role: Role, parts: impl IntoIterator<Item = DecodedPart>) -> Self {
        let mut joined: Vec<DecodedPart> = Vec::new();
        for part in parts {
            match (joined.last_mut(), part) {
                (Some(DecodedPart::Text(text)), DecodedPart::Text(more)) => {
                    text.push_str(TEXT_SEPARATOR);
                    text.push_str(&more);
                }
                (_, part) => joined.push(part),
            }
        }
        Self { role, parts: joined }
    }

    /// Whether it says exactly what a message does. `encoded` gives the digest of the encoded image of a part.
    pub fn is_of(&self, message: &Message, encoded: &dyn Fn(PartId) -> Option<Digest>) -> bool {
        let mut parts = self.parts.iter();
        let mut text = None::<&str>;
        let expected = message.parts.iter().all(|part| match (part, text) {
            (MessagePart::Text(_, expected), Some(rest)) => {
                let rest = rest.strip_prefix(TEXT_SEPARATOR).and_then(|rest| rest.strip_prefix(&**expected));
                text = rest;
                rest.is_some()
            }
            (MessagePart::Text(_, expected), None) => {
                let Some(DecodedPart::Text(whole)) = parts.next() else { return false };
                text = whole.strip_prefix(&**expected);
                text.is_some()
            }
            (MessagePart::Image(part, _), rest) => {
                text = None;
                let known = encoded(*part);
                rest.is_none_or(str::is_empty)
                    && matches!(parts.next(), Some(DecodedPart::Image(digest)) if known == Some(*digest))
            }
        });
        self.role == message.role && expected && text.is_none_or(str::is_empty) && parts.next().is_none()
    }

    /// The digests of the images, in order.
    pub fn images(&self) -> impl Iterator<Item = Digest> {
        self.parts.iter().filter_map(|part| match part {
            DecodedPart::Image(digest) => Some(*digest),
            DecodedPart::Text(_) => None,
        })
    }
}
