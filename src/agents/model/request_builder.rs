//! Builds requests: encoded, decoded again, verified, and within the limits of the server.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use tokio::task::spawn_blocking;

use super::decode::decode_recorded;
use super::encode::{BodyEncoder, EncodedRequest};
use super::lock::lock;
use super::pool::ModelPool;
use super::preview::PreviewEncoder;
use super::settings::ModelSettings;
use crate::seeded_choice::SeededChoice;
use mageyard_domain::{
    AgentError, DecisionInput, DecodedTurn, Message, OptionError, Options, PartId, RequestEncoder, SentImage,
    SentRequest,
};

/// Builds requests: encoded, decoded again and verified.
#[derive(Clone)]
pub(crate) struct RequestBuilder {
    pub(super) settings: Arc<ModelSettings>,
    /// Locked only while a request is encoded; a cancelled request leaves its frames here for the next one. Clones share
    /// it.
    encoder: Arc<Mutex<BodyEncoder>>,
    pub(super) pool: ModelPool,
    /// What the seeds of the requests of an episode are drawn from; `None` outside of episodes.
    draws: Option<Arc<SeededChoice>>,
}

/// The number of seeds: servers read them as a signed number of 32 bits.
const SEEDS: u64 = 1 << 31;

impl RequestBuilder {
    /// With the settings of the table `[model]`.
    pub(crate) fn new(options: &Options, pool: ModelPool) -> Result<Self, OptionError> {
        let encoder = Arc::new(Mutex::new(BodyEncoder::new(pool.images())));
        Ok(Self { settings: Arc::new(ModelSettings::parse(options)?), encoder, pool, draws: None })
    }

    /// The same builder, whose requests have a seed for each step and attempt, drawn from the seed of the episode and from
    /// `salt`: where the settings say so, the protocol has a seed, and no setting sets or omits it.
    pub(crate) fn for_episode(self, seed: u64, salt: &str) -> Self {
        let draws = self.settings.seeded.then(|| Arc::new(SeededChoice::new(seed, salt)));
        Self { draws, ..self }
    }

    /// A builder with this seed for the same requests, and whether they have it: only where the protocol has a seed and no
    /// setting sets or omits it.
    pub(super) fn seeded(&self, seed: u32) -> (Self, bool) {
        match self.settings.seeded(seed) {
            Some(settings) => (Self { settings: settings.into(), draws: None, ..self.clone() }, true),
            None => (self.clone(), false),
        }
    }

    /// The builder of the request of this attempt.
    fn at(&self, step: u32, attempt: u32) -> Cow<'_, Self> {
        let Some(draws) = &self.draws else { return Cow::Borrowed(self) };
        let seed = u32::try_from(draws.below(&[step, attempt], SEEDS)).unwrap_or_default();
        Cow::Owned(self.seeded(seed).0)
    }

    /// The request for this input.
    pub(crate) async fn build(&self, input: &DecisionInput<'_>) -> Result<EncodedRequest, AgentError> {
        let builder = self.at(input.step, input.attempt);
        let encoded = builder.encode(input.request, input.observer.stable_turns()).await?;
        input.observer.verify(&encoded.turns(), &|part| encoded.digest(part))?;
        self.check_limits(&encoded.sent)?;
        Ok(encoded)
    }

    /// Scaling and encoding frames takes milliseconds, so it is done on a thread of its own. Without it, the change of
    /// threads would take longer than the work.
    pub(super) async fn encode(
        &self,
        request: &[Message],
        stable: usize,
    ) -> Result<EncodedRequest, AgentError> {
        // If it is locked, another call is encoding the same frames.
        let is_quick = self.encoder.try_lock().is_ok_and(|encoder| encoder.is_quick(request));
        if is_quick {
            return lock(&self.encoder).encode(&self.settings, request, stable);
        }
        let permit = self.pool.encoding_permit().await;
        let encoder = self.encoder.clone();
        let settings = self.settings.clone();
        let request = request.to_vec();
        let work = move || {
            // Held until the work ends, also if the request is cancelled meanwhile.
            let _permit = permit;
            lock(&encoder).encode(&settings, &request, stable)
        };
        spawn_blocking(work).await.unwrap_or_else(|error| Err(AgentError::InvalidRequest(error.to_string())))
    }

    /// Decodes the turns of a request that was recorded with these settings.
    pub(crate) fn decode_recorded(&self, request: &SentRequest) -> Result<Vec<DecodedTurn>, String> {
        decode_recorded(self.settings.protocol, request)
    }

    /// An encoder for requests that are displayed, not sent.
    pub(crate) fn encoder(&self) -> Arc<dyn RequestEncoder> {
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
        let large = |image: &&SentImage, most: u32| image.size.0.max(image.size.1) > most;
        let found = self
            .settings
            .side_most
            .and_then(|most| Some((most, sent.frames.iter().find(|image| large(image, most))?)));
        match found {
            Some((most, SentImage { size: (width, height), part: PartId { step, .. }, .. })) => {
                Err(AgentError::InvalidRequest(format!(
                    "the frame of step {step} has {width}x{height} px and the server accepts {most} px per side \
                 (model.side_most); lower model.resolution"
                )))
            }
            None => Ok(()),
        }
    }
}
