//! Writes turns as chat completions.

use async_openai::types::chat::{
    ChatCompletionRequestAssistantMessage, ChatCompletionRequestAssistantMessageContent,
    ChatCompletionRequestAssistantMessageContentPart, ChatCompletionRequestMessage,
    ChatCompletionRequestMessageContentPartImage, ChatCompletionRequestMessageContentPartText,
    ChatCompletionRequestSystemMessage, ChatCompletionRequestSystemMessageContent,
    ChatCompletionRequestSystemMessageContentPart, ChatCompletionRequestUserMessage,
    ChatCompletionRequestUserMessageContent, ChatCompletionRequestUserMessageContentPart,
    ChatCompletionStreamOptions, CreateChatCompletionRequest, ImageDetail, ImageUrl,
};
use serde_json::{Map, Value};

use super::super::super::image::data_url;
use super::super::super::request_parameters::RequestParameters;
use super::super::ImageOf;
use mageyard_domain::{Message, MessagePart, Role};

/// The body of a request, with an empty list of turns.
pub(super) fn envelope(settings: &RequestParameters<'_>) -> serde_json::Result<Map<String, Value>> {
    let parameters =
        CreateChatCompletionRequest { model: settings.name.to_owned(), ..request_parameters(settings) };
    // Through text: converting f32 directly would turn 0.1 into 0.10000000149.
    serde_json::from_str(&serde_json::to_string(&parameters)?)
}

/// A turn as JSON.
pub(super) fn turn(
    settings: &RequestParameters<'_>,
    message: &Message,
    images: ImageOf<'_>,
) -> serde_json::Result<String> {
    let mut json = Vec::with_capacity(estimated_length(message, images));
    serde_json::to_writer(&mut json, &chat_message(settings, message, &(images, detail(settings))))?;
    String::from_utf8(json).map_err(serde::ser::Error::custom)
}

/// An estimate of the length of a serialized turn in bytes, to reserve memory: text with 5 % of escape characters, and
/// images in base64.
fn estimated_length(message: &Message, images: ImageOf<'_>) -> usize {
    let length = |part: &MessagePart| match part {
        MessagePart::Text(_, text) => text.len() + text.len() / 20,
        MessagePart::Image(part, _) => images(*part).map_or(0, |image| image.bytes.len().div_ceil(3) * 4),
    };
    message.parts.iter().map(|part| 64 + length(part)).sum()
}

/// The images, and the detail with which the model sees them.
type Images<'a> = (ImageOf<'a>, Option<ImageDetail>);

fn detail(settings: &RequestParameters<'_>) -> Option<ImageDetail> {
    // Reading an unknown name costs an error, and most requests have none.
    let detail = Some(settings.detail).filter(|detail| !detail.is_empty())?;
    serde_json::from_value(Value::from(detail)).ok()
}

fn chat_message(
    settings: &RequestParameters<'_>,
    message: &Message,
    images: &Images<'_>,
) -> ChatCompletionRequestMessage {
    let text = (!settings.content.is_list(message)).then(|| message.text());
    match message.role {
        Role::System => {
            ChatCompletionRequestSystemMessage { content: system_content(message, text), name: None }.into()
        }
        Role::Assistant => {
            let content = Some(assistant_content(message, text));
            ChatCompletionRequestAssistantMessage { content, ..Default::default() }.into()
        }
        Role::User => {
            let content = user_content(message, text, images);
            ChatCompletionRequestUserMessage { content, name: None }.into()
        }
    }
}

/// The text, or a list of parts if there is none. The same holds for the other roles.
fn system_content(message: &Message, text: Option<String>) -> ChatCompletionRequestSystemMessageContent {
    let parts = || text_parts(message).map(ChatCompletionRequestSystemMessageContentPart::Text).collect();
    text.map_or_else(|| ChatCompletionRequestSystemMessageContent::Array(parts()), Into::into)
}

fn assistant_content(
    message: &Message,
    text: Option<String>,
) -> ChatCompletionRequestAssistantMessageContent {
    let parts = || text_parts(message).map(ChatCompletionRequestAssistantMessageContentPart::Text).collect();
    text.map_or_else(|| ChatCompletionRequestAssistantMessageContent::Array(parts()), Into::into)
}

fn user_content(
    message: &Message,
    text: Option<String>,
    images: &Images<'_>,
) -> ChatCompletionRequestUserMessageContent {
    let parts = || message.parts.iter().filter_map(|part| content_part(part, images)).collect();
    text.map_or_else(|| ChatCompletionRequestUserMessageContent::Array(parts()), Into::into)
}

fn text_parts(message: &Message) -> impl Iterator<Item = ChatCompletionRequestMessageContentPartText> {
    message.parts.iter().filter_map(|part| match part {
        MessagePart::Text(_, text) => Some(text_part(text)),
        MessagePart::Image(..) => None,
    })
}

fn text_part(text: &str) -> ChatCompletionRequestMessageContentPartText {
    ChatCompletionRequestMessageContentPartText { text: text.to_owned(), prompt_cache_breakpoint: None }
}

fn content_part(
    part: &MessagePart,
    (images, detail): &Images<'_>,
) -> Option<ChatCompletionRequestUserMessageContentPart> {
    Some(match part {
        MessagePart::Text(_, text) => text_part(text).into(),
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

/// The parameters of a request besides its turns.
#[allow(deprecated, reason = "max_tokens is the only name that every server accepts")]
fn request_parameters(settings: &RequestParameters<'_>) -> CreateChatCompletionRequest {
    let usage = ChatCompletionStreamOptions { include_usage: Some(true), include_obfuscation: None };
    CreateChatCompletionRequest {
        temperature: Some(settings.temperature),
        top_p: Some(settings.top_p),
        max_tokens: Some(settings.max_tokens),
        frequency_penalty: Some(settings.frequency_penalty),
        logprobs: (settings.top_logprobs > 0).then_some(true),
        top_logprobs: Some(settings.top_logprobs).filter(|most| *most > 0),
        stream: Some(settings.stream),
        stream_options: settings.stream.then_some(usage),
        ..CreateChatCompletionRequest::default()
    }
}
