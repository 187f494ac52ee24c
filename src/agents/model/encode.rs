//! Encodes turns as the bytes of a request.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::Arc;

use async_openai::types::chat::ChatCompletionRequestAssistantMessage;
use async_openai::types::chat::ChatCompletionRequestMessage;
use async_openai::types::chat::ChatCompletionRequestMessageContentPartImage;
use async_openai::types::chat::ChatCompletionRequestMessageContentPartText;
use async_openai::types::chat::ChatCompletionRequestSystemMessage;
use async_openai::types::chat::ChatCompletionRequestUserMessage;
use async_openai::types::chat::ChatCompletionRequestUserMessageContent;
use async_openai::types::chat::ChatCompletionRequestUserMessageContentPart;
use async_openai::types::chat::ChatCompletionStreamOptions;
use async_openai::types::chat::CreateChatCompletionRequest;
use async_openai::types::chat::ImageUrl;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Map;
use serde_json::Value;

use super::decode::decode;
use super::image::encode_image;
use super::image_cache::ImageCache;
use super::settings::ModelSettings;
use crate::domain::AgentError;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::PartId;
use crate::domain::Picture;
use crate::domain::Role;
use crate::domain::Segment;
use crate::domain::SentImage;
use crate::domain::SentRequest;
use crate::domain::SentTurn;

/// An encoded request.
pub(in crate::agents) struct EncodedRequest {
    /// The bytes to send.
    pub(super) bytes: Vec<u8>,
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

    /// Encodes a request and decodes it again.
    pub(super) fn encode(
        &mut self,
        settings: &ModelSettings,
        request: &[Message],
    ) -> Result<EncodedRequest, AgentError> {
        let invalid = |why: String| AgentError::InvalidRequest(why);
        if request.is_empty() {
            return Err(invalid("it has no turns".to_owned()));
        }
        self.encode_images(settings, request).map_err(invalid)?;
        let bytes = self.body_bytes(settings, request).map_err(|error| invalid(error.to_string()))?;
        let read = decode(&bytes).map_err(AgentError::MemoryMismatch)?;
        let turns = self.share_turns(read.texts.into_iter().zip(request));
        let frames = self.images.values().map(|(_, image)| image.clone()).collect();
        let sent =
            SentRequest { envelope: self.share_envelope(read.envelope), turns, frames, images: read.images };
        Ok(EncodedRequest { bytes, sent: sent.into(), turns: read.turns })
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
            let turn = SentTurn::new(text, message_segments(message));
            self.turns.get(&turn.digest()).cloned().unwrap_or_else(|| Arc::new(turn))
        });
        let turns: Vec<Arc<SentTurn>> = turns.collect();
        self.turns = turns.iter().map(|turn| (turn.digest(), turn.clone())).collect();
        turns
    }

    fn body_bytes(&self, settings: &ModelSettings, request: &[Message]) -> serde_json::Result<Vec<u8>> {
        let typed = CreateChatCompletionRequest {
            model: settings.name.clone(),
            messages: request.iter().map(|message| self.chat_message(message)).collect(),
            ..request_parameters(settings)
        };
        // Through text: converting f32 directly would turn 0.1 into 0.10000000149.
        let mut body: Map<String, Value> = serde_json::from_str(&serde_json::to_string(&typed)?)?;
        for (name, value) in &settings.extra {
            if value.is_null() {
                body.remove(name);
            } else {
                body.insert(name.clone(), value.clone());
            }
        }
        serde_json::to_vec(&body)
    }

    fn chat_message(&self, message: &Message) -> ChatCompletionRequestMessage {
        match message.role {
            Role::System => {
                let content = message.text().into();
                ChatCompletionRequestSystemMessage { content, name: None }.into()
            }
            Role::Assistant => {
                let content = Some(message.text().into());
                ChatCompletionRequestAssistantMessage { content, ..Default::default() }.into()
            }
            Role::User => {
                let content = self.user_content(message);
                ChatCompletionRequestUserMessage { content, name: None }.into()
            }
        }
    }

    /// A single text is a plain string, which every server accepts; anything else is a list of parts.
    fn user_content(&self, message: &Message) -> ChatCompletionRequestUserMessageContent {
        match message.parts.as_slice() {
            [] => "".into(),
            [MessagePart::Text(_, text)] => text.as_ref().into(),
            parts => parts.iter().filter_map(|part| self.content_part(part)).collect::<Vec<_>>().into(),
        }
    }

    fn content_part(&self, part: &MessagePart) -> Option<ChatCompletionRequestUserMessageContentPart> {
        Some(match part {
            MessagePart::Text(_, text) => ChatCompletionRequestMessageContentPartText {
                text: text.to_string(),
                prompt_cache_breakpoint: None,
            }
            .into(),
            // An image missing here is missing in the bytes, which the verification reports.
            MessagePart::Image(part, _) => {
                let (_, image) = self.images.get(part)?;
                let url = format!("data:{};base64,{}", image.blob.media_type, STANDARD.encode(&image.bytes));
                ChatCompletionRequestMessageContentPartImage {
                    image_url: ImageUrl { url, detail: None },
                    prompt_cache_breakpoint: None,
                }
                .into()
            }
        })
    }
}

/// The segments of a turn, one entry for each part of [`BodyEncoder::chat_message`].
fn message_segments(message: &Message) -> Vec<Option<Segment>> {
    let names = message.parts.iter().map(|part| match part {
        MessagePart::Text(segment, _) => Some(*segment),
        MessagePart::Image(..) => None,
    });
    match message.role {
        Role::User => names.collect(),
        // The texts are joined into one.
        Role::System | Role::Assistant => names.flatten().map(Some).take(1).collect(),
    }
}

/// The parameters of a request besides its turns.
#[allow(deprecated, reason = "max_tokens is the only name that every server accepts")]
fn request_parameters(settings: &ModelSettings) -> CreateChatCompletionRequest {
    let usage = ChatCompletionStreamOptions { include_usage: Some(true), include_obfuscation: None };
    CreateChatCompletionRequest {
        temperature: Some(settings.temperature),
        top_p: Some(settings.top_p),
        max_tokens: Some(settings.max_tokens),
        frequency_penalty: Some(settings.frequency_penalty),
        stream: Some(settings.stream),
        stream_options: settings.stream.then_some(usage),
        ..CreateChatCompletionRequest::default()
    }
}
