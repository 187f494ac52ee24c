//! The `model` agent: a model behind a server with one of several protocols.
//!
//! Requests use the types of `async-openai`, but not its client, for two reasons. The memory window is verified
//! on the bytes that are sent, so the body is serialised here. And many servers deviate from the protocol (plain
//! text errors, unknown `finish_reason`, truncated streams): their errors are reported with status, delay and
//! text, which typed responses lose.
//!
//! What was tried of that client (0.43), beside this:
//!
//! - It repeats requests by itself; every try must be in the journal before it is sent.
//! - A 429 loses its `retry-after`, and an error in plain text its status. Error bodies are read without a limit and
//!   logged, so a server that echoes the key puts it into the log.
//! - A stream that is cut ends like a complete one, and a server that answers a streaming request with plain JSON
//!   gives an empty stream.

mod access;
mod advice;
mod backoff;
mod body_kind;
mod body_template;
mod client;
mod connections;
mod content_coding;
mod content_form;
mod decode;
mod encode;
mod endpoint;
mod error;
mod error_body;
mod event_text;
mod exchange;
mod finish_reason;
mod frame_scaler;
mod halves;
mod html;
mod http;
mod image;
mod image_cache;
mod incoming;
mod known_turn;
mod lock;
mod models;
mod option_reader;
mod pool;
mod preview;
mod protocol;
mod rate_limit;
mod raw_body;
mod received_odds;
mod reply_builder;
mod reply_reader;
mod request_builder;
mod request_parameters;
mod resize;
mod settings;
mod sse;
mod suggested_setting;
#[cfg(test)]
mod tests;
mod thoughts;
mod trace;
mod transport;
mod usage;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;
use tracing::Instrument;

use self::access::Credentials;
use self::backoff::Patience;
use self::client::Client;
pub use self::connections::{EndpointLoad, SharedDocument, SharedDocuments, SharedPermits};
use self::encode::EncodedRequest;
use self::endpoint::Pause;
pub use self::endpoint::RepeatedFailure;
use self::error::{RequestError, amount_received};
use self::exchange::Exchange;
pub use self::exchange::ExchangeSink;
use self::http::{Route, is_loopback};
pub use self::pool::ModelPool;
use self::preview::PreviewEncoder;
pub(super) use self::protocol::ModelReader;
use self::reply_builder::ReplyBuilder;
use self::reply_reader::ReplyReader;
pub(super) use self::request_builder::RequestBuilder;
pub use self::settings::MISSING_NAME;
use self::settings::ModelSettings;
pub use self::suggested_setting::SuggestedSetting;
use self::thoughts::ThoughtSplitter;
use self::transport::Transport;
pub(super) use self::transport::{InProcessServer, ResponsePart, ServerResponse};
use super::{
    AgentContext, AgentRequests, AgentRow, AgentSettings, AgentSetupError, CallAgents, CreatedAgent,
    KeyLookup, KeyReport,
};
use mageyard_domain::{
    Agent, AgentError, AgentEvent, Answer, DecisionInput, OptionError, Options, Reply, ReplyEnding, Setting,
};

pub(super) const ROW: AgentRow = AgentRow {
    settings: Some(SETTINGS),
    requests: Some(REQUESTS),
    ..AgentRow::new("model", "a multimodal model behind an OpenAI-compatible server", create)
};

/// Its settings.
pub(super) const SETTINGS: AgentSettings = AgentSettings {
    table: TABLE,
    part: None,
    part_transport: &[],
    validate: |options| ModelSettings::parse_without_name(options).map(drop),
    complete: settings::complete,
    transport: settings::TRANSPORT,
    connection: settings::CONNECTION,
};

/// How it asks a server.
pub(super) const REQUESTS: AgentRequests = AgentRequests {
    own_models: &[],
    model: settings::name,
    encoder: |options| Ok(Arc::new(PreviewEncoder::new(ModelSettings::parse(options)?.into()))),
    limits: |options| Ok(ModelSettings::parse_without_name(options)?.limits()),
    key: key_report,
    route,
    seeded: settings::seeded,
    calls: |context| Ok(Arc::new(new_agent(context)?)),
    continuing: settings::continuing,
    trial: settings::trial,
    served: |options, lookup, pool, wait| Box::pin(models::served(options, lookup, pool, wait)),
};

/// The table of its settings.
const TABLE: &str = "model";

fn create(context: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
    let seed = context.seed;
    let salt = context.salt.clone();
    Ok(CreatedAgent::alone(new_agent(context)?.for_episode(seed, &salt)))
}

/// An agent for calls; [`ModelAgent::for_episode`] makes it one of an episode.
pub(super) fn new_agent(context: AgentContext) -> Result<ModelAgent, AgentSetupError> {
    let AgentContext { options, key_lookup, pool, .. } = context;
    let agent = ModelAgent::new(&options, key_lookup, pool);
    agent.map_err(|error| AgentSetupError::InvalidOption { table: TABLE, error })
}

