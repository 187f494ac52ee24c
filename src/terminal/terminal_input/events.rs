//! Keys, the mouse and pasted text as the rest of the screen knows them.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use termina::Parser;
use termina::event::{
    Event as Parsed, KeyCode as ParsedCode, KeyEventKind, Modifiers, MouseButton as ParsedButton,
    MouseEventKind as ParsedMouse,
};

use super::answer::TerminalAnswer;
use super::filter::InputFilter;

/// What a terminal has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalEvent {
    /// A key, the mouse or pasted text.
    Typed(Event),
    /// An answer.
    Answer(TerminalAnswer),
    /// A line, from a terminal that edits lines itself.
    Line(String),
}

/// Bytes in, events out.
#[derive(Debug, Default)]
pub struct TerminalInput {
    filter: InputFilter,
    parser: Parser,
}

impl TerminalInput {
    /// The events of these bytes. A sequence that is not complete is held back.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Vec<TerminalEvent> {
        let separated = self.filter.take(bytes);
        self.parser.parse(&separated.typed, true);
        let typed = self.typed();
        typed.into_iter().chain(separated.answers.into_iter().map(TerminalEvent::Answer)).collect()
    }

    /// Whether a sequence is held back.
    pub(crate) fn is_waiting(&self) -> bool {
        self.filter.is_waiting()
    }

    /// The events of what was held back, once no more bytes have come for a while.
    pub(crate) fn give_up(&mut self) -> Vec<TerminalEvent> {
        let held = self.filter.give_up();
        self.parser.parse(&held, false);
        self.typed()
    }

    fn typed(&mut self) -> Vec<TerminalEvent> {
        let parsed = std::iter::from_fn(|| self.parser.pop());
        parsed.filter_map(event).map(TerminalEvent::Typed).collect()
    }
}

fn event(parsed: Parsed) -> Option<Event> {
    match parsed {
        Parsed::Key(key) if key.kind == KeyEventKind::Release => None,
        Parsed::Key(key) => Some(Event::Key(KeyEvent::new(code(key.code)?, modifiers(key.modifiers)))),
        Parsed::Mouse(mouse) => Some(Event::Mouse(MouseEvent {
            kind: mouse_kind(mouse.kind),
            column: mouse.column,
            row: mouse.row,
            modifiers: modifiers(mouse.modifiers),
        })),
        Parsed::Paste(text) => Some(Event::Paste(text)),
        _ => None,
    }
}

fn code(code: ParsedCode) -> Option<KeyCode> {
    Some(match code {
        ParsedCode::Char(letter) => KeyCode::Char(letter),
        ParsedCode::Enter => KeyCode::Enter,
        ParsedCode::Backspace => KeyCode::Backspace,
        ParsedCode::Tab => KeyCode::Tab,
        ParsedCode::Escape => KeyCode::Esc,
        ParsedCode::Left => KeyCode::Left,
        ParsedCode::Right => KeyCode::Right,
        ParsedCode::Up => KeyCode::Up,
        ParsedCode::Down => KeyCode::Down,
        ParsedCode::Home => KeyCode::Home,
        ParsedCode::End => KeyCode::End,
        ParsedCode::BackTab => KeyCode::BackTab,
        ParsedCode::PageUp => KeyCode::PageUp,
        ParsedCode::PageDown => KeyCode::PageDown,
        ParsedCode::Insert => KeyCode::Insert,
        ParsedCode::Delete => KeyCode::Delete,
        ParsedCode::Function(number) => KeyCode::F(number),
        ParsedCode::Menu => KeyCode::Menu,
        ParsedCode::KeypadBegin => KeyCode::KeypadBegin,
        _ => return None,
    })
}

fn modifiers(held: Modifiers) -> KeyModifiers {
    [
        (Modifiers::SHIFT, KeyModifiers::SHIFT),
        (Modifiers::CONTROL, KeyModifiers::CONTROL),
        (Modifiers::ALT, KeyModifiers::ALT),
        (Modifiers::SUPER, KeyModifiers::SUPER),
        (Modifiers::HYPER, KeyModifiers::HYPER),
        (Modifiers::META, KeyModifiers::META),
    ]
    .into_iter()
    .filter(|(parsed, _)| held.contains(*parsed))
    .fold(KeyModifiers::NONE, |all, (_, modifier)| all | modifier)
}

