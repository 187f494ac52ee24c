//! A response as it comes in: its status and the bytes of its body, decompressed, within the timeout.

use std::time::Duration;

use reqwest::{Response, header};

use super::body_kind::BodyKind;
use super::content_coding::{ContentDecoder, PORTION};
use super::error::RequestError;
use super::exchange::{COMPLETE, Exchange};
use super::http::root_cause;
use mageyard_domain::AgentError;

/// How long a server may be silent after a complete reply, in which usage may still come.
const SILENCE_AFTER_REPLY: Duration = Duration::from_secs(3);

/// A response whose body is not read yet.
pub(super) struct IncomingResponse {
    pub(super) response: Response,
    timeout: Duration,
    /// The recording of the conversation, if one is made.
    exchange: Option<Exchange>,
    decoder: ContentDecoder,
    /// Compressed bytes that are not decoded yet.
    compressed: Vec<u8>,
}

impl IncomingResponse {
    /// `timeout` is the longest time without data.
    pub(super) fn new(response: Response, timeout: Duration, exchange: Option<Exchange>) -> Self {
        let declared = header_text(&response, header::CONTENT_ENCODING);
        let decoder = ContentDecoder::new(&declared);
        Self { timeout, exchange, decoder, compressed: Vec::new(), response }
    }

    /// The kind of body that the content type names.
    pub(super) fn declared_kind(&self) -> BodyKind {
        let declared = header_text(&self.response, header::CONTENT_TYPE).to_ascii_lowercase();
        if declared.starts_with("text/event-stream") { BodyKind::Stream } else { BodyKind::Whole }
    }

    /// The name of the compression of the body, if it is compressed.
    pub(super) fn coding(&self) -> Option<&'static str> {
        self.decoder.coding()
    }

    /// The longest time without data, in seconds.
    pub(super) fn timeout_seconds(&self) -> u64 {
        self.timeout.as_secs()
    }

    /// The next bytes, or `None` at the end; an error after the timeout, or if the connection breaks. `begun` says
    /// whether a part of the reply was received, and `received` describes how much. If the reply `is_complete`, a short
    /// silence is the end too.
    pub(super) async fn next_chunk(
        &mut self,
        begun: bool,
        received: impl Fn() -> String,
        is_complete: impl Fn() -> bool,
    ) -> Result<Option<Vec<u8>>, RequestError> {
        loop {
            if self.compressed.is_empty() {
                let Some(bytes) = self.read(begun, &received, &is_complete).await? else {
                    let left = self.decoder.finish();
                    return Ok(self.recorded(left));
                };
                self.compressed = bytes;
            }
            let decoded = self.decode()?;
            if let Some(decoded) = self.recorded(decoded) {
                return Ok(Some(decoded));
            }
        }
    }

    /// Notes that the rest of the response is not read, because the reply is complete.
    pub(super) fn end(&mut self) {
        if let Some(exchange) = &mut self.exchange {
            exchange.end(COMPLETE);
        }
    }

    /// Records decoded bytes, because secrets are not found in compressed ones; `None` if there are none.
    fn recorded(&mut self, decoded: Vec<u8>) -> Option<Vec<u8>> {
        if decoded.is_empty() {
            return None;
        }
        if let Some(exchange) = &mut self.exchange {
            exchange.add_chunk(&decoded, self.decoder.coding());
        }
        Some(decoded)
    }

    /// Decodes a portion of the bytes; plain bytes all at once.
    fn decode(&mut self) -> Result<Vec<u8>, RequestError> {
        let portion = self.compressed.len().min(PORTION);
        let rest = self.compressed.split_off(portion);
        let bytes = std::mem::replace(&mut self.compressed, rest);
        let mut decoded = self.decoder.decode(bytes).map_err(RequestError::malformed)?;
        if self.decoder.coding().is_none() {
            decoded.append(&mut self.compressed);
        }
        Ok(decoded)
    }

    /// The next bytes as they came.
    async fn read(
        &mut self,
        begun: bool,
        received: &impl Fn() -> String,
        is_complete: &impl Fn() -> bool,
    ) -> Result<Option<Vec<u8>>, RequestError> {
        let read = self.wait(begun, received, is_complete).await;
        let bytes = match read {
            Err(_) if is_complete() => None,
            read => read.inspect_err(|error| note_end(&mut self.exchange, error))?,
        };
        if bytes.is_none() {
            self.end();
        }
        Ok(bytes)
    }

    /// Waits for the next bytes, after a complete reply only for a short time.
    async fn wait(
        &mut self,
        begun: bool,
        received: &impl Fn() -> String,
        is_complete: &impl Fn() -> bool,
    ) -> Result<Option<Vec<u8>>, RequestError> {
        let short = SILENCE_AFTER_REPLY.min(self.timeout);
        let long = self.timeout.saturating_sub(short);
        let read = match tokio::time::timeout(short, self.response.chunk()).await {
            Ok(read) => read,
            Err(_) if is_complete() => return Ok(None),
            Err(_) => match tokio::time::timeout(long, self.response.chunk()).await {
                Ok(read) => read,
                Err(_) => return Err(self.silence(begun).into()),
            },
        };
        match read {
            Ok(bytes) => Ok(bytes.map(|bytes| bytes.to_vec())),
            Err(error) => Err(RequestError::connection_lost(
                received(),
                format!("the connection broke ({})", root_cause(&error)),
            )),
        }
    }

    fn silence(&self, begun: bool) -> AgentError {
        AgentError::Timeout { seconds: self.timeout.as_secs(), begun }
    }
}

fn header_text(response: &Response, name: header::HeaderName) -> String {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

/// The result of the future, or the error of a server that is silent before its reply.
pub(super) async fn with_timeout<F: Future>(timeout: Duration, future: F) -> Result<F::Output, RequestError> {
    let silent = AgentError::Timeout { seconds: timeout.as_secs(), begun: false };
    tokio::time::timeout(timeout, future).await.map_err(|_| silent.into())
}

/// Notes in a recording how a response ended that was not received completely.
pub(super) fn note_end(exchange: &mut Option<Exchange>, error: &RequestError) {
    let how = match &error.error {
        AgentError::Timeout { .. } => "silent",
        AgentError::ConnectionLost { .. } => "broken",
        _ => "unreachable",
    };
    if let Some(exchange) = exchange {
        exchange.end(how);
    }
}
