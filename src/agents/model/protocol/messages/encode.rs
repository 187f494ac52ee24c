//! Writes turns as Messages. Adjacent turns of one role are written as they are: the protocol combines them.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};

use super::super::super::content_form::ContentForm;
use super::super::super::request_parameters::RequestParameters;
use super::super::{Encoding, ImageOf};
use mageyard_domain::{Message, MessagePart, Role};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    /// `null`, if the system text has its place here.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<()>,
    messages: [(); 0],
    temperature: f32,
    top_p: f32,
    stream: bool,
}

#[derive(Serialize)]
pub(super) struct Turn<'a> {
    role: Role,
    pub(super) content: Content<'a>,
}

/// Text or blocks, as `model.content` asks.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(String),
    Blocks(Vec<Block<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Block<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Image {
        source: Source,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
}

/// Asks the server to cache everything up to here.
#[derive(Clone, Copy, Serialize)]
pub(super) struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
}

const EPHEMERAL: CacheControl = CacheControl { kind: "ephemeral" };

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Source {
    Base64 { media_type: String, data: String },
}

/// The body of a request, with an empty list of turns and `null` in place of a system text.
pub(super) fn envelope(
    settings: &RequestParameters<'_>,
    apart: bool,
) -> serde_json::Result<Map<String, Value>> {
    let body = Body {
        model: settings.name,
        max_tokens: settings.max_tokens,
        system: apart.then_some(()),
        messages: [],
        temperature: settings.temperature,
        top_p: settings.top_p,
        stream: settings.stream,
    };
    // Through text: converting f32 directly would turn 0.1 into 0.10000000149.
    serde_json::from_str(&serde_json::to_string(&body)?)
}

/// A turn; the content of the first one can be that of the field of the system text.
pub(super) fn turn<'a>(
    settings: &RequestParameters<'_>,
    message: &'a Message,
    (images, marked): Encoding<'_>,
) -> Turn<'a> {
    let mut turn = Turn { role: message.role, content: content(settings.content, message, images) };
    if settings.cache {
        // A turn is written alike with and without a mark, which moves from request to request.
        turn.write_blocks();
    }
    if marked {
        turn.mark();
    }
    turn
}

impl Turn<'_> {
    /// Writes the content as a list.
    fn write_blocks(&mut self) {
        if let Content::Text(text) = &mut self.content
            && !text.is_empty()
        {
            let text = Cow::Owned(std::mem::take(text));
            self.content = Content::Blocks(vec![Block::Text { text, cache_control: None }]);
        }
    }

    /// Asks the server to cache everything up to the end of this turn. An empty text cannot be marked.
    fn mark(&mut self) {
        if let Content::Blocks(blocks) = &mut self.content
            && let Some(Block::Text { cache_control, .. } | Block::Image { cache_control, .. }) =
                blocks.last_mut()
        {
            *cache_control = Some(EPHEMERAL);
        }
    }
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
        MessagePart::Text(_, text) => Block::Text { text: Cow::Borrowed(text), cache_control: None },
        MessagePart::Image(part, _) => {
            let image = images(*part)?;
            let media_type = image.blob.media_type.to_string();
            let data = STANDARD.encode(&image.bytes);
            Block::Image { source: Source::Base64 { media_type, data }, cache_control: None }
        }
    })
}
