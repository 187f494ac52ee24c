//! Requests that are looked at and not sent: packed by the same encoder.

use super::encode::Encoder;
use super::settings::Settings;
use super::shot::scaled;
use crate::domain::AgentError;
use crate::domain::Message;
use crate::domain::Sent;

/// How a model with these settings is sent requests.
#[derive(Clone, Debug)]
pub(super) struct Packing(Settings);

impl Packing {
    pub(super) fn new(settings: Settings) -> Self {
        Self(settings)
    }
}

impl crate::domain::Packing for Packing {
    fn pack(&self, request: &[Message]) -> Result<Sent, AgentError> {
        Ok(Encoder::default().pack(&self.0, request)?.sent)
    }

    fn scaled(&self, painted: (u32, u32)) -> (u32, u32) {
        scaled(painted, self.0.resolution)
    }

    fn address(&self) -> &str {
        self.0.url.as_str()
    }

    fn key_variable(&self) -> &str {
        &self.0.key_variable
    }
}
