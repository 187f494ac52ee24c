//! Reads the words, signs and values of a condition from its text.

use std::ops::Range;

use super::ConditionError;
use super::expression::is_plain;

/// A place in the text of a condition.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The rest of the text, without leading spaces.
    fn rest(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    /// Where the next word or sign begins.
    pub(crate) fn place(&mut self) -> usize {
        self.rest();
        self.at
    }

    /// The byte offset behind what was read last, without spaces.
    pub(crate) fn end(&self) -> usize {
        self.text.get(..self.at).map_or(self.at, |read| read.trim_end().len())
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// The next word, if there is one: letters, digits, `_` and `-`, beginning with a letter.
    pub(crate) fn peek_word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        let end = rest.find(|letter| !is_inside(letter)).unwrap_or(rest.len());
        rest.get(..end).filter(|word| word.starts_with(char::is_alphabetic))
    }

    /// Reads the next word.
    pub(crate) fn word(&mut self) -> Option<(&'a str, Range<usize>)> {
        let word = self.peek_word()?;
        let from = self.at;
        self.at += word.len();
        Some((word, from..self.at))
    }

    /// Reads this word, if it is the next one.
    pub(crate) fn take_word(&mut self, expected: &str) -> bool {
        let found = self.peek_word().is_some_and(|word| word.eq_ignore_ascii_case(expected));
        found && self.word().is_some()
    }

    /// Reads this sign, if it is next.
    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Reads up to a space or a semicolon.
    pub(crate) fn token(&mut self) -> Option<(&'a str, Range<usize>)> {
        let rest = self.rest();
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(rest.len());
        let token = rest.get(..end).filter(|token| !token.is_empty())?;
        let from = self.at;
        self.at += token.len();
        Some((token, from..self.at))
    }

    /// Reads up to a semicolon that is not in double quotes, without the spaces at both ends.
    pub(crate) fn rest_of_part(&mut self) -> &'a str {
        let rest = self.rest();
        let mut quoted = false;
        let end = rest.find(|letter: char| {
            quoted ^= letter == '"';
            letter == ';' && !quoted
        });
        let part = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += part.len();
        part.trim_end()
    }

    /// Reads a whole number.
    pub(crate) fn count(&mut self) -> Option<u32> {
        let rest = self.rest();
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest.get(..end)?.parse().ok()?;
        self.at += end;
        Some(number)
    }

    /// Reads a value: in quotes, or up to a space, a comma, a semicolon or a parenthesis.
    pub(super) fn value(&mut self, what: &str) -> Result<(String, Range<usize>), ConditionError> {
        let from = self.place();
        if self.take("\"") {
            return self.quoted('"', from).map(|text| (text, from..self.at));
        }
        let rest = self.rest();
        let end = rest.find(|letter| !is_plain(letter)).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        self.at += text.len();
        if text.is_empty() {
            return Err(ConditionError::new(format!("{what} is missing here"), from..from)
                .with_help("a value with spaces, commas or parentheses is written in double quotes"));
        }
        Ok((text.to_owned(), from..self.at))
    }

    /// Reads up to the closing sign, which is behind a backslash inside.
    pub(super) fn quoted(&mut self, close: char, from: usize) -> Result<String, ConditionError> {
        let mut text = String::new();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut letters = rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            if letter == close {
                self.at += at + close.len_utf8();
                return Ok(text);
            }
            if letter != '\\' {
                text.push(letter);
                continue;
            }
            let next = letters.next().map(|(_, next)| next);
            // In a pattern a backslash has a meaning of its own, so only that of the closing sign is removed.
            let is_escape = next == Some(close) || (next == Some('\\') && close == '"');
            text.extend((!is_escape).then_some('\\'));
            text.extend(next);
        }
        let sign = close;
        Err(ConditionError::new(format!("the closing {sign} is missing"), from..self.text.len()))
    }
}
