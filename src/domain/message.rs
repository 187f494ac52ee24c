//! A request to a model, before any protocol: turns of named texts and pictures.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use super::Digest;
use super::Picture;

/// Who speaks in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions above the conversation, for models that know such a role.
    System,
    /// The environment's side.
    User,
    /// The agent's own earlier outputs.
    Assistant,
}

/// What a text is in the prompt (PRODUCT: a variant is made of named segments).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Segment {
    /// Who the agent is and what world this is.
    System,
    /// The task of this level.
    Task,
    /// How to think.
    Cot,
    /// The required format, with an example.
    Io,
    /// What opens a later turn.
    Turn,
    /// What stands where a frame fell out of the memory window.
    Placeholder,
    /// What asks again after a reply that could not be read.
    Retry,
    /// The state in words, where no picture is sent.
    Board,
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
            Self::Board => "board",
            Self::Output => "output",
        })
    }
}

/// One piece of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum MessagePart {
    /// Words, and what they are in the prompt.
    Text(Segment, Arc<str>),
    /// The frame of this step, counted from 1.
    Frame(u32, Arc<Picture>),
}

/// One turn of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said and shown, in order.
    pub parts: Vec<MessagePart>,
}

impl Message {
    /// The steps whose frames the turn shows, in order.
    pub fn frames(&self) -> impl Iterator<Item = (u32, &Arc<Picture>)> {
        self.parts.iter().filter_map(|piece| match piece {
            MessagePart::Frame(step, picture) => Some((*step, picture)),
            MessagePart::Text(..) => None,
        })
    }

    /// The words of the turn, the texts joined by a blank line.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|piece| match piece {
            MessagePart::Text(_, text) => Some(text.as_ref()),
            MessagePart::Frame(..) => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

/// A turn as it was read back from the body that is about to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedTurn {
    /// Who speaks.
    pub role: Role,
    /// The words, texts joined by a blank line.
    pub text: String,
    /// The digests of its pictures' bytes, in order.
    pub image_digests: Vec<Digest>,
}
