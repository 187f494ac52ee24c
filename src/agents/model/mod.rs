//! The `model` agent: a model behind a server with the chat completions protocol.
//!
//! Requests use the types of `async-openai`, but not its client, for two reasons. The memory window is verified
//! on the bytes that are sent, so the body is serialised here. And many servers deviate from the protocol (plain
//! text errors, unknown `finish_reason`, truncated streams): their errors are reported with status, delay and
//! text, which typed responses lose.

mod backoff;
mod client;
mod decode;
mod encode;
mod error;
mod image;
mod key;
mod preview;
mod reply_builder;
mod settings;
mod sse;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;

use self::client::Client;
pub(super) use self::decode::decode_recorded;
use self::encode::BodyEncoder;
use self::encode::EncodedRequest;
use self::error::RequestError;
use self::error::Retry;
use self::key::ApiKey;
use self::preview::PreviewEncoder;
use self::settings::ModelSettings;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::AgentObserver;
use crate::domain::Answer;
use crate::domain::Blob;
use crate::domain::DecisionInput;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Reply;
use crate::domain::SentRequest;

/// Returns the API key for the name of an environment variable.
pub type KeyLookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The configuration of a model.
#[derive(Clone)]
pub struct ModelConfig {
    /// The settings of the table `[model]`.
    pub options: Options,
    /// Returns the API key; called for every request.
    pub key_lookup: KeyLookup,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self { options: Options::new(), key_lookup: Arc::new(|_| None) }
    }
}

/// Validates the settings of the table `[model]`; the name of the model may be missing.
pub fn validate_options(options: &Options) -> Result<(), OptionError> {
    ModelSettings::parse_without_name(options).map(drop)
}

/// The request encoder for these settings.
pub(super) fn request_encoder(
    options: &Options,
) -> Result<Arc<dyn crate::domain::RequestEncoder>, OptionError> {
    Ok(Arc::new(PreviewEncoder::new(ModelSettings::parse(options)?)))
}

/// Builds requests: encoded, decoded again and verified.
pub(super) struct RequestBuilder {
    settings: ModelSettings,
    encoder: BodyEncoder,
}

impl RequestBuilder {
    /// With the settings of the table `[model]`.
    pub(super) fn new(options: &Options) -> Result<Self, OptionError> {
        Ok(Self { settings: ModelSettings::parse(options)?, encoder: BodyEncoder::default() })
    }

    /// The request for this input.
    pub(super) fn build(&mut self, input: &DecisionInput<'_>) -> Result<EncodedRequest, AgentError> {
        let encoded = self.encoder.encode(&self.settings, input.request)?;
        input.observer.verify(&encoded.turns, &|step| self.encoder.digest(step))?;
        self.check_limits(&encoded.sent)?;
        Ok(encoded)
    }

    /// An encoder for requests that are displayed, not sent.
    pub(super) fn encoder(&self) -> Arc<dyn crate::domain::RequestEncoder> {
        Arc::new(PreviewEncoder::new(self.settings.clone()))
    }

    /// Checks the request against the server limits in the settings.
    fn check_limits(&self, sent: &SentRequest) -> Result<(), AgentError> {
        if let Some(most) = self.settings.images_most.filter(|most| sent.images > *most) {
            return Err(AgentError::InvalidRequest(format!(
                "it has {} images and the server accepts {most} (model.images_most); lower OM",
                sent.images
            )));
        }
        let large = |blob: &&Blob, most: u32| blob.size.0.max(blob.size.1) > most;
        let found = self
            .settings
            .side_most
            .and_then(|most| Some((most, sent.frames.iter().find(|blob| large(blob, most))?)));
        match found {
            Some((most, Blob { size: (width, height), step, .. })) => {
                Err(AgentError::InvalidRequest(format!(
                    "the frame of step {step} has {width}x{height} px and the server accepts {most} px per side \
                 (model.side_most); lower model.resolution"
                )))
            }
            None => Ok(()),
        }
    }
}

/// The `model` agent.
pub(super) struct ModelAgent {
    request_builder: RequestBuilder,
    config: ModelConfig,
    client: Option<Client>,
}

impl ModelAgent {
    /// Does not connect before the first decision.
    pub(super) fn new(config: ModelConfig) -> Result<Self, OptionError> {
        Ok(Self { request_builder: RequestBuilder::new(&config.options)?, config, client: None })
    }

    fn client(&mut self) -> Result<&Client, AgentError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => Client::new(&self.request_builder.settings)?,
        };
        Ok(self.client.insert(client))
    }

    /// Sends the request once.
    async fn try_once(
        &mut self,
        encoded: &EncodedRequest,
        observer: &dyn AgentObserver,
    ) -> Result<Reply, RequestError> {
        let key = ApiKey::load(&self.config, &self.request_builder.settings.key_variable);
        let limit = self.request_builder.settings.token_limit();
        let response = self.client()?.send(encoded.bytes.clone(), &key).await;
        let builder = match response {
            Ok(response) => response.read(&key, observer).await?,
            Err(error) => return Err(error),
        };
        builder.finish(limit)
    }
}

#[async_trait]
impl Agent for ModelAgent {
    fn reads_requests(&self) -> bool {
        true
    }

    fn request_encoder(&self) -> Option<Arc<dyn crate::domain::RequestEncoder>> {
        Some(self.request_builder.encoder())
    }

    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let encoded = self.request_builder.build(&input)?;
        let mut attempt = 1;
        loop {
            input.observer.notify(AgentEvent::Sent(encoded.sent.clone()));
            let error = match self.try_once(&encoded, input.observer).await {
                Ok(reply) => return Ok(Answer::Replied(reply)),
                Err(error) => error,
            };
            let Some(pause) =
                backoff::retry_delay(&error, attempt, self.request_builder.settings.max_retries)
            else {
                return Err(after_retries(error, attempt, self.request_builder.settings.max_retries));
            };
            attempt += 1;
            input.observer.notify(AgentEvent::RetryScheduled {
                why: error.error.to_string(),
                milliseconds: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                attempt,
            });
            tokio::time::sleep(pause).await;
        }
    }
}

/// The last error, with the number of tries if there was more than one.
fn after_retries(error: RequestError, attempts: u32, retries: u32) -> AgentError {
    let retries_exhausted = attempts > retries && error.retry != Retry::Never;
    match attempts {
        0 | 1 => error.error,
        attempts => {
            AgentError::FailedAfterRetries { attempts, retries_exhausted, last: Box::new(error.error) }
        }
    }
}
