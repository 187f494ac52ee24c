//! A stored state: the decisions so far, and a digest of the state that they led to. The engine's own bytes are never
//! stored: they would be read by native code, and a journal may come from anybody. Playing the decisions again from the
//! seed leads to the same state.

use serde::{Deserialize, Serialize};

use super::super::{EngineAction, FRAME_LIMIT};
use mageyard_domain::Digest;

/// The media type of a stored state.
pub(super) const MEDIA: &str = "application/json";

/// A stored state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Saved {
    /// The codes of the decisions.
    decisions: Vec<u8>,
    /// The digest of the state after them.
    pub(super) state: Digest,
}

impl Saved {
    pub(super) fn new(decisions: &[EngineAction], state: Digest) -> Self {
        Self { decisions: decisions.iter().map(|action| action.code()).collect(), state }
    }

    /// The decisions, if they can be those of an episode.
    pub(super) fn decisions(&self) -> Option<Vec<EngineAction>> {
        let fits = self.decisions.len() <= FRAME_LIMIT as usize;
        fits.then(|| self.decisions.iter().map(|code| EngineAction::from_code(*code)).collect())?
    }
}
