//! The settings of the `model` agent: the validated table `[model]`. The defaults repeat those of the default
//! file, for journals written before a setting existed.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use serde::Deserialize;
use serde_json::Map;
use serde_json::Value;

use super::access::Access;
use super::access::AccessOptions;
use super::content_form::ContentForm;
use super::http::TlsFiles;
use super::image::FrameSize;
use super::image::ImageFormat;
use super::image::Scaling;
use super::protocol::Limit;
use super::protocol::PROTOCOLS;
use super::protocol::Protocol;
use super::request_parameters::RequestParameters;
use super::thoughts::ThoughtTags;
use super::thoughts::parse_tags;
use crate::agents::RequestLimits;
use crate::agents::TrialForm;
use crate::domain::OptionError;
use crate::domain::Options;
use crate::domain::Preset;

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
    /// Whether requests ask the server to cache what the next one repeats.
    pub(super) cache: bool,
    /// The delimiters of thoughts in the text of a reply.
    pub(super) thoughts: Vec<ThoughtTags>,
    /// The longest time without data from the server.
    pub(super) timeout: Duration,
    pub(super) max_retries: u32,
    /// The largest number of requests to the server at once, over all episodes of the process.
    pub(super) max_connections: usize,
}

impl ModelSettings {
    pub(super) fn parse(options: &Options) -> Result<Self, OptionError> {
        let settings = Self::parse_without_name(options)?;
        if settings.name.trim().is_empty() {
            return Err(invalid("name", "a model needs a name: --model NAME, as spelt by its server"));
        }
        Ok(settings)
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
                reader.integer("png_level", (1, 9), 6)?,
            )?,
            detail: parse_detail(reader.text("detail", "")?, protocol)?,
            images_most: Some(reader.integer("images_most", (0, 10_000), 0)?).filter(|&most| most > 0),
            side_most: Some(reader.integer("side_most", (0, 1_000_000), 0)?).filter(|&most| most > 0),
            stream: reader.boolean("stream", true)?,
            cache: parse_cache(&reader.text("cache", "off")?, protocol)?,
            // Journals without the setting have thoughts in their texts.
            thoughts: parse_tags(&reader.text("thoughts", "")?)?,
            timeout: Duration::from_secs(reader.integer("timeout", (1, 86_400), 120)?.into()),
            max_retries: reader.integer("max_retries", (0, 100), 2)?,
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
    "max_connections",
    "stream",
    "cache",
    "images_most",
    "side_most",
    "png_level",
    "system_role",
];

/// The name of the model in unchecked settings.
pub(super) fn name(options: &Options) -> Option<&str> {
    options.get("name")?.as_str()
}

/// The settings for one request that tests the server.
pub(super) fn trial(options: &Options, form: TrialForm) -> Options {
    let mut options = options.clone();
    options.extend([("stream".into(), form.stream.into()), ("max_retries".into(), 0.into())]);
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

struct OptionReader<'a>(&'a Options);

impl OptionReader<'_> {
    fn text(&self, name: &str, default: &str) -> Result<String, OptionError> {
        match self.0.get(name) {
            None => Ok(default.to_owned()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(value) => Err(invalid(name, format!("{value} is not a text"))),
        }
    }

    /// The names and texts of a table.
    fn table(&self, name: &str) -> Result<Vec<(String, String)>, OptionError> {
        let Some(value) = self.0.get(name) else { return Ok(Vec::new()) };
        let rows = value.as_object().ok_or_else(|| invalid(name, "it must be a table of names and texts"))?;
        let text = |(row, value): (&String, &Value)| {
            let text =
                value.as_str().ok_or_else(|| invalid(name, format!("the value of {row} must be a text")))?;
            Ok((row.clone(), text.to_owned()))
        };
        rows.iter().map(text).collect()
    }

    fn boolean(&self, name: &str, default: bool) -> Result<bool, OptionError> {
        let value = self.0.get(name).map_or(Some(default), Value::as_bool);
        value.ok_or_else(|| invalid(name, "it must be true or false"))
    }

    fn integer(&self, name: &str, (least, most): (u32, u32), default: u32) -> Result<u32, OptionError> {
        let Some(value) = self.0.get(name) else { return Ok(default) };
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| invalid(name, format!("{value} is out of range, allowed is {least} to {most}")))
    }

    fn float(&self, name: &str, (least, most): (f64, f64), default: f32) -> Result<f32, OptionError> {
        let Some(value) = self.0.get(name) else { return Ok(default) };
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        // The protocol type is f32.
        #[allow(clippy::cast_possible_truncation)]
        number
            .map(|number| number as f32)
            .ok_or_else(|| invalid(name, format!("{value} is out of range, allowed is {least} to {most}")))
    }
}

fn invalid(name: &str, why: impl Into<String>) -> OptionError {
    OptionError { name: name.to_owned(), why: why.into() }
}

/// The URL is stored and displayed, so it must not contain secrets.
fn parse_url(base: &str, endpoint: &str) -> Result<Url, OptionError> {
    let invalid_url = |why: &str| invalid("base_url", why);
    let url = Url::parse(base).map_err(|error| {
        let shown: String = base.chars().take_while(|c| *c != '@').take(80).collect();
        invalid_url(&format!("{shown:?} is not a URL ({error}); an example is http://127.0.0.1:8080/v1"))
    })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(invalid_url("it must begin with http:// or https:// and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid_url(
            "it contains a user name or a password; use an environment variable for the key: model.key_variable",
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid_url(
            "it must end with the path, without ? and #; fields after ? belong into model.query",
        ));
    }
    let path = url.path().trim_end_matches('/');
    if path.ends_with(&format!("/{endpoint}")) {
        let why = format!("it must not include /{endpoint}, which is added automatically");
        return Err(invalid_url(&why));
    }
    let path = format!("{path}/{endpoint}");
    let mut url = url;
    url.set_path(&path);
    Ok(url)
}

