//! Advice for errors of a server, by what the server said, and the setting that would avoid the error.

#[cfg(test)]
mod bodies;
mod rules;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::{Map, Value};

use self::rules::{Cause, cause};
use super::rate_limit::is_long_period;
use super::settings::ModelSettings;
use super::suggested_setting::SuggestedSetting;
use mageyard_domain::{duration_words, sanitize};

/// An error of a server.
pub(super) struct ServerError<'a> {
    /// `None` if the server named none, within a reply.
    pub(super) status: Option<u16>,
    /// The complete body, as text.
    pub(super) body: &'a str,
    /// Where a redirection leads.
    pub(super) location: Option<String>,
    /// The time after which the server asks to retry.
    pub(super) asked: Option<Duration>,
    /// Whether the account has no money or quota left, or has reached a limit per day.
    pub(super) is_account: bool,
    /// Whether this request is the only one at the server, as far as this process knows.
    pub(super) is_alone: bool,
    /// The source of the key in words.
    pub(super) key_origin: String,
}

/// What can be said about an error.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Advice {
    /// The advice in words.
    pub(super) words: Option<String>,
    /// The setting that would avoid the error.
    pub(super) setting: Option<SuggestedSetting>,
    /// Whether the names of the server's models would help.
    pub(super) wants_models: bool,
}

/// Fields of a request that a server may refuse and that can be left out.
const OPTIONAL_FIELDS: [&str; 11] = [
    "temperature",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "max_completion_tokens",
    "max_output_tokens",
    "max_tokens",
    "stream_options",
    "response_format",
    "store",
    "top_k",
];

/// Whether the words of an error within a reply say that the address is wrong, as a 404 would.
pub(super) fn names_no_endpoint(said: &str) -> bool {
    cause(None, &said.to_lowercase()) == Some(Cause::Endpoint)
}

/// Whether the words of an error within a reply name a cause that the next try would have too.
pub(super) fn names_cause(said: &str) -> bool {
    cause(None, &said.to_lowercase()).is_some()
}

/// The advice for an error with these settings.
pub(super) fn advise(settings: &ModelSettings, error: &ServerError<'_>) -> Advice {
    let said = error.body.to_lowercase();
    let words = |words: String| Advice { words: Some(words), ..Advice::default() };
    let set = |name, value: Value, why: &str| Advice {
        words: Some(format!("{why}: set {name} = {value}")),
        setting: Some(SuggestedSetting { name, value }),
        wants_models: false,
    };
    let url = &settings.url;
    let model = &settings.name;
    match limit_cause(error).or_else(|| cause(error.status, &said)) {
        Some(Cause::Moved) => {
            let to = error.location.as_deref().unwrap_or("another address");
            words(format!("{url} has moved to {to}: change model.base_url"))
        }
        Some(Cause::ImageCount) => words(image_count_advice(&said)),
        Some(Cause::ImageTooSmall) => {
            words("the images are too small for the server: raise model.resolution".to_owned())
        }
        Some(Cause::ImageSize) => {
            words("the images are too large for the server: lower model.resolution".to_owned())
        }
        Some(Cause::MaxTokens) => max_tokens_advice(settings, &said),
        Some(Cause::ContextTooLong) => words(context_advice(&said)),
        Some(Cause::Filter) => words("this is the server's filter, not the model".to_owned()),
        Some(Cause::TokenLimitField) => rename_limit(settings),
        Some(Cause::ListContent) => words(
            "the server takes only plain strings, so it gets no images: set model.content = \"string\" and play \
             with a prompt without images, such as HD-CoT-NoIMG"
                .to_owned(),
        ),
        Some(Cause::StringContent) => set("model.content", "parts".into(), "the server takes only lists"),
        Some(Cause::SystemRole) => {
            set("model.system_role", false.into(), "the model has no system role, its text can open the first turn")
        }
        Some(Cause::Image) => words(
            "the model or the server takes no images: choose a model with vision, or play with a prompt without \
             images, such as HD-CoT-NoIMG"
                .to_owned(),
        ),
        Some(Cause::MissingHeader) => words(header_advice(&said)),
        Some(Cause::Quota) => words(quota_advice(error)),
        Some(Cause::Temperature) => {
            let temperature = [("temperature".to_owned(), Value::Null)];
            with_extra(settings, temperature, "the server refuses temperature")
        }
        Some(Cause::Endpoint) => {
            words(format!("there is no such address at {url}: the base URL of most servers ends in /v1"))
        }
        Some(Cause::UnknownModel) => Advice { wants_models: true, ..words(format!("is there a model {model:?} at {url}?")) },
        Some(Cause::NotFound) => {
            let advice = format!("is there a model {model:?} at {url}? The base URL of most servers ends in /v1");
            Advice { wants_models: true, ..words(advice) }
        }
        Some(Cause::ExclusiveFields) => refused_fields(settings, refused(settings, &said).into_iter().rev().take(1)),
        Some(Cause::RefusedField) => refused_fields(settings, refused(settings, &said).into_iter()),
        Some(Cause::Key) => words(error.key_origin.clone()),
        Some(Cause::Access) => {
            words(format!("{}; it may not have access to the model {model:?}", error.key_origin))
        }
        Some(Cause::TooLarge) => words("the request is too large: lower model.resolution or OM".to_owned()),
        Some(Cause::RateLimit) => words(rate_limit_advice(error)),
        Some(Cause::Other) => {
            words("to omit a field that the server rejects, set it to null in model.extra".to_owned())
        }
        None => Advice {
            words: error.asked.map(|asked| format!("the server asks to retry after {}", duration_words(asked))),
            ..Advice::default()
        },
    }
}

