//! Token odds: how probable each token of a reply was, and what the model could have written in its place.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Thought;

/// The tokens that are shown in place of the first one.
const SHOWN: usize = 3;

/// The logarithm of a probability to the base e, in thousandths: 0 is certain, -693 is a half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LogProb(i32);

impl LogProb {
    /// From the number that a server sends; `None` if it is no number. Above 0 is certain.
    pub fn from_natural(value: f64) -> Option<Self> {
        #[allow(clippy::cast_possible_truncation, reason = "within the range of the type")]
        let thousandths = |value: f64| (value.clamp(-1e6, 0.0) * 1000.0).round() as i32;
        (!value.is_nan()).then(|| Self(thousandths(value)))
    }

    /// The probability, from 0 to 1.
    pub fn probability(self) -> f64 {
        (f64::from(self.0) / 1000.0).exp()
    }

    /// The probability of both, one after the other.
    #[must_use]
    pub fn and(self, next: Self) -> Self {
        Self(self.0.saturating_add(next.0))
    }
}

/// A token of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenOdds {
    /// Where it begins in the text of the reply with its thoughts, in bytes.
    pub at: usize,
    /// Its bytes.
    pub bytes: usize,
    /// Its probability after what comes before it.
    pub logprob: LogProb,
    /// The most probable tokens at its place, itself among them if it is one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<(String, LogProb)>,
}

/// The odds of an action: of the text that was read as it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionOdds {
    /// The probability of all its tokens after what comes before it.
    pub logprob: LogProb,
    /// The most probable tokens in place of its first one.
    pub first: Vec<(String, LogProb)>,
}

impl fmt::Display for ActionOdds {
    /// Such as `p 0.83; first token "Left" 0.85, "Up" 0.11`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p {:.2}", self.logprob.probability())?;
        for (index, (token, logprob)) in self.first.iter().take(SHOWN).enumerate() {
            let before = if index == 0 { "; first token" } else { "," };
            write!(f, "{before} {token:?} {:.2}", logprob.probability())?;
        }
        Ok(())
    }
}

impl ActionOdds {
    /// The odds of a part of a reply; the part is given in the text without these thoughts. `None` if its tokens are not known.
    pub fn of(tokens: &[TokenOdds], thoughts: &[Thought], part: &Range<usize>) -> Option<Self> {
        let before = thoughts.iter().filter(|thought| thought.at <= part.start);
        let shift: usize =
            before.map(|thought| thought.open.len() + thought.text.len() + thought.close.len()).sum();
        let start = part.start + shift;
        let end = part.end + shift;
        let mut own = tokens.iter().filter(|token| token.at < end && start < token.at + token.bytes);
        let first = own.next()?;
        Some(Self {
            logprob: own.fold(first.logprob, |odds, token| odds.and(token.logprob)),
            first: first.top.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(probability: f64) -> LogProb {
        LogProb::from_natural(probability.ln()).unwrap()
    }

    fn token(at: usize, bytes: usize, probability: f64) -> TokenOdds {
        let top = vec![("a".to_owned(), odds(probability))];
        TokenOdds { at, bytes, logprob: odds(probability), top }
    }

    #[test]
    fn the_odds_of_a_part_are_those_of_the_tokens_in_it() {
        let tokens = [token(0, 4, 0.9), token(4, 2, 0.5), token(6, 3, 0.5), token(9, 1, 0.1)];
        let found = ActionOdds::of(&tokens, &[], &(5..9)).unwrap();
        assert!((found.logprob.probability() - 0.25).abs() < 1e-3);
        assert_eq!(found.first, tokens[1].top);
        assert_eq!(found.to_string(), "p 0.25; first token \"a\" 0.50");
        assert_eq!(ActionOdds::of(&tokens, &[], &(10..12)), None);
        // A thought of four bytes comes before the text.
        let thought = Thought { at: 0, open: "<".into(), text: "aa".into(), close: ">".into() };
        assert_eq!(ActionOdds::of(&tokens, &[thought], &(1..5)), Some(found));
    }

    #[test]
    fn numbers_of_servers_are_kept_in_range() {
        for (value, known) in
            [(0.5, Some(1.0)), (-9999.0, Some(0.0)), (f64::NEG_INFINITY, Some(0.0)), (f64::NAN, None)]
        {
            assert_eq!(LogProb::from_natural(value).map(LogProb::probability), known);
        }
    }
}
