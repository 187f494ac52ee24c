//! How many colours a terminal has: by what it answers, then by its name and version, then by its variables. Over SSH
//! `COLORTERM` is not forwarded.

use crate::known_terminal::KnownTerminal;
use crate::picture_form::{Surroundings, TerminalReport};
use crate::theme::ColorDepth;

/// The beginnings of the names of terminals with 24-bit colour, some of which do not answer questions about it.
const WITH_TRUE_COLOR: [&str; 14] = [
    "kitty(",
    "ghostty",
    "WezTerm",
    "iTerm2",
    "foot(",
    "Konsole",
    "mintty",
    "contour",
    "VTE(",
    "Zellij",
    "tmux ",
    "xterm.js",
    "Rio",
    "alacritty",
];
/// Why there are as many colours as the variables say.
const BY_VARIABLES: &str = "by TERM and COLORTERM";

/// The colours of a terminal, and why they are these, in words. `NO_COLOR` holds whatever the terminal answers.
pub fn choose_depth(report: &TerminalReport, around: Surroundings) -> (ColorDepth, &'static str) {
    let named = around.depth;
    if named == ColorDepth::None || around.console {
        return (named, BY_VARIABLES);
    }
    if around.tmux {
        return if around.outside.true_color {
            (ColorDepth::TrueColor, "tmux sends the terminal outside of it 24-bit colours")
        } else {
            (named, BY_VARIABLES)
        };
    }
    match (report.true_color, report.rgb_capability) {
        (Some(true), _) => (ColorDepth::TrueColor, "the terminal shows a 24-bit colour as it was set"),
        (Some(false), _) => {
            (named.min(ColorDepth::Ansi256), "the terminal replaces a 24-bit colour by another one")
        }
        (None, Some(true)) => (ColorDepth::TrueColor, "the terminal answers that it has RGB"),
        _ if report.is_one_of(&WITH_TRUE_COLOR) => {
            (ColorDepth::TrueColor, "the terminal has them by its name and version")
        }
        _ if around.known.is_some_and(KnownTerminal::has_true_color) => {
            (ColorDepth::TrueColor, "the terminal has them by its variables")
        }
        _ => (named, BY_VARIABLES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture_form::OutsideTerminal;

    /// A terminal at the other end of SSH: `COLORTERM` is not forwarded.
    const REMOTE: Surroundings = Surroundings {
        tmux: false,
        passthrough: false,
        outside: OutsideTerminal { sixel: false, true_color: false, placeholders: false },
        depth: ColorDepth::Ansi256,
        known: None,
        remote: true,
        can_ask: true,
        console: false,
    };

    fn answers(true_color: Option<bool>, rgb: Option<bool>, version: Option<&str>) -> TerminalReport {
        TerminalReport {
            true_color,
            rgb_capability: rgb,
            version: version.map(str::to_owned),
            ..TerminalReport::default()
        }
    }

    #[test]
    fn answers_count_for_more_than_names_and_variables() {
        use ColorDepth::{Ansi16, Ansi256, TrueColor};
        for (report, named, depth) in [
            (answers(Some(true), None, None), Ansi256, TrueColor),
            (answers(Some(true), None, None), Ansi16, TrueColor),
            (answers(Some(false), Some(true), Some("kitty(0.36.4)")), TrueColor, Ansi256),
            (answers(None, Some(true), None), Ansi256, TrueColor),
            (answers(None, Some(false), None), TrueColor, TrueColor),
            (answers(None, Some(false), Some("VTE(7600)")), Ansi256, TrueColor),
            (answers(None, None, Some("Zellij(4500)")), Ansi256, TrueColor),
            (answers(None, None, Some("XTerm(300)")), Ansi256, Ansi256),
            (answers(None, None, None), Ansi16, Ansi16),
            (answers(Some(true), Some(true), Some("kitty(0.36.4)")), ColorDepth::None, ColorDepth::None),
        ] {
            let around = Surroundings { depth: named, ..REMOTE };
            assert_eq!(choose_depth(&report, around).0, depth, "{report:?} {named:?}");
        }
    }

    #[test]
    fn without_an_answer_a_known_terminal_has_its_colors() {
        let silent = TerminalReport::default();
        let known = |known| choose_depth(&silent, Surroundings { known, ..REMOTE }).0;
        assert_eq!(known(None), ColorDepth::Ansi256);
        assert_eq!(known(Some(KnownTerminal::Iterm2)), ColorDepth::TrueColor);
        assert_eq!(known(Some(KnownTerminal::GnuScreen)), ColorDepth::Ansi256);
    }

    #[test]
    fn inside_tmux_the_terminal_outside_decides() {
        let outside = OutsideTerminal { true_color: true, ..OutsideTerminal::default() };
        let report = answers(None, None, Some("tmux 3.4"));
        let tmux = Surroundings { tmux: true, ..REMOTE };
        assert_eq!(choose_depth(&report, tmux).0, ColorDepth::Ansi256);
        assert_eq!(choose_depth(&report, Surroundings { outside, ..tmux }).0, ColorDepth::TrueColor);
    }
}
