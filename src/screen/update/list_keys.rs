//! The keys that move the selection of a list.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// By how many rows a key moves the selection, in a list with so many rows a page; `None` for another key.
pub(crate) fn moved_by(key: KeyEvent, page: usize) -> Option<isize> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let page = page.cast_signed();
    Some(match key.code {
        KeyCode::Up | KeyCode::BackTab => -1,
        KeyCode::Down | KeyCode::Tab => 1,
        KeyCode::PageUp => -page,
        KeyCode::PageDown => page,
        KeyCode::Home => isize::MIN,
        KeyCode::End => isize::MAX,
        KeyCode::Char('p') if control => -1,
        KeyCode::Char('n') if control => 1,
        KeyCode::Char(_) if control => return None,
        KeyCode::Char('k') => -1,
        KeyCode::Char('j') => 1,
        KeyCode::Char(' ') => page,
        KeyCode::Char('0') => isize::MIN,
        KeyCode::Char('$') => isize::MAX,
        _ => return None,
    })
}
