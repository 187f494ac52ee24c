//! Writes turns as Messages. Adjacent turns of one role are written as they are: the protocol combines them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Map;
use serde_json::Value;

use super::super::super::content_form::ContentForm;
use super::super::super::request_parameters::RequestParameters;
use super::super::ImageOf;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::Role;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<Content<'a>>,
    messages: Vec<Turn<'a>>,
    temperature: f32,
    top_p: f32,
    stream: bool,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: Role,
    content: Content<'a>,
}

/// Text or blocks, as `model.content` asks.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(String),
    Blocks(Vec<Block<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Block<'a> {
    Text { text: &'a str },
    Image { source: Source },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Source {
    Base64 { media_type: String, data: String },
}

/// The body of a request.
pub(super) fn body(
    settings: &RequestParameters<'_>,
    request: &[Message],
    images: ImageOf<'_>,
) -> serde_json::Result<Map<String, Value>> {
    let (system, turns) = match request.split_first() {
        Some((first, rest)) if first.role == Role::System => {
            (Some(content(settings.content, first, images)), rest)
        }
        _ => (None, request),
    };
    let body = Body {
        model: settings.name,
        max_tokens: settings.max_tokens,
        system,
        messages: turns
            .iter()
            .map(|message| Turn { role: message.role, content: content(settings.content, message, images) })
            .collect(),
        temperature: settings.temperature,
        top_p: settings.top_p,
        stream: settings.stream,
    };
    // Through text: converting f32 directly would turn 0.1 into 0.10000000149.
    serde_json::from_str(&serde_json::to_string(&body)?)
}

fn content<'a>(form: ContentForm, message: &'a Message, images: ImageOf<'_>) -> Content<'a> {
    if form.is_list(message) {
        Content::Blocks(message.parts.iter().filter_map(|part| block(part, images)).collect())
    } else {
        Content::Text(message.text())
    }
}

/// An image missing here is missing in the bytes, which the verification reports.
fn block<'a>(part: &'a MessagePart, images: ImageOf<'_>) -> Option<Block<'a>> {
    Some(match part {
        MessagePart::Text(_, text) => Block::Text { text },
        MessagePart::Image(part, _) => {
            let image = images(*part)?;
            let (media_type, data) = (image.blob.media_type.to_string(), STANDARD.encode(&image.bytes));
            Block::Image { source: Source::Base64 { media_type, data } }
        }
    })
}
