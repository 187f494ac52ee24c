//! From turns to the bytes of a request.

use std::collections::BTreeMap;
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
use super::settings::ModelSettings;
use crate::domain::AgentError;
use crate::domain::Blob;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::Picture;
use crate::domain::Role;
use crate::domain::Segment;
use crate::domain::SentRequest;

/// A request, packed.
pub(in crate::agents) struct EncodedRequest {
    /// The bytes that go out.
    pub(super) bytes: Vec<u8>,
    /// The same as it is kept.
    pub(in crate::agents) sent: SentRequest,
    /// The turns as they were read back from the bytes.
    pub(in crate::agents) turns: Vec<DecodedTurn>,
}

/// Packs requests. Each frame is packed once and kept as long as requests show it.
#[derive(Default)]
pub(super) struct BodyEncoder {
    frames: BTreeMap<u32, (Arc<Picture>, Blob)>,
}

impl BodyEncoder {
    /// The bytes of the request, and what can be read back from them.
    pub(super) fn encode(
        &mut self,
        settings: &ModelSettings,
        request: &[Message],
    ) -> Result<EncodedRequest, AgentError> {
        let wrong = |why: String| AgentError::InvalidRequest(why);
        if request.is_empty() {
            return Err(wrong("it has no turns".to_owned()));
        }
        self.encode_frames(settings, request).map_err(wrong)?;
        let bytes = self.body_bytes(settings, request).map_err(|error| wrong(error.to_string()))?;
        let read = decode(&bytes).map_err(AgentError::MemoryMismatch)?;
        let outline = request.iter().map(message_segments).collect();
        let sent =
            SentRequest { body: read.body, segments: outline, frames: self.blobs(), images: read.images };
        Ok(EncodedRequest { bytes, sent, turns: read.turns })
    }

    /// The digest of a step's frame, as it was packed for the last request.
    pub(super) fn digest(&self, step: u32) -> Option<Digest> {
        self.frames.get(&step).map(|(_, blob)| blob.digest)
    }

    /// Packs the frames that are new, and forgets those that are shown no more.
    fn encode_frames(&mut self, settings: &ModelSettings, request: &[Message]) -> Result<(), String> {
        let mut kept = std::mem::take(&mut self.frames);
        for (step, picture) in request.iter().flat_map(Message::frames) {
            let known = kept.remove(&step).filter(|(known, _)| Arc::ptr_eq(known, picture));
            let frame = match known {
                Some(frame) => frame,
                None if self.frames.contains_key(&step) => continue,
                None => (picture.clone(), encode_image(picture, step, settings.resolution, settings.format)?),
            };
            self.frames.insert(step, frame);
        }
        Ok(())
    }

    fn blobs(&self) -> Vec<Blob> {
        self.frames.values().map(|(_, blob)| blob.clone()).collect()
    }

    fn body_bytes(&self, settings: &ModelSettings, request: &[Message]) -> serde_json::Result<Vec<u8>> {
        let typed = CreateChatCompletionRequest {
            model: settings.name.clone(),
            messages: request.iter().map(|message| self.chat_message(message)).collect(),
            ..request_parameters(settings)
        };
        // Through text, since there a number as narrow as 0.1 stays what it is.
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

    /// One text is a plain string, which every server takes; anything else is a list of parts.
    fn user_content(&self, message: &Message) -> ChatCompletionRequestUserMessageContent {
        match message.parts.as_slice() {
            [] => "".into(),
            [MessagePart::Text(_, text)] => text.as_ref().into(),
            pieces => pieces.iter().filter_map(|piece| self.content_part(piece)).collect::<Vec<_>>().into(),
        }
    }

    fn content_part(&self, piece: &MessagePart) -> Option<ChatCompletionRequestUserMessageContentPart> {
        Some(match piece {
            MessagePart::Text(_, text) => ChatCompletionRequestMessageContentPartText {
                text: text.to_string(),
                prompt_cache_breakpoint: None,
            }
            .into(),
            // A frame that is missing here is missing in the bytes, and the proof says so.
            MessagePart::Frame(step, _) => {
                let (_, blob) = self.frames.get(step)?;
                let url = format!("data:{};base64,{}", blob.media_type, STANDARD.encode(&blob.bytes));
                ChatCompletionRequestMessageContentPartImage {
                    image_url: ImageUrl { url, detail: None },
                    prompt_cache_breakpoint: None,
                }
                .into()
            }
        })
    }
}

/// What the parts of a turn are, one entry for each part that [`BodyEncoder::chat_message`] makes.
fn message_segments(message: &Message) -> Vec<Option<Segment>> {
    let names = message.parts.iter().map(|piece| match piece {
        MessagePart::Text(segment, _) => Some(*segment),
        MessagePart::Frame(..) => None,
    });
    match message.role {
        Role::User => names.collect(),
        // Their texts are joined into one.
        Role::System | Role::Assistant => names.flatten().map(Some).take(1).collect(),
    }
}

/// Everything that a request asks for beside its turns.
#[allow(deprecated, reason = "max_tokens is the only name that every server knows")]
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
