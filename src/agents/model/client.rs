//! The wire: one request out, one answer in, over HTTP. It knows status, pauses and silence, and nothing of
//! what is said.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;
use std::time::SystemTime;

use reqwest::Response;
use reqwest::Url;
use reqwest::header;
use reqwest::redirect::Policy;
use serde::de::IgnoredAny;

use super::backoff;
use super::error::RequestError;
use super::error::amount_received;
use super::error::error_message;
use super::error::truncated;
use super::key::ApiKey;
use super::reply_builder::CONNECTION_CLOSED;
use super::reply_builder::ReplyBuilder;
use super::settings::ModelSettings;
use super::sse::SseParser;
use crate::domain::AgentError;
use crate::domain::AgentObserver;

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of an answer that comes whole; a stream has a bound of its own.
const MAX_BODY_BYTES: usize = 16 << 20;
/// The most bytes of an answer that is streamed, wrapping included.
const MAX_STREAM_BYTES: usize = 256 << 20;
/// The most bytes of an error that are read.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// A client for one server.
pub(super) struct Client {
    http: reqwest::Client,
    url: Url,
    model: String,
    timeout: Duration,
}

impl Client {
    /// Certificates are those of the system and those of Mozilla, so that it works without either.
    pub(super) fn new(settings: &ModelSettings) -> Result<Self, AgentError> {
        // Whoever comes first installs it; later ones find it there.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS;
        let roots = roots.iter().filter_map(|root| reqwest::Certificate::from_der(root).ok());
        let builder = reqwest::Client::builder()
            .tls_certs_merge(roots)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none())
            .user_agent(concat!("mageyard/", env!("CARGO_PKG_VERSION")));
        let builder = if is_loopback(&settings.url) { builder.no_proxy() } else { builder };
        let http = builder.build().map_err(|error| AgentError::InvalidRequest(root_cause(&error)))?;
        let (url, model) = (settings.url.clone(), settings.name.clone());
        Ok(Self { http, url, model, timeout: settings.timeout })
    }

    /// Sends the body; comes back with a good answer's head.
    pub(super) async fn send(
        &self,
        body: Vec<u8>,
        secret: &ApiKey,
    ) -> Result<IncomingResponse, RequestError> {
        let mut request = self.http.post(self.url.clone()).header(header::CONTENT_TYPE, "application/json");
        if let Some(value) = secret.authorization()? {
            request = request.header(header::AUTHORIZATION, value);
        }
        let response = with_timeout(self.timeout, request.body(body).send()).await?;
        let response = response.map_err(|error| self.connection_error(&error, secret))?;
        let answer = IncomingResponse { response, timeout: self.timeout };
        if answer.response.status().is_success() {
            Ok(answer)
        } else {
            Err(self.status_error(answer, secret).await)
        }
    }

    /// Nobody there, or somebody who hung up before an answer began.
    fn connection_error(&self, error: &reqwest::Error, secret: &ApiKey) -> RequestError {
        let why = secret.redact(format!("{}: {}", self.url, truncated(&root_cause(error), 300)));
        if error.is_connect() {
            return RequestError::unreachable(why);
        }
        RequestError::connection_lost(amount_received(0, "byte"), why)
    }

    async fn status_error(&self, mut answer: IncomingResponse, secret: &ApiKey) -> RequestError {
        let status = answer.response.status().as_u16();
        let asked = backoff::retry_after(answer.response.headers(), SystemTime::now());
        let moved = answer.response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
        let moved = moved.map(|to| truncated(to, 200));
        let mut body = Vec::new();
        // What can be read of it is enough: the status alone says most.
        while let Ok(Some(bytes)) = answer.next_chunk(String::new).await {
            body.extend_from_slice(&bytes);
            if body.len() > MAX_ERROR_BYTES {
                break;
            }
        }
        let said = error_message(&secret.redact(String::from_utf8_lossy(&body).into_owned()));
        let said = match self.hint(status, moved, asked, &said, secret) {
            Some(advice) => format!("{said} ({advice})"),
            None => said,
        };
        RequestError::api(status, secret.redact(said), asked)
    }

    /// What to do about an error.
    fn hint(
        &self,
        status: u16,
        moved: Option<String>,
        asked: Option<Duration>,
        said: &str,
        secret: &ApiKey,
    ) -> Option<String> {
        let url = &self.url;
        Some(match status {
            300..=399 => format!("{url} has moved to {}: set model.base_url", moved.unwrap_or_default()),
            401 => secret.origin(),
            403 => format!("{}; it may not be allowed the model {:?}", secret.origin(), self.model),
            404 => format!(
                "is there a model {:?} at {url}? The base URL ends in /v1 with most servers",
                self.model
            ),
            400 if said.contains("content management policy") || said.contains("content filter") => {
                "the filter is the server's, not the model's".to_owned()
            }
            400 if said.contains("max_completion_tokens") => {
                r#"set model.extra = '{"max_tokens": null, "max_completion_tokens": 4000}'"#.to_owned()
            }
            400 => "a field that it does not take can be left out: set it to null in model.extra".to_owned(),
            413 => "the request is too large: lower model.resolution or OM".to_owned(),
            _ => format!("it asks to come back after {} s", asked?.as_secs_f64()),
        })
    }
}

