//! The API key: read when needed, sent in one header, and redacted everywhere else.

use reqwest::header::HeaderValue;

use super::KeyLookup;
use crate::domain::AgentError;

/// The API key of one request. It does not implement `Debug`, so that it cannot get into a message.
pub(super) struct ApiKey {
    variable: String,
    key: Option<String>,
}

/// Shorter keys (`none`, `x`) are placeholders; redacting them would garble messages.
const MIN_REDACTED_LENGTH: usize = 6;

impl ApiKey {
    /// The current value of the variable without surrounding white space.
    pub(super) fn load(key_lookup: &KeyLookup, variable: &str) -> Self {
        let key = if variable.is_empty() { None } else { key_lookup(variable) };
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        Self { variable: variable.to_owned(), key }
    }

    /// The value of the `Authorization` header, if there is a key.
    pub(super) fn authorization(&self) -> Result<Option<HeaderValue>, AgentError> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
            let what =
                format!("the key in {} has a character that is not allowed in a header", self.variable);
            AgentError::InvalidRequest(what)
        })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// Replaces the key in a text.
    pub(super) fn redact(&self, text: String) -> String {
        match &self.key {
            Some(key) if key.len() >= MIN_REDACTED_LENGTH && text.contains(key) => {
                text.replace(key, REDACTED)
            }
            _ => text,
        }
    }

    /// Redacts the key in streamed text.
    pub(super) fn stream_redactor(&self) -> StreamRedactor {
        let key = self.key.clone().filter(|key| key.len() >= MIN_REDACTED_LENGTH).unwrap_or_default();
        StreamRedactor { key, buffer: String::new() }
    }

    /// The source of the key in words.
    pub(super) fn origin(&self) -> String {
        match (&self.key, self.variable.as_str()) {
            (_, "") => "no key is sent: model.key_variable is empty".to_owned(),
            (None, variable) => format!("{variable} is not set"),
            (Some(_), variable) => format!("the key is from {variable}"),
        }
    }
}

/// Redacts the key in streamed text. It holds back the end of the text while that may be the beginning of the key.
#[derive(Default)]
pub(super) struct StreamRedactor {
    key: String,
    buffer: String,
}

impl StreamRedactor {
    /// Adds a chunk and returns the text that is safe to display.
    pub(super) fn redact(&mut self, chunk: &str) -> String {
        if self.key.is_empty() {
            return chunk.to_owned();
        }
        self.buffer.push_str(chunk);
        let mut shown = self.buffer.replace(&self.key, REDACTED);
        let kept = (1..self.key.len()).rev().filter_map(|end| self.key.get(..end));
        let kept = kept.filter(|prefix| shown.ends_with(prefix)).map(str::len).next().unwrap_or(0);
        self.buffer = shown.split_off(shown.len() - kept);
        shown
    }

    /// Returns the text held back.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.buffer)
    }
}

/// The replacement of the key.
const REDACTED: &str = "[the key]";

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn api_key(key: &'static str) -> ApiKey {
        let keys: KeyLookup = Arc::new(move |_| Some(key.to_owned()));
        ApiKey::load(&keys, "KEY")
    }

    #[test]
    fn a_key_is_redacted_wherever_it_occurs() {
        let text = || "wrong key sk-planted, (sk-planted)".to_owned();
        assert_eq!(api_key(" sk-planted\n").redact(text()), "wrong key [the key], ([the key])");
        assert_eq!(api_key("x").redact(text()), text());
        let header = api_key("sk-planted").authorization().unwrap().unwrap();
        assert!(header.is_sensitive() && !format!("{header:?}").contains("planted"));
    }

    #[test]
    fn a_key_split_across_chunks_is_redacted() {
        let text = "a sk-sk-planted b sk-plan";
        for size in 1..text.len() {
            let mut redactor = api_key("sk-planted").stream_redactor();
            let mut shown: String = text
                .as_bytes()
                .chunks(size)
                .map(|chunk| redactor.redact(std::str::from_utf8(chunk).unwrap()))
                .collect();
            assert!(!shown.contains("sk-plan"), "{shown}");
            shown.push_str(&redactor.finish());
            assert_eq!(shown, "a sk-[the key] b sk-plan", "{size}");
        }
        assert_eq!(api_key("").stream_redactor().redact("sk"), "sk");
    }

    #[test]
    fn a_key_invalid_in_a_header_is_rejected_without_being_shown() {
        let error = api_key("sk-\u{7}planted").authorization().unwrap_err().to_string();
        assert!(error.contains("KEY") && !error.contains("planted"), "{error}");
        assert_eq!(api_key("").authorization().unwrap(), None);
    }
}
