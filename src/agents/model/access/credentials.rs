//! The values that authorize one request: read when needed, sent, and redacted everywhere else.

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, Url};

use super::plain_word::is_plain_word;
use super::redaction::{Redactor, StreamRedactor};
use super::{Access, Header, encoded};
use crate::KeyLookup;
use mageyard_domain::{AgentError, VariablePart, VariableText};

/// The API key, the headers and the query of one request. It does not implement `Debug`, so that no value can get into a
/// message.
#[derive(Default)]
pub(in crate::model) struct Credentials {
    variable: String,
    has_key: bool,
    headers: HeaderMap,
    query: Vec<(String, String)>,
    redactor: Redactor,
    /// The variables whose values are too plain to be redacted.
    plain: Vec<String>,
}

impl Credentials {
    /// Reads the current values of all variables. A missing key is no error: the server says whether it needs one.
    pub(in crate::model) fn load(lookup: &KeyLookup, access: &Access) -> Result<Self, AgentError> {
        let mut values = Values { lookup, secrets: Vec::new(), plain: Vec::new() };
        let mut headers = HeaderMap::new();
        let key = values.read(&access.key_variable, "[the key]");
        if let Some(key) = &key {
            let value = header_value(&format!("{}{key}", access.key_header.prefix))
                .ok_or_else(|| not_allowed(&format!("the key in {}", access.key_variable)))?;
            headers.insert(access.key_header.name.clone(), value);
        }
        for Header { name, written, value } in &access.headers {
            let text = values.fill(value, &format!("model.headers, {written}"))?;
            let value = header_value(&text)
                .ok_or_else(|| not_allowed(&format!("the value of {written} (model.headers)")))?;
            headers.insert(name.clone(), value);
        }
        let query = access
            .query
            .iter()
            .map(|(name, text)| Ok((name.clone(), values.fill(text, &format!("model.query, {name}"))?)));
        let query = query.collect::<Result<_, AgentError>>()?;
        values.add_encoded();
        let redactor = Redactor::new(values.secrets);
        let plain = values.plain;
        Ok(Self {
            variable: access.key_variable.clone(),
            has_key: key.is_some(),
            headers,
            query,
            redactor,
            plain,
        })
    }

    /// A request to this URL with the headers and the query.
    pub(in crate::model) fn request(&self, http: &Client, method: Method, url: &Url) -> RequestBuilder {
        let mut url = url.clone();
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        http.request(method, url).headers(self.headers.clone())
    }

    /// Replaces every secret in a text.
    pub(in crate::model) fn redact(&self, text: String) -> String {
        self.redactor.redact(text)
    }

    /// Redacts the secrets in streamed text.
    pub(in crate::model) fn stream_redactor(&self) -> StreamRedactor {
        self.redactor.stream()
    }

    /// The source of the key in words.
    pub(in crate::model) fn origin(&self) -> String {
        match (self.has_key, self.variable.as_str()) {
            (_, "") => "no key is sent: model.key_variable is empty".to_owned(),
            (false, variable) => format!("{variable} is not set"),
            (true, variable) => format!("the key is from {variable}"),
        }
    }

    /// Whether a variable is named for the key and it is not set.
    pub(in crate::model) fn lacks_key(&self) -> bool {
        !self.has_key && !self.variable.is_empty()
    }

    /// The variables whose values are plain words, which are not redacted.
    pub(in crate::model) fn plain_variables(&self) -> &[String] {
        &self.plain
    }
}

/// Reads variables and collects their values.
struct Values<'a> {
    lookup: &'a KeyLookup,
    secrets: Vec<(String, String)>,
    plain: Vec<String>,
}

impl Values<'_> {
    /// The value without surrounding white space; `None` if it is missing or empty.
    fn read(&mut self, variable: &str, replacement: &str) -> Option<String> {
        let value = if variable.is_empty() { None } else { (self.lookup)(variable) };
        let value = value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())?;
        if is_plain_word(&value) {
            self.plain.push(variable.to_owned());
        } else {
            self.secrets.push((value.clone(), replacement.to_owned()));
        }
        Some(value)
    }

    /// Adds the secrets as they are written in an address and in JSON.
    fn add_encoded(&mut self) {
        let written = self.secrets.iter().flat_map(|(secret, name)| {
            let json = serde_json::Value::from(secret.as_str()).to_string();
            // Without the quotes around it.
            let json = json.get(1..json.len() - 1).unwrap_or_default().to_owned();
            let slashes = json.replace('/', "\\/");
            [encoded(secret), json, slashes].map(|secret| (secret, name.clone()))
        });
        let written: Vec<_> = written.filter(|(secret, _)| !secret.is_empty()).collect();
        self.secrets.extend(written);
    }

    /// The text with the values of its variables.
    fn fill(&mut self, text: &VariableText, place: &str) -> Result<String, AgentError> {
        let parts = text.parts().iter().map(|part| match part {
            VariablePart::Text(text) => Ok(text.clone()),
            VariablePart::Variable(name) => {
                self.read(name, &format!("[the value of {name}]")).ok_or_else(|| {
                    AgentError::InvalidKey(format!("{place} takes its value from {name}, which is not set"))
                })
            }
        });
        parts.collect()
    }
}

fn header_value(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn not_allowed(what: &str) -> AgentError {
    AgentError::InvalidKey(format!("{what} has a character that is not allowed in a header"))
}
