//! Encodes turns as the bytes of a request.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::decode::decode;
use super::image::encode_image;
use super::image_cache::ImageCache;
use super::settings::ModelSettings;
use crate::domain::AgentError;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::Outline;
use crate::domain::PartId;
use crate::domain::Picture;
use crate::domain::SentImage;
use crate::domain::SentRequest;
use crate::domain::SentTurn;

/// The largest amount of images in a request that is encoded quickly, in bytes.
const QUICK_BYTES: usize = 256 << 10;

/// An encoded request.
pub(in crate::agents) struct EncodedRequest {
    /// The bytes to send.
    pub(super) bytes: Bytes,
    /// The request for display and storage.
    pub(in crate::agents) sent: Arc<SentRequest>,
    /// The turns decoded from the bytes.
    pub(in crate::agents) turns: Vec<DecodedTurn>,
}

/// Encodes requests. Each image is encoded once and cached while requests include it; turns that are in successive
/// requests are shared.
#[derive(Default)]
pub(super) struct BodyEncoder {
    images: BTreeMap<PartId, (Arc<Picture>, SentImage)>,
    turns: HashMap<Digest, Arc<SentTurn>>,
    envelope: Arc<Value>,
    cache: ImageCache,
}

impl BodyEncoder {
    /// An encoder that shares encoded images with others.
    pub(super) fn new(cache: ImageCache) -> Self {
        Self { cache, ..Self::default() }
    }

    /// Whether encoding this request takes less than a millisecond: its images are encoded already and few.
    pub(super) fn is_quick(&self, request: &[Message]) -> bool {
        let bytes = |(part, picture): (PartId, &Arc<Picture>)| {
            let known = self.images.get(&part).filter(|(known, _)| Arc::ptr_eq(known, picture));
            known.map(|(_, image)| image.bytes.len())
        };
        let total: Option<usize> = request.iter().flat_map(Message::images).map(bytes).sum();
        total.is_some_and(|total| total <= QUICK_BYTES)
    }

    /// Encodes a request of which the next one repeats this many turns, and decodes it again.
    pub(super) fn encode(
        &mut self,
        settings: &ModelSettings,
        request: &[Message],
        stable: usize,
    ) -> Result<EncodedRequest, AgentError> {
        let invalid = |why: String| AgentError::InvalidRequest(why);
        if request.is_empty() {
            return Err(invalid("it has no turns".to_owned()));
        }
        settings.content.check(request).map_err(invalid)?;
        self.encode_images(settings, request).map_err(invalid)?;
        let bytes = self.body_bytes(settings, request, stable).map_err(|error| invalid(error.to_string()))?;
        let read = decode(settings.protocol, &bytes).map_err(AgentError::MemoryMismatch)?;
        let turns = self.share_turns(read.texts.into_iter().zip(request));
        let frames = self.images.values().map(|(_, image)| image.clone()).collect();
        let sent =
            SentRequest { envelope: self.share_envelope(read.envelope), turns, frames, images: read.images };
        Ok(EncodedRequest { bytes: bytes.into(), sent: sent.into(), turns: read.turns })
    }

    /// The digest of a part's image in the last request.
    pub(super) fn digest(&self, part: PartId) -> Option<Digest> {
        self.images.get(&part).map(|(_, image)| image.blob.digest)
    }

    /// Encodes new images and drops those that the request does not include.
    fn encode_images(&mut self, settings: &ModelSettings, request: &[Message]) -> Result<(), String> {
        let mut kept = std::mem::take(&mut self.images);
        for (part, picture) in request.iter().flat_map(Message::images) {
            let known = kept.remove(&part).filter(|(known, _)| Arc::ptr_eq(known, picture));
            let image = match known {
                Some(image) => image,
                None if self.images.contains_key(&part) => continue,
                None => (
                    picture.clone(),
                    encode_image(picture, part, (settings.frame_size, settings.format), &self.cache)?,
                ),
            };
            self.images.insert(part, image);
        }
        Ok(())
    }

    /// The envelope, shared with the last request if it is the same.
    fn share_envelope(&mut self, envelope: Value) -> Arc<Value> {
        if *self.envelope != envelope {
            self.envelope = envelope.into();
        }
        self.envelope.clone()
    }

    /// The turns, shared with those of the last request.
    fn share_turns<'a>(&mut self, turns: impl Iterator<Item = (String, &'a Message)>) -> Vec<Arc<SentTurn>> {
        let turns = turns.map(|(text, message)| {
            let turn = SentTurn::new(text, Outline::of(message));
            self.turns.get(&turn.digest()).cloned().unwrap_or_else(|| Arc::new(turn))
        });
        let turns: Vec<Arc<SentTurn>> = turns.collect();
        self.turns = turns.iter().map(|turn| (turn.digest(), turn.clone())).collect();
        turns
    }

    fn body_bytes(
        &self,
        settings: &ModelSettings,
        request: &[Message],
        stable: usize,
    ) -> serde_json::Result<Vec<u8>> {
        let image = |part: PartId| self.images.get(&part).map(|(_, image)| image);
        let mut body = settings.protocol.body(&settings.parameters(), request, (&image, stable))?;
        settings.preset.apply(&mut body);
        for (name, value) in &settings.extra {
            if value.is_null() {
                body.remove(name);
            } else {
                body.insert(name.clone(), value.clone());
            }
        }
        serde_json::to_vec(&body)
    }
}
