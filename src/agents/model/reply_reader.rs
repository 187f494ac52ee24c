//! Reads the body of a response into a reply: a stream of events, or one body, whichever comes.
//!
//! The type that a server declares is not used: proxies and servers declare either as anything.

use serde_json_borrow::Value;

use super::access::Credentials;
use super::body_kind::{BodyKind, without_mark};
use super::error::{RequestError, amount_received, truncated};
use super::event_text;
use super::event_text::ParsedEvent;
use super::incoming::IncomingResponse;
use super::protocol::Protocol;
use super::reply_builder::{CONNECTION_CLOSED, ReplyBuilder};
use super::sse::SseParser;
use mageyard_domain::{AgentError, AgentObserver};

/// The maximum size of a response that is not streamed.
const MAX_BODY_BYTES: usize = 16 << 20;
/// The maximum size of a streamed response, protocol overhead included.
const MAX_STREAM_BYTES: usize = 256 << 20;

/// The note on numbers that JSON does not have.
const NOT_A_NUMBER: &str =
    "a number of the response is NaN or infinite, which JSON does not have; it was ignored";

/// Reads one response.
pub(super) struct ReplyReader<'a> {
    pub(super) protocol: &'static dyn Protocol,
    pub(super) credentials: &'a Credentials,
    pub(super) observer: &'a dyn AgentObserver,
    /// Whether a stream was asked for.
    pub(super) streams: bool,
}

/// What has been read of a body.
enum Body {
    /// Its kind is not known yet.
    Unknown(Vec<u8>),
    Stream {
        events: SseParser,
        bytes: usize,
    },
    Whole(Vec<u8>),
}

