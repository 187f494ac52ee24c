//! Converts JSON5 to JSON: comments, names without quotes, single quotes, commas at the end, and its numbers. What is wrong in
//! either is left to the parser of JSON.

use std::iter::Peekable;
use std::str::CharIndices;

use serde_json::Value;

/// The value of a text in JSON5, of which JSON is a part.
///
/// # Errors
///
/// Why it is neither: what the parser of JSON says of it.
pub fn read_json5(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).or_else(|error| {
        let read = to_json(text).and_then(|json| serde_json::from_str(&json).ok());
        read.ok_or_else(|| error.to_string())
    })
}

/// The text as JSON. `None` if a comment or a text is not closed, or a number has no form in JSON.
pub(super) fn to_json(text: &str) -> Option<String> {
    let mut converter = Converter { text, rest: text.char_indices().peekable(), out: String::new() };
    converter.convert()?;
    Some(converter.out)
}

struct Converter<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    out: String,
}

impl Converter<'_> {
    fn convert(&mut self) -> Option<()> {
        while let Some(&(start, first)) = self.rest.peek() {
            match first {
                '"' | '\'' => self.text(first)?,
                '/' => self.comment()?,
                '}' | ']' => {
                    self.drop_comma();
                    self.copy();
                }
                '+' | '-' | '.' | '0'..='9' => self.number(start)?,
                first if first.is_alphabetic() || first == '_' || first == '$' => self.word(start),
                _ => self.copy(),
            }
        }
        Some(())
    }

    fn copy(&mut self) {
        self.out.extend(self.rest.next().map(|(_, char)| char));
    }

    /// Removes a comma before a closing bracket.
    fn drop_comma(&mut self) {
        let kept = self.out.trim_end().strip_suffix(',').map(str::len);
        if let Some(kept) = kept {
            self.out.truncate(kept);
        }
    }

    fn comment(&mut self) -> Option<()> {
        let start = self.rest.peek()?.0;
        let comment = &self.text[start..];
        let length = match comment.as_bytes().get(1)? {
            b'/' => comment.find('\n').unwrap_or(comment.len()),
            b'*' => comment[2..].find("*/")? + 4,
            _ => return None,
        };
        self.skip_to(start + length);
        self.out.push(' ');
        Some(())
    }

    fn skip_to(&mut self, end: usize) {
        while self.rest.next_if(|(at, _)| *at < end).is_some() {}
    }

    /// A text with either quote, with double quotes in the result.
    fn text(&mut self, quote: char) -> Option<()> {
        self.rest.next();
        self.out.push('"');
        loop {
            match self.rest.next()?.1 {
                char if char == quote => break,
                '"' => self.out.push_str("\\\""),
                '\\' => self.escape()?,
                char => self.out.push(char),
            }
        }
        self.out.push('"');
        Some(())
    }

    fn escape(&mut self) -> Option<()> {
        match self.rest.next()?.1 {
            // A line break after a backslash is no part of the text.
            '\r' => drop(self.rest.next_if(|(_, char)| *char == '\n')),
            '\n' | '\u{2028}' | '\u{2029}' => {}
            'v' => self.out.push_str("\\u000b"),
            '0' => self.out.push_str("\\u0000"),
            'x' => {
                let digits: String = self.rest.by_ref().take(2).map(|(_, char)| char).collect();
                self.out.push_str("\\u00");
                self.out.push_str(&digits);
            }
            char if "\"\\/bfnrtu".contains(char) => self.out.extend(['\\', char]),
            char => self.out.push(char),
        }
        Some(())
    }

    /// A name without quotes, or a word that is no name.
    fn word(&mut self, start: usize) {
        let rest = &self.text[start..];
        let fits = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        let length = rest.find(|char| !fits(char)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.skip_to(start + length);
        let quote = if rest[length..].trim_start().starts_with(':') { "\"" } else { "" };
        self.out.extend([quote, word, quote]);
    }

    /// A number: hexadecimal, with a plus, or with a point at either end.
    fn number(&mut self, start: usize) -> Option<()> {
        let rest = &self.text[start..];
        let fits = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
        let length = rest.find(|char| !fits(char)).unwrap_or(rest.len());
        self.skip_to(start + length);
        let number = rest[..length].strip_prefix('+').unwrap_or(&rest[..length]);
        let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
        self.out.push_str(sign);
        if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            self.out.push_str(&u64::from_str_radix(hex, 16).ok()?.to_string());
            return Some(());
        }
        let (mantissa, exponent) = digits.find(['e', 'E']).map_or((digits, ""), |at| digits.split_at(at));
        if mantissa.starts_with('.') {
            self.out.push('0');
        }
        self.out.push_str(mantissa);
        if mantissa.ends_with('.') {
            self.out.push('0');
        }
        self.out.push_str(exponent);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json5_is_read_as_json() {
        let text = "{ // comment\n a: 'it\\'s \"x\"', \"b\": [1, +2, .5, 3., 0x1F, -4e2,], /* c */\n $d_1: true, null: null, e: 'a\\\nb', f: '\\x41\\v', }";
        let read: Value = serde_json::from_str(&to_json(text).unwrap()).unwrap();
        let expected = json!({
            "a": "it's \"x\"", "b": [1, 2, 0.5, 3.0, 31, -400.0], "$d_1": true, "null": null,
            "e": "ab", "f": "A\u{b}",
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn a_line_break_in_a_text_is_neither() {
        assert_eq!(read_json5("'a'"), Ok(json!("a")));
        assert!(read_json5("\"a\nb\"").unwrap_err().contains("control character"));
        assert!(read_json5("'a\nb'").is_err());
    }

    #[test]
    fn what_is_not_closed_is_refused_and_what_is_wrong_stays_wrong() {
        for broken in ["{a: 'x}", "{a: 1 /* }", "{a: 0xzz}", "{a: 1 / 2}"] {
            assert_eq!(to_json(broken), None, "{broken}");
        }
        for broken in ["{a 1}", "{a: tru}", "{a: '\\x4g'}"] {
            let json = to_json(broken).unwrap();
            assert!(serde_json::from_str::<Value>(&json).is_err(), "{json}");
        }
    }
}
