//! The clipboard of whoever sits at the terminal, also beyond SSH: OSC 52, which asks the terminal to take a
//! text. It never answers, so nobody can know whether it did.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The most bytes that are offered: several terminals take no more than 100,000 letters of base64.
pub(crate) const MAX_BYTES: usize = 74_994;

/// The bytes that ask the terminal to take this text. Inside tmux they are said twice: as they are, which tmux
/// takes with `set-clipboard on`, and wrapped, which it passes on with `allow-passthrough on`.
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
    fn a_text_is_one_sequence_of_harmless_letters() {
        assert_eq!(osc52_sequence("a\u{1b}\n", false), "\x1b]52;c;YRsK\x07");
        assert_eq!(osc52_sequence("x", true), "\x1b]52;c;eA==\x07\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\");
        assert!(STANDARD.encode("x".repeat(MAX_BYTES)).len() <= 100_000);
    }
}
