//! Logical lines of a Python file as tokens. What a file contains is not judged here: only functions that are used are
//! read further.

use super::SourceError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name or a keyword.
    Name(String),
    /// A number.
    Number(f64),
    /// A text without parts that are computed.
    Text(String),
    /// A text with computed parts, or bytes.
    Computed,
    /// Any other character.
    Symbol(char),
}

/// A logical line: open brackets and a backslash at the end continue it, a semicolon ends it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The number of its first line, from 1.
    pub number: usize,
    /// Whether it is part of a block.
    pub indented: bool,
    /// Its tokens, at least one.
    pub tokens: Vec<Token>,
}

/// The logical lines of a file.
pub fn lines(text: &str) -> Result<Vec<Line>, SourceError> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reading = Reading { rest, number: 1, depth: 0, block: None };
    let mut lines = Vec::new();
    while !reading.rest.is_empty() {
        let line = reading.line()?;
        if !line.tokens.is_empty() {
            lines.push(line);
        }
    }
    Ok(lines)
}

struct Reading<'a> {
    rest: &'a str,
    number: usize,
    /// How many brackets are open.
    depth: usize,
    /// After a semicolon: whether the line before it is part of a block.
    block: Option<bool>,
}

impl Reading<'_> {
    fn line(&mut self) -> Result<Line, SourceError> {
        let indented = self.block.take().unwrap_or_else(|| self.rest.starts_with([' ', '\t']));
        let mut line = Line { number: self.number, indented, tokens: Vec::new() };
        while let Some(next) = self.take() {
            match next {
                '\n' if self.depth == 0 => break,
                ';' if self.depth == 0 => {
                    self.block = Some(indented);
                    break;
                }
                '#' => self.comment(),
                '\\' if self.rest.trim_start_matches('\r').starts_with('\n') => self.skip_break(),
                _ if next.is_whitespace() => {}
                _ => {
                    let token = self.token(next)?;
                    line.tokens.push(token);
                }
            }
        }
        match self.depth {
            0 => Ok(line),
            _ => Err(SourceError { line: line.number, reason: "a bracket has no end".into() }),
        }
    }

    fn take(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        self.number += usize::from(next == '\n');
        Some(next)
    }

    fn comment(&mut self) {
        self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
    }

    fn skip_break(&mut self) {
        while self.take().is_some_and(|next| next != '\n') {}
    }

    fn token(&mut self, first: char) -> Result<Token, SourceError> {
        match first {
            '\'' | '"' => self.text(first, true).map(Token::Text),
            '0'..='9' => Ok(self.number_from(first)),
            '.' if self.rest.starts_with(|next: char| next.is_ascii_digit()) => Ok(self.number_from(first)),
            _ if first.is_alphabetic() || first == '_' => self.name_or_text(first),
            _ => {
                match first {
                    '(' | '[' | '{' => self.depth += 1,
                    ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                Ok(Token::Symbol(first))
            }
        }
    }

    fn word(&mut self, first: char, belongs: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|next| !belongs(next)).unwrap_or(self.rest.len());
        let word = format!("{first}{}", &self.rest[..end]);
        self.rest = &self.rest[end..];
        word
    }

    fn number_from(&mut self, first: char) -> Token {
        let mut word = self.word(first, |next| next.is_ascii_alphanumeric() || next == '.' || next == '_');
        let begins_exponent = |word: &str| {
            word.strip_suffix(['e', 'E']).is_some_and(|digits| digits.replace('_', "").parse::<f64>().is_ok())
        };
        if self.rest.starts_with(['+', '-']) && begins_exponent(&word) {
            word.extend(self.take());
            let digits = self.rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(self.rest.len());
            word.push_str(&self.rest[..digits]);
            self.rest = &self.rest[digits..];
        }
        word.replace('_', "").parse().map_or(Token::Computed, Token::Number)
    }

    /// A name, or a text with a prefix such as `r` or `f`.
    fn name_or_text(&mut self, first: char) -> Result<Token, SourceError> {
        let name = self.word(first, |next| next.is_alphanumeric() || next == '_');
        let quote = self.rest.chars().next().filter(|next| ['\'', '"'].contains(next));
        let prefix = name.to_ascii_lowercase();
        match (quote, prefix.as_str()) {
            (Some(quote), "r" | "u" | "b" | "f" | "rb" | "br" | "rf" | "fr") => {
                self.take();
                let text = self.text(quote, !prefix.contains('r'))?;
                let plain = !prefix.contains(['b', 'f']);
                Ok(if plain { Token::Text(text) } else { Token::Computed })
            }
            _ => Ok(Token::Name(name)),
        }
    }

    /// The content of a text whose first quote was taken.
    fn text(&mut self, quote: char, escapes: bool) -> Result<String, SourceError> {
        let begin = self.number;
        let unended = || SourceError { line: begin, reason: "a text has no end".into() };
        let three = quote.to_string().repeat(3);
        let is_long = self.rest.starts_with(&three[1..]);
        let end = if is_long { three.as_str() } else { &three[..1] };
        self.rest = if is_long { &self.rest[2..] } else { self.rest };
        let mut text = String::new();
        while !self.rest.starts_with(end) {
            match self.take().ok_or_else(unended)? {
                '\\' => self.escape(escapes, &mut text).ok_or_else(unended)?,
                '\n' if !is_long => return Err(unended()),
                other => text.push(other),
            }
        }
        self.rest = &self.rest[end.len()..];
        Ok(text)
    }

    /// What follows a backslash. An unknown escape keeps its backslash, as in Python.
    fn escape(&mut self, escapes: bool, text: &mut String) -> Option<()> {
        let next = self.take()?;
        let code = match (escapes, next) {
            (true, 'x') => self.code(2),
            (true, 'u') => self.code(4),
            (true, 'U') => self.code(8),
            _ => None,
        };
        match (escapes, next, code) {
            (_, _, Some(code)) => text.push(code),
            (true, '\n', _) => {}
            (true, '\\' | '\'' | '"', _) => text.push(next),
            (true, 'n', _) => text.push('\n'),
            (true, 't', _) => text.push('\t'),
            (true, 'r', _) => text.push('\r'),
            _ => text.extend(['\\', next]),
        }
        Some(())
    }

    fn code(&mut self, digits: usize) -> Option<char> {
        let code = self.rest.get(..digits)?;
        let code = u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?;
        self.rest = &self.rest[digits..];
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lines(text).unwrap().into_iter().flat_map(|line| line.tokens).collect()
    }

    fn text(text: &str) -> Token {
        Token::Text(text.to_owned())
    }

    #[test]
    fn logical_lines_have_their_numbers() {
        let found = lines("a = 1  # one\n\n  b(2,\n  3)\n\tc \\\n  d\n'''x\ny'''\n").unwrap();
        let facts: Vec<_> =
            found.iter().map(|line| (line.number, line.indented, line.tokens.len())).collect();
        assert_eq!(facts, [(1, false, 3), (3, true, 6), (5, true, 2), (7, false, 1)]);
        assert_eq!(found[3].tokens, [text("x\ny")]);
        let found = lines("a; b\n  c(1; 2); d;\ne").unwrap();
        let facts: Vec<_> = found.iter().map(|line| (line.number, line.indented)).collect();
        assert_eq!(facts, [(1, false), (1, false), (2, true), (2, true), (3, false)]);
    }

    #[test]
    fn texts_are_read_with_their_prefixes_and_escapes() {
        assert_eq!(
            tokens(r#"'a\'b' "c\n\x41\u4e2d\d" r'\n' u'u'"#),
            [text("a'b"), text("c\nA中\\d"), text("\\n"), text("u")]
        );
        assert_eq!(tokens(r"f'{x}' b'y' 12px"), [Token::Computed, Token::Computed, Token::Computed]);
        assert_eq!(tokens("'' 1.5"), [text(""), Token::Number(1.5)]);
        let numbers = tokens(".5 5. 1_0 1e-3 2.5E+1 0xe-1").into_iter().take(5);
        assert_eq!(numbers.collect::<Vec<_>>(), [0.5, 5.0, 10.0, 0.001, 25.0].map(Token::Number));
        let error = lines("x\ny = 'a\n'").unwrap_err();
        assert_eq!((error.line, error.reason.as_str()), (2, "a text has no end"));
    }

    proptest! {
        #[test]
        fn any_file_is_read_to_its_end(text in "([()\\[\\]'\"#\\\\\n\t rfx0-9]|\\PC){0,60}") {
            let _ = lines(&text);
        }
    }
}
