//! The HTTP client: sends one request and reads one response, with status, timeouts and size limits.

use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use bytes::Bytes;
use reqwest::Method;
use reqwest::Url;
use reqwest::header;

use super::access::Credentials;
use super::backoff;
use super::endpoint::Endpoint;
use super::error::RequestError;
use super::error::truncated;
use super::error_body::error_message;
use super::error_body::is_quota_error;
use super::exchange::Exchange;
use super::http::connection_failure;
use super::http::refused_by_proxy;
use super::incoming::IncomingResponse;
use super::incoming::note_end;
use super::incoming::with_timeout;
use super::settings::ModelSettings;
use crate::domain::AgentError;
use crate::domain::duration_words;

/// The maximum size of an error body.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// A client for one model.
pub(super) struct Client {
    pub(super) endpoint: Arc<Endpoint>,
    url: Url,
    model: String,
    timeout: Duration,
}

impl Client {
    pub(super) fn new(endpoint: Arc<Endpoint>, settings: &ModelSettings) -> Self {
        let (url, model) = (settings.url.clone(), settings.name.clone());
        Self { endpoint, url, model, timeout: settings.timeout }
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
        let answer = with_timeout(self.timeout, request.body(body).send()).await;
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
        let response = IncomingResponse::new(response, self.timeout, exchange);
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
        while let Ok(Some(bytes)) = response.next_chunk(false, String::new, || false).await {
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
