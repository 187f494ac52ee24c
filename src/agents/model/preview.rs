//! Encodes requests for display, without sending them.

use std::sync::Arc;

use super::encode::BodyEncoder;
use super::settings::ModelSettings;
use crate::domain::AgentError;
use crate::domain::Message;
use crate::domain::SentRequest;
use crate::domain::VariableText;

/// Encodes requests like a model with these settings.
#[derive(Clone, Debug)]
pub(super) struct PreviewEncoder(ModelSettings);

impl PreviewEncoder {
    pub(super) fn new(settings: ModelSettings) -> Self {
        Self(settings)
    }
}

impl crate::domain::RequestEncoder for PreviewEncoder {
    fn encode(&self, request: &[Message]) -> Result<SentRequest, AgentError> {
        Ok(Arc::unwrap_or_clone(BodyEncoder::default().encode(&self.0, request)?.sent))
    }

    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32) {
        self.0.frame_size.scaled(painted)
    }

    fn url(&self) -> &str {
        self.0.url.as_str()
    }

    fn address(&self) -> VariableText {
        self.0.access.written_address(&self.0.url)
    }

    fn headers(&self) -> Vec<(String, VariableText)> {
        self.0.access.written_headers()
    }
}
