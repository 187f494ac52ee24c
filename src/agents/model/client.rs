//! The HTTP client: sends one request and reads one response, with status, timeouts and size limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use bytes::Bytes;
use reqwest::{Method, Url, header};

use super::access::Credentials;
use super::advice::{Advice, ServerError, advise};
use super::endpoint::Endpoint;
use super::error::{RequestError, truncated};
use super::error_body::error_message;
use super::exchange::Exchange;
use super::http::{connection_failure, refused_by_proxy};
use super::incoming::{IncomingResponse, note_end, with_timeout};
use super::rate_limit::{body_delay, is_account_limit};
use super::settings::ModelSettings;
use super::transport::Transport;
use super::{backoff, models};
use mageyard_domain::AgentError;

/// The maximum size of an error body.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// A client for one model.
pub(super) struct Client {
    pub(super) endpoint: Arc<Endpoint>,
    settings: ModelSettings,
    /// Whether the server was asked for the names of its models.
    asked_models: AtomicBool,
}

impl Client {
    pub(super) fn new(endpoint: Arc<Endpoint>, settings: &ModelSettings) -> Self {
        Self { endpoint, settings: settings.clone(), asked_models: AtomicBool::new(false) }
    }

    /// The URL of the endpoint, without the query.
    pub(super) fn url(&self) -> &Url {
        &self.settings.url
    }

    /// Sends the body; returns once the headers of a successful response have arrived.
    pub(super) async fn send(
        &self,
        body: Bytes,
        transport: &Transport,
        credentials: &Credentials,
        mut exchange: Option<Exchange>,
    ) -> Result<IncomingResponse, RequestError> {
        let ModelSettings { timeout, ref url, .. } = self.settings;
        let request = credentials.request(&self.endpoint.http.client, Method::POST, url);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let proxy = self.endpoint.http.proxy.as_ref();
        let answer = match transport {
            Transport::Network => with_timeout(timeout, request.body(body).send()).await.and_then(|sent| {
                sent.map_err(|error| connection_failure(&error, url, proxy).redacted(credentials))
            }),
            Transport::InProcess(server) => Ok(server.respond(&body).into_response()),
        };
        let response = answer.inspect_err(|error| note_end(&mut exchange, error))?;
        if let Some(exchange) = &mut exchange {
            exchange.add_head(&response, credentials);
        }
        if let Some(error) = refused_by_proxy(response.status(), url, proxy) {
            return Err(error);
        }
        let response = IncomingResponse::new(response, timeout, exchange);
        if response.response.status().is_success() {
            Ok(response)
        } else {
            Err(self.status_error(response, credentials).await)
        }
    }

    async fn status_error(&self, mut response: IncomingResponse, credentials: &Credentials) -> RequestError {
        let status = response.response.status().as_u16();
        let in_header = backoff::retry_after(response.response.headers(), SystemTime::now());
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
        let asked = in_header.or_else(|| body_delay(&body));
        let is_account = is_account_limit(status, &body, asked);
        let words = {
            let status = Some(status);
            let key_origin = credentials.origin();
            let is_alone = self.endpoint.connections.is_alone();
            let error =
                ServerError { status, body: &body, location, asked, is_account, is_alone, key_origin };
            self.advice(&error, credentials).await
        };
        let message = credentials.redact(with_advice(error_message(&body), words));
        if is_account {
            return AgentError::QuotaExhausted { status, message }.into();
        }
        RequestError::api(status, message, asked)
    }

    /// Adds the advice to an error that the server reported within a reply.
    pub(super) async fn advised(&self, mut failed: RequestError, credentials: &Credentials) -> RequestError {
        let Some(body) = failed.said.take() else { return failed };
        let asked = failed.pause;
        let (status, message, is_account) = match &mut failed.error {
            AgentError::ErrorWithinReply { code, message } => (*code, message, false),
            AgentError::QuotaExhausted { status, message } => (Some(*status), message, true),
            _ => return failed,
        };
        // A reply without a code of its own has the status of success.
        let status = status.filter(|status| *status >= 400);
        let key_origin = credentials.origin();
        let is_alone = self.endpoint.connections.is_alone();
        let error =
            ServerError { status, body: &body, location: None, asked, is_account, is_alone, key_origin };
        let words = self.advice(&error, credentials).await;
        *message = credentials.redact(with_advice(std::mem::take(message), words));
        failed
    }

    /// The advice for an error. A setting that would avoid it is kept at the endpoint; the names of the models are asked
    /// for once.
    async fn advice(&self, error: &ServerError<'_>, credentials: &Credentials) -> Option<String> {
        let Advice { words, setting, wants_models } = advise(&self.settings, error);
        self.endpoint.suggest(setting);
        if !wants_models || self.asked_models.swap(true, Ordering::Relaxed) {
            return words;
        }
        let names = models::names(&self.endpoint.http, &self.settings, credentials).await;
        let near = models::describe(&self.settings.name, &names);
        Some([words, near].into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

fn with_advice(message: String, advice: Option<String>) -> String {
    match advice {
        Some(advice) => format!("{message} ({advice})"),
        None => message,
    }
}
