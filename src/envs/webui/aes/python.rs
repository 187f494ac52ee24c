//! Text as Python reads it: the released code leaves trimming, splitting and numbers to Python's own functions.

/// `str.strip()`: white space at both ends, which in Python includes four control characters.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `float()`: a decimal number with an optional sign, exponent and white space around it, underscores between
/// digits, or infinity or not-a-number in words. Python also reads digits of other scripts, which browsers never write.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = if text.is_ascii() { text.trim_matches(is_c_space) } else { strip(text) };
    if !text.contains('_') {
        return text.parse().ok();
    }
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let between = |at: usize| at > 0 && digit(bytes.get(at - 1)) && digit(bytes.get(at + 1));
    let allowed = text.match_indices('_').all(|(at, _)| between(at));
    allowed.then(|| text.replace('_', "").parse().ok()).flatten()
}

/// The white space that `float()` skips in a text of ASCII alone.
fn is_c_space(letter: char) -> bool {
    letter == ' ' || ('\t'..='\r').contains(&letter)
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\x1c'..='\x1f').contains(&letter)
}
