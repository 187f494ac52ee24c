//! The keys of a US keyboard: names, physical codes, and the numbers that old pages read.

/// A key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// What the event reports as `key`.
    pub(super) name: String,
    /// The physical key; empty for a character that the keyboard does not have.
    pub(super) code: String,
    /// The event's `keyCode`.
    pub(super) number: u32,
    /// What it types.
    pub(super) text: Option<String>,
    /// Whether it needs Shift.
    pub(super) shifted: bool,
}

/// Keys by name: name, code, number, text.
const NAMED: &[(&str, &str, u32, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("Space", "Space", 32, " "),
    (" ", "Space", 32, " "),
    ("Shift", "ShiftLeft", 16, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Alt", "AltLeft", 18, ""),
    ("Meta", "MetaLeft", 91, ""),
];

/// Keys with two characters: without and with Shift, code, number.
const PAIRS: &[(char, char, &str, u32)] = &[
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
    (';', ':', "Semicolon", 186),
    ('=', '+', "Equal", 187),
    (',', '<', "Comma", 188),
    ('-', '_', "Minus", 189),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('`', '~', "Backquote", 192),
    ('[', '{', "BracketLeft", 219),
    ('\\', '|', "Backslash", 220),
    (']', '}', "BracketRight", 221),
    ('\'', '"', "Quote", 222),
];

/// The modifiers, and their bits in events.
const MODIFIERS: &[(&str, u8)] = &[("Alt", 1), ("Control", 2), ("Meta", 4), ("Shift", 8)];

/// The key with this name or this character, if the keyboard has it.
pub(super) fn key(name: &str) -> Option<Key> {
    named(name).or_else(|| function_key(name)).or_else(|| {
        let mut characters = name.chars();
        characters.next().filter(|_| characters.next().is_none()).and_then(printed)
    })
}

/// A modifier by its name, with its bit.
pub(super) fn modifier(name: &str) -> Option<(Key, u8)> {
    let (name, bit) = MODIFIERS.iter().find(|row| row.0 == name)?;
    Some((named(name)?, *bit))
}

fn named(name: &str) -> Option<Key> {
    let (name, code, number, text) = NAMED.iter().find(|row| row.0 == name)?;
    let text = (!text.is_empty()).then(|| (*text).to_owned());
    let name = if *name == "Space" { " " } else { name };
    Some(Key { name: name.to_owned(), code: (*code).to_owned(), number: *number, text, shifted: false })
}

fn function_key(name: &str) -> Option<Key> {
    let number: u32 = name.strip_prefix('F')?.parse().ok().filter(|number| (1..=12).contains(number))?;
    Some(Key {
        name: name.to_owned(),
        code: name.to_owned(),
        number: 111 + number,
        text: None,
        shifted: false,
    })
}

fn printed(character: char) -> Option<Key> {
    let (code, number, shifted) = if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        (format!("Key{upper}"), u32::from(upper), character.is_ascii_uppercase())
    } else {
        let (_, with_shift, code, number) =
            PAIRS.iter().find(|row| row.0 == character || row.1 == character)?;
        ((*code).to_owned(), *number, *with_shift == character)
    };
    let name = character.to_string();
    Some(Key { text: Some(name.clone()), name, code, number, shifted })
}

impl Key {
    /// The key of a character that the keyboard does not have.
    pub(super) fn of_character(character: char) -> Self {
        let name = character.to_string();
        Self { text: Some(name.clone()), name, code: String::new(), number: 0, shifted: false }
    }
}