fn key_report(options: &Options, lookup: &KeyLookup) -> Result<KeyReport, String> {
    let settings = ModelSettings::parse_without_name(options).map_err(|error| error.to_string())?;
    let credentials = Credentials::load(lookup, &settings.access).map_err(|error| error.to_string())?;
    Ok(KeyReport {
        source: credentials.origin(),
        is_missing: credentials.lacks_key(),
        is_local: is_loopback(&settings.url),
        plain: credentials.plain_variables().to_vec(),
    })
}

fn route(options: &Options, lookup: &KeyLookup) -> Result<String, String> {
    let settings = ModelSettings::parse_without_name(options).map_err(|error| error.to_string())?;
    Route::choose(&settings.url, lookup).map(|route| route.to_string())
}

/// The `model` agent. Clones share their connection and what they have encoded.
#[derive(Clone)]
pub(super) struct ModelAgent {
    request_builder: RequestBuilder,
    key_lookup: KeyLookup,
    client: Arc<OnceLock<Arc<Client>>>,
    transport: Transport,
}

impl ModelAgent {
    /// Does not connect before the first decision.
    fn new(options: &Options, key_lookup: KeyLookup, pool: ModelPool) -> Result<Self, OptionError> {
        let request_builder = RequestBuilder::new(options, pool)?;
        Ok(Self { request_builder, key_lookup, client: Arc::default(), transport: Transport::Network })
    }

    /// The agent of an episode, whose requests have seeds that are drawn from these.
    pub(super) fn for_episode(self, seed: u64, salt: &str) -> Self {
        let request_builder = self.request_builder.clone().for_episode(seed, salt);
        Self { request_builder, ..self }
    }

    /// The agent of a call with this seed, and whether its request has it.
    pub(super) fn for_call(&self, seed: u32) -> (Self, bool) {
        let (request_builder, is_seeded) = self.request_builder.seeded(seed);
        (Self { request_builder, ..self.clone() }, is_seeded)
    }

    /// The same agent, whose requests go to this server and not into the network.
    pub(super) fn asking(&self, server: Arc<dyn InProcessServer>) -> Self {
        Self { transport: Transport::InProcess(server), ..self.clone() }
    }

    /// Whether somebody sees the replies as they come in.
    pub(super) fn is_watched(&self) -> bool {
        self.request_builder.pool.is_watched()
    }

    fn client(&self) -> Result<Arc<Client>, AgentError> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let settings = &self.request_builder.settings;
        let endpoint = self.request_builder.pool.endpoint(settings, &self.key_lookup)?;
        Ok(self.client.get_or_init(|| Arc::new(Client::new(endpoint, settings))).clone())
    }

    /// Sends the request once.
    async fn try_once(
        &self,
        client: &Client,
        encoded: &EncodedRequest,
        input: &DecisionInput<'_>,
    ) -> Result<Reply, RequestError> {
        let credentials = Credentials::load(&self.key_lookup, &self.request_builder.settings.access)?;
        self.request_builder.pool.log_plain_values(&credentials);
        let settings = &self.request_builder.settings;
        let place = (client.url(), &settings.access);
        let sink = self.request_builder.pool.exchange_sink();
        let exchange = sink.map(|sink| Exchange::begin(sink, place, encoded, &credentials));
        let response = client.send(encoded.bytes.clone(), &self.transport, &credentials, exchange).await?;
        let splitter = ThoughtSplitter::new(&settings.thoughts, input.form);
        let builder = ReplyBuilder::new(&credentials, false).with_splitter(splitter);
        let reader = ReplyReader {
            protocol: settings.protocol,
            credentials: &credentials,
            observer: input.observer,
            streams: settings.stream,
        };
        let reply = reader.read(response, builder).await;
        let reply = reply.and_then(|builder| builder.finish(settings.token_limit()));
        match reply.and_then(|reply| whole_list(reply, input.setting)) {
            Err(failed) => Err(client.advised(failed, &credentials).await),
            reply => reply,
        }
    }

    /// Sends the request as soon as the endpoint admits it.
    async fn try_admitted(
        &self,
        client: &Client,
        encoded: &EncodedRequest,
        input: &DecisionInput<'_>,
        (attempt, announced): (u32, Option<Instant>),
    ) -> Result<Reply, RequestError> {
        let observer = input.observer;
        let announce = |pause: &Pause, left| {
            observer.notify(retry_event(&pause.why, left, (attempt, self.most_tries(attempt))));
        };
        let permit = client.endpoint.admit(announced, announce).await;
        observer.sending(&encoded.sent)?;
        let span = trace::send(attempt);
        let result = self.try_once(client, encoded, input).instrument(span.clone()).await;
        trace::record(&span, &result);
        client.endpoint.note_contact(&result);
        client.endpoint.adapt(permit.as_ref(), &result);
        if let Err(failed) = &result {
            observer.failed(&failed.error)?;
        }
        result
    }

    /// Sends the request until it succeeds or may not be retried.
    async fn send(
        &self,
        client: &Client,
        encoded: &EncodedRequest,
        input: &DecisionInput<'_>,
    ) -> Result<Reply, AgentError> {
        let observer = input.observer;
        let patience = self.patience();
        let mut attempt = 1;
        let mut waited = Duration::ZERO;
        let mut announced = None;
        loop {
            let which = (attempt, announced);
            let error = match self.try_admitted(client, encoded, input, which).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            let delay = backoff::retry_delay(&error, (attempt, waited), patience);
            announced = pause_endpoint(client, &error, delay);
            let Some(delay) = delay else {
                return Err(after_retries(error, attempt, patience));
            };
            trace::retry(&error, attempt, delay);
            attempt += 1;
            waited += delay;
            let which = (attempt, self.most_tries(attempt));
            observer.notify(retry_event(&error.error.to_string(), delay, which));
            // A pause of the endpoint is awaited before the next try.
            if announced.is_none() {
                tokio::time::sleep(delay).await;
            }
        }
    }
}

