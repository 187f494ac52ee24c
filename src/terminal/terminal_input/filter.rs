//! Separates answers of the terminal from what a person types. Both arrive as bytes on the same input, and an answer can
//! be late or cut in two; none of its bytes may become a key.

use std::mem;

use super::answer::{ControlSequence, TerminalAnswer};

/// The longest answer in bytes; the rest of a longer one is dropped as well.
const LONGEST: usize = 4096;
/// How often the rest of an answer is waited for, by the time that an Escape waits for what it may begin.
const MOST_WAITS: u8 = 20;
const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// Takes input apart, byte by byte.
#[derive(Debug, Default)]
pub(crate) struct InputFilter {
    state: State,
    /// The bytes of a sequence that may be an answer.
    held: Vec<u8>,
    /// How often the rest of a sequence was waited for, without a byte of it.
    waits: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Between sequences.
    #[default]
    Text,
    /// After an escape.
    Escape,
    /// In a control sequence, whose last byte says what it is.
    Control,
    /// In a device string (DCS, APC, OSC), which a terminator ends.
    Device,
    /// After an escape in such a string.
    StringEscape,
    /// In pasted text, which has no answers.
    Paste,
}

/// What input consists of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Separated {
    /// The bytes of keys, the mouse and pasted text.
    pub(crate) typed: Vec<u8>,
    /// The answers.
    pub(crate) answers: Vec<TerminalAnswer>,
}

impl InputFilter {
    /// Takes input. A sequence at its end that is not complete is held back.
    pub(crate) fn take(&mut self, input: &[u8]) -> Separated {
        let mut separated = Separated::default();
        for byte in input {
            self.take_byte(*byte, &mut separated);
        }
        separated
    }

