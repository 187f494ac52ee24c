//! Makes untrusted text safe to display.

use std::borrow::Cow;

/// Replaces characters that could control the terminal or change the reading order with visible ones: control
/// characters with symbols such as `␛`, bidirectional and other invisible characters with `⟨U+202E⟩`. Line breaks
/// and tabs are kept.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let is_plain = |byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        push_visible(c, &mut shown);
    }
    Cow::Owned(shown)
}

/// The sound marks of narrow kana; their wide forms are shown in place of them.
const NARROW_VOICED: char = '\u{ff9e}';
const NARROW_HALF_VOICED: char = '\u{ff9f}';

/// Whether a character could control the terminal or change the reading order, or takes no place: joiners and variation
/// selectors can hide a text within another one, and terminals disagree on the width of what they join. Line breaks and
/// tabs are harmless, and so is the selector of emoji, which many replies have.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{feff}' => true,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' => true,
        '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0e}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        // Private characters; some of them show parts of pictures.
        '\u{100000}'..='\u{10ffff}' => true,
        // The tones of emoji: with the emoji before them two columns or four, by terminal.
        '\u{1f3fb}'..='\u{1f3ff}' => true,
        // The sound marks of narrow kana: no column, or one, by program.
        NARROW_VOICED | NARROW_HALF_VOICED => true,
        c => c.is_control(),
    }
}

/// Escapes hidden characters in JSON. They occur only in strings, where an escape has the same meaning.
pub fn escape_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) {
            safe.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            safe.push(c);
        }
    }
    safe
}

fn push_visible(c: char, shown: &mut String) {
    match c {
        c if !is_hidden(c) => shown.push(c),
        '\u{7f}' => shown.push('␡'),
        NARROW_VOICED => shown.push('゛'),
        NARROW_HALF_VOICED => shown.push('゜'),
        '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(c))),
        c => shown.extend(format!("⟨U+{:04X}⟩", u32::from(c)).chars()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(sanitize("a\u{1b}[31mb\r\u{7f}"), "a␛[31mb␍␡");
        assert_eq!(sanitize("x\u{202e}y\u{9b}z"), "x⟨U+202E⟩y⟨U+009B⟩z");
        assert_eq!(
            sanitize("\u{10eeee}"),
            "⟨U+10EEEE⟩",
            "a part of a picture in terminals with Kitty's protocol"
        );
        assert_eq!(sanitize("plain\n\ttext"), "plain\n\ttext");
        let all: String = (0..=0x0010_ffff).filter_map(char::from_u32).collect();
        assert!(!sanitize(&all).chars().any(is_hidden));
    }

    #[test]
    fn joiners_are_visible_and_the_selector_of_emoji_stays() {
        assert_eq!(sanitize("👩\u{200d}👧"), "👩⟨U+200D⟩👧");
        assert_eq!(sanitize("a\u{200c}b\u{e0101}"), "a⟨U+200C⟩b⟨U+E0101⟩");
        assert_eq!(sanitize("ｶ\u{ff9e}ﾊ\u{ff9f}"), "ｶ゛ﾊ゜");
        assert_eq!(sanitize("👍🏽"), "👍⟨U+1F3FD⟩");
        assert_eq!(sanitize("✔\u{fe0f} שלום e\u{301}"), "✔\u{fe0f} שלום e\u{301}");
    }

    #[test]
    fn escaped_json_has_no_hidden_characters_and_the_same_meaning() {
        let text: String = (0..=0x0010_ffff).filter_map(char::from_u32).collect();
        let json = serde_json::to_string(&text).unwrap();
        let safe = escape_json(&json);
        assert!(!safe.contains(is_hidden));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        assert_eq!(escape_json("\"a\u{9b}\u{202e}\u{e0041}é\""), r#""a\u009b\u202e\udb40\udc41é""#);
    }
}