/// Whether the status or the body says that a limit was reached; their words alone would not tell which.
fn limit_cause(error: &ServerError<'_>) -> Option<Cause> {
    match error.status {
        _ if error.is_account => Some(Cause::Quota),
        Some(429) => Some(Cause::RateLimit),
        _ => None,
    }
}

fn quota_advice(error: &ServerError<'_>) -> String {
    if is_long_period(error.body) {
        return format!("a limit per day or month is reached; {}", error.key_origin);
    }
    format!("the account has no quota left; {}", error.key_origin)
}

fn rate_limit_advice(error: &ServerError<'_>) -> String {
    match error.asked {
        Some(asked) => format!("the server asks to retry after {}", duration_words(asked)),
        None if error.is_alone => {
            "the server limits the rate of this single request: wait, raise model.rate_limit_wait, or use a model \
             or account with a larger limit"
                .to_owned()
        }
        None => "too many requests: lower model.max_connections or run.jobs, or raise \
                 model.rate_limit_wait"
            .to_owned(),
    }
}

/// All numbers in a text, without the marks of thousands.
fn numbers(said: &str) -> impl Iterator<Item = u64> {
    said.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

/// The limit is the smallest number that the server names, if it names any: the other one is that of the request.
fn image_count_advice(said: &str) -> String {
    let most = numbers(said).filter(|number| (1..1000).contains(number) && *number != 400).min();
    match most {
        Some(most) => format!(
            "the server takes at most {most} images in a request: lower memory.om; model.images_most = {most} checks it \
             before sending"
        ),
        None => "there are too many images in the request: lower memory.om".to_owned(),
    }
}

/// A limit that the server names becomes the setting; one that depends on the length of the request does not.
fn max_tokens_advice(settings: &ModelSettings, said: &str) -> Advice {
    let (name, requested) = settings.token_limit().unwrap_or(("model.max_tokens", u64::MAX));
    let why = format!("{name} is larger than the model allows");
    let named = numbers(said).filter(|number| (16..requested).contains(number)).max();
    let named = named.filter(|_| name == "model.max_tokens" && !said.contains("context length"));
    let Some(named) = named else {
        return Advice { words: Some(format!("{why}: lower it")), ..Advice::default() };
    };
    let is_excluded = said.contains("exclusive") || said.contains("lower than");
    let most = named - u64::from(is_excluded);
    Advice {
        words: Some(format!("{why}: set {name} = {most}")),
        setting: Some(SuggestedSetting { name: "model.max_tokens", value: most.into() }),
        wants_models: false,
    }
}

/// What to lower, and by how much if the server named the limit and the length.
fn context_advice(said: &str) -> String {
    let mut large = numbers(said).filter(|number| *number >= 256);
    let too_long = match (large.next(), large.next()) {
        (Some(one), Some(other)) if one != other => format!("{} tokens too long", one.abs_diff(other)),
        _ => "too long".to_owned(),
    };
    format!(
        "the request is {too_long} for the model: lower memory.am, memory.om, model.resolution or model.max_tokens"
    )
}

/// Names the header that the server asks for.
fn header_advice(said: &str) -> String {
    let is_name = |word: &&str| word.contains('-') && word.len() < 60 && !word.starts_with('-');
    let mut words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    match words.find(is_name) {
        Some(name) => format!("add the header to model.headers: {{ {:?} = \"…\" }}", sanitize(name)),
        None => "add the header that the server asks for to model.headers".to_owned(),
    }
}

fn rename_limit(settings: &ModelSettings) -> Advice {
    let limit = settings.max_tokens.into();
    let fields = [("max_tokens".to_owned(), Value::Null), ("max_completion_tokens".to_owned(), limit)];
    with_extra(settings, fields, "the model has another field for the limit")
}

/// The optional fields of the request that the server names, in the order in which it names them.
fn refused(settings: &ModelSettings, said: &str) -> Vec<String> {
    let own = settings.extra.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| name.as_str());
    let names = OPTIONAL_FIELDS.into_iter().chain(own).chain(["stream"]);
    let mut found: Vec<(usize, &str)> = names.filter_map(|name| Some((word_at(said, name)?, name))).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// Where a name is in a text as a complete word.
fn word_at(said: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| {
        let before = &said[..*at];
        let after = &said[at + name.len()..];
        !before.ends_with(is_part) && !after.starts_with(is_part)
    };
    said.match_indices(&name.to_lowercase()).map(|(at, _)| at).find(alone)
}

fn refused_fields(settings: &ModelSettings, names: impl Iterator<Item = String>) -> Advice {
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [] => Advice {
            words: Some("to omit a field that the server rejects, set it to null in model.extra".to_owned()),
            ..Advice::default()
        },
        [name] if name == "stream" => Advice {
            words: Some("the server does not stream: set model.stream = false".to_owned()),
            setting: Some(SuggestedSetting { name: "model.stream", value: false.into() }),
            wants_models: false,
        },
        names => {
            let fields =
                names.iter().filter(|name| *name != "stream").map(|name| (name.clone(), Value::Null));
            with_extra(settings, fields, &format!("the server refuses {}", names.join(", ")))
        }
    }
}

/// The advice to add these fields to `model.extra`.
fn with_extra(
    settings: &ModelSettings,
    fields: impl IntoIterator<Item = (String, Value)>,
    why: &str,
) -> Advice {
    let mut extra: Map<String, Value> = settings.extra.clone();
    extra.extend(fields);
    let text = Value::from(extra).to_string();
    Advice {
        words: Some(format!("{why}: set model.extra = '{}'", sanitize(&text))),
        setting: Some(SuggestedSetting { name: "model.extra", value: text.into() }),
        wants_models: false,
    }
}
