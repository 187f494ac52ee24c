//! Chat completions, the protocol that most servers speak.

mod decode;
mod encode;
pub(in crate::agents::model) mod read;
mod reply;

use serde_json::Map;
use serde_json::Value;

use super::super::error::RequestError;
use super::super::reply_builder::ReplyBuilder;
use super::super::settings::ModelSettings;
use super::DigestOfUrl;
use super::ImageOf;
use super::Protocol;
use crate::domain::AgentObserver;
use crate::domain::DecodedTurn;
use crate::domain::Message;
use crate::domain::Segment;

/// The field of the turns.
const TURNS: &str = "messages";

/// The protocol of `/chat/completions`.
#[derive(Debug)]
pub(in crate::agents::model) struct ChatCompletions;

impl Protocol for ChatCompletions {
    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn body(
        &self,
        settings: &ModelSettings,
        request: &[Message],
        images: ImageOf<'_>,
    ) -> serde_json::Result<Map<String, Value>> {
        encode::body(settings, request, images)
    }

    fn segments(&self, message: &Message) -> Vec<Option<Segment>> {
        encode::segments(message)
    }

    fn take_turns(&self, body: &mut Value) -> Result<Vec<Value>, String> {
        let turns = body.get_mut(TURNS).and_then(Value::as_array_mut).ok_or("the body has no turns")?;
        Ok(std::mem::take(turns))
    }

    fn decode_turn(&self, turn: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
        decode::turn(turn, digest_of)
    }

    fn add_event(
        &self,
        reply: &mut ReplyBuilder,
        event: &Value,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        reply::add_event(reply, event, observer)
    }

    fn is_end_mark(&self, data: &[u8]) -> bool {
        data == b"[DONE]"
    }
}
