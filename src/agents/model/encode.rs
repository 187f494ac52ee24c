//! Encodes turns as the bytes of a request.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::body_template::BodyTemplate;
use super::decode::{KnownParts, ReadTurn, decode};
use super::frame_scaler::FrameScaler;
use super::image::encode_image;
use super::image_cache::ImageCache;
use super::known_turn::{KnownTurn, WrittenTurn, known_turns};
use super::raw_body::ReadEnvelope;
use super::settings::ModelSettings;
use mageyard_domain::{
    AgentError, DecodedTurn, Digest, Message, PartId, Picture, Role, SentImage, SentRequest,
};

/// The largest amount of images in a request that is encoded quickly, in bytes.
const QUICK_BYTES: usize = 256 << 10;

/// An encoded request.
pub(crate) struct EncodedRequest {
    /// The bytes to send.
    pub(super) bytes: Bytes,
    /// The request for display and storage.
    pub(crate) sent: Arc<SentRequest>,
    /// The turns read from the bytes.
    turns: Vec<Arc<ReadTurn>>,
}

impl EncodedRequest {
    /// The turns decoded from the bytes.
    pub(crate) fn turns(&self) -> Vec<&DecodedTurn> {
        self.turns.iter().map(|turn| &turn.decoded).collect()
    }

    /// The digest of a part's encoded image.
    pub(super) fn digest(&self, part: PartId) -> Option<Digest> {
        self.sent.frames.iter().find(|image| image.part == part).map(|image| image.blob.digest)
    }
}

/// Encodes requests with settings that differ at most in the fields around the turns. Each image and each turn is encoded
/// once and cached while requests include it.
#[derive(Default)]
pub(super) struct BodyEncoder {
    images: BTreeMap<PartId, (Arc<Picture>, SentImage)>,
    /// The turns of the last request.
    turns: Vec<Arc<KnownTurn>>,
    /// The body around the turns.
    template: Option<KnownTemplate>,
    /// The fields around the turns of the last request, as they were read.
    envelope: Option<Arc<ReadEnvelope>>,
    cache: ImageCache,
    scaler: FrameScaler,
}

/// The fields of a body that were written with these settings.
struct KnownTemplate {
    settings: Arc<ModelSettings>,
    /// Whether the system text has a field of its own.
    apart: bool,
    template: BodyTemplate,
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
        settings: &Arc<ModelSettings>,
        request: &[Message],
        stable: usize,
    ) -> Result<EncodedRequest, AgentError> {
        let invalid = |why: String| AgentError::InvalidRequest(why);
        if request.is_empty() {
            return Err(invalid("it has no turns".to_owned()));
        }
        settings.content.check(request).map_err(invalid)?;
        self.encode_images(settings, request).map_err(invalid)?;
        let turns = self.write_turns(settings, request, stable);
        let turns = turns.map_err(|error| invalid(error.to_string()))?;
        let written: Vec<&str> = turns.iter().map(WrittenTurn::text).collect();
        let bytes =
            self.fill_body(settings, request, &written).map_err(|error| invalid(error.to_string()))?;
        let known: Vec<Option<&Arc<ReadTurn>>> = turns.iter().map(WrittenTurn::read).collect();
        let known = KnownParts { written: &written, turns: &known, envelope: self.envelope.as_ref() };
        let read = decode(settings.protocol, &bytes, known).map_err(AgentError::MemoryMismatch)?;
        self.turns = known_turns(request, turns, &read.turns);
        let sent = SentRequest {
            envelope: read.envelope.value.clone(),
            turns: self.turns.iter().map(|turn| turn.sent.clone()).collect(),
            frames: self.images.values().map(|(_, image)| image.clone()).collect(),
            images: read.images,
        };
        self.envelope = Some(read.envelope);
        Ok(EncodedRequest { bytes: bytes.into(), sent: sent.into(), turns: read.turns })
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
                    encode_image(
                        picture,
                        part,
                        (settings.frame_size, settings.format),
                        (&self.cache, &mut self.scaler),
                    )?,
                ),
            };
            self.images.insert(part, image);
        }
        Ok(())
    }

    /// Writes the turns that were not in the last request.
    fn write_turns(
        &self,
        settings: &ModelSettings,
        request: &[Message],
        stable: usize,
    ) -> serde_json::Result<Vec<WrittenTurn>> {
        let protocol = settings.protocol;
        let parameters = settings.parameters();
        let image = |part: PartId| self.images.get(&part).map(|(_, image)| image);
        let mut next = 0;
        let write = |(index, message): (usize, &Message)| {
            // The system text is the same in all episodes with this prompt; the rest only in this one.
            let is_first = index == 0 && message.role == Role::System;
            let marked = settings.cache && (is_first || index + 1 == stable);
            // Turns that stay in the window keep their order.
            let mut places = (next..self.turns.len()).chain(0..next);
            if let Some(known) = places.find(|place| self.turns[*place].is_of(message, marked)) {
                next = known + 1;
                return Ok(WrittenTurn::Known(self.turns[known].clone()));
            }
            let text = if is_first && protocol.turn_fields().system.is_some() {
                protocol.system_text(&parameters, message, marked)?
            } else {
                protocol.turn(&parameters, message, (&image, marked))?
            };
            Ok(WrittenTurn::New { text, marked })
        };
        request.iter().enumerate().map(write).collect()
    }

    fn fill_body(
        &mut self,
        settings: &Arc<ModelSettings>,
        request: &[Message],
        turns: &[&str],
    ) -> serde_json::Result<Vec<u8>> {
        let fields = settings.protocol.turn_fields();
        let apart =
            fields.system.is_some() && request.first().is_some_and(|first| first.role == Role::System);
        let is_same = |known: &KnownTemplate| known.apart == apart && Arc::ptr_eq(&known.settings, settings);
        let known = match self.template.take().filter(is_same) {
            Some(known) => known,
            None => KnownTemplate {
                settings: settings.clone(),
                apart,
                template: BodyTemplate::new(&envelope(settings, apart)?, fields),
            },
        };
        Ok(self.template.insert(known).template.fill(turns))
    }
}

/// The body without its turns, with the fields of the preset and of `model.extra`. `apart` says whether the system text
/// has a field of its own.
fn envelope(settings: &ModelSettings, apart: bool) -> serde_json::Result<Map<String, Value>> {
    let mut body = settings.protocol.envelope(&settings.parameters(), apart)?;
    settings.preset.apply(&mut body);
    for (name, value) in &settings.extra {
        if value.is_null() {
            body.remove(name);
        } else {
            body.insert(name.clone(), value.clone());
        }
    }
    Ok(body)
}
