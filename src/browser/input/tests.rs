use super::key_codes::{Key, key, modifier};

fn facts(name: &str) -> Option<(String, u32, Option<String>, bool)> {
    key(name).map(|Key { code, number, text, shifted, .. }| (code, number, text, shifted))
}

#[test]
fn keys_have_the_codes_of_a_us_keyboard() {
    let printed = |code: &str, number, text: &str, shifted| {
        Some((code.to_owned(), number, Some(text.to_owned()), shifted))
    };
    assert_eq!(facts("a"), printed("KeyA", 65, "a", false));
    assert_eq!(facts("A"), printed("KeyA", 65, "A", true));
    assert_eq!(facts("?"), printed("Slash", 191, "?", true));
    assert_eq!(facts("Enter"), printed("Enter", 13, "\r", false));
    assert_eq!(facts("Space"), printed("Space", 32, " ", false));
    assert_eq!(facts("F12"), Some(("F12".to_owned(), 123, None, false)));
    assert_eq!((facts("F13"), facts("Return"), facts("ü"), facts("")), (None, None, None, None));
}

#[test]
fn modifiers_have_bits() {
    assert_eq!(modifier("Control").map(|(key, bit)| (key.code, bit)), Some(("ControlLeft".to_owned(), 2)));
    assert_eq!(modifier("Hyper"), None);
}
