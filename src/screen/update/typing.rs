//! Keys that edit a text.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use mageyard_terminal::TextEditor;

/// Rows per page key.
const PAGE_ROWS: isize = 10;

/// Why a key was not inserted.
pub(crate) const TOO_LONG: &str = "the text has reached the maximum of 1 MiB";

/// Applies a key to a text in rows of this width; false if the text would become too long, `None` if the key does
/// nothing.
pub(crate) fn type_into(page: &mut TextEditor, key: KeyEvent, control: bool, width: u16) -> Option<bool> {
    let mut whole = true;
    match key.code {
        KeyCode::Left => page.left(),
        KeyCode::Right => page.right(),
        KeyCode::Up => page.move_rows(-1, width),
        KeyCode::Down => page.move_rows(1, width),
        KeyCode::PageUp => page.move_rows(-PAGE_ROWS, width),
        KeyCode::PageDown => page.move_rows(PAGE_ROWS, width),
        KeyCode::Home => page.home(),
        KeyCode::End => page.end(),
        KeyCode::Backspace => page.backspace(),
        KeyCode::Delete => page.delete(),
        KeyCode::Char('w') if control => page.delete_word(),
        KeyCode::Char('u') if control => page.delete_to_line_start(),
        KeyCode::Enter => whole = page.insert("\n"),
        KeyCode::Tab => whole = page.insert("\t"),
        KeyCode::Char(c) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            whole = page.insert(c.encode_utf8(&mut [0; 4]));
        }
        _ => return None,
    }
    Some(whole)
}
