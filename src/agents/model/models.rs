//! The names of a server's models: for the error about an unknown one, and for people who choose one.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::{Method, Url};
use serde_json::Value;

use super::access::Credentials;
use super::error::{RequestError, truncated};
use super::error_body::error_message;
use super::http::{Connection, HttpClient, connection_failure, refused_by_proxy};
use super::pool::ModelPool;
use super::settings::ModelSettings;
use super::{KeyLookup, TABLE};
use mageyard_domain::{AgentError, Options, nearest_names};

/// The longest wait for the list.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of the list in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The number of names that are shown if none is near.
const SHOWN: usize = 5;

/// The names that the server lists, sanitized; empty if it does not list them in time.
pub(super) async fn names(
    http: &HttpClient,
    settings: &ModelSettings,
    credentials: &Credentials,
) -> Vec<String> {
    let fetched = tokio::time::timeout(TIMEOUT, fetch(http, settings, credentials)).await;
    fetched.unwrap_or_else(|_| Ok(Vec::new())).unwrap_or_default()
}

/// The names that the server of these settings lists within `wait`, sanitized and each once.
pub(super) async fn served(
    options: Options,
    lookup: KeyLookup,
    pool: ModelPool,
    wait: Duration,
) -> Result<Vec<String>, AgentError> {
    let settings = ModelSettings::parse_without_name(&options);
    let settings = settings.map_err(|error| AgentError::InvalidRequest(format!("{TABLE}.{error}")))?;
    let credentials = Credentials::load(&lookup, &settings.access)?;
    let http = pool.client(&Connection::new(&settings.url, &settings.files, &lookup)?)?;
    let fetched = tokio::time::timeout(wait, fetch(&http, &settings, &credentials)).await;
    let silent = || AgentError::Timeout { seconds: wait.as_secs(), begun: false };
    fetched.map_err(|_| silent())?.map_err(|failed| failed.redacted(&credentials).error)
}

fn name_of(row: &Value) -> Option<&str> {
    ["id", "name"].iter().find_map(|field| row[*field].as_str())
}

async fn fetch(
    http: &HttpClient,
    settings: &ModelSettings,
    credentials: &Credentials,
) -> Result<Vec<String>, RequestError> {
    let no_list = || RequestError::malformed("it is not a list of models");
    let url = address(settings).ok_or_else(no_list)?;
    let failed = |error: reqwest::Error| connection_failure(&error, &url, http.proxy.as_ref());
    let mut response = credentials.request(&http.client, Method::GET, &url).send().await.map_err(failed)?;
    let status = response.status();
    if let Some(refused) = refused_by_proxy(status, &url, http.proxy.as_ref()) {
        return Err(refused);
    }
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(failed)? {
        body.extend_from_slice(&bytes);
        if body.len() > MAX_BYTES {
            return Err(no_list());
        }
    }
    if !status.is_success() {
        let message = error_message(&credentials.redact(String::from_utf8_lossy(&body).into_owned()));
        return Err(RequestError::api(status.as_u16(), message, None));
    }
    let list: Value = serde_json::from_slice(&body).map_err(|_| no_list())?;
    let rows = list.pointer("/data").or_else(|| list.pointer("/models")).and_then(Value::as_array);
    let mut seen = BTreeSet::new();
    let name = |row: &Value| Some(credentials.redact(truncated(name_of(row)?, 100)));
    let names = rows.ok_or_else(no_list)?.iter().filter_map(name).filter(|name| seen.insert(name.clone()));
    Ok(names.collect())
}

fn address(settings: &ModelSettings) -> Option<Url> {
    let base = settings.url.path().strip_suffix(settings.protocol.path())?;
    let mut url = settings.url.clone();
    url.set_path(&format!("{base}models"));
    Some(url)
}

/// The names nearest to this one, or the first ones.
pub(super) fn describe(model: &str, names: &[String]) -> Option<String> {
    let near = nearest_names(model, names.iter().map(String::as_str));
    match (near.as_slice(), names) {
        (_, []) => None,
        (_, names) if names.iter().any(|name| name == model) => None,
        ([], [first @ .., _]) if first.len() >= SHOWN => {
            Some(format!("it has {} others, such as {}", names.len(), names[..SHOWN].join(", ")))
        }
        ([], names) => Some(format!("it has {}", names.join(", "))),
        (near, _) => Some(format!("did you mean {}?", near.join(" or "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_shown_or_the_first_ones() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let known = names(&["qwen2.5-vl-7b", "qwen2.5-vl-72b", "phi"]);
        assert_eq!(describe("qwen2.5-vl", &known).unwrap(), "did you mean qwen2.5-vl-7b or qwen2.5-vl-72b?");
        assert_eq!(describe("zzz", &known[2..]).unwrap(), "it has phi");
        let many = names(&["a1", "b2", "c3", "d4", "e5", "f6"]);
        assert_eq!(describe("zzz", &many).unwrap(), "it has 6 others, such as a1, b2, c3, d4, e5");
        assert_eq!(describe("phi", &known), None);
        assert_eq!(describe("phi", &[]), None);
    }
}
