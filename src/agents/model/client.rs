//! The HTTP client: sends one request and reads one response, with status, timeouts and size limits.

use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use bytes::Bytes;
use reqwest::Method;
use reqwest::Response;
use reqwest::Url;
use reqwest::header;
use serde::de::IgnoredAny;

use super::access::Credentials;
use super::backoff;
use super::endpoint::Endpoint;
use super::error::RequestError;
use super::error::amount_received;
use super::error::truncated;
use super::error_body::error_message;
use super::error_body::is_quota_error;
use super::exchange::COMPLETE;
use super::exchange::Exchange;
use super::http::connection_failure;
use super::http::refused_by_proxy;
use super::http::root_cause;
use super::protocol::Protocol;
use super::reply_builder::CONNECTION_CLOSED;
use super::reply_builder::ReplyBuilder;
use super::settings::ModelSettings;
use super::sse::SseParser;
use crate::domain::AgentError;
use crate::domain::AgentObserver;
use crate::domain::duration_words;

/// The maximum size of a response that is not streamed.
const MAX_BODY_BYTES: usize = 16 << 20;
/// The maximum size of a streamed response, protocol overhead included.
const MAX_STREAM_BYTES: usize = 256 << 20;
/// The maximum size of an error body.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// A client for one model.
pub(super) struct Client {
    pub(super) endpoint: Arc<Endpoint>,
    protocol: &'static dyn Protocol,
    url: Url,
    model: String,
    timeout: Duration,
}

impl Client {
    pub(super) fn new(endpoint: Arc<Endpoint>, settings: &ModelSettings) -> Self {
        let (url, model) = (settings.url.clone(), settings.name.clone());
        Self { endpoint, protocol: settings.protocol, url, model, timeout: settings.timeout }
    }

    /// The URL of the endpoint, without the query.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Sends the body; returns once the headers of a successful response have arrived.
    pub(super) async fn send(
        &self,
        body: Bytes,
        credentials: &Credentials,
        mut exchange: Option<Exchange>,
    ) -> Result<IncomingResponse, RequestError> {
        let request = credentials.request(&self.endpoint.http.client, Method::POST, &self.url);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let proxy = self.endpoint.http.proxy.as_ref();
        let answer = with_timeout(self.timeout, false, request.body(body).send()).await;
        let answer = answer.and_then(|sent| {
            sent.map_err(|error| connection_failure(&error, &self.url, proxy).redacted(credentials))
        });
        let response = answer.inspect_err(|error| note_end(&mut exchange, error))?;
        if let Some(exchange) = &mut exchange {
            exchange.add_head(&response, credentials);
        }
        if let Some(error) = refused_by_proxy(response.status(), &self.url, proxy) {
            return Err(error);
        }
        let response =
            IncomingResponse { response, protocol: self.protocol, timeout: self.timeout, exchange };
        if response.response.status().is_success() {
            Ok(response)
        } else {
            Err(self.status_error(response, credentials).await)
        }
    }

    async fn status_error(&self, mut response: IncomingResponse, credentials: &Credentials) -> RequestError {
        let status = response.response.status().as_u16();
        let asked = backoff::retry_after(response.response.headers(), SystemTime::now());
        let location = response.response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
        let location = location.map(|to| truncated(to, 200));
        let mut body = Vec::new();
        // An error while reading is ignored: the status is the main information.
        while let Ok(Some(bytes)) = response.next_chunk(false, String::new).await {
            body.extend_from_slice(&bytes);
            if body.len() > MAX_ERROR_BYTES {
                break;
            }
        }
        let body = credentials.redact(String::from_utf8_lossy(&body).into_owned());
        let message = error_message(&body);
        let message = match self.hint(status, location, asked, &message, credentials) {
            Some(advice) => format!("{message} ({advice})"),
            None => message,
        };
        let message = credentials.redact(message);
        if is_quota_error(status, &body) {
            return AgentError::QuotaExhausted { status, message }.into();
        }
        RequestError::api(status, message, asked)
    }

    /// A hint for an HTTP error status.
    fn hint(
        &self,
        status: u16,
        location: Option<String>,
        asked: Option<Duration>,
        message: &str,
        credentials: &Credentials,
    ) -> Option<String> {
        let url = &self.url;
        Some(match status {
            300..=399 => {
                format!("{url} has moved to {}: change model.base_url", location.unwrap_or_default())
            }
            401 => credentials.origin(),
            403 => format!("{}; it may not have access to the model {:?}", credentials.origin(), self.model),
            404 => format!(
                "is there a model {:?} at {url}? The base URL of most servers ends in /v1",
                self.model
            ),
            400 if message.contains("content management policy") || message.contains("content filter") => {
                "this is the server's filter, not the model".to_owned()
            }
            400 if message.contains("max_completion_tokens") => {
                r#"set model.extra = '{"max_tokens": null, "max_completion_tokens": 4000}'"#.to_owned()
            }
            400 => "to omit a field that the server rejects, set it to null in model.extra".to_owned(),
            413 => "the request is too large: lower model.resolution or OM".to_owned(),
            _ => format!("the server asks to retry after {}", duration_words(asked?)),
        })
    }
}

/// A successful response whose body is not read yet.
pub(super) struct IncomingResponse {
    response: Response,
    protocol: &'static dyn Protocol,
    timeout: Duration,
    exchange: Option<Exchange>,
}

