//! Encodes requests for display, without sending them.

use std::path::PathBuf;
use std::sync::Arc;

use super::encode::BodyEncoder;
use super::settings::ModelSettings;
use mageyard_domain::{AgentError, Message, SentRequest, VariableText};

/// Encodes requests like a model with these settings.
#[derive(Clone, Debug)]
pub(super) struct PreviewEncoder(Arc<ModelSettings>);

impl PreviewEncoder {
    pub(super) fn new(settings: Arc<ModelSettings>) -> Self {
        Self(settings)
    }
}

impl mageyard_domain::RequestEncoder for PreviewEncoder {
    fn encode(&self, request: &[Message], stable: usize) -> Result<SentRequest, AgentError> {
        let encoded = BodyEncoder::default().encode(&self.0, request, stable)?;
        Ok(Arc::unwrap_or_clone(encoded.sent))
    }

    fn is_deterministic(&self) -> bool {
        self.0.temperature == 0.0
    }

    fn asks_for_caching(&self) -> bool {
        self.0.cache
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

    fn files(&self) -> Vec<(&'static str, String)> {
        let files = &self.0.files;
        let rows =
            [("--cacert", &files.ca_file), ("--cert", &files.client_cert), ("--key", &files.client_key)];
        let path = |path: &PathBuf| path.display().to_string();
        rows.into_iter().filter_map(|(flag, file)| Some((flag, path(file.as_ref()?)))).collect()
    }

    fn headers(&self) -> Vec<(String, VariableText)> {
        self.0.access.written_headers()
    }
}
