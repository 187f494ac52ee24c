//! Chat completions, the protocol that most servers speak.

mod decode;
mod encode;
mod reasoning;
mod reply;

use serde_json::{Map, Value};

use super::super::error::RequestError;
use super::super::reply_builder::ReplyBuilder;
use super::super::request_parameters::RequestParameters;
use super::{DigestOfUrl, Encoding, Limit, Protocol, TurnFields};
use mageyard_domain::{AgentObserver, DecodedTurn, Message, OptionError};

/// The protocol of `/chat/completions`.
#[derive(Debug)]
pub(in crate::model) struct ChatCompletions;

impl Protocol for ChatCompletions {
    fn name(&self) -> &'static str {
        "chat"
    }

    fn maker(&self) -> (&'static str, &'static str) {
        ("https://api.openai.com/v1", "OPENAI_API_KEY")
    }

    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn turn_fields(&self) -> TurnFields {
        TurnFields::CHAT
    }

    fn limit_fields(&self) -> &'static [Limit] {
        &[Limit::MAX_TOKENS, Limit::MAX_COMPLETION_TOKENS]
    }

    fn details(&self) -> &'static [&'static str] {
        &["low", "high", "auto", "original"]
    }

    fn seed_field(&self) -> Option<&'static str> {
        Some("seed")
    }

    /// `OpenAI`'s own server has none. These are those of vLLM, which others took over.
    fn continuing_fields(&self) -> Option<&'static [(&'static str, bool)]> {
        Some(&[("add_generation_prompt", false), ("continue_final_message", true)])
    }

    fn check(&self, _: &RequestParameters<'_>) -> Result<(), OptionError> {
        Ok(())
    }

    fn envelope(&self, settings: &RequestParameters<'_>, _: bool) -> serde_json::Result<Map<String, Value>> {
        encode::envelope(settings)
    }

    fn turn(
        &self,
        settings: &RequestParameters<'_>,
        message: &Message,
        (images, _): Encoding<'_>,
    ) -> serde_json::Result<String> {
        encode::turn(settings, message, images)
    }

    fn decode_turn(&self, turn: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
        decode::turn(turn, digest_of)
    }

    fn decode_text_turn(&self, written: &str) -> Option<DecodedTurn> {
        super::decode::text_turn(written)
    }

    fn add_event(
        &self,
        reply: &mut ReplyBuilder,
        event: &serde_json_borrow::Value<'_>,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        reply::add_event(reply, event, observer)
    }
}