fn parse_access(
    reader: &OptionReader<'_>,
    key_variable: String,
    protocol: &dyn Protocol,
) -> Result<Access, OptionError> {
    let written = AccessOptions {
        key_variable,
        key_header: reader.text("key_header", "")?,
        headers: reader.table("headers")?,
        query: reader.table("query")?,
        protocol_key_header: protocol.key_header(),
        protocol_headers: protocol.headers(),
    };
    Access::parse(written).map_err(|(name, why)| invalid(name, why))
}

fn parse_files(reader: &OptionReader<'_>) -> Result<TlsFiles, OptionError> {
    let file = |name| Ok(Some(reader.text(name, "")?).filter(|path| !path.is_empty()).map(PathBuf::from));
    let files = TlsFiles {
        ca_file: file("ca_file")?,
        client_cert: file("client_cert")?,
        client_key: file("client_key")?,
    };
    if files.client_key.is_some() && files.client_cert.is_none() {
        return Err(invalid("client_key", "it is the key of a certificate; set model.client_cert too"));
    }
    Ok(files)
}

/// A protocol and its base URL and variable of the key, if the settings do not give others.
fn maker(protocol: &dyn Protocol, reader: &OptionReader<'_>) -> Result<(String, String), OptionError> {
    let (base_url, key_variable) = protocol.maker();
    let (url, variable) = (reader.text("base_url", "")?, reader.text("key_variable", AUTO)?);
    let or = |given: String, nothing: &str, own: &str| if given == nothing { own.to_owned() } else { given };
    Ok((or(url, "", base_url), or(variable, AUTO, key_variable)))
}

/// The value of `key_variable` that is the usual variable of the protocol.
const AUTO: &str = "auto";

/// Replaces values that stand for a default of the protocol by that default, so that a recording says them.
pub(super) fn complete(options: &mut Options) {
    let reader = OptionReader(options);
    let protocol = reader.text("protocol", "chat").and_then(|name| parse_protocol(&name));
    let Ok((base_url, key_variable)) = protocol.and_then(|protocol| maker(protocol, &reader)) else { return };
    options.extend([("base_url".into(), base_url.into()), ("key_variable".into(), key_variable.into())]);
}

fn parse_protocol(name: &str) -> Result<&'static dyn Protocol, OptionError> {
    PROTOCOLS.into_iter().find(|protocol| protocol.name() == name).ok_or_else(|| {
        let names: Vec<&str> = PROTOCOLS.iter().map(|protocol| protocol.name()).collect();
        invalid("protocol", format!("{name:?} is not a protocol; the protocols are {}", names.join(", ")))
    })
}

fn parse_cache(name: &str, protocol: &dyn Protocol) -> Result<bool, OptionError> {
    match name {
        "off" => Ok(false),
        "on" if protocol.asks_for_caching() => Ok(true),
        "on" => {
            let own = protocol.name();
            Err(invalid(
                "cache",
                format!("the protocol {own} has no field for it: its servers cache by themselves"),
            ))
        }
        other => Err(invalid("cache", format!("{other:?} is neither off nor on"))),
    }
}

fn parse_detail(name: String, protocol: &dyn Protocol) -> Result<String, OptionError> {
    let (allowed, own) = (protocol.details(), protocol.name());
    if name.is_empty() || allowed.contains(&name.as_str()) {
        return Ok(name);
    }
    Err(invalid(
        "detail",
        match allowed {
            [] => format!("the protocol {own} has no detail of images; leave it empty"),
            allowed => format!("{name:?} is not a detail; the details are {}", allowed.join(", ")),
        },
    ))
}

/// Fields set by the agent in every protocol, which `extra` cannot change.
const RESERVED_FIELDS: [&str; 3] = ["model", "stream", "n"];

fn parse_extra(text: &str, protocol: &dyn Protocol) -> Result<Map<String, Value>, OptionError> {
    let parsed = serde_json::from_str(text);
    let extra: Map<String, Value> =
        parsed.map_err(|error| invalid("extra", format!("it is not a JSON object: {error}")))?;
    let fields = protocol.turn_fields();
    let mut reserved = RESERVED_FIELDS.into_iter().chain([fields.list]).chain(fields.system);
    match reserved.find(|name| extra.contains_key(*name)) {
        Some(name) => {
            Err(invalid("extra", format!("{name} is not allowed here; it is set by its own setting")))
        }
        None => Ok(extra),
    }
}

/// The preset as the caller resolved it. Its name alone changes nothing, and neither do journals from before presets.
fn parse_preset(options: &Options) -> Result<Preset, OptionError> {
    match options.get("preset") {
        None | Some(Value::String(_)) => Ok(Preset::default()),
        Some(resolved) => Preset::deserialize(resolved).map_err(|error| invalid("preset", error.to_string())),
    }
}

fn parse_scaling(name: &str) -> Result<Scaling, OptionError> {
    match name {
        "smooth" => Ok(Scaling::Smooth),
        "whole" => Ok(Scaling::Whole),
        other => Err(invalid("scaling", format!("{other:?} is not a scaling; these are smooth and whole"))),
    }
}

fn parse_image_format(name: &str, png_level: u32) -> Result<ImageFormat, OptionError> {
    match name {
        "png" => Ok(ImageFormat::Png(png_level.to_le_bytes()[0])),
        "jpeg" => Ok(ImageFormat::Jpeg),
        other => {
            Err(invalid("image_format", format!("{other:?} is not a format; the formats are png and jpeg")))
        }
    }
}

#[cfg(test)]
mod tests;
