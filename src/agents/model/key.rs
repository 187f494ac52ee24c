//! The key of a server: read when it is needed, put into one header, and struck out of everything else.

use reqwest::header::HeaderValue;

use super::ModelConfig;
use crate::domain::AgentError;

/// A key for the time of one try. It has no `Debug`, so that it cannot slip into a message.
pub(super) struct ApiKey {
    variable: String,
    key: Option<String>,
}

/// Shorter ones (`none`, `x`) are no secrets, and striking them out would only spoil messages.
const MIN_REDACTED_LENGTH: usize = 6;

impl ApiKey {
    /// The key that the variable holds now, without the white space around it.
    pub(super) fn load(wire: &ModelConfig, variable: &str) -> Self {
        let key = if variable.is_empty() { None } else { (wire.key_lookup)(variable) };
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        Self { variable: variable.to_owned(), key }
    }

    /// The header that carries it, if there is one.
    pub(super) fn authorization(&self) -> Result<Option<HeaderValue>, AgentError> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
            let what = format!("the key in {} holds a character that no key can have", self.variable);
            AgentError::InvalidRequest(what)
        })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// The text without the key.
    pub(super) fn redact(&self, text: String) -> String {
        match &self.key {
            Some(key) if key.len() >= MIN_REDACTED_LENGTH && text.contains(key) => {
                text.replace(key, REDACTED)
            }
            _ => text,
        }
    }

    /// Strikes it out of a text that comes piece by piece.
    pub(super) fn stream_redactor(&self) -> StreamRedactor {
        let key = self.key.clone().filter(|key| key.len() >= MIN_REDACTED_LENGTH).unwrap_or_default();
        StreamRedactor { key, buffer: String::new() }
    }

    /// Where the key came from or should have come from, in words.
    pub(super) fn origin(&self) -> String {
        match (&self.key, self.variable.as_str()) {
            (_, "") => "no variable for a key is set: see model.key_variable".to_owned(),
            (None, variable) => format!("{variable} is not set"),
            (Some(_), variable) => format!("the key is that of {variable}"),
        }
    }
}

/// Holds back the end of a text for as long as it may be the beginning of the key.
#[derive(Default)]
pub(super) struct StreamRedactor {
    key: String,
    buffer: String,
}

impl StreamRedactor {
    /// What can be shown now, this piece included.
    pub(super) fn redact(&mut self, piece: &str) -> String {
        if self.key.is_empty() {
            return piece.to_owned();
        }
        self.buffer.push_str(piece);
        let mut shown = self.buffer.replace(&self.key, REDACTED);
        let kept = (1..self.key.len()).rev().filter_map(|end| self.key.get(..end));
        let kept = kept.filter(|begun| shown.ends_with(begun)).map(str::len).next().unwrap_or(0);
        self.buffer = shown.split_off(shown.len() - kept);
        shown
    }

    /// What was held back to the end.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.buffer)
    }
}

/// What stands where the key stood.
const REDACTED: &str = "[the key]";

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn secret(key: &'static str) -> ApiKey {
        let wire =
            ModelConfig { key_lookup: Arc::new(move |_| Some(key.to_owned())), ..ModelConfig::default() };
        ApiKey::load(&wire, "KEY")
    }

    #[test]
    fn a_key_is_redacted_wherever_it_occurs() {
        let text = || "wrong key sk-planted, (sk-planted)".to_owned();
        assert_eq!(secret(" sk-planted\n").redact(text()), "wrong key [the key], ([the key])");
        assert_eq!(secret("x").redact(text()), text());
        let header = secret("sk-planted").authorization().unwrap().unwrap();
        assert!(header.is_sensitive() && !format!("{header:?}").contains("planted"));
    }

    #[test]
    fn a_key_split_across_chunks_is_redacted() {
        let text = "a sk-sk-planted b sk-plan";
        for size in 1..text.len() {
            let mut veil = secret("sk-planted").stream_redactor();
            let mut shown: String = text
                .as_bytes()
                .chunks(size)
                .map(|piece| veil.redact(std::str::from_utf8(piece).unwrap()))
                .collect();
            assert!(!shown.contains("sk-plan"), "{shown}");
            shown.push_str(&veil.finish());
            assert_eq!(shown, "a sk-[the key] b sk-plan", "{size}");
        }
        assert_eq!(secret("").stream_redactor().redact("sk"), "sk");
    }

    #[test]
    fn a_key_invalid_in_a_header_is_rejected_without_being_shown() {
        let error = secret("sk-\u{7}planted").authorization().unwrap_err().to_string();
        assert!(error.contains("KEY") && !error.contains("planted"), "{error}");
        assert_eq!(secret("").authorization().unwrap(), None);
    }
}
