//! Splits a file into its records without parsing them: an array of JSON or JSON5, JSON Lines, or objects one after the
//! other. Bytes come in chunks, and no more than one record is kept.
//!
//! A record ends where its brackets are closed. A broken one also ends before a line that begins as no valid record could go
//! on, so that the records after it are found.

/// The largest record, in bytes. What is longer is skipped, not kept.
pub(super) const RECORD_LIMIT: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A record as it is in its file, or other text between records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRecord<'a> {
    /// The first byte in the file.
    pub start: u64,
    /// The number of bytes.
    pub length: u64,
    /// The line of the first byte, from 1.
    pub line: usize,
    /// The bytes; `None` if there are more than a record may have.
    pub bytes: Option<&'a [u8]>,
}

/// Splits the bytes of a file into records.
#[derive(Debug)]
pub struct RecordSplitter {
    /// Where the next byte is in the file.
    position: u64,
    line: usize,
    /// The bytes since the last line break, if all are blanks.
    indentation: Option<u64>,
    place: Place,
    /// Whether the records are members of an array.
    in_array: bool,
    started: bool,
    /// The previous byte, when a comment or the end of one may begin with it.
    previous: u8,
    record: Record,
}

/// Where in the text the splitter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Between,
    /// In a record, outside texts.
    Inside,
    /// In a text with this quote.
    Text(u8),
    /// After a backslash in a text with this quote.
    Escape(u8),
    LineComment {
        inside: bool,
    },
    BlockComment {
        inside: bool,
    },
    /// In something that begins like no record: up to the end of the line.
    Other,
}

/// The record under way.
#[derive(Debug, Default)]
struct Record {
    start: u64,
    line: usize,
    indentation: Option<u64>,
    bytes: Vec<u8>,
    is_too_long: bool,
    /// The open brackets.
    open: Vec<u8>,
    /// The last byte that is neither blank nor comment.
    last: u8,
}

impl Default for RecordSplitter {
    fn default() -> Self {
        Self {
            position: 0,
            line: 1,
            indentation: Some(0),
            place: Place::Between,
            in_array: false,
            started: false,
            previous: 0,
            record: Record::default(),
        }
    }
}