impl ReplyReader<'_> {
    /// Reads the response to its end and notifies the observer of its parts.
    pub(super) async fn read(
        &self,
        mut response: IncomingResponse,
        mut builder: ReplyBuilder,
    ) -> Result<ReplyBuilder, RequestError> {
        let declared = response.declared_kind();
        let mut body = Body::Unknown(Vec::new());
        let mut failed = loop {
            let received = || body.received(&builder);
            let begun = body.has_begun(&builder);
            match response.next_chunk(begun, received, || body.is_complete(&builder)).await {
                Ok(Some(bytes)) => self.add_bytes(&mut body, &mut builder, bytes, declared)?,
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
            if builder.done {
                // The rest after the mark that ends a stream is not read.
                response.end();
                break None;
            }
        };
        if let Some(coding) = response.coding() {
            builder.add_note(format!("the body was compressed with {coding}, which was not requested"));
        }
        let why = match &failed {
            None => CONNECTION_CLOSED.to_owned(),
            Some(_) => format!("the server sent nothing for {} s", response.timeout_seconds()),
        };
        // A broken connection and an incomplete body say nothing about the end of the reply.
        let is_silence = |error: &RequestError| {
            matches!(error.error, AgentError::Timeout { .. }) && matches!(body, Body::Stream { .. })
        };
        if let Some(error) = failed.take_if(|error| !is_silence(error)) {
            return Err(error);
        }
        self.end(body, &mut builder, declared)?;
        if !builder.is_ended() && self.observer.gives_action(builder.text()) {
            builder.set_unmarked(why);
        }
        match failed {
            Some(error) if !builder.is_ended() => Err(error),
            _ => Ok(builder),
        }
    }

    fn add_bytes(
        &self,
        body: &mut Body,
        builder: &mut ReplyBuilder,
        bytes: Vec<u8>,
        declared: BodyKind,
    ) -> Result<(), RequestError> {
        let bytes = match body {
            Body::Unknown(begin) => {
                append(begin, bytes);
                let Some(kind) = BodyKind::detect(begin, declared) else { return Ok(()) };
                let mut begin = std::mem::take(begin);
                let mark = begin.len() - without_mark(&begin).len();
                begin.drain(..mark);
                *body = self.known_body(kind, builder);
                begin
            }
            Body::Stream { .. } | Body::Whole(_) => bytes,
        };
        match body {
            Body::Unknown(_) => Ok(()),
            Body::Stream { events, bytes: count } => {
                *count += bytes.len();
                check_size(*count, MAX_STREAM_BYTES, "the stream")?;
                let data = events.feed(&bytes);
                let data = data.map_err(|_| RequestError::malformed("an event of the stream is too long"))?;
                data.iter().try_for_each(|data| self.add_event(builder, data))
            }
            Body::Whole(whole) => {
                append(whole, bytes);
                check_size(whole.len(), MAX_BODY_BYTES, "it")
            }
        }
    }

    fn known_body(&self, kind: BodyKind, builder: &mut ReplyBuilder) -> Body {
        match (kind, self.streams) {
            (BodyKind::Stream, false) => {
                builder.add_note("the server sent a stream that was not requested".to_owned());
            }
            (BodyKind::Whole, true) => {
                builder.add_note("the server sent one body and not the requested stream".to_owned());
            }
            _ => {}
        }
        match kind {
            BodyKind::Stream => Body::Stream { events: SseParser::default(), bytes: 0 },
            BodyKind::Whole => Body::Whole(Vec::new()),
        }
    }

    /// Ends the body.
    fn end(&self, body: Body, builder: &mut ReplyBuilder, declared: BodyKind) -> Result<(), RequestError> {
        match body {
            Body::Stream { mut events, .. } => {
                // An event that ends in the middle shows that the connection was lost.
                if let Some(data) = events.end().filter(|data| !event_text::is_truncated(data)) {
                    self.add_event(builder, &data)?;
                }
            }
            Body::Unknown(begin) if begin.is_empty() && declared == BodyKind::Stream => {}
            Body::Unknown(whole) | Body::Whole(whole) => {
                let lost = || {
                    let received = amount_received(whole.len(), "byte");
                    RequestError::connection_lost(received, CONNECTION_CLOSED)
                };
                let parsed = self.parse_event(builder, &whole);
                // Only what cannot be read may be truncated.
                parsed.map_err(|error| if event_text::is_truncated(&whole) { lost() } else { error })?;
                builder.done = true;
            }
        }
        builder.flush(self.observer);
        Ok(())
    }

    /// Adds an event of a stream.
    fn add_event(&self, builder: &mut ReplyBuilder, data: &[u8]) -> Result<(), RequestError> {
        if builder.done || data.is_empty() {
            return Ok(());
        }
        if self.protocol.is_end_mark(data) {
            builder.done = true;
            return Ok(());
        }
        // Gateways send marks that keep the connection alive as data, such as a comment or null.
        if !event_text::begins_object(data) {
            let text = self.credentials.redact(String::from_utf8_lossy(data).into_owned());
            builder.skip_event(&text);
            return Ok(());
        }
        if !event_text::is_complete(data) {
            // The damaged event may have had a part of the text.
            return Err(RequestError::connection_lost(
                builder.received(),
                "an event of the stream is damaged",
            ));
        }
        self.parse_event(builder, data)
    }

    fn parse_event(&self, builder: &mut ReplyBuilder, data: &[u8]) -> Result<(), RequestError> {
        let redact = |text| self.credentials.redact(text);
        let parsed = event_text::parse(data, redact, |event| self.add_parsed(builder, event));
        parsed.map_err(|(text, error)| RequestError::not_json(&text, &error))?
    }

    fn add_parsed(&self, builder: &mut ReplyBuilder, event: &ParsedEvent<'_>) -> Result<(), RequestError> {
        // Some servers write an error as a list.
        let value = match &event.value {
            Value::Array(items) if items.first().is_some_and(Value::is_object) => &items[0],
            value => value,
        };
        if !value.is_object() {
            let begins = truncated(&event.value.to_string(), 120);
            return Err(RequestError::malformed(format!("it begins with {begins:?}")));
        }
        if event.has_nan {
            builder.add_note(NOT_A_NUMBER.to_owned());
        }
        builder.begin_event(event.has_halves);
        self.protocol.add_event(builder, value, self.observer)
    }
}

impl Body {
    /// Whether nothing is missing but the end of the response.
    fn is_complete(&self, builder: &ReplyBuilder) -> bool {
        match self {
            Self::Unknown(_) => false,
            Self::Stream { .. } => builder.is_ended(),
            Self::Whole(whole) => event_text::is_complete(whole),
        }
    }

    /// Whether a part of the reply was received.
    fn has_begun(&self, builder: &ReplyBuilder) -> bool {
        match self {
            Self::Stream { .. } => builder.has_begun(),
            Self::Unknown(bytes) | Self::Whole(bytes) => !bytes.is_empty(),
        }
    }

    /// The amount received in words.
    fn received(&self, builder: &ReplyBuilder) -> String {
        match self {
            Self::Stream { .. } => builder.received(),
            Self::Unknown(begin) if begin.is_empty() => builder.received(),
            Self::Unknown(bytes) | Self::Whole(bytes) => amount_received(bytes.len(), "byte"),
        }
    }
}

/// Adds bytes; the first ones are not copied.
fn append(all: &mut Vec<u8>, bytes: Vec<u8>) {
    if all.is_empty() {
        *all = bytes;
    } else {
        all.extend(bytes);
    }
}

fn check_size(bytes: usize, most: usize, what: &str) -> Result<(), RequestError> {
    if bytes <= most {
        return Ok(());
    }
    Err(RequestError::malformed(format!("{what} is longer than {} MiB", most >> 20)))
}
