//! The settings of the `model` agent: the validated table `[model]`. The defaults repeat those of the default
//! file, for journals written before a setting existed.

use std::time::Duration;

use reqwest::Url;
use serde_json::Map;
use serde_json::Value;

use super::image::FrameSize;
use super::image::ImageFormat;
use super::image::Scaling;
use super::protocol::ChatCompletions;
use super::protocol::Protocol;
use crate::agents::RequestLimits;
use crate::domain::OptionError;
use crate::domain::Options;

/// The settings of a model.
#[derive(Clone, Debug)]
pub(super) struct ModelSettings {
    pub(super) name: String,
    pub(super) protocol: &'static dyn Protocol,
    /// The URL of the endpoint.
    pub(super) url: Url,
    /// The name of the environment variable with the API key; empty for none.
    pub(super) key_variable: String,
    pub(super) temperature: f32,
    pub(super) top_p: f32,
    pub(super) max_tokens: u32,
    pub(super) frequency_penalty: f32,
    /// Fields that override all others.
    pub(super) extra: Map<String, Value>,
    pub(super) frame_size: FrameSize,
    pub(super) format: ImageFormat,
    pub(super) images_most: Option<u32>,
    /// The longest edge accepted by the server, in pixels.
    pub(super) side_most: Option<u32>,
    pub(super) stream: bool,
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
        let protocol: &'static dyn Protocol = &ChatCompletions;
        Ok(Self {
            name: reader.text("name", "")?,
            protocol,
            url: parse_url(&reader.text("base_url", "https://api.openai.com/v1")?, protocol.path())?,
            key_variable: parse_variable_name(reader.text("key_variable", "OPENAI_API_KEY")?)?,
            temperature: reader.float("temperature", (0.0, 2.0), 0.1)?,
            top_p: reader.float("top_p", (0.0, 1.0), 0.95)?,
            max_tokens: reader.integer("max_tokens", (1, 10_000_000), 4000)?,
            frequency_penalty: reader.float("frequency_penalty", (-2.0, 2.0), 1.0)?,
            extra: parse_extra(&reader.text("extra", "{}")?)?,
            frame_size: FrameSize {
                edge: Some(reader.integer("resolution", (0, 8192), 256)?).filter(|&edge| edge > 0),
                scaling: parse_scaling(&reader.text("scaling", "smooth")?)?,
            },
            format: parse_image_format(&reader.text("image_format", "png")?)?,
            images_most: Some(reader.integer("images_most", (0, 10_000), 0)?).filter(|&most| most > 0),
            side_most: Some(reader.integer("side_most", (0, 1_000_000), 0)?).filter(|&most| most > 0),
            stream: reader.boolean("stream", true)?,
            timeout: Duration::from_secs(reader.integer("timeout", (1, 86_400), 120)?.into()),
            max_retries: reader.integer("max_retries", (0, 100), 2)?,
            max_connections: usize::try_from(reader.integer("max_connections", (1, 10_000), 64)?)
                .unwrap_or(1),
        })
    }
}

impl ModelSettings {
    /// The requested limit of output tokens with its setting; `None` if the server decides.
    pub(super) fn token_limit(&self) -> Option<(&'static str, u64)> {
        let extra = |field: &str| self.extra.get(field);
        let own = ("model.max_tokens", Some(u64::from(self.max_tokens)));
        let field = extra("max_tokens").map_or(own, |most| ("max_tokens in model.extra", most.as_u64()));
        let other = extra("max_completion_tokens").and_then(Value::as_u64);
        let limits = [field, ("max_completion_tokens in model.extra", other)];
        limits.into_iter().filter_map(|(name, most)| Some((name, most?))).min_by_key(|(_, most)| *most)
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
    "timeout",
    "max_retries",
    "max_connections",
    "stream",
    "images_most",
    "side_most",
    "system_role",
];

/// The name of the model in unchecked settings.
pub(super) fn name(options: &Options) -> Option<&str> {
    options.get("name")?.as_str()
}

/// The settings for one request that tests the server.
pub(super) fn trial(options: &Options, stream: bool) -> Options {
    let mut options = options.clone();
    options.extend([("stream".into(), stream.into()), ("max_retries".into(), 0.into())]);
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
        return Err(invalid_url("it must end with the path, without ? and #"));
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

/// Rejects a key that was given in place of the name of its variable, so that it is not stored.
fn parse_variable_name(name: String) -> Result<String, OptionError> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(is_name) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(name);
    }
    Err(invalid(
        "key_variable",
        "it must be the name of an environment variable, such as OPENAI_API_KEY, not the key itself",
    ))
}

