//! Lines in place of keys: the terminal edits them itself, so that a screen reader reads what is typed.

use mageyard_terminal::{InputDecoder, TerminalEvent};

/// The longest line in bytes; what is longer is cut into lines of this length.
const MAX_LINE: usize = 1 << 20;

/// Bytes in, lines out. Control characters are dropped, as in a paste.
#[derive(Debug, Default)]
pub(crate) struct LineDecoder {
    held: Vec<u8>,
}

impl LineDecoder {
    fn end_line(&mut self) -> TerminalEvent {
        let bytes = std::mem::take(&mut self.held);
        let text = String::from_utf8_lossy(&bytes);
        TerminalEvent::Line(text.chars().filter(|c| !c.is_control() || *c == '\t').collect())
    }
}

impl InputDecoder for LineDecoder {
    fn take(&mut self, bytes: &[u8]) -> Vec<TerminalEvent> {
        let mut lines = Vec::new();
        for byte in bytes {
            if *byte == b'\n' || self.held.len() >= MAX_LINE {
                lines.push(self.end_line());
            }
            if *byte != b'\n' {
                self.held.push(*byte);
            }
        }
        lines
    }

    fn is_waiting(&self) -> bool {
        false
    }

    fn give_up(&mut self) -> Vec<TerminalEvent> {
        if self.held.is_empty() { Vec::new() } else { vec![self.end_line()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(parts: &[&[u8]]) -> Vec<String> {
        let mut input = LineDecoder::default();
        let mut events: Vec<_> = parts.iter().flat_map(|part| input.take(part)).collect();
        events.extend(input.give_up());
        let line = |event| match event {
            TerminalEvent::Line(line) => line,
            other => panic!("{other:?}"),
        };
        events.into_iter().map(line).collect()
    }

    #[test]
    fn lines_are_the_same_wherever_the_input_is_cut() {
        assert_eq!(lines(&[b"go 3\n\nrun"]), ["go 3", "", "run"]);
        assert_eq!(lines(&[b"g", b"o 3", b"\n\nru", b"n\n"]), ["go 3", "", "run"]);
        assert_eq!(lines(&["箱\n".as_bytes(), &[0xff, b'\n']]), ["箱", "\u{fffd}"]);
    }

    #[test]
    fn control_characters_of_a_line_are_dropped() {
        assert_eq!(lines(&[b"st\x1b[Aep\r\n"]), ["st[Aep"]);
    }
}
