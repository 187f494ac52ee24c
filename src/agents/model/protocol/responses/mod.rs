//! `OpenAI` Responses. Nothing is kept by the server (`store` is false): each request has its whole window.
//!
//! Outputs are written as items of type `message`, because the server of llama.cpp refuses the short forms.

mod decode;
mod encode;
mod reply;

use serde_json::{Map, Value};

use super::super::error::RequestError;
use super::super::reply_builder::ReplyBuilder;
use super::super::request_parameters::RequestParameters;
use super::{DigestOfUrl, Encoding, Limit, Protocol, TurnFields};
use mageyard_domain::{AgentObserver, DecodedTurn, Message, OptionError};

/// The protocol of `/responses`.
#[derive(Debug)]
pub(in crate::model) struct Responses;

impl Protocol for Responses {
    fn name(&self) -> &'static str {
        "responses"
    }

    fn maker(&self) -> (&'static str, &'static str) {
        ("https://api.openai.com/v1", "OPENAI_API_KEY")
    }

    fn path(&self) -> &'static str {
        "responses"
    }

    fn turn_fields(&self) -> TurnFields {
        TurnFields::RESPONSES
    }

    fn limit_fields(&self) -> &'static [Limit] {
        &[Limit::MAX_OUTPUT_TOKENS]
    }

    fn details(&self) -> &'static [&'static str] {
        &["low", "high", "auto", "original"]
    }

    fn check(&self, _: &RequestParameters<'_>) -> Result<(), OptionError> {
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
        (images, _): Encoding<'_>,
    ) -> serde_json::Result<String> {
        serde_json::to_string(&encode::item(message, settings.detail, images))
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
