//! The clipboard of the terminal by OSC 52, which also works over SSH. The terminal does not answer,
//! so whether the text was taken is unknown.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Maximum size of a text in bytes: several terminals accept at most 100,000 characters of base64.
pub(crate) const MAX_BYTES: usize = 74_994;

/// The escape sequence that puts this text on the clipboard. Inside tmux it is written twice: plain,
/// for `set-clipboard on`, and wrapped, for `allow-passthrough on`.
pub(crate) fn osc52_sequence(text: &str, tmux: bool) -> String {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    if !tmux {
        return plain;
    }
    let wrapped = plain.replace('\x1b', "\x1b\x1b");
    format!("{plain}\x1bPtmux;{wrapped}\x1b\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_has_no_control_characters_of_the_text() {
        assert_eq!(osc52_sequence("a\u{1b}\n", false), "\x1b]52;c;YRsK\x07");
        assert_eq!(osc52_sequence("x", true), "\x1b]52;c;eA==\x07\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\");
        assert!(STANDARD.encode("x".repeat(MAX_BYTES)).len() <= 100_000);
    }
}