/// Fields set by the agent, which `extra` cannot change.
const RESERVED_FIELDS: [&str; 4] = ["messages", "model", "stream", "n"];

fn parse_extra(text: &str) -> Result<Map<String, Value>, OptionError> {
    let parsed = serde_json::from_str(text);
    let extra: Map<String, Value> =
        parsed.map_err(|error| invalid("extra", format!("it is not a JSON object: {error}")))?;
    match RESERVED_FIELDS.iter().find(|name| extra.contains_key(**name)) {
        Some(name) => {
            Err(invalid("extra", format!("{name} is not allowed here; it is set by its own setting")))
        }
        None => Ok(extra),
    }
}

fn parse_scaling(name: &str) -> Result<Scaling, OptionError> {
    match name {
        "smooth" => Ok(Scaling::Smooth),
        "whole" => Ok(Scaling::Whole),
        other => Err(invalid("scaling", format!("{other:?} is not a scaling; these are smooth and whole"))),
    }
}

fn parse_image_format(name: &str) -> Result<ImageFormat, OptionError> {
    match name {
        "png" => Ok(ImageFormat::Png),
        "jpeg" => Ok(ImageFormat::Jpeg),
        other => {
            Err(invalid("image_format", format!("{other:?} is not a format; the formats are png and jpeg")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(name: &str, value: Value) -> Result<ModelSettings, String> {
        let mut options = Options::from([("name".to_owned(), json!("m"))]);
        options.insert(name.to_owned(), value);
        ModelSettings::parse(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_are_those_of_the_paper() {
        let settings = read("stream", json!(false)).unwrap();
        let numbers = (settings.temperature, settings.top_p, settings.max_tokens, settings.frequency_penalty);
        assert_eq!(numbers, (0.1, 0.95, 4000, 1.0));
        assert_eq!((settings.frame_size.edge, settings.max_retries, settings.stream), (Some(256), 2, false));
        assert_eq!(settings.url.as_str(), "https://api.openai.com/v1/chat/completions");
    }

    #[test]
    fn invalid_settings_are_rejected_with_a_reason() {
        for (name, value, says) in [
            ("name", json!(" "), "needs a name"),
            ("base_url", json!("localhost:8080"), "must begin with http"),
            ("base_url", json!("nonsense"), "is not a URL"),
            ("base_url", json!("http://me:secret@host/v1"), "contains a user name or a password"),
            ("base_url", json!("http://host/v1?key=1"), "without ?"),
            ("base_url", json!("http://host/v1/chat/completions"), "must not include /chat/completions"),
            ("key_variable", json!("sk-abc"), "the name of an environment variable"),
            ("temperature", json!(2.5), "2.5 is out of range, allowed is 0 to 2"),
            ("top_p", json!(-1), "out of range"),
            ("max_tokens", json!(0), "0 is out of range, allowed is 1"),
            ("max_retries", json!(-1), "out of range"),
            ("max_connections", json!(0), "0 is out of range, allowed is 1"),
            ("extra", json!("[1]"), "not a JSON object"),
            ("extra", json!("{\"messages\": []}"), "messages is not allowed here"),
            ("image_format", json!("gif"), "the formats are png and jpeg"),
            ("scaling", json!("nearest"), "smooth and whole"),
            ("stream", json!("yes"), "true or false"),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.starts_with(name) && error.contains(says), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