impl RecordSplitter {
    /// Takes the next bytes; gives each piece that ends in them.
    pub fn feed(&mut self, chunk: &[u8], each: &mut impl FnMut(RawRecord<'_>)) {
        let marked = self.position == 0 && chunk.starts_with(BYTE_ORDER_MARK);
        let skipped = if marked { BYTE_ORDER_MARK.len() } else { 0 };
        self.position += skipped as u64;
        for &byte in chunk.iter().skip(skipped) {
            self.take(byte, each);
            self.position += 1;
            self.previous = byte;
            self.indentation = match (byte, self.indentation) {
                (b'\n', _) => Some(0),
                (b' ' | b'\t' | b'\r', Some(blanks)) => Some(blanks + 1),
                _ => None,
            };
            self.line += usize::from(byte == b'\n');
        }
    }

    /// Ends the file; gives the piece that was not ended.
    pub fn finish(mut self, each: &mut impl FnMut(RawRecord<'_>)) {
        if !matches!(
            self.place,
            Place::Between | Place::LineComment { inside: false } | Place::BlockComment { inside: false }
        ) {
            self.end(each);
        }
    }

    fn take(&mut self, byte: u8, each: &mut impl FnMut(RawRecord<'_>)) {
        if self.begins_after_broken(byte) {
            self.end(each);
        }
        match self.place {
            Place::Between => self.take_between(byte),
            Place::Inside => self.take_inside(byte, each),
            Place::Text(quote) => {
                self.keep(byte);
                if byte == quote {
                    self.place = Place::Inside;
                    self.record.last = byte;
                } else if byte == b'\\' {
                    self.place = Place::Escape(quote);
                }
            }
            Place::Escape(quote) => {
                self.keep(byte);
                self.place = Place::Text(quote);
            }
            Place::LineComment { inside } | Place::BlockComment { inside } => {
                self.take_comment(byte, inside);
            }
            Place::Other if byte == b'\n' => self.end(each),
            Place::Other => self.keep(byte),
        }
    }

    fn take_between(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'/' if self.previous == b'/' => self.place = Place::LineComment { inside: false },
            b'*' if self.previous == b'/' => self.place = Place::BlockComment { inside: false },
            // Perhaps of a comment.
            b'/' => {}
            b'[' if !self.started => {
                self.started = true;
                self.in_array = true;
            }
            b',' if self.in_array => {}
            b']' if self.in_array => self.in_array = false,
            _ => self.begin(byte),
        }
    }

    fn begin(&mut self, byte: u8) {
        self.started = true;
        let bytes = std::mem::take(&mut self.record.bytes);
        self.record = Record {
            start: self.position,
            line: self.line,
            indentation: self.indentation,
            bytes,
            last: byte,
            ..Record::default()
        };
        self.record.bytes.clear();
        self.keep(byte);
        self.place = if byte == b'{' { Place::Inside } else { Place::Other };
        if byte == b'{' {
            self.record.open.push(byte);
        }
    }

    fn take_inside(&mut self, byte: u8, each: &mut impl FnMut(RawRecord<'_>)) {
        self.keep(byte);
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return,
            b'"' | b'\'' => self.place = Place::Text(byte),
            b'/' if self.previous == b'/' => self.place = Place::LineComment { inside: true },
            b'*' if self.previous == b'/' => self.place = Place::BlockComment { inside: true },
            b'/' => return,
            b'{' | b'[' => self.record.open.push(byte),
            b'}' | b']' => {
                self.record.open.pop();
                if self.record.open.is_empty() {
                    self.position += 1;
                    self.end(each);
                    self.position -= 1;
                    return;
                }
            }
            _ => {}
        }
        if !matches!(self.place, Place::LineComment { .. } | Place::BlockComment { .. }) {
            self.record.last = byte;
        }
    }

    fn take_comment(&mut self, byte: u8, inside: bool) {
        if inside {
            self.keep(byte);
        }
        let ends = match self.place {
            Place::LineComment { .. } => byte == b'\n',
            _ => byte == b'/' && self.previous == b'*',
        };
        if ends {
            self.place = if inside { Place::Inside } else { Place::Between };
        }
    }

    /// Whether this byte is at the beginning of a line and cannot be a part of the record under way.
    fn begins_after_broken(&self, byte: u8) -> bool {
        let Some(blanks) = self.indentation else { return false };
        match self.place {
            Place::Inside if byte == b'{' => !matches!(
                (self.record.open.last(), self.record.last),
                (Some(b'{'), b':') | (Some(b'['), b'[' | b',')
            ),
            // A text has no line break, so its quote is missing.
            Place::Text(_) => self.record.indentation == Some(blanks) && !b" \t\r\n}]".contains(&byte),
            _ => false,
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.record.is_too_long {
            return;
        }
        if self.record.bytes.len() >= RECORD_LIMIT {
            self.record.is_too_long = true;
            self.record.bytes = Vec::new();
            return;
        }
        self.record.bytes.push(byte);
    }

    fn end(&mut self, each: &mut impl FnMut(RawRecord<'_>)) {
        self.place = Place::Between;
        let record = &self.record;
        let blanks = record.bytes.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let bytes = &record.bytes[..record.bytes.len() - blanks];
        each(RawRecord {
            start: record.start,
            length: if record.is_too_long { self.position - record.start } else { bytes.len() as u64 },
            line: record.line,
            bytes: (!record.is_too_long).then_some(bytes),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a text as line, offset and text, fed in chunks of this size.
    fn pieces(text: &str, chunk: usize) -> Vec<(usize, u64, String)> {
        let mut found = Vec::new();
        let mut each = |piece: RawRecord<'_>| {
            let bytes = piece.bytes.unwrap();
            assert_eq!(piece.length, bytes.len() as u64);
            assert_eq!(
                &text.as_bytes()[usize::try_from(piece.start).unwrap()..][..bytes.len()],
                bytes,
                "its place"
            );
            found.push((piece.line, piece.start, String::from_utf8(bytes.to_vec()).unwrap()));
        };
        let mut splitter = RecordSplitter::default();
        text.as_bytes().chunks(chunk).for_each(|chunk| splitter.feed(chunk, &mut each));
        splitter.finish(&mut each);
        found
    }

    fn texts(text: &str) -> Vec<(usize, String)> {
        let whole = pieces(text, usize::MAX);
        assert_eq!(pieces(text, 4), whole, "the same in chunks");
        whole.into_iter().map(|(line, _, text)| (line, text)).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn records_are_found_in_every_form() {
        check("{\"a\":1}\n\n{\"b\":[{}]}\n", &[(1, "{\"a\":1}"), (3, "{\"b\":[{}]}")]);
        check("\u{feff}{\"a\":1}\r\n{\"b\":2}\r\n", &[(1, "{\"a\":1}"), (2, "{\"b\":2}")]);
        check("[{\"a\":1},{\"b\":2}]", &[(1, "{\"a\":1}"), (1, "{\"b\":2}")]);
        check(
            "[\n  {\n    \"a\": [\n      {}\n    ]\n  },\n  {}\n]\n",
            &[(2, "{\n    \"a\": [\n      {}\n    ]\n  }"), (7, "{}")],
        );
        check("{\n  \"a\": \"}\\\"{\"\n}\n", &[(1, "{\n  \"a\": \"}\\\"{\"\n}")]);
        check("{}{}", &[(1, "{}"), (1, "{}")]);
        check("", &[]);
        check("[]", &[]);
    }

    #[test]
    fn comments_and_single_quotes_of_json5_are_skipped() {
        check("// {\n/* [ */ [ {a: '}', /* } */ b: 2, // }\n}, ]", &[(2, "{a: '}', /* } */ b: 2, // }\n}")]);
        check("[{a: 'it\\'s'}]", &[(1, "{a: 'it\\'s'}")]);
    }

    #[test]
    fn an_array_without_indentation_is_not_taken_for_broken() {
        check("[\n{\n\"a\": [\n{\n},\n{\n}\n]\n}\n]", &[(2, "{\n\"a\": [\n{\n},\n{\n}\n]\n}")]);
        check("{\"a\":\n{}}", &[(1, "{\"a\":\n{}}")]);
    }

    #[test]
    fn the_records_after_a_broken_one_are_found() {
        let good = (2, "{\"b\":2}");
        for broken in
            ["{\"a\":1", "{\"a\": \"x}", "{\"a\":1,", "{\"a\":[1", "{\"a\":1}}", "hello", "42", "{]"]
        {
            let text = format!("{broken}\n{{\"b\":2}}\n");
            let found = texts(&text);
            assert_eq!(found.last().map(|(line, text)| (*line, text.as_str())), Some(good), "{broken}");
            assert_eq!(found[0].0, 1, "{broken}");
        }
        check("{\"a\": \"x\n[1, 2]\n{}", &[(1, "{\"a\": \"x"), (2, "[1, 2]"), (3, "{}")]);
        let array = texts("[\n  {\"a\": \"x},\n  {\"b\": 2}\n]");
        assert_eq!(array.last().unwrap(), &(3, "{\"b\": 2}".to_owned()));
    }

    #[test]
    fn a_record_over_the_limit_is_skipped_and_not_kept() {
        let mut splitter = RecordSplitter::default();
        let mut found = Vec::new();
        let mut each =
            |piece: RawRecord<'_>| found.push((piece.line, piece.length, piece.bytes.map(<[u8]>::to_vec)));
        splitter.feed(b"{}\n{\"a\":\"", &mut each);
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..17 {
            splitter.feed(&chunk, &mut each);
            assert!(splitter.record.bytes.capacity() <= 2 * RECORD_LIMIT);
        }
        splitter.feed(b"\"}\n{}", &mut each);
        splitter.finish(&mut each);
        let long = (17 << 20) + 8;
        assert_eq!(found, [(1, 2, Some(b"{}".to_vec())), (2, long, None), (3, 2, Some(b"{}".to_vec()))]);
    }
}
