//! The names of a server's models, for the error about an unknown one.

use std::time::Duration;

use reqwest::{Client, Method, Url};
use serde_json::Value;

use super::access::Credentials;
use super::error::truncated;
use super::settings::ModelSettings;
use mageyard_domain::nearest_names;

/// The longest wait for the list.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of the list in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The number of names that are shown if none is near.
const SHOWN: usize = 5;

/// The names that the server lists, sanitized; empty if it does not list them in time.
pub(super) async fn names(http: &Client, settings: &ModelSettings, credentials: &Credentials) -> Vec<String> {
    let fetched = tokio::time::timeout(TIMEOUT, fetch(http, settings, credentials)).await;
    let list = fetched.ok().flatten().unwrap_or_default();
    let rows = list.pointer("/data").or_else(|| list.pointer("/models")).and_then(Value::as_array);
    let name = |row: &Value| Some(credentials.redact(truncated(name_of(row)?, 100)));
    rows.into_iter().flatten().filter_map(name).collect()
}

fn name_of(row: &Value) -> Option<&str> {
    ["id", "name"].iter().find_map(|field| row[*field].as_str())
}

async fn fetch(http: &Client, settings: &ModelSettings, credentials: &Credentials) -> Option<Value> {
    let mut response = credentials.request(http, Method::GET, &address(settings)?).send().await.ok()?;
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.ok()? {
        body.extend_from_slice(&bytes);
        if body.len() > MAX_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
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