fn mouse_kind(kind: ParsedMouse) -> MouseEventKind {
    match kind {
        ParsedMouse::Down(which) => MouseEventKind::Down(button(which)),
        ParsedMouse::Up(which) => MouseEventKind::Up(button(which)),
        ParsedMouse::Drag(which) => MouseEventKind::Drag(button(which)),
        ParsedMouse::Moved => MouseEventKind::Moved,
        ParsedMouse::ScrollDown => MouseEventKind::ScrollDown,
        ParsedMouse::ScrollUp => MouseEventKind::ScrollUp,
        ParsedMouse::ScrollLeft => MouseEventKind::ScrollLeft,
        ParsedMouse::ScrollRight => MouseEventKind::ScrollRight,
    }
}

fn button(which: ParsedButton) -> MouseButton {
    match which {
        ParsedButton::Left => MouseButton::Left,
        ParsedButton::Right => MouseButton::Right,
        ParsedButton::Middle => MouseButton::Middle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> TerminalEvent {
        TerminalEvent::Typed(Event::Key(KeyEvent::new(code, modifiers)))
    }

    fn plain(code: KeyCode) -> TerminalEvent {
        key(code, KeyModifiers::NONE)
    }

    #[test]
    fn bytes_are_keys_with_their_modifiers() {
        let mut input = TerminalInput::default();
        for (bytes, expected) in [
            (&b"a"[..], plain(KeyCode::Char('a'))),
            (b"A", key(KeyCode::Char('A'), KeyModifiers::SHIFT)),
            ("é".as_bytes(), plain(KeyCode::Char('é'))),
            (b"\x03", key(KeyCode::Char('c'), KeyModifiers::CONTROL)),
            (b"\x1bx", key(KeyCode::Char('x'), KeyModifiers::ALT)),
            (b"\x1b[A", plain(KeyCode::Up)),
            (b"\x1bOP", plain(KeyCode::F(1))),
            (b"\x1b[1;5C", key(KeyCode::Right, KeyModifiers::CONTROL)),
            (b"\x1b[3~", plain(KeyCode::Delete)),
            (b"\x1b[Z", key(KeyCode::BackTab, KeyModifiers::SHIFT)),
            (b"\x1b[15~", plain(KeyCode::F(5))),
            (b"\r", plain(KeyCode::Enter)),
            (b"\x7f", plain(KeyCode::Backspace)),
        ] {
            assert_eq!(input.take(bytes), [expected], "{bytes:?}");
            assert!(!input.is_waiting());
        }
        assert_eq!(input.take(b"\xc3"), []);
        assert_eq!(input.take(b"\xa9"), [plain(KeyCode::Char('é'))]);
    }

    #[test]
    fn an_escape_alone_is_a_key_after_a_while() {
        let mut input = TerminalInput::default();
        assert_eq!((input.take(b"\x1b"), input.is_waiting()), (vec![], true));
        assert_eq!((input.give_up(), input.is_waiting()), (vec![plain(KeyCode::Esc)], false));
        assert_eq!(input.take(b"\x1b\x1b[B"), [plain(KeyCode::Esc), plain(KeyCode::Down)]);
    }

    #[test]
    fn the_mouse_and_pasted_text_arrive() {
        let mut input = TerminalInput::default();
        let kind = MouseEventKind::Down(MouseButton::Left);
        let press = MouseEvent { kind, column: 2, row: 3, modifiers: KeyModifiers::NONE };
        assert_eq!(input.take(b"\x1b[<0;3;4M"), [TerminalEvent::Typed(Event::Mouse(press))]);
        let pasted = input.take(b"\x1b[200~two\nlines \x1b[31m\x1b[201~");
        assert_eq!(pasted, [TerminalEvent::Typed(Event::Paste("two\nlines \x1b[31m".into()))]);
    }
}