/// A good answer, still to be read.
pub(super) struct IncomingResponse {
    response: Response,
    timeout: Duration,
}

impl IncomingResponse {
    /// Reads it to its end, passing on what comes.
    pub(super) async fn read(
        mut self,
        secret: &ApiKey,
        line: &dyn AgentObserver,
    ) -> Result<ReplyBuilder, RequestError> {
        let kind = self.response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            self.read_stream(secret, line).await
        } else {
            self.read_body(secret, line).await
        }
    }

    async fn read_stream(
        &mut self,
        secret: &ApiKey,
        line: &dyn AgentObserver,
    ) -> Result<ReplyBuilder, RequestError> {
        let (mut events, mut draft, mut count) = (SseParser::default(), ReplyBuilder::new(secret, false), 0);
        while !draft.done {
            // A connection that breaks is a stream that is not whole, which the draft knows.
            let Some(bytes) = self.next_chunk(|| draft.received()).await? else { break };
            count += bytes.len();
            let data =
                events.feed(&bytes).map_err(|_| RequestError::malformed("one event of it is too long"))?;
            if count > MAX_STREAM_BYTES {
                return Err(RequestError::malformed(format!(
                    "the stream is longer than {} MiB",
                    MAX_STREAM_BYTES >> 20
                )));
            }
            data.iter().try_for_each(|data| handle_event(&mut draft, data, secret, line))?;
        }
        match events.end() {
            Some(data) if !draft.done => handle_event(&mut draft, &data, secret, line)?,
            _ => {}
        }
        draft.flush(line);
        Ok(draft)
    }

    async fn read_body(
        &mut self,
        secret: &ApiKey,
        line: &dyn AgentObserver,
    ) -> Result<ReplyBuilder, RequestError> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next_chunk(|| amount_received(body.len(), "byte")).await? {
            body.extend_from_slice(&bytes);
            if body.len() > MAX_BODY_BYTES {
                return Err(RequestError::malformed(format!(
                    "it is longer than {} MiB",
                    MAX_BODY_BYTES >> 20
                )));
            }
        }
        let mut draft = ReplyBuilder::new(secret, true);
        if is_truncated_json(&body) {
            return Err(RequestError::connection_lost(
                amount_received(body.len(), "byte"),
                CONNECTION_CLOSED,
            ));
        }
        parse_chunk(&mut draft, &body, secret, line)?;
        draft.flush(line);
        Ok(draft)
    }

    /// The next bytes, or `None` at the end; an error when there are none for too long, or when the
    /// connection breaks when so much has `come`.
    async fn next_chunk(&mut self, come: impl Fn() -> String) -> Result<Option<Vec<u8>>, RequestError> {
        let read = with_timeout(self.timeout, self.response.chunk()).await?;
        match read {
            Ok(bytes) => Ok(bytes.map(|bytes| bytes.to_vec())),
            Err(error) => Err(RequestError::connection_lost(
                come(),
                format!("the connection broke ({})", root_cause(&error)),
            )),
        }
    }
}

/// Whether it is the beginning of an object and no more.
fn is_truncated_json(body: &[u8]) -> bool {
    let begun = body.trim_ascii_start().starts_with(b"{");
    begun && serde_json::from_slice::<IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

/// One event of a stream.
fn handle_event(
    draft: &mut ReplyBuilder,
    data: &[u8],
    secret: &ApiKey,
    line: &dyn AgentObserver,
) -> Result<(), RequestError> {
    if draft.done || data.is_empty() {
        return Ok(());
    }
    if data == b"[DONE]" {
        draft.done = true;
        return Ok(());
    }
    parse_chunk(draft, data, secret, line)
}

fn parse_chunk(
    draft: &mut ReplyBuilder,
    data: &[u8],
    secret: &ApiKey,
    line: &dyn AgentObserver,
) -> Result<(), RequestError> {
    let text = std::str::from_utf8(data).map_err(|_| RequestError::malformed("it is not UTF-8"))?;
    let text = secret.redact(text.to_owned());
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
        let begins = truncated(text.trim(), 120);
        RequestError::malformed(match begins.as_str() {
            "" => "it is empty".to_owned(),
            begins => format!("it is no JSON ({error}); it begins with {begins:?}"),
        })
    })?;
    if !value.is_object() {
        return Err(RequestError::malformed(format!("it begins with {:?}", truncated(&text, 120))));
    }
    draft.add_chunk(&value, line)
}

async fn with_timeout<F: Future>(silence: Duration, waited: F) -> Result<F::Output, RequestError> {
    let silent = AgentError::Timeout { seconds: silence.as_secs() };
    tokio::time::timeout(silence, waited).await.map_err(|_| silent.into())
}

/// The first cause of an error: what lies above it only says that something failed.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

/// A proxy has no business between this machine and itself.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
