//! An observation with another frame, which a person gave.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use super::{Digest, Observation, ObservationPart, ObservationSource, Picture};

/// The observation and the picture in place of its first one. Everything else is that of the environment.
#[derive(Clone)]
pub(super) struct ReplacedFrame {
    pub(super) seen: Observation,
    pub(super) picture: Arc<Picture>,
}

impl ObservationSource for ReplacedFrame {
    fn parts(&self) -> Vec<ObservationPart> {
        let mut parts = self.seen.parts().to_vec();
        let first = parts.iter_mut().find(|part| matches!(part, ObservationPart::Image(_)));
        if let Some(frame) = first {
            *frame = ObservationPart::Image(self.picture.clone());
        }
        parts
    }

    fn text(&self) -> String {
        self.seen.text().to_string()
    }

    fn facts(&self) -> Value {
        self.seen.facts().clone()
    }

    fn identity(&self) -> Option<Digest> {
        self.seen.0.identity()
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.seen.0.source().as_any()
    }
}
