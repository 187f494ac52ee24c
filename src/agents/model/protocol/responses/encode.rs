//! Writes turns as items of Responses. Parts are always lists with their types: some servers refuse the short forms for
//! outputs of the model.

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::super::image::data_url;
use super::super::super::request_parameters::RequestParameters;
use super::super::ImageOf;
use mageyard_domain::{Message, MessagePart, Role};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    /// `null`, if the system text has its place here.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<()>,
    input: [(); 0],
    temperature: f32,
    top_p: f32,
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    include: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    top_logprobs: Option<u8>,
    store: bool,
    stream: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Item<'a> {
    Message { role: Role, content: Vec<Part<'a>> },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Part<'a> {
    InputText {
        text: &'a str,
    },
    OutputText {
        text: String,
    },
    InputImage {
        image_url: String,
        #[serde(skip_serializing_if = "str::is_empty")]
        detail: &'a str,
    },
}

/// The body of a request, with an empty list of turns and `null` in place of a system text.
pub(super) fn envelope(
    settings: &RequestParameters<'_>,
    apart: bool,
) -> serde_json::Result<Map<String, Value>> {
    let body = Body {
        model: settings.name,
        instructions: apart.then_some(()),
        input: [],
        temperature: settings.temperature,
        top_p: settings.top_p,
        max_output_tokens: settings.max_tokens,
        include: if settings.top_logprobs > 0 { &["message.output_text.logprobs"] } else { &[] },
        top_logprobs: Some(settings.top_logprobs).filter(|most| *most > 0),
        store: false,
        stream: settings.stream,
    };
    // Through text: converting f32 directly would turn 0.1 into 0.10000000149.
    serde_json::from_str(&serde_json::to_string(&body)?)
}

/// A turn as an item of the input.
pub(super) fn item<'a>(message: &'a Message, detail: &'a str, images: ImageOf<'_>) -> Item<'a> {
    let content = match message.role {
        Role::Assistant | Role::System => vec![Part::OutputText { text: message.text() }],
        Role::User => message.parts.iter().filter_map(|part| user_part(part, detail, images)).collect(),
    };
    Item::Message { role: message.role, content }
}

/// An image missing here is missing in the bytes, which the verification reports.
fn user_part<'a>(part: &'a MessagePart, detail: &'a str, images: ImageOf<'_>) -> Option<Part<'a>> {
    Some(match part {
        MessagePart::Text(_, text) => Part::InputText { text },
        MessagePart::Image(part, _) => Part::InputImage { image_url: data_url(images(*part)?), detail },
    })
}
