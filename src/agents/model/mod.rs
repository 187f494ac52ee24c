//! The agent that is a model behind a server, in the protocol of chat completions.
//!
//! The types of a request are those of `async-openai`. The wire is not: the memory window is proven on the
//! very bytes that go out, so they are serialised here and sent as they are; and an answer of a server
//! that is only nearly `OpenAI` (an error that is plain text, an unknown `finish_reason`, a cut stream) must
//! reach a person in words, where the typed answers lose status, pause and text.

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

/// Looks a key up by the name of its variable.
pub type KeyLookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What it takes to reach a model.
#[derive(Clone)]
pub struct ModelConfig {
    /// The table of settings.
    pub options: Options,
    /// Where the key is; asked anew for every request.
    pub key_lookup: KeyLookup,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self { options: Options::new(), key_lookup: Arc::new(|_| None) }
    }
}

/// Judges the table of settings; a name may be missing until a model is asked.
pub fn validate_options(options: &Options) -> Result<(), OptionError> {
    ModelSettings::parse_without_name(options).map(drop)
}

/// How a model of these settings is sent requests.
pub(super) fn request_encoder(
    options: &Options,
) -> Result<Arc<dyn crate::domain::RequestEncoder>, OptionError> {
    Ok(Arc::new(PreviewEncoder::new(ModelSettings::parse(options)?)))
}

/// Makes requests ready to be sent: packed, read back and proven.
pub(super) struct RequestBuilder {
    settings: ModelSettings,
    encoder: BodyEncoder,
}

impl RequestBuilder {
    /// With this table of settings.
    pub(super) fn new(options: &Options) -> Result<Self, OptionError> {
        Ok(Self { settings: ModelSettings::parse(options)?, encoder: BodyEncoder::default() })
    }

    /// The request that answers this ask.
    pub(super) fn build(&mut self, ask: &DecisionInput<'_>) -> Result<EncodedRequest, AgentError> {
        let packed = self.encoder.encode(&self.settings, ask.request)?;
        ask.observer.verify(&packed.turns, &|step| self.encoder.digest(step))?;
        self.check_limits(&packed.sent)?;
        Ok(packed)
    }

    /// The same for whoever only looks.
    pub(super) fn encoder(&self) -> Arc<dyn crate::domain::RequestEncoder> {
        Arc::new(PreviewEncoder::new(self.settings.clone()))
    }

    /// Holds the request against what the settings say of the server.
    fn check_limits(&self, sent: &SentRequest) -> Result<(), AgentError> {
        if let Some(most) = self.settings.images_most.filter(|most| sent.images > *most) {
            return Err(AgentError::InvalidRequest(format!(
                "it holds {} images and the server takes {most} (model.images_most); lower OM",
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
                    "the frame of step {step} has {width}x{height} px and the server takes {most} a side \
                 (model.side_most); lower model.resolution"
                )))
            }
            None => Ok(()),
        }
    }
}

/// Asks a model.
pub(super) struct ModelAgent {
    request_builder: RequestBuilder,
    config: ModelConfig,
    client: Option<Client>,
}

impl ModelAgent {
    /// Nothing is sent and no connection made before the first decision.
    pub(super) fn new(wire: ModelConfig) -> Result<Self, OptionError> {
        Ok(Self { request_builder: RequestBuilder::new(&wire.options)?, config: wire, client: None })
    }

    fn client(&mut self) -> Result<&Client, AgentError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => Client::new(&self.request_builder.settings)?,
        };
        Ok(self.client.insert(client))
    }

    /// One try.
    async fn try_once(
        &mut self,
        packed: &EncodedRequest,
        line: &dyn AgentObserver,
    ) -> Result<Reply, RequestError> {
        let secret = ApiKey::load(&self.config, &self.request_builder.settings.key_variable);
        let limit = self.request_builder.settings.token_limit();
        let answer = self.client()?.send(packed.bytes.clone(), &secret).await;
        let draft = match answer {
            Ok(answer) => answer.read(&secret, line).await?,
            Err(trouble) => return Err(trouble),
        };
        draft.finish(limit)
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

    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let packed = self.request_builder.build(&ask)?;
        let mut attempt = 1;
        loop {
            ask.observer.notify(AgentEvent::Sent(packed.sent.clone()));
            let trouble = match self.try_once(&packed, ask.observer).await {
                Ok(reply) => return Ok(Answer::Replied(reply)),
                Err(trouble) => trouble,
            };
            let Some(pause) =
                backoff::retry_delay(&trouble, attempt, self.request_builder.settings.max_retries)
            else {
                return Err(after_retries(trouble, attempt, self.request_builder.settings.max_retries));
            };
            attempt += 1;
            ask.observer.notify(AgentEvent::RetryScheduled {
                why: trouble.error.to_string(),
                milliseconds: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                attempt,
            });
            tokio::time::sleep(pause).await;
        }
    }
}

/// The last trouble, with the number of tries where there was more than one.
fn after_retries(trouble: RequestError, times: u32, retries: u32) -> AgentError {
    let spent = times > retries && trouble.retry != Retry::Never;
    match times {
        0 | 1 => trouble.error,
        times => AgentError::FailedAfterRetries { times, spent, last: Box::new(trouble.error) },
    }
}
