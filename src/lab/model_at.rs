//! A model and the server that it is asked at.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A model by its name, as spelt by its server, and that server if it is not the one of the settings. Written `NAME` or
/// `NAME@URL`, such as `qwen@http://localhost:8000/v1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct ModelAt {
    /// The name.
    pub name: String,
    /// The base URL of the server; `None` for that of the settings.
    pub server: Option<String>,
}

impl ModelAt {
    /// A model on the server of the settings.
    pub fn named(name: String) -> Self {
        Self { name, server: None }
    }

    /// A short name: of the server only the host and the port.
    pub fn label(&self) -> String {
        match &self.server {
            None => self.name.clone(),
            Some(url) => {
                let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
                format!("{}@{}", self.name, rest.split('/').next().unwrap_or(rest))
            }
        }
    }
}

impl From<String> for ModelAt {
    fn from(text: String) -> Self {
        // A name may contain an @ itself, so only that of an address counts.
        let found = ["@http://", "@https://"].iter().filter_map(|start| text.find(start)).min();
        match found {
            Some(place) => {
                Self { name: text[..place].to_owned(), server: Some(text[place + 1..].to_owned()) }
            }
            None => Self::named(text),
        }
    }
}

impl From<ModelAt> for String {
    fn from(model: ModelAt) -> Self {
        model.to_string()
    }
}

impl fmt::Display for ModelAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.server {
            None => f.write_str(&self.name),
            Some(url) => write!(f, "{}@{url}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_ends_the_name() {
        for (text, name, server, label) in [
            ("gpt-4o", "gpt-4o", None, "gpt-4o"),
            ("claude@20240620", "claude@20240620", None, "claude@20240620"),
            (
                "qwen@http://localhost:8000/v1",
                "qwen",
                Some("http://localhost:8000/v1"),
                "qwen@localhost:8000",
            ),
            ("a@1@https://example.org/v1", "a@1", Some("https://example.org/v1"), "a@1@example.org"),
        ] {
            let model: ModelAt = text.to_owned().into();
            assert_eq!((model.name.as_str(), model.server.as_deref()), (name, server));
            assert_eq!((model.to_string().as_str(), model.label().as_str()), (text, label));
        }
    }
}
