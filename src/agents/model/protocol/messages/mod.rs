//! Anthropic Messages. Thinking is kept as reasoning, apart from the reply; its signature is not, because thoughts are
//! never sent back.

mod decode;
mod encode;
mod reply;

use serde_json::{Map, Value};

use super::super::error::RequestError;
use super::super::reply_builder::ReplyBuilder;
use super::super::request_parameters::RequestParameters;
use super::{DigestOfUrl, Encoding, Limit, Protocol, TurnFields};
use mageyard_domain::{AgentObserver, DecodedTurn, Message, OptionError};

/// The protocol of `/messages`.
#[derive(Debug)]
pub(in crate::model) struct Messages;

impl Protocol for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn maker(&self) -> (&'static str, &'static str) {
        ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY")
    }

    fn path(&self) -> &'static str {
        "messages"
    }

    fn key_header(&self) -> &'static str {
        "x-api-key"
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn turn_fields(&self) -> TurnFields {
        TurnFields::MESSAGES
    }

    fn limit_fields(&self) -> &'static [Limit] {
        &[Limit::MAX_TOKENS]
    }

    fn details(&self) -> &'static [&'static str] {
        &[]
    }

    fn asks_for_caching(&self) -> bool {
        true
    }

    fn continuing_fields(&self) -> Option<&'static [(&'static str, bool)]> {
        Some(&[])
    }

    fn check(&self, settings: &RequestParameters<'_>) -> Result<(), OptionError> {
        let why = format!("{} is out of range, the protocol messages allows 0 to 1", settings.temperature);
        let overridden = settings.extra.contains_key("temperature");
        if settings.temperature > 1.0 && !overridden {
            return Err(OptionError { name: "temperature".to_owned(), why });
        }
        if settings.top_logprobs > 0 {
            let why = "the protocol messages has no token odds; it must be 0".to_owned();
            return Err(OptionError { name: "top_logprobs".to_owned(), why });
        }
        Ok(())
    }

    fn envelope(
        &self,
        settings: &RequestParameters<'_>,
        apart: bool,
    ) -> serde_json::Result<Map<String, Value>> {
        encode::envelope(settings, apart)
    }

    fn turn(
        &self,
        settings: &RequestParameters<'_>,
        message: &Message,
        encoding: Encoding<'_>,
    ) -> serde_json::Result<String> {
        serde_json::to_string(&encode::turn(settings, message, encoding))
    }

    fn system_text(
        &self,
        settings: &RequestParameters<'_>,
        message: &Message,
        marked: bool,
    ) -> serde_json::Result<String> {
        serde_json::to_string(&encode::turn(settings, message, (&|_| None, marked)).content)
    }

    fn decode_turn(&self, turn: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
        decode::turn(turn, digest_of)
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
