//! The key of a server: read when it is needed, put into one header, and struck out of everything else.

use reqwest::header::HeaderValue;

use super::Wire;
use crate::domain::AgentError;

/// A key for the time of one try. It has no `Debug`, so that it cannot slip into a message.
pub(super) struct Secret {
    variable: String,
    key: Option<String>,
}

/// Shorter ones (`none`, `x`) are no secrets, and striking them out would only spoil messages.
const SHORT: usize = 6;

impl Secret {
    /// The key that the variable holds now, without the white space around it.
    pub(super) fn of(wire: &Wire, variable: &str) -> Self {
        let key = if variable.is_empty() { None } else { (wire.key)(variable) };
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        Self { variable: variable.to_owned(), key }
    }

    /// The header that carries it, if there is one.
    pub(super) fn header(&self) -> Result<Option<HeaderValue>, AgentError> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
            let what = format!("the key in {} holds a character that no key can have", self.variable);
            AgentError::Unsendable(what)
        })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// The text without the key.
    pub(super) fn strike(&self, text: String) -> String {
        match &self.key {
            Some(key) if key.len() >= SHORT && text.contains(key) => text.replace(key, STRUCK),
            _ => text,
        }
    }

    /// Strikes it out of a text that comes piece by piece.
    pub(super) fn veil(&self) -> Veil {
        let key = self.key.clone().filter(|key| key.len() >= SHORT).unwrap_or_default();
        Veil { key, held: String::new() }
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
pub(super) struct Veil {
    key: String,
    held: String,
}

impl Veil {
    /// What can be shown now, this piece included.
    pub(super) fn pass(&mut self, piece: &str) -> String {
        if self.key.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        let mut shown = self.held.replace(&self.key, STRUCK);
        let kept = (1..self.key.len()).rev().filter_map(|end| self.key.get(..end));
        let kept = kept.filter(|begun| shown.ends_with(begun)).map(str::len).next().unwrap_or(0);
        self.held = shown.split_off(shown.len() - kept);
        shown
    }

    /// What was held back to the end.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// What stands where the key stood.
const STRUCK: &str = "[the key]";

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn secret(key: &'static str) -> Secret {
        let wire = Wire { key: Arc::new(move |_| Some(key.to_owned())), ..Wire::default() };
        Secret::of(&wire, "KEY")
    }

    #[test]
    fn a_key_is_struck_out_wherever_it_stands() {
        let text = || "wrong key sk-planted, (sk-planted)".to_owned();
        assert_eq!(secret(" sk-planted\n").strike(text()), "wrong key [the key], ([the key])");
        assert_eq!(secret("x").strike(text()), text());
        let header = secret("sk-planted").header().unwrap().unwrap();
        assert!(header.is_sensitive() && !format!("{header:?}").contains("planted"));
    }

    #[test]
    fn a_key_that_comes_piece_by_piece_is_struck_out_too() {
        let text = "a sk-sk-planted b sk-plan";
        for size in 1..text.len() {
            let mut veil = secret("sk-planted").veil();
            let mut shown: String = text
                .as_bytes()
                .chunks(size)
                .map(|piece| veil.pass(std::str::from_utf8(piece).unwrap()))
                .collect();
            assert!(!shown.contains("sk-plan"), "{shown}");
            shown.push_str(&veil.rest());
            assert_eq!(shown, "a sk-[the key] b sk-plan", "{size}");
        }
        assert_eq!(secret("").veil().pass("sk"), "sk");
    }

    #[test]
    fn a_key_that_fits_no_header_is_refused_without_being_shown() {
        let error = secret("sk-\u{7}planted").header().unwrap_err().to_string();
        assert!(error.contains("KEY") && !error.contains("planted"), "{error}");
        assert_eq!(secret("").header().unwrap(), None);
    }
}