impl IncomingResponse {
    /// Reads the body to its end and notifies the observer of its parts.
    pub(super) async fn read(
        mut self,
        credentials: &Credentials,
        observer: &dyn AgentObserver,
    ) -> Result<ReplyBuilder, RequestError> {
        let kind = self.response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            self.read_stream(credentials, observer).await
        } else {
            self.read_body(credentials, observer).await
        }
    }

    async fn read_stream(
        &mut self,
        credentials: &Credentials,
        observer: &dyn AgentObserver,
    ) -> Result<ReplyBuilder, RequestError> {
        let (mut events, mut builder, mut count) =
            (SseParser::default(), ReplyBuilder::new(credentials, false), 0);
        while !builder.done {
            // The builder reports a stream that ends early.
            let Some(bytes) = self.next_chunk(builder.has_begun(), || builder.received()).await? else {
                break;
            };
            count += bytes.len();
            let data = events
                .feed(&bytes)
                .map_err(|_| RequestError::malformed("an event of the stream is too long"))?;
            if count > MAX_STREAM_BYTES {
                return Err(RequestError::malformed(format!(
                    "the stream is longer than {} MiB",
                    MAX_STREAM_BYTES >> 20
                )));
            }
            data.iter().try_for_each(|data| self.handle_event(&mut builder, data, credentials, observer))?;
        }
        match events.end() {
            Some(data) if !builder.done => self.handle_event(&mut builder, &data, credentials, observer)?,
            _ => {}
        }
        // The rest after the mark that ends a stream is not read.
        if let Some(exchange) = &mut self.exchange {
            exchange.end(COMPLETE);
        }
        builder.flush(observer);
        Ok(builder)
    }

    async fn read_body(
        &mut self,
        credentials: &Credentials,
        observer: &dyn AgentObserver,
    ) -> Result<ReplyBuilder, RequestError> {
        let mut body = Vec::new();
        while let Some(bytes) =
            self.next_chunk(!body.is_empty(), || amount_received(body.len(), "byte")).await?
        {
            body.extend_from_slice(&bytes);
            if body.len() > MAX_BODY_BYTES {
                return Err(RequestError::malformed(format!(
                    "it is longer than {} MiB",
                    MAX_BODY_BYTES >> 20
                )));
            }
        }
        let mut builder = ReplyBuilder::new(credentials, true);
        if is_truncated_json(&body) {
            return Err(RequestError::connection_lost(
                amount_received(body.len(), "byte"),
                CONNECTION_CLOSED,
            ));
        }
        self.parse_event(&mut builder, &body, credentials, observer)?;
        builder.flush(observer);
        Ok(builder)
    }

    /// The next bytes, or `None` at the end; an error after the timeout, or if the connection breaks. `begun` says
    /// whether a part of the reply was received, and `received` describes how much.
    async fn next_chunk(
        &mut self,
        begun: bool,
        received: impl Fn() -> String,
    ) -> Result<Option<Vec<u8>>, RequestError> {
        let read = with_timeout(self.timeout, begun, self.response.chunk()).await;
        let read = read.and_then(|read| {
            read.map_err(|error| {
                let why = format!("the connection broke ({})", root_cause(&error));
                RequestError::connection_lost(received(), why)
            })
        });
        let bytes = read.inspect_err(|error| note_end(&mut self.exchange, error))?;
        match (&mut self.exchange, &bytes) {
            (Some(exchange), Some(bytes)) => exchange.add_chunk(bytes),
            (Some(exchange), None) => exchange.end(COMPLETE),
            (None, _) => {}
        }
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }

    /// Handles one event of a stream.
    fn handle_event(
        &self,
        builder: &mut ReplyBuilder,
        data: &[u8],
        credentials: &Credentials,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        if builder.done || data.is_empty() {
            return Ok(());
        }
        if self.protocol.is_end_mark(data) {
            builder.done = true;
            return Ok(());
        }
        self.parse_event(builder, data, credentials, observer)
    }

    fn parse_event(
        &self,
        builder: &mut ReplyBuilder,
        data: &[u8],
        credentials: &Credentials,
        observer: &dyn AgentObserver,
    ) -> Result<(), RequestError> {
        let text = std::str::from_utf8(data).map_err(|_| RequestError::malformed("it is not UTF-8"))?;
        let text = credentials.redact(text.to_owned());
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| RequestError::not_json(&text, &error))?;
        if !value.is_object() {
            return Err(RequestError::malformed(format!("it begins with {:?}", truncated(&text, 120))));
        }
        self.protocol.add_event(builder, &value, observer)
    }
}

/// Notes in a recording how a response ended that was not received completely.
fn note_end(exchange: &mut Option<Exchange>, error: &RequestError) {
    let how = match &error.error {
        AgentError::Timeout { .. } => "silent",
        AgentError::ConnectionLost { .. } => "broken",
        _ => "unreachable",
    };
    if let Some(exchange) = exchange {
        exchange.end(how);
    }
}

/// Whether the body is the beginning of a JSON object.
fn is_truncated_json(body: &[u8]) -> bool {
    let begun = body.trim_ascii_start().starts_with(b"{");
    begun && serde_json::from_slice::<IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

/// `begun` says whether a part of the reply was received before.
async fn with_timeout<F: Future>(
    timeout: Duration,
    begun: bool,
    future: F,
) -> Result<F::Output, RequestError> {
    let silent = AgentError::Timeout { seconds: timeout.as_secs(), begun };
    tokio::time::timeout(timeout, future).await.map_err(|_| silent.into())
}
