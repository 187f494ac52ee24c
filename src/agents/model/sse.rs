//! A parser for server-sent events. Chunks may be split anywhere, even within a character.

/// The maximum size of an event.
const MAX_EVENT_BYTES: usize = 8 << 20;

/// The incomplete event.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
}

/// An event exceeds the maximum size.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EventTooLong;

impl SseParser {
    /// Adds bytes and returns the data of the completed events. Comments and other fields are ignored.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, EventTooLong> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.line.len() + self.data.len() + part.len() > MAX_EVENT_BYTES {
                return Err(EventTooLong);
            }
            self.line.extend_from_slice(part);
            if self.line.ends_with(b"\n") {
                events.extend(self.end_line());
            }
        }
        Ok(events)
    }

    /// Ends the stream and returns a last event without a blank line, if there is one.
    pub(super) fn end(&mut self) -> Option<Vec<u8>> {
        self.end_line();
        self.dispatch()
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return self.dispatch();
        }
        if let Some(value) = line.strip_prefix(b"data:") {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        }
        None
    }

    fn dispatch(&mut self) -> Option<Vec<u8>> {
        std::mem::take(&mut self.has_data).then(|| std::mem::take(&mut self.data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = ": hello\r\n\r\ndata: {\"a\":\r\ndata: \"é→🧙\"}\r\n\r\nevent: x\nid: 7\ndata:b\n\n: ping\n\ndata: [DONE]";

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut events = SseParser::default();
        let mut all: Vec<Vec<u8>> = chunks.iter().flat_map(|chunk| events.feed(chunk).unwrap()).collect();
        all.extend(events.end());
        all.into_iter().map(|event| String::from_utf8(event).unwrap()).collect()
    }

    #[test]
    fn a_stream_may_be_split_anywhere() {
        let whole = ["{\"a\":\n\"é→🧙\"}", "b", "[DONE]"];
        let bytes = STREAM.as_bytes();
        for at in 0..=bytes.len() {
            assert_eq!(read(&[&bytes[..at], &bytes[at..]]), whole, "cut at {at}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&single), whole);
    }

    #[test]
    fn an_event_that_is_too_long_is_rejected() {
        let mut events = SseParser::default();
        let fed = (0..9).map(|_| events.feed(&vec![b'x'; 1 << 20])).collect::<Result<Vec<_>, _>>();
        assert_eq!(fed, Err(EventTooLong));
    }
}
