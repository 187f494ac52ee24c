//! What a protocol writes into a request besides its turns, apart from the settings, which name the protocol.

use serde_json::{Map, Value};

use super::content_form::ContentForm;

/// The parameters of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestParameters<'a> {
    /// The model.
    pub(super) name: &'a str,
    pub(super) temperature: f32,
    pub(super) top_p: f32,
    pub(super) max_tokens: u32,
    pub(super) frequency_penalty: f32,
    /// So many of the most probable tokens are asked for at each place; 0 for none, and no odds.
    pub(super) top_logprobs: u8,
    pub(super) stream: bool,
    /// Whether the request asks the server to cache what the next one repeats.
    pub(super) cache: bool,
    /// How the content of a turn is written.
    pub(super) content: ContentForm,
    /// The detail with which the model sees images; empty if the server decides.
    pub(super) detail: &'a str,
    /// Fields that override all others.
    pub(super) extra: &'a Map<String, Value>,
}
