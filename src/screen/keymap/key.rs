//! Keys by their names in `keys.toml`, and as users are shown them.

use crokey::KeyCombination;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keys that terminals or multiplexers use themselves.
const RESERVED: [(&str, &str); 4] = [
    ("ctrl-a", "terminal multiplexers use it"),
    ("ctrl-b", "terminal multiplexers use it"),
    ("ctrl-s", "flow control uses it to stop the output"),
    ("ctrl-q", "flow control uses it to resume the output"),
];

/// The keys that no action may have: they open the palette and the help, and cancel.
const SCREEN_KEYS: [&str; 3] = [":", "?", "esc"];

/// Parses a key as written in `keys.toml`, or one letter.
pub(crate) fn parse_key(name: &str) -> Option<KeyEvent> {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Some(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)),
        _ => crokey::parse(name).ok().map(Into::into),
    }
}

/// The key of an action, in the notation of `keys.toml`; `None` if an action cannot have this key.
pub(crate) fn action_key(name: &str) -> Option<KeyCombination> {
    let usable = !SCREEN_KEYS.contains(&name);
    parse_bindable(name).ok().filter(|key| usable && !key.modifiers.contains(KeyModifiers::CONTROL))
}

/// Whether this event is the key of an action.
pub(crate) fn is_action_key(name: &str, event: KeyEvent) -> bool {
    action_key(name) == Some(pressed(event))
}

/// The key of an action as shown to users; `None` if an action cannot have this key.
pub(crate) fn action_key_name(name: &str) -> Option<String> {
    action_key(name).map(display_name)
}

/// A key as shown to users.
pub(crate) fn key_name(event: KeyEvent) -> String {
    display_name(pressed(event))
}

/// The key with this name, or why it cannot be bound.
pub(super) fn parse_bindable(name: &str) -> Result<KeyCombination, String> {
    let key = parse(name).ok_or_else(|| {
        "unknown key (write q, Q, ctrl-l, enter, space, tab, backtab, esc, pageup, home, left, +, ...)"
            .to_owned()
    })?;
    if let Some((_, why)) = RESERVED.iter().find(|(taken, _)| parse(taken) == Some(key)) {
        return Err((*why).to_owned());
    }
    match key.codes.first() {
        KeyCode::F(_) => Err("many terminals use function keys themselves".into()),
        KeyCode::Char('1'..='9') if key.modifiers.is_empty() => {
            Err("digits are count prefixes, as in 5l".into())
        }
        _ if key.modifiers.contains(KeyModifiers::ALT) => {
            Err("many terminals do not send Alt combinations".into())
        }
        _ => Ok(key),
    }
}

/// Parses the name of a key. A single capital is the shifted letter.
pub(super) fn parse(name: &str) -> Option<KeyCombination> {
    let capital = name.len() == 1 && name.chars().all(|c| c.is_ascii_uppercase());
    let spelt = if capital { format!("shift-{name}") } else { name.to_owned() };
    let key = crokey::parse(&spelt).ok().filter(|key| key.is_ansi_compatible())?;
    Some(without_shift_on_signs(key.normalized()))
}

/// The combination of a key event.
pub(super) fn pressed(event: KeyEvent) -> KeyCombination {
    without_shift_on_signs(KeyCombination::from(event))
}

/// Removes Shift from keys that are not letters: terminals disagree on whether to report it.
fn without_shift_on_signs(mut key: KeyCombination) -> KeyCombination {
    if let KeyCode::Char(c) = key.codes.first()
        && !c.is_alphabetic()
    {
        key.modifiers.remove(KeyModifiers::SHIFT);
    }
    key
}

/// A key as shown to users.
pub(super) fn display_name(key: KeyCombination) -> String {
    let format = crokey::KeyCombinationFormat::default().with_implicit_shift();
    match (key.codes.first(), key.modifiers) {
        (KeyCode::BackTab, _) => "Shift-Tab".into(),
        (KeyCode::Char('-'), KeyModifiers::NONE) => "-".into(),
        (KeyCode::Left, KeyModifiers::NONE) => "←".into(),
        (KeyCode::Right, KeyModifiers::NONE) => "→".into(),
        (KeyCode::Up, KeyModifiers::NONE) => "↑".into(),
        (KeyCode::Down, KeyModifiers::NONE) => "↓".into(),
        (KeyCode::Char(c), KeyModifiers::CONTROL) => format!("Ctrl-{}", c.to_ascii_uppercase()),
        _ => format.to_string(key),
    }
}
