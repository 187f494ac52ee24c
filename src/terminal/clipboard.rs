//! The clipboard of the terminal by OSC 52, which also works over SSH. The terminal does not answer,
//! so whether the text was taken is unknown.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Maximum size of a text in bytes: several terminals accept at most 100,000 characters of base64.
pub const CLIPBOARD_LIMIT: usize = 74_994;

/// The most bytes of a device control string that GNU screen hands on, with its beginning and its end.
const SCREEN_PORTION: usize = 768;

/// The way from a copied text to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyRoute {
    /// The clipboard of the terminal.
    Terminal,
    /// The clipboard of the terminal outside of tmux.
    Tmux,
    /// The clipboard of the terminal outside of GNU screen.
    GnuScreen,
    /// A file, whose path is shown.
    File,
}

/// The escape sequence that puts this text on the clipboard. Inside tmux it is written twice: plain,
/// for `set-clipboard on`, and wrapped, for `allow-passthrough on`. GNU screen hands on strings of a limited length.
pub fn osc52_sequence(text: &str, route: CopyRoute) -> String {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    match route {
        CopyRoute::Terminal | CopyRoute::File => plain,
        CopyRoute::Tmux => format!("{plain}\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")),
        CopyRoute::GnuScreen => {
            let begin = "\x1bP";
            let end = "\x1b\\";
            let letters: Vec<char> = plain.chars().collect();
            let portions = letters.chunks(SCREEN_PORTION - begin.len() - end.len());
            portions
                .flat_map(|portion| [begin.to_owned(), String::from_iter(portion), end.to_owned()])
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_has_no_control_characters_of_the_text() {
        assert_eq!(osc52_sequence("a\u{1b}\n", CopyRoute::Terminal), "\x1b]52;c;YRsK\x07");
        assert_eq!(
            osc52_sequence("x", CopyRoute::Tmux),
            "\x1b]52;c;eA==\x07\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\"
        );
        assert!(STANDARD.encode("x".repeat(CLIPBOARD_LIMIT)).len() <= 100_000);
    }

    #[test]
    fn gnu_screen_gets_portions_that_it_hands_on() {
        let text = "long ".repeat(1000);
        let sequence = osc52_sequence(&text, CopyRoute::GnuScreen);
        let portions: Vec<&str> = sequence.split_inclusive("\x1b\\").collect();
        assert!(portions.len() > 5 && portions.iter().all(|portion| portion.len() <= 768), "{portions:?}");
        let inner = |portion: &&str| {
            portion.strip_prefix("\x1bP").unwrap().strip_suffix("\x1b\\").unwrap().to_owned()
        };
        let joined: String = portions.iter().map(inner).collect();
        assert_eq!(joined, osc52_sequence(&text, CopyRoute::Terminal));
        assert_eq!(osc52_sequence("x", CopyRoute::GnuScreen), "\x1bP\x1b]52;c;eA==\x07\x1b\\");
    }
}
