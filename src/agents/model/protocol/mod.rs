//! The protocols of model servers. A protocol writes the turns of a request as JSON, reads them back for the proof, and
//! reads the events of a reply. Everything else (connections, retries, images, limits) is the same for all.

mod chat;

use std::fmt::Debug;

use serde_json::Map;
use serde_json::Value;

pub(super) use self::chat::ChatCompletions;
pub(in crate::agents) use self::chat::read::ChatReader;
use super::error::RequestError;
use super::reply_builder::ReplyBuilder;
use super::settings::ModelSettings;
use crate::domain::AgentObserver;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::PartId;
use crate::domain::Segment;
use crate::domain::SentImage;

/// Returns the encoded image of a part.
pub(super) type ImageOf<'a> = &'a dyn Fn(PartId) -> Option<&'a SentImage>;

/// Returns the digest of an image from its URL.
pub(super) type DigestOfUrl = fn(&str) -> Result<Digest, String>;

/// A protocol of model servers.
pub(super) trait Protocol: Debug + Send + Sync {
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

    /// The body of a request, without the fields of `model.extra`. An image without encoding is left out, which the
    /// verification reports.
    fn body(
        &self,
        settings: &ModelSettings,
        request: &[Message],
        images: ImageOf<'_>,
    ) -> serde_json::Result<Map<String, Value>>;

    /// The segments of a turn, one entry for each part that [`Protocol::decode_turn`] finds in it.
    fn segments(&self, message: &Message) -> Vec<Option<Segment>>;

    /// Takes the turns out of a body, which keeps an empty list in their place.
    fn take_turns(&self, body: &mut Value) -> Result<Vec<Value>, String>;

    /// Decodes a turn and replaces each image in it by `blob:` and its digest. An error names something that this
    /// program never writes.
    fn decode_turn(&self, turn: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String>;

    /// Adds an event of a stream, or a complete body, to the reply.
    fn add_event(
        &self,
        reply: &mut ReplyBuilder,
        event: &Value,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError>;

    /// Whether the data of an event is the mark that ends a stream and is not JSON.
    fn is_end_mark(&self, data: &[u8]) -> bool;
}

/// The protocol of a recorded request, known by the fields of its envelope.
pub(super) fn protocol_of(_envelope: &Value) -> &'static dyn Protocol {
    &ChatCompletions
}
