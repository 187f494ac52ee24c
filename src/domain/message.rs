//! A request to a model as turns of texts and frames, independent of the protocol.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use super::Digest;
use super::Picture;

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
    /// Replaces a frame outside the memory window.
    Placeholder,
    /// The request for another reply after a parse error.
    Retry,
    /// The state as text, if no frame is sent.
    #[serde(rename = "board")]
    StateText,
    /// An earlier output of the agent.
    Output,
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::System => "system",
            Self::Task => "task",
            Self::Cot => "cot",
            Self::Io => "io",
            Self::Turn => "turn",
            Self::Placeholder => "placeholder",
            Self::Retry => "retry",
            Self::StateText => "board",
            Self::Output => "output",
        })
    }
}

/// One part of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum MessagePart {
    /// A text and its segment.
    Text(Segment, Arc<str>),
    /// The frame of this step, from 1.
    Frame(u32, Arc<Picture>),
}

/// One turn of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The role.
    pub role: Role,
    /// The texts and frames, in order.
    pub parts: Vec<MessagePart>,
}

impl Message {
    /// The frames of the turn with their steps, in order.
    pub fn frames(&self) -> impl Iterator<Item = (u32, &Arc<Picture>)> {
        self.parts.iter().filter_map(|piece| match piece {
            MessagePart::Frame(step, picture) => Some((*step, picture)),
            MessagePart::Text(..) => None,
        })
    }

    /// The texts of the turn, joined by blank lines.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|piece| match piece {
            MessagePart::Text(_, text) => Some(text.as_ref()),
            MessagePart::Frame(..) => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

/// A turn decoded from an encoded request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedTurn {
    /// The role.
    pub role: Role,
    /// The texts, joined by blank lines.
    pub text: String,
    /// The digests of the encoded images, in order.
    pub image_digests: Vec<Digest>,
}
