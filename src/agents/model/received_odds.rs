//! Collects the token odds of a reply and aligns them with its text.

use serde_json_borrow::Value;

use mageyard_domain::{LogProb, TokenOdds};

/// The most bytes of tokens that are kept, more than a reply can have.
const MOST_BYTES: usize = 8 << 20;

/// The tokens received so far, with the odds of each.
#[derive(Debug, Default)]
pub(super) struct ReceivedOdds {
    /// The texts of all tokens.
    text: Vec<u8>,
    /// Their odds; positions are those in `text`.
    tokens: Vec<TokenOdds>,
}

impl ReceivedOdds {
    /// Adds the tokens of a list of objects with `token`, `logprob`, `bytes` and `top_logprobs`, as chat completions and
    /// responses have them. An entry without these is left out, which the alignment finds.
    pub(super) fn add(&mut self, list: &Value<'_>) {
        for entry in list.as_array().into_iter().flatten() {
            let Some(logprob) = log_prob(entry) else { continue };
            let bytes = token_bytes(entry);
            if self.text.len() + bytes.len() > MOST_BYTES {
                return;
            }
            let top = entry.get("top_logprobs").as_array().into_iter().flatten();
            let named = |other: &Value<'_>| Some((token_text(other), log_prob(other)?));
            let top = top.filter_map(named).collect();
            self.tokens.push(TokenOdds { at: self.text.len(), bytes: bytes.len(), logprob, top });
            self.text.extend(bytes);
        }
    }

    /// The odds of the tokens of this text, by their places in it. Tokens before it, such as those of reasoning that comes
    /// apart, and marks behind it are left out. `None` if the tokens that were received are not those of the text.
    pub(super) fn aligned(self, text: &str) -> Option<Vec<TokenOdds>> {
        if self.tokens.is_empty() || text.is_empty() {
            return Some(Vec::new());
        }
        let start = std::str::from_utf8(&self.text).ok()?.rfind(text)?;
        let is_inside = |token: &TokenOdds| start <= token.at && token.at + token.bytes <= start + text.len();
        let inside = self.tokens.into_iter().filter(|token| is_inside(token) && token.bytes > 0);
        Some(inside.map(|token| TokenOdds { at: token.at - start, ..token }).collect())
    }
}

fn log_prob(entry: &Value<'_>) -> Option<LogProb> {
    entry.get("logprob").as_f64().and_then(LogProb::from_natural)
}

/// The bytes of a token; a token can be a part of a character.
fn token_bytes(entry: &Value<'_>) -> Vec<u8> {
    let byte = |value: &Value<'_>| value.as_u64().and_then(|byte| u8::try_from(byte).ok());
    let bytes = entry.get("bytes").as_array().and_then(|bytes| bytes.iter().map(byte).collect());
    bytes.unwrap_or_else(|| entry.get("token").as_str().unwrap_or_default().as_bytes().to_vec())
}

fn token_text(entry: &Value<'_>) -> String {
    String::from_utf8_lossy(&token_bytes(entry)).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn received(tokens: &[&str]) -> ReceivedOdds {
        let mut odds = ReceivedOdds::default();
        let entry = |token: &&str| json!({"token": token, "logprob": -0.5, "top_logprobs": []});
        let list = tokens.iter().map(entry).collect::<serde_json::Value>().to_string();
        odds.add(&serde_json::from_str(&list).unwrap());
        odds
    }

    fn places(odds: Option<Vec<TokenOdds>>) -> Option<Vec<(usize, usize)>> {
        odds.map(|tokens| tokens.iter().map(|token| (token.at, token.bytes)).collect())
    }

    #[test]
    fn tokens_are_those_of_the_text_or_none_are() {
        let tokens = ["hm", "</t>", "go ", "Le", "ft", "<end>"];
        assert_eq!(places(received(&tokens).aligned("go Left")), Some(vec![(0, 3), (3, 2), (5, 2)]));
        assert_eq!(places(received(&tokens).aligned("go [redacted]")), None);
        assert_eq!(places(received(&[]).aligned("Left")), Some(Vec::new()));
        assert_eq!(places(received(&tokens).aligned("")), Some(Vec::new()));
    }

    #[test]
    fn a_character_can_be_two_tokens() {
        let mut odds = ReceivedOdds::default();
        let entry = |bytes: &[u8]| json!({"token": "\u{fffd}", "logprob": -1, "bytes": bytes});
        let list = json!([entry(&[0xc3]), entry(&[0xa9])]).to_string();
        odds.add(&serde_json::from_str(&list).unwrap());
        assert_eq!(places(odds.aligned("é")), Some(vec![(0, 1), (1, 1)]));
    }
}
