//! Where the keys of an object in JSON5 and their values are, without reading the values.

use std::borrow::Cow;
use std::ops::Range;

use mageyard_domain::read_json5;

/// A key and the place of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) value: Range<usize>,
}

/// The entries of the object that is exactly this part of the text. An error is what was expected instead, and where.
pub(super) fn entries(text: &str, object: Range<usize>) -> Result<Vec<Entry<'_>>, (String, Range<usize>)> {
    let mut scanner = Scanner { text: &text[..object.end], at: object.start };
    scanner.expect("{")?;
    let mut entries = Vec::new();
    while !scanner.take('}') {
        let key = scanner.key()?;
        scanner.expect(":")?;
        let value = scanner.value()?;
        entries.push(Entry { key, value });
        if !scanner.take(',') {
            scanner.expect("}")?;
            break;
        }
    }
    scanner.skip_space();
    if scanner.at < object.end {
        return Err(scanner.expected("the end of the object"));
    }
    Ok(entries)
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn expected(&self, what: &str) -> (String, Range<usize>) {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        (format!("expected {what}"), self.at..self.at + length)
    }

    /// Skips white space and comments. A comment that is not closed is what stops it.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at = self.text.len() - rest.len();
            let comment = match rest.as_bytes() {
                [b'/', b'/', ..] => Some(rest.find('\n').unwrap_or(rest.len())),
                [b'/', b'*', ..] => rest[2..].find("*/").map(|end| end + 4),
                _ => None,
            };
            match comment {
                Some(length) => self.at += length,
                None => return,
            }
        }
    }

    fn take(&mut self, sign: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), (String, Range<usize>)> {
        let found = sign.chars().all(|sign| self.take(sign));
        if found { Ok(()) } else { Err(self.expected(sign)) }
    }

    fn key(&mut self) -> Result<Cow<'a, str>, (String, Range<usize>)> {
        self.skip_space();
        let rest = self.rest();
        if rest.starts_with(['"', '\'']) {
            let span = self.value()?;
            let text = read_json5(&self.text[span.clone()]).ok();
            let text = text.and_then(|value| value.as_str().map(str::to_owned));
            return text.map(Cow::Owned).ok_or(("expected a key".to_owned(), span));
        }
        let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected("a key"));
        }
        self.at += length;
        Ok(Cow::Borrowed(&rest[..length]))
    }

    /// The place of the value that begins here: a text, what is in brackets, or what goes to the next comma or bracket.
    fn value(&mut self) -> Result<Range<usize>, (String, Range<usize>)> {
        self.skip_space();
        let start = self.at;
        let mut open = 0_usize;
        loop {
            let Some(next) = self.rest().chars().next() else { return Err(self.expected("a value")) };
            match next {
                '"' | '\'' => self.skip_text(next)?,
                '[' | '{' => {
                    open += 1;
                    self.at += 1;
                }
                ']' | '}' if open > 0 => {
                    open -= 1;
                    self.at += 1;
                }
                ',' | ']' | '}' if open == 0 => break,
                '/' => {
                    let before = self.at;
                    self.skip_space();
                    if self.at == before && self.rest().starts_with("/*") {
                        return Err(("a comment is not closed".to_owned(), before..before + 1));
                    }
                    self.at += usize::from(self.at == before);
                }
                other => self.at += other.len_utf8(),
            }
            if open == 0 && matches!(next, '"' | '\'' | ']' | '}') {
                break;
            }
        }
        let end = start + self.text[start..self.at].trim_end().len();
        if end == start { Err(self.expected("a value")) } else { Ok(start..end) }
    }

    fn skip_text(&mut self, quote: char) -> Result<(), (String, Range<usize>)> {
        let start = self.at;
        let mut signs = self.rest().char_indices().skip(1);
        while let Some((at, sign)) = signs.next() {
            if sign == quote {
                self.at = start + at + 1;
                return Ok(());
            }
            if sign == '\\' {
                signs.next();
            }
        }
        Err(("a text is not closed".to_owned(), start..start + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, &str)>, String> {
        let found = entries(text, 0..text.len()).map_err(|(why, at)| format!("{why} @{}", &text[at]))?;
        Ok(found.into_iter().map(|entry| (entry.key.into_owned(), &text[entry.value])).collect())
    }

    #[test]
    fn keys_and_values_have_their_places() {
        let text = "{ // c\n a: 'x\\'}', \"b\\u0063\": [1, {d: ']'}], /* , */ $e: 2.5 , 'f': \"\", g: null /* e */,}";
        let expected =
            [("a", "'x\\'}'"), ("bc", "[1, {d: ']'}]"), ("$e", "2.5"), ("f", "\"\""), ("g", "null /* e */")];
        let expected = expected.map(|(key, value)| (key.to_owned(), value));
        assert_eq!(read(text).unwrap(), expected);
        assert_eq!(read("{}"), Ok(vec![]));
    }

    #[test]
    fn what_is_not_an_object_is_refused_where_it_ends() {
        for (text, expected) in [
            ("{a: 1} {b: 2}", "expected the end of the object @{"),
            ("{a 1}", "expected : @1"),
            ("{a: }", "expected a value @}"),
            ("{a: 'x}", "a text is not closed @'"),
            ("{a: 'x' 'y'}", "expected } @'"),
            ("{, a: 1}", "expected a key @,"),
            ("{a: [1}", "expected } @"),
            ("{a: [1", "expected a value @"),
            ("{a: 1 /* }", "a comment is not closed @/"),
            ("", "expected { @"),
        ] {
            assert_eq!(read(text), Err(expected.to_owned()), "{text}");
        }
    }
}
