//! The parts of an observation: texts, images and data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::{BlobHandle, Picture};

/// One part of an observation.
#[derive(Clone, Debug)]
pub enum ObservationPart {
    /// A text.
    Text(Arc<str>),
    /// A frame.
    Image(Arc<Picture>),
    /// Other data: a page's tree, a file. Sent to a model as text if its media type is a kind of text.
    Data(BlobHandle),
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PartKind {
    /// A text.
    Text,
    /// An image.
    Image,
    /// Other data.
    Data,
}

/// A part of an episode's observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PartId {
    /// The step, from 1.
    pub step: u32,
    /// The index among the parts of its observation, from 0.
    #[serde(default)]
    pub index: u16,
}

impl ObservationPart {
    /// The kind of the part.
    pub fn kind(&self) -> PartKind {
        match self {
            Self::Text(_) => PartKind::Text,
            Self::Image(_) => PartKind::Image,
            Self::Data(_) => PartKind::Data,
        }
    }

    /// The blob that holds the part; `None` for a text and a painted picture.
    pub fn blob(&self) -> Option<&BlobHandle> {
        match self {
            Self::Text(_) => None,
            Self::Image(picture) => picture.blob(),
            Self::Data(blob) => Some(blob),
        }
    }
}
