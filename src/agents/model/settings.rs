//! The settings of the `model` agent: the validated table `[model]`. The defaults repeat those of the default
//! file, for journals written before a setting existed.

mod values;

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde_json::{Map, Value};

use self::values::{
    maker, parse_access, parse_cache, parse_detail, parse_extra, parse_files, parse_image_format,
    parse_preset, parse_protocol, parse_scaling, parse_url,
};
use super::access::Access;
use super::content_form::ContentForm;
use super::http::TlsFiles;
use super::image::{FrameSize, ImageFormat};
use super::option_reader::{OptionReader, invalid};
use super::protocol::{Limit, Protocol};
use super::request_parameters::RequestParameters;
use super::thoughts::{ThoughtTags, parse_tags};
use crate::{RequestLimits, TrialForm};
use mageyard_domain::{OptionError, Options, Preset};

/// The settings of a model.
#[derive(Clone, Debug)]
pub(super) struct ModelSettings {
    pub(super) name: String,
    pub(super) protocol: &'static dyn Protocol,
    /// The URL of the endpoint.
    pub(super) url: Url,
    pub(super) access: Access,
    pub(super) files: TlsFiles,
    pub(super) temperature: f32,
    pub(super) top_p: f32,
    pub(super) max_tokens: u32,
    pub(super) frequency_penalty: f32,
    /// The most probable tokens that are asked for at each place of a reply.
    pub(super) top_logprobs: u8,
    /// Fields that override all others.
    pub(super) extra: Map<String, Value>,
    /// Changes to the fields for the family of the model; `extra` overrides them.
    pub(super) preset: Preset,
    /// How the content of a turn is written.
    pub(super) content: ContentForm,
    pub(super) frame_size: FrameSize,
    pub(super) format: ImageFormat,
    /// The detail with which the model sees images; empty if the server decides.
    pub(super) detail: String,
    pub(super) images_most: Option<u32>,
    /// The longest edge accepted by the server, in pixels.
    pub(super) side_most: Option<u32>,
    pub(super) stream: bool,
    /// Whether each request of an episode has a seed of its own, where the protocol has one.
    pub(super) seeded: bool,
    /// Whether requests ask the server to cache what the next one repeats.
    pub(super) cache: bool,
    /// The delimiters of thoughts in the text of a reply.
    pub(super) thoughts: Arc<[ThoughtTags]>,
    /// The longest time without data from the server.
    pub(super) timeout: Duration,
    pub(super) max_retries: u32,
    /// The total of the waits of a request for the rate limit of the server.
    pub(super) rate_limit_wait: Duration,
    /// The largest number of requests to the server at once, over all episodes of the process.
    pub(super) max_connections: usize,
}

/// What is said if a model is needed and none is named.
pub const MISSING_NAME: &str = "a model needs a name: --model NAME, as spelt by its server";

impl ModelSettings {
    pub(super) fn parse(options: &Options) -> Result<Self, OptionError> {
        let settings = Self::parse_without_name(options)?;
        if settings.name.trim().is_empty() {
            return Err(invalid("name", MISSING_NAME));
        }
        Ok(settings)
    }

    /// The settings for a request with this seed; `None` if the protocol has no seed, or if the preset or `extra` sets or
    /// omits it.
    pub(super) fn seeded(&self, seed: u32) -> Option<Self> {
        let field = self.protocol.seed_field()?;
        let preset = &self.preset;
        let is_omitted = preset.omit.iter().any(|name| name == field);
        if is_omitted || preset.set.contains_key(field) || self.extra.contains_key(field) {
            return None;
        }
        let field = preset.rename.get(field).map_or(field, String::as_str);
        let mut seeded = self.clone();
        seeded.extra.insert(field.to_owned(), seed.into());
        Some(seeded)
    }

    /// Like [`ModelSettings::parse`], but the name may be missing.
    pub(super) fn parse_without_name(options: &Options) -> Result<Self, OptionError> {
        let reader = OptionReader(options);
        let protocol = parse_protocol(&reader.text("protocol", "chat")?)?;
        let (base_url, key_variable) = maker(protocol, &reader)?;
        let settings = Self {
            name: reader.text("name", "")?,
            protocol,
            url: parse_url(&base_url, protocol.path())?,
            access: parse_access(&reader, key_variable, protocol)?,
            files: parse_files(&reader)?,
            temperature: reader.float("temperature", (0.0, 2.0), 0.1)?,
            top_p: reader.float("top_p", (0.0, 1.0), 0.95)?,
            max_tokens: reader.integer("max_tokens", (1, 10_000_000), 4000)?,
            frequency_penalty: reader.float("frequency_penalty", (-2.0, 2.0), 1.0)?,
            top_logprobs: u8::try_from(reader.integer("top_logprobs", (0, 20), 0)?).unwrap_or_default(),
            extra: parse_extra(&reader.text("extra", "{}")?, protocol)?,
            preset: parse_preset(options)?,
            content: ContentForm::parse(&reader.text("content", "auto")?)?,
            frame_size: FrameSize {
                edge: Some(reader.integer("resolution", (0, 8192), 256)?).filter(|&edge| edge > 0),
                scaling: parse_scaling(&reader.text("scaling", "smooth")?)?,
            },
            // Journals from before this setting have images of level 6.
            format: parse_image_format(
                &reader.text("image_format", "png")?,
                reader.integer("png_level", (0, 9), 6)?,
            )?,
            detail: parse_detail(reader.text("detail", "")?, protocol)?,
            images_most: Some(reader.integer("images_most", (0, 10_000), 0)?).filter(|&most| most > 0),
            side_most: Some(reader.integer("side_most", (0, 1_000_000), 0)?).filter(|&most| most > 0),
            stream: reader.boolean("stream", true)?,
            // Journals from before this setting have requests without a seed.
            seeded: reader.boolean("seeded", false)?,
            cache: parse_cache(&reader.text("cache", "off")?, protocol)?,
            // Journals without the setting have thoughts in their texts.
            thoughts: parse_tags(&reader.text("thoughts", "")?)?,
            timeout: Duration::from_secs(reader.integer("timeout", (1, 86_400), 120)?.into()),
            max_retries: reader.integer("max_retries", (0, 100), 2)?,
            rate_limit_wait: Duration::from_secs(reader.integer("rate_limit_wait", (0, 86_400), 600)?.into()),
            max_connections: usize::try_from(reader.integer("max_connections", (1, 10_000), 64)?)
                .unwrap_or(1),
        };
        protocol.check(&settings.parameters())?;
        Ok(settings)
    }
}

