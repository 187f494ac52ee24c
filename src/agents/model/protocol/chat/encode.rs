//! Writes turns as chat completions.

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
use async_openai::types::chat::ImageDetail;
use async_openai::types::chat::ImageUrl;
use serde_json::Map;
use serde_json::Value;

use super::super::super::image::data_url;
use super::super::super::settings::ModelSettings;
use super::super::ImageOf;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::Role;
use crate::domain::Segment;

/// The body of a request.
pub(super) fn body(
    settings: &ModelSettings,
    request: &[Message],
    images: ImageOf<'_>,
) -> serde_json::Result<Map<String, Value>> {
    let images = (images, detail(settings));
    let typed = CreateChatCompletionRequest {
        model: settings.name.clone(),
        messages: request.iter().map(|message| chat_message(message, &images)).collect(),
        ..request_parameters(settings)
    };
    // Through text: converting f32 directly would turn 0.1 into 0.10000000149.
    serde_json::from_str(&serde_json::to_string(&typed)?)
}

/// The images, and the detail with which the model sees them.
type Images<'a> = (ImageOf<'a>, Option<ImageDetail>);

fn detail(settings: &ModelSettings) -> Option<ImageDetail> {
    serde_json::from_value(Value::from(settings.detail.as_str())).ok()
}

fn chat_message(message: &Message, images: &Images<'_>) -> ChatCompletionRequestMessage {
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
            let content = user_content(message, images);
            ChatCompletionRequestUserMessage { content, name: None }.into()
        }
    }
}

/// A single text is a plain string, which every server accepts; anything else is a list of parts.
fn user_content(message: &Message, images: &Images<'_>) -> ChatCompletionRequestUserMessageContent {
    match message.parts.as_slice() {
        [] => "".into(),
        [MessagePart::Text(_, text)] => text.as_ref().into(),
        parts => parts.iter().filter_map(|part| content_part(part, images)).collect::<Vec<_>>().into(),
    }
}

fn content_part(
    part: &MessagePart,
    (images, detail): &Images<'_>,
) -> Option<ChatCompletionRequestUserMessageContentPart> {
    Some(match part {
        MessagePart::Text(_, text) => ChatCompletionRequestMessageContentPartText {
            text: text.to_string(),
            prompt_cache_breakpoint: None,
        }
        .into(),
        // An image missing here is missing in the bytes, which the verification reports.
        MessagePart::Image(part, _) => {
            let url = data_url(images(*part)?);
            ChatCompletionRequestMessageContentPartImage {
                image_url: ImageUrl { url, detail: detail.clone() },
                prompt_cache_breakpoint: None,
            }
            .into()
        }
    })
}

/// The segments of a turn, one entry for each part of its content.
pub(super) fn segments(message: &Message) -> Vec<Option<Segment>> {
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