    /// Whether the end of the input may be the beginning of a sequence.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.held.is_empty()
    }

    /// What was held back when no more input came for a while: keys, such as Escape. The beginning of an answer is held on,
    /// so that its rest is no key, and dropped if the rest does not come for long.
    pub(crate) fn give_up(&mut self) -> Vec<u8> {
        // A person types Escape, or Alt with a letter that could also begin an answer. Nothing else is that short.
        let typed =
            matches!(self.state, State::Escape | State::Device | State::Control) && self.held.len() <= 2;
        if !typed && self.state != State::Paste && self.waits < MOST_WAITS {
            self.waits += 1;
            return Vec::new();
        }
        self.waits = 0;
        self.state = State::Text;
        let held = mem::take(&mut self.held);
        if typed { held } else { Vec::new() }
    }

    fn take_byte(&mut self, byte: u8, separated: &mut Separated) {
        self.waits = 0;
        if self.held.len() < LONGEST {
            self.held.push(byte);
        }
        match (self.state, byte) {
            (State::Text, ESCAPE) => self.state = State::Escape,
            (State::Text, _) => self.release(separated),
            (State::Escape, b'[') => self.state = State::Control,
            (State::Escape, b'P' | b'_' | b']' | b'^' | b'X') => self.state = State::Device,
            // The first escape was a key, written so that nothing follows from what comes after it.
            (State::Escape, ESCAPE) => {
                separated.typed.extend(b"\x1b[27u");
                self.held.truncate(1);
            }
            (State::Escape, _) => self.release(separated),
            (State::Control, 0x20..=0x3f) => {}
            // The function keys of the Linux console: an escape, two brackets and a letter.
            (State::Control, b'[') if self.held.len() == 3 => {}
            (State::Control, _) => self.end_control(separated),
            (State::Device, BELL) => self.end_string(separated),
            (State::Device, ESCAPE) => self.state = State::StringEscape,
            (State::Device, _) => {}
            (State::StringEscape, b'\\') => self.end_string(separated),
            (State::StringEscape, _) => self.state = State::Device,
            (State::Paste, _) => {
                if self.held.ends_with(b"\x1b[201~") || self.held.len() == LONGEST {
                    self.end_paste(separated);
                }
            }
        }
    }

    /// The held bytes are typed.
    fn release(&mut self, separated: &mut Separated) {
        separated.typed.append(&mut self.held);
        self.state = State::Text;
    }

    fn end_control(&mut self, separated: &mut Separated) {
        if self.held == b"\x1b[200~" {
            self.release(separated);
            self.state = State::Paste;
            return;
        }
        match ControlSequence::of(&self.held) {
            ControlSequence::Typed => return self.release(separated),
            ControlSequence::Foreign => {}
            ControlSequence::Answer(answer) => separated.answers.push(answer),
        }
        self.held.clear();
        self.state = State::Text;
    }

    fn end_string(&mut self, separated: &mut Separated) {
        separated.answers.extend(TerminalAnswer::of_string(&self.held));
        self.held.clear();
        self.state = State::Text;
    }

    /// Pasted text goes on in parts, so that a long one is not held back.
    fn end_paste(&mut self, separated: &mut Separated) {
        let ended = self.held.ends_with(b"\x1b[201~");
        // The end mark may be cut in two.
        let kept = if ended {
            0
        } else {
            self.held.iter().rev().take(5).position(|&byte| byte == ESCAPE).map_or(0, |at| at + 1)
        };
        let rest = self.held.split_off(self.held.len() - kept);
        separated.typed.append(&mut self.held);
        self.held = rest;
        self.state = if ended { State::Text } else { State::Paste };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn separated(parts: &[&[u8]]) -> (Vec<u8>, Vec<TerminalAnswer>, Vec<u8>) {
        let mut filter = InputFilter::default();
        let mut typed = Vec::new();
        let mut answers = Vec::new();
        for part in parts {
            let mut some = filter.take(part);
            typed.append(&mut some.typed);
            answers.append(&mut some.answers);
        }
        (typed, answers, filter.give_up())
    }

    const MIXED: &[u8] = b"a\x1b_Gi=31;OK\x1b\\\x1b[A\x1b[?62;4c\x1bP>|foot(1.16)\x1b\\b\x1b[6;20;10t\x1b[?2026;2$y\x1b[0n\x1b[<0;3;4Mc";

    #[test]
    fn answers_are_taken_out_wherever_the_input_is_cut() {
        let answers = vec![
            TerminalAnswer::Kitty { id: 31, ok: true },
            TerminalAnswer::Attributes(vec![62, 4]),
            TerminalAnswer::Version("foot(1.16)".into()),
            TerminalAnswer::CellSize { height: 20, width: 10 },
            TerminalAnswer::Mode { mode: 2026, known: true },
            TerminalAnswer::Ready,
        ];
        for cut in 0..=MIXED.len() {
            let (typed, found, rest) = separated(&[&MIXED[..cut], &MIXED[cut..]]);
            assert_eq!(typed, b"a\x1b[Ab\x1b[<0;3;4Mc", "cut at {cut}");
            assert_eq!((&found, rest), (&answers, Vec::new()), "cut at {cut}");
        }
    }

    #[test]
    fn keys_stay_what_they_are() {
        for keys in [
            &b"abc \xc3\xa9\x03\r\x7f"[..],
            b"\x1b[A\x1bOP\x1b[1;5C\x1b[3~\x1b[[A\x1b[Z",
            b"\x1b[200~pasted \x1b_not an answer\x1b\\\x1b[201~x",
            b"\x1bx",
        ] {
            let (typed, answers, rest) = separated(&[keys]);
            assert_eq!((&typed[..], &answers[..], &rest[..]), (keys, &[][..], &[][..]));
        }
    }

    #[test]
    fn an_escape_alone_and_alt_with_a_letter_of_answers_are_keys_after_a_while() {
        for key in [&b"\x1b"[..], b"\x1bP", b"\x1b_", b"\x1b]", b"\x1b["] {
            let (typed, _, rest) = separated(&[key]);
            assert_eq!((&typed[..], &rest[..]), (&b""[..], key));
        }
        let (typed, answers, rest) = separated(&[b"\x1b_Gi=31;O"]);
        assert_eq!((typed, answers, rest), (Vec::new(), Vec::new(), Vec::new()), "half an answer is no key");
    }

    #[test]
    fn the_rest_of_an_answer_is_no_key_even_if_it_comes_late() {
        let mut filter = InputFilter::default();
        assert_eq!(filter.take(b"\x1b[?6"), Separated::default());
        for _ in 0..MOST_WAITS {
            assert!(filter.give_up().is_empty() && filter.is_waiting());
        }
        assert_eq!(filter.take(b"2;4cq").typed, b"q");
        filter.take(b"\x1bP>|fo");
        for _ in 0..=MOST_WAITS {
            filter.give_up();
        }
        assert!(!filter.is_waiting(), "one that never ends holds nothing for long");
        assert_eq!(filter.take(b"q").typed, b"q");
    }

    #[test]
    fn numbers_may_be_left_out() {
        assert_eq!(separated(&[b"\x1b[?62;c"]).1, [TerminalAnswer::Attributes(vec![62, 0])]);
    }

    #[test]
    fn an_escape_before_another_sequence_is_a_key() {
        assert_eq!(separated(&[b"\x1b\x1b[A"]).0, b"\x1b[27u\x1b[A");
    }

    #[test]
    fn an_answer_without_an_end_holds_a_limited_amount() {
        let mut filter = InputFilter::default();
        assert_eq!(filter.take(b"\x1bP"), Separated::default());
        assert_eq!(filter.take(&[b'x'; 10_000]), Separated::default());
        assert!(filter.held.len() <= LONGEST);
        assert_eq!(filter.take(b"\x1b\\k").typed, b"k");
    }

    #[test]
    fn a_long_paste_is_not_held_back() {
        let text = [&b"\x1b[200~"[..], &[b'x'; 9000], b"\x1b[20", b"1~q"].concat();
        for size in [1, 7, 4096, 20_000] {
            let mut filter = InputFilter::default();
            let typed: Vec<u8> = text.chunks(size).flat_map(|part| filter.take(part).typed).collect();
            assert_eq!(typed, text);
        }
    }

    #[test]
    fn random_bytes_never_become_answers_and_keys_at_once() {
        let mut state = 7_u64;
        let mut filter = InputFilter::default();
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let byte =
                [ESCAPE, b'[', b'P', b'\\', b'4', b';', b'c', b'?', b'~', 0xff][(state >> 33) as usize % 10];
            let some = filter.take(&[byte]);
            assert!(some.typed.is_empty() || some.answers.is_empty());
        }
    }
}