impl ModelAgent {
    fn patience(&self) -> Patience {
        let settings = &self.request_builder.settings;
        Patience { retries: settings.max_retries, rate_limit: settings.rate_limit_wait }
    }

    /// The largest number of tries; 0 if this one is beyond, so that only time limits them.
    fn most_tries(&self, attempt: u32) -> u32 {
        let most = self.request_builder.settings.max_retries.saturating_add(1);
        if attempt > most { 0 } else { most }
    }
}

/// Pauses all requests to the server if it asked for that or limits their rate; returns the end of the pause. `delay` is
/// that of the failed request.
fn pause_endpoint(client: &Client, error: &RequestError, delay: Option<Duration>) -> Option<Instant> {
    let until = Instant::now() + backoff::shared_pause(error, delay)?;
    client.endpoint.pause(Pause { until, why: error.error.to_string() });
    client.endpoint.connections.paused(until.saturating_duration_since(Instant::now()));
    Some(until)
}

impl CallAgents for ModelAgent {
    fn agent(&self, seed: u32) -> (Box<dyn Agent>, bool) {
        let (agent, is_seeded) = self.for_call(seed);
        (Box::new(agent), is_seeded)
    }
}

#[async_trait]
impl Agent for ModelAgent {
    fn reads_requests(&self) -> bool {
        true
    }

    fn request_encoder(&self) -> Option<Arc<dyn mageyard_domain::RequestEncoder>> {
        Some(self.request_builder.encoder())
    }

    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let client = self.client()?;
        let work = async {
            let encoded = self.request_builder.build(&input).await?;
            self.send(&client, &encoded, &input).await
        };
        let result = work.instrument(trace::request(&input)).await;
        client.endpoint.count(&result);
        result.map(Answer::Replied)
    }
}

/// The reply, unless it is a list of all actions whose end is not marked: a list that was cut would be played like a complete
/// one.
fn whole_list(reply: Reply, setting: Setting) -> Result<Reply, RequestError> {
    match &reply.ending {
        ReplyEnding::Unmarked { why } if setting == Setting::Global => {
            let received = amount_received(reply.text.chars().count(), "character");
            Err(RequestError::connection_lost(received, format!("{why}, so the list may be incomplete")))
        }
        _ => Ok(reply),
    }
}

fn retry_event(why: &str, delay: Duration, (attempt, most): (u32, u32)) -> AgentEvent {
    let milliseconds = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
    AgentEvent::RetryScheduled { why: why.to_owned(), milliseconds, attempt, most }
}

/// The last error, with the pause if that is too long, and with the number of tries if there was more than one.
fn after_retries(error: RequestError, attempts: u32, patience: Patience) -> AgentError {
    let too_long = backoff::too_long(&error);
    let ended_by = match error.is_retryable() && too_long.is_none() {
        true if backoff::is_rate_limit(&error.error) && !patience.rate_limit.is_zero() => {
            Some("model.rate_limit_wait")
        }
        true if attempts > patience.retries => Some("model.max_retries"),
        _ => None,
    };
    let last = match too_long {
        Some((seconds, most)) => AgentError::PauseTooLong { seconds, most, last: Box::new(error.error) },
        None => error.error,
    };
    match attempts {
        0 | 1 => last,
        attempts => AgentError::FailedAfterRetries { attempts, ended_by, last: Box::new(last) },
    }
}