impl ModelSettings {
    /// What the protocol writes into a request.
    pub(super) fn parameters(&self) -> RequestParameters<'_> {
        RequestParameters {
            name: &self.name,
            temperature: self.temperature,
            top_p: self.top_p,
            max_tokens: self.max_tokens,
            frequency_penalty: self.frequency_penalty,
            top_logprobs: self.top_logprobs,
            stream: self.stream,
            cache: self.cache,
            content: self.content,
            detail: &self.detail,
            extra: &self.extra,
        }
    }

    /// The requested limit of output tokens with its setting; `None` if the server decides.
    pub(super) fn token_limit(&self) -> Option<(&'static str, u64)> {
        let (own, others) = self.protocol.limit_fields().split_first()?;
        let extra = |limit: &'static Limit| Some((limit.in_extra, self.extra.get(limit.field)?.as_u64()?));
        let set = match self.extra.get(own.field) {
            Some(_) => extra(own),
            None if self.preset.omit.iter().any(|field| field == own.field) => None,
            None => Some(("model.max_tokens", u64::from(self.max_tokens))),
        };
        others.iter().filter_map(extra).chain(set).min_by_key(|(_, most)| *most)
    }
}

impl ModelSettings {
    /// The limits of a request.
    pub(super) fn limits(&self) -> RequestLimits {
        RequestLimits { images: self.images_most, side: self.side_most, resolution: self.frame_size.edge }
    }
}

/// Settings that say how requests are sent and which model gets them, not what they are. Old journals have
/// `system_role` among them, which the layout of requests holds.
pub(super) const TRANSPORT: &[&str] = &[
    "name",
    "key_variable",
    "key_header",
    "client_cert",
    "client_key",
    "ca_file",
    "timeout",
    "max_retries",
    "rate_limit_wait",
    "max_connections",
    "stream",
    "seeded",
    "cache",
    "images_most",
    "side_most",
    "png_level",
    "system_role",
];

/// Settings that say where the server is and how it is reached.
pub(super) const CONNECTION: &[&str] = &[
    "base_url",
    "headers",
    "query",
    "key_variable",
    "key_header",
    "client_cert",
    "client_key",
    "ca_file",
    "timeout",
    "max_retries",
    "rate_limit_wait",
    "max_connections",
];

/// The name of the model in unchecked settings.
pub(super) fn name(options: &Options) -> Option<&str> {
    options.get("name")?.as_str()
}

/// The settings for one request that tests the server.
pub(super) fn trial(options: &Options, form: TrialForm) -> Options {
    let mut options = options.clone();
    options.extend([
        ("stream".into(), form.stream.into()),
        ("max_retries".into(), 0.into()),
        ("rate_limit_wait".into(), 0.into()),
    ]);
    if form.parts {
        options.insert("content".into(), "parts".into());
    }
    if let Some(schema) = form.schema {
        let extra = options.get("extra").and_then(Value::as_str).unwrap_or("{}");
        let mut extra: Map<String, Value> = serde_json::from_str(extra).unwrap_or_default();
        extra.insert("response_format".to_owned(), schema());
        options.insert("extra".into(), Value::from(extra).to_string().into());
    }
    options
}

/// The settings for a request with this seed.
pub(super) fn seeded(options: &Options, seed: u32) -> Option<Options> {
    let ModelSettings { extra, .. } = ModelSettings::parse_without_name(options).ok()?.seeded(seed)?;
    let mut options = options.clone();
    options.insert("extra".into(), Value::from(extra).to_string().into());
    Some(options)
}

/// The settings for requests whose last turn is an answer that the server continues; `None` if the protocol has no way. A
/// field that the preset or `model.extra` names is left as it is there.
pub(super) fn continuing(options: &Options) -> Option<Options> {
    let ModelSettings { protocol, preset, mut extra, .. } =
        ModelSettings::parse_without_name(options).ok()?;
    let own = extra.clone();
    let is_named = |field: &str| {
        preset.omit.iter().any(|name| name == field)
            || preset.set.contains_key(field)
            || own.contains_key(field)
    };
    for (field, value) in protocol.continuing_fields()?.iter().filter(|(field, _)| !is_named(field)) {
        let field = preset.rename.get(*field).map_or(*field, String::as_str);
        extra.insert(field.to_owned(), (*value).into());
    }
    let mut options = options.clone();
    if extra != own {
        options.insert("extra".into(), Value::from(extra).to_string().into());
    }
    Some(options)
}

/// Replaces values that stand for a default of the protocol by that default, so that a recording says them.
pub(super) fn complete(options: &mut Options) {
    let reader = OptionReader(options);
    let protocol = reader.text("protocol", "chat").and_then(|name| parse_protocol(&name));
    let Ok((base_url, key_variable)) = protocol.and_then(|protocol| maker(protocol, &reader)) else { return };
    options.extend([("base_url".into(), base_url.into()), ("key_variable".into(), key_variable.into())]);
}

#[cfg(test)]
mod tests;
