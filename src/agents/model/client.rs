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

use super::draft::CLOSED;
use super::draft::Draft;
use super::events::Events;
use super::key::Secret;
use super::patience;
use super::settings::Settings;
use super::trouble::Trouble;
use super::trouble::after;
use super::trouble::said;
use super::trouble::shortened;
use crate::domain::AgentError;
use crate::domain::Line;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);
/// The most bytes of an answer that comes whole; a stream has a bound of its own.
const WHOLE: usize = 16 << 20;
/// The most bytes of an answer that is streamed, wrapping included.
const STREAMED: usize = 256 << 20;
/// The most bytes of an error that are read.
const ERROR: usize = 64 << 10;

/// A client for one server.
pub(super) struct Client {
    http: reqwest::Client,
    url: Url,
    model: String,
    silence: Duration,
}

impl Client {
    /// Certificates are those of the system and those of Mozilla, so that it works without either.
    pub(super) fn new(settings: &Settings) -> Result<Self, AgentError> {
        // Whoever comes first installs it; later ones find it there.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS;
        let roots = roots.iter().filter_map(|root| reqwest::Certificate::from_der(root).ok());
        let builder = reqwest::Client::builder()
            .tls_certs_merge(roots)
            .connect_timeout(CONNECT)
            .redirect(Policy::none())
            .user_agent(concat!("mageyard/", env!("CARGO_PKG_VERSION")));
        let builder = if is_loopback(&settings.url) { builder.no_proxy() } else { builder };
        let http = builder.build().map_err(|error| AgentError::Unsendable(root(&error)))?;
        let (url, model) = (settings.url.clone(), settings.name.clone());
        Ok(Self { http, url, model, silence: settings.timeout })
    }

    /// Sends the body; comes back with a good answer's head.
    pub(super) async fn send(&self, body: Vec<u8>, secret: &Secret) -> Result<Incoming, Trouble> {
        let mut request = self.http.post(self.url.clone()).header(header::CONTENT_TYPE, "application/json");
        if let Some(value) = secret.header()? {
            request = request.header(header::AUTHORIZATION, value);
        }
        let response = within(self.silence, request.body(body).send()).await?;
        let response = response.map_err(|error| self.unsent(&error, secret))?;
        let answer = Incoming { response, silence: self.silence };
        if answer.response.status().is_success() {
            Ok(answer)
        } else {
            Err(self.refused(answer, secret).await)
        }
    }

    /// Nobody there, or somebody who hung up before an answer began.
    fn unsent(&self, error: &reqwest::Error, secret: &Secret) -> Trouble {
        let why = secret.strike(format!("{}: {}", self.url, shortened(&root(error), 300)));
        if error.is_connect() {
            return Trouble::unreachable(why);
        }
        Trouble::broken(after(0, "byte"), why)
    }

    async fn refused(&self, mut answer: Incoming, secret: &Secret) -> Trouble {
        let status = answer.response.status().as_u16();
        let asked = patience::asked(answer.response.headers(), SystemTime::now());
        let moved = answer.response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
        let moved = moved.map(|to| shortened(to, 200));
        let mut body = Vec::new();
        // What can be read of it is enough: the status alone says most.
        while let Ok(Some(bytes)) = answer.chunk(String::new).await {
            body.extend_from_slice(&bytes);
            if body.len() > ERROR {
                break;
            }
        }
        let said = said(&secret.strike(String::from_utf8_lossy(&body).into_owned()));
        let said = match self.advice(status, moved, asked, &said, secret) {
            Some(advice) => format!("{said} ({advice})"),
            None => said,
        };
        Trouble::api(status, secret.strike(said), asked)
    }

