//! The agent that is a model behind a server, in the protocol of chat completions.
//!
//! The types of a request are those of `async-openai`. The wire is not: the memory window is proven on the
//! very bytes that go out, so they are serialised here and sent as they are; and an answer of a server
//! that is only nearly `OpenAI` (an error that is plain text, an unknown `finish_reason`, a cut stream) must
//! reach a person in words, where the typed answers lose status, pause and text.

mod client;
mod decode;
mod draft;
mod encode;
mod events;
mod key;
mod packing;
mod patience;
mod settings;
mod shot;
#[cfg(test)]
mod tests;
mod trouble;

use std::sync::Arc;

use async_trait::async_trait;

use self::client::Client;
pub(super) use self::decode::recorded;
use self::encode::Encoder;
use self::encode::Packed;
use self::key::Secret;
use self::packing::Packing;
use self::settings::Settings;
use self::trouble::Again;
use self::trouble::Trouble;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;
use crate::domain::Blob;
use crate::domain::Line;
use crate::domain::News;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Reply;
use crate::domain::Sent;

/// Looks a key up by the name of its variable.
pub type Keys = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What it takes to reach a model.
#[derive(Clone)]
pub struct Wire {
    /// The table of settings.
    pub options: Options,
    /// Where the key is; asked anew for every request.
    pub key: Keys,
}

impl Default for Wire {
    fn default() -> Self {
        Self { options: Options::new(), key: Arc::new(|_| None) }
    }
}

/// Judges the table of settings; a name may be missing until a model is asked.
pub fn judge(options: &Options) -> Result<(), OptionError> {
    Settings::nameless(options).map(drop)
}

/// How a model of these settings is sent requests.
pub(super) fn packing(options: &Options) -> Result<Arc<dyn crate::domain::Packing>, OptionError> {
    Ok(Arc::new(Packing::new(Settings::read(options)?)))
}

/// Makes requests ready to be sent: packed, read back and proven.
pub(super) struct Packer {
    settings: Settings,
    encoder: Encoder,
}

impl Packer {
    /// With this table of settings.
    pub(super) fn new(options: &Options) -> Result<Self, OptionError> {
        Ok(Self { settings: Settings::read(options)?, encoder: Encoder::default() })
    }

    /// The request that answers this ask.
    pub(super) fn pack(&mut self, ask: &Ask<'_>) -> Result<Packed, AgentError> {
        let packed = self.encoder.pack(&self.settings, ask.request)?;
        ask.line.prove(&packed.turns, &|step| self.encoder.digest(step))?;
        self.within(&packed.sent)?;
        Ok(packed)
    }

    /// The same for whoever only looks.
    pub(super) fn packing(&self) -> Arc<dyn crate::domain::Packing> {
        Arc::new(Packing::new(self.settings.clone()))
    }

    /// Holds the request against what the settings say of the server.
    fn within(&self, sent: &Sent) -> Result<(), AgentError> {
        if let Some(most) = self.settings.images_most.filter(|most| sent.images > *most) {
            return Err(AgentError::Unsendable(format!(
                "it holds {} images and the server takes {most} (model.images_most); lower OM",
                sent.images
            )));
        }
        let large = |blob: &&Blob, most: u32| blob.size.0.max(blob.size.1) > most;
        let found = self
            .settings
            .side_most
            .and_then(|most| Some((most, sent.pictures.iter().find(|blob| large(blob, most))?)));
        match found {
            Some((most, Blob { size: (width, height), step, .. })) => Err(AgentError::Unsendable(format!(
                "the frame of step {step} has {width}x{height} px and the server takes {most} a side \
                 (model.side_most); lower model.resolution"
            ))),
            None => Ok(()),
        }
    }
}

/// Asks a model.
pub(super) struct Chat {
    packer: Packer,
    wire: Wire,
    client: Option<Client>,
}

impl Chat {
    /// Nothing is sent and no connection made before the first decision.
    pub(super) fn new(wire: Wire) -> Result<Self, OptionError> {
        Ok(Self { packer: Packer::new(&wire.options)?, wire, client: None })
    }

    fn client(&mut self) -> Result<&Client, AgentError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => Client::new(&self.packer.settings)?,
        };
        Ok(self.client.insert(client))
    }

    /// One try.
    async fn once(&mut self, packed: &Packed, line: &dyn Line) -> Result<Reply, Trouble> {
        let secret = Secret::of(&self.wire, &self.packer.settings.key_variable);
        let limit = self.packer.settings.limit();
        let answer = self.client()?.send(packed.bytes.clone(), &secret).await;
        let draft = match answer {
            Ok(answer) => answer.read(&secret, line).await?,
            Err(trouble) => return Err(trouble),
        };
        draft.finish(limit)
    }
}

#[async_trait]
impl Agent for Chat {
    fn reads(&self) -> bool {
        true
    }

    fn packing(&self) -> Option<Arc<dyn crate::domain::Packing>> {
        Some(self.packer.packing())
    }

    async fn decide(&mut self, ask: Ask<'_>) -> Result<Answer, AgentError> {
        let packed = self.packer.pack(&ask)?;
        let mut attempt = 1;
        loop {
            ask.line.tell(News::Sent(packed.sent.clone()));
            let trouble = match self.once(&packed, ask.line).await {
                Ok(reply) => return Ok(Answer::Said(reply)),
                Err(trouble) => trouble,
            };
            let Some(pause) = patience::pause(&trouble, attempt, self.packer.settings.max_retries) else {
                return Err(tried(trouble, attempt, self.packer.settings.max_retries));
            };
            attempt += 1;
            ask.line.tell(News::Waiting {
                why: trouble.error.to_string(),
                milliseconds: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                attempt,
            });
            tokio::time::sleep(pause).await;
        }
    }
}

/// The last trouble, with the number of tries where there was more than one.
fn tried(trouble: Trouble, times: u32, retries: u32) -> AgentError {
    let spent = times > retries && trouble.again != Again::Never;
    match times {
        0 | 1 => trouble.error,
        times => AgentError::Tried { times, spent, last: Box::new(trouble.error) },
    }
}
