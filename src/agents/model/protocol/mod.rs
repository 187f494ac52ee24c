//! The protocols of model servers. A protocol writes the turns of a request as JSON, reads them back for the proof, and
//! reads the events of a reply. Everything else (connections, retries, images, limits) is the same for all.
//!
//! Messages and Responses have types of their own: those of `async-openai` would bring some 8,000 lines for ten
//! fields.

mod chat;
mod decode;
mod messages;
mod read;
mod responses;
#[cfg(test)]
mod tests;
mod turns;

use std::fmt::Debug;

use serde_json::{Map, Value};

pub(super) use self::chat::ChatCompletions;
pub(super) use self::messages::Messages;
pub(crate) use self::read::ModelReader;
pub(super) use self::responses::Responses;
pub(super) use self::turns::TurnFields;
use super::error::RequestError;
use super::reply_builder::ReplyBuilder;
use super::request_parameters::RequestParameters;
use mageyard_domain::{AgentObserver, DecodedTurn, Digest, Message, OptionError, PartId, SentImage};

/// Returns the encoded image of a part.
pub(super) type ImageOf<'a> = &'a dyn Fn(PartId) -> Option<&'a SentImage>;

/// The images of a request, and whether a turn asks the server to cache everything up to its end.
pub(super) type Encoding<'a> = (ImageOf<'a>, bool);

/// Returns the digest of an image from its URL.
pub(super) type DigestOfUrl = fn(&str) -> Result<Digest, String>;

/// A field that limits the tokens of a reply.
#[derive(Debug)]
pub(super) struct Limit {
    /// The name of the field.
    pub(super) field: &'static str,
    /// How messages name it if it is in `model.extra`.
    pub(super) in_extra: &'static str,
}

impl Limit {
    const MAX_TOKENS: Self = Self { field: "max_tokens", in_extra: "max_tokens in model.extra" };
    const MAX_COMPLETION_TOKENS: Self =
        Self { field: "max_completion_tokens", in_extra: "max_completion_tokens in model.extra" };
    const MAX_OUTPUT_TOKENS: Self =
        Self { field: "max_output_tokens", in_extra: "max_output_tokens in model.extra" };
}

/// All protocols.
pub(super) const PROTOCOLS: [&dyn Protocol; 3] = [&ChatCompletions, &Messages, &Responses];

/// A protocol of model servers.
pub(super) trait Protocol: Debug + Send + Sync {
    /// The name in settings.
    fn name(&self) -> &'static str;

    /// The base URL of its maker, and the usual name of the variable with the key.
    fn maker(&self) -> (&'static str, &'static str);

    /// The path of its endpoint below the base URL.
    fn path(&self) -> &'static str;

    /// The header of the API key, with a word in front of the key if there is one. `model.key_header` replaces it.
    fn key_header(&self) -> &'static str {
        "Authorization: Bearer"
    }

    /// Headers with fixed values that every request has. `model.headers` replaces those of the same name.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The fields of the body that hold turns.
    fn turn_fields(&self) -> TurnFields;

    /// The fields that limit the tokens of a reply; the setting `max_tokens` is sent as the first one.
    fn limit_fields(&self) -> &'static [Limit];

    /// The values of `model.detail` that it has a field for.
    fn details(&self) -> &'static [&'static str];

    /// The field of a request that seeds the choice of tokens, if it has one.
    fn seed_field(&self) -> Option<&'static str> {
        None
    }

    /// The fields with which a server continues the last turn, an answer that was begun; `None` if the protocol has no way.
    fn continuing_fields(&self) -> Option<&'static [(&'static str, bool)]> {
        None
    }

    /// Whether a request can ask the server to cache its beginning.
    fn asks_for_caching(&self) -> bool {
        false
    }

    /// Refuses settings that this protocol does not have, or with values outside its range.
    fn check(&self, settings: &RequestParameters<'_>) -> Result<(), OptionError>;

    /// The body of a request without the fields of `model.extra`, with an empty list of turns. If the system text is
    /// `apart` from them, `null` is in its field.
    fn envelope(
        &self,
        settings: &RequestParameters<'_>,
        apart: bool,
    ) -> serde_json::Result<Map<String, Value>>;

    /// A turn of the list as JSON. An image without encoding is left out, which the verification reports.
    fn turn(
        &self,
        settings: &RequestParameters<'_>,
        message: &Message,
        encoding: Encoding<'_>,
    ) -> serde_json::Result<String>;

    /// The value of the field of the system text as JSON.
    fn system_text(
        &self,
        _settings: &RequestParameters<'_>,
        message: &Message,
        _marked: bool,
    ) -> serde_json::Result<String> {
        serde_json::to_string(&message.text())
    }

    /// Decodes a turn and replaces each image in it by `blob:` and its digest. An error names something that this
    /// program never writes.
    fn decode_turn(&self, turn: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String>;

    /// Decodes a turn whose content is one text, without the parts of other turns; `None` for any other turn, which
    /// [`Protocol::decode_turn`] decodes.
    fn decode_text_turn(&self, _written: &str) -> Option<DecodedTurn> {
        None
    }

    /// Adds an event of a stream, or a complete body, to the reply.
    fn add_event(
        &self,
        reply: &mut ReplyBuilder,
        event: &serde_json_borrow::Value<'_>,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError>;

    /// Whether the data of an event is the mark that ends a stream and is not JSON.
    fn is_end_mark(&self, data: &[u8]) -> bool {
        data == b"[DONE]"
    }
}