    /// What to do about an error.
    fn advice(
        &self,
        status: u16,
        moved: Option<String>,
        asked: Option<Duration>,
        said: &str,
        secret: &Secret,
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
pub(super) struct Incoming {
    response: Response,
    silence: Duration,
}

impl Incoming {
    /// Reads it to its end, passing on what comes.
    pub(super) async fn read(mut self, secret: &Secret, line: &dyn Line) -> Result<Draft, Trouble> {
        let kind = self.response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            self.stream(secret, line).await
        } else {
            self.whole(secret, line).await
        }
    }

    async fn stream(&mut self, secret: &Secret, line: &dyn Line) -> Result<Draft, Trouble> {
        let (mut events, mut draft, mut count) = (Events::default(), Draft::new(secret, false), 0);
        while !draft.done {
            // A connection that breaks is a stream that is not whole, which the draft knows.
            let Some(bytes) = self.chunk(|| draft.come()).await? else { break };
            count += bytes.len();
            let data = events.feed(&bytes).map_err(|_| Trouble::nonsense("one event of it is too long"))?;
            if count > STREAMED {
                return Err(Trouble::nonsense(format!("the stream is longer than {} MiB", STREAMED >> 20)));
            }
            data.iter().try_for_each(|data| event(&mut draft, data, secret, line))?;
        }
        match events.end() {
            Some(data) if !draft.done => event(&mut draft, &data, secret, line)?,
            _ => {}
        }
        draft.settle(line);
        Ok(draft)
    }

    async fn whole(&mut self, secret: &Secret, line: &dyn Line) -> Result<Draft, Trouble> {
        let mut body = Vec::new();
        while let Some(bytes) = self.chunk(|| after(body.len(), "byte")).await? {
            body.extend_from_slice(&bytes);
            if body.len() > WHOLE {
                return Err(Trouble::nonsense(format!("it is longer than {} MiB", WHOLE >> 20)));
            }
        }
        let mut draft = Draft::new(secret, true);
        if ends_early(&body) {
            return Err(Trouble::broken(after(body.len(), "byte"), CLOSED));
        }
        parsed(&mut draft, &body, secret, line)?;
        draft.settle(line);
        Ok(draft)
    }

    /// The next bytes, or `None` at the end; an error when there are none for too long, or when the
    /// connection breaks when so much has `come`.
    async fn chunk(&mut self, come: impl Fn() -> String) -> Result<Option<Vec<u8>>, Trouble> {
        let read = within(self.silence, self.response.chunk()).await?;
        match read {
            Ok(bytes) => Ok(bytes.map(|bytes| bytes.to_vec())),
            Err(error) => Err(Trouble::broken(come(), format!("the connection broke ({})", root(&error)))),
        }
    }
}

/// Whether it is the beginning of an object and no more.
fn ends_early(body: &[u8]) -> bool {
    let begun = body.trim_ascii_start().starts_with(b"{");
    begun && serde_json::from_slice::<IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

/// One event of a stream.
fn event(draft: &mut Draft, data: &[u8], secret: &Secret, line: &dyn Line) -> Result<(), Trouble> {
    if draft.done || data.is_empty() {
        return Ok(());
    }
    if data == b"[DONE]" {
        draft.done = true;
        return Ok(());
    }
    parsed(draft, data, secret, line)
}

fn parsed(draft: &mut Draft, data: &[u8], secret: &Secret, line: &dyn Line) -> Result<(), Trouble> {
    let text = std::str::from_utf8(data).map_err(|_| Trouble::nonsense("it is not UTF-8"))?;
    let text = secret.strike(text.to_owned());
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
        let begins = shortened(text.trim(), 120);
        Trouble::nonsense(match begins.as_str() {
            "" => "it is empty".to_owned(),
            begins => format!("it is no JSON ({error}); it begins with {begins:?}"),
        })
    })?;
    if !value.is_object() {
        return Err(Trouble::nonsense(format!("it begins with {:?}", shortened(&text, 120))));
    }
    draft.take(&value, line)
}

async fn within<F: Future>(silence: Duration, waited: F) -> Result<F::Output, Trouble> {
    let silent = AgentError::Silent { seconds: silence.as_secs() };
    tokio::time::timeout(silence, waited).await.map_err(|_| silent.into())
}

/// The first cause of an error: what lies above it only says that something failed.
fn root(error: &reqwest::Error) -> String {
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
