//! Terminals that are known by their variables, for those that do not answer. An answer counts for more.

use mageyard_config::PictureForm;

/// A terminal that is known by its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownTerminal {
    /// Kitty or Ghostty, with Kitty's pictures in placeholder cells.
    Kitty,
    /// iTerm2, `WezTerm`, mintty or Konsole, with iTerm2's pictures.
    Iterm2,
    /// foot, with Sixel.
    Foot,
    /// Another one with 24-bit colour.
    TrueColor,
    /// GNU screen. It hands questions in device strings on to the terminal outside, whose answers are not its own.
    GnuScreen,
}

/// Values of `TERM` and the terminals that set them. The value may go on after a hyphen.
const TERMS: [(&str, KnownTerminal); 10] = [
    ("xterm-kitty", KnownTerminal::Kitty),
    ("xterm-ghostty", KnownTerminal::Kitty),
    ("wezterm", KnownTerminal::Iterm2),
    ("mintty", KnownTerminal::Iterm2),
    ("konsole", KnownTerminal::Iterm2),
    ("foot", KnownTerminal::Foot),
    ("alacritty", KnownTerminal::TrueColor),
    ("contour", KnownTerminal::TrueColor),
    ("rio", KnownTerminal::TrueColor),
    ("xterm-rio", KnownTerminal::TrueColor),
];
/// Values of `LC_TERMINAL`, which SSH forwards where it forwards the locale, and of `TERM_PROGRAM`.
const PROGRAMS: [(&str, KnownTerminal); 7] = [
    ("iTerm2", KnownTerminal::Iterm2),
    ("iTerm.app", KnownTerminal::Iterm2),
    ("WezTerm", KnownTerminal::Iterm2),
    ("mintty", KnownTerminal::Iterm2),
    ("ghostty", KnownTerminal::Kitty),
    ("vscode", KnownTerminal::TrueColor),
    ("WarpTerminal", KnownTerminal::TrueColor),
];
/// Variables that only terminals with 24-bit colour set.
const MARKS: [&str; 3] = ["WT_SESSION", "KONSOLE_VERSION", "ZELLIJ"];

impl KnownTerminal {
    /// The terminal that has set these variables; `None` if they say nothing. Inside a multiplexer the variables of the
    /// terminal outside may be there too and do not count.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let term = variable("TERM").unwrap_or_default();
        let is_term = |name: &str| {
            term.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', '+']))
        };
        if variable("TMUX").is_some() || is_term("tmux") {
            return None;
        }
        if variable("STY").is_some() || is_term("screen") {
            return Some(Self::GnuScreen);
        }
        if variable("ZELLIJ").is_some() {
            return Some(Self::TrueColor);
        }
        let by_term = TERMS.iter().find(|(name, _)| is_term(name));
        let programs = ["LC_TERMINAL", "TERM_PROGRAM"].map(&variable);
        let is_program = |name: &str| programs.iter().flatten().any(|program| program == name);
        let known = by_term.or_else(|| PROGRAMS.iter().find(|(name, _)| is_program(name)));
        let marked = || MARKS.into_iter().any(|mark| variable(mark).is_some());
        known.map(|(_, known)| *known).or_else(|| marked().then_some(Self::TrueColor))
    }

    /// Whether it shows 24-bit colours.
    pub(super) fn has_true_color(self) -> bool {
        self != Self::GnuScreen
    }

    /// Whether it has Kitty's placeholder cells.
    pub(super) fn has_placeholders(self) -> bool {
        self == Self::Kitty
    }

    /// The pictures that it takes.
    pub(super) fn pictures(self) -> Option<PictureForm> {
        match self {
            Self::Kitty => Some(PictureForm::Kitty),
            Self::Iterm2 => Some(PictureForm::Iterm2),
            Self::Foot => Some(PictureForm::Sixel),
            Self::TrueColor | Self::GnuScreen => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(variables: &[(&str, &str)]) -> Option<KnownTerminal> {
        KnownTerminal::of(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn terminals_are_known_by_their_variables() {
        for (variables, terminal) in [
            (&[("TERM", "xterm-kitty")][..], Some(KnownTerminal::Kitty)),
            (&[("TERM", "foot-extra")], Some(KnownTerminal::Foot)),
            (&[("TERM", "footnote")], None),
            (&[("TERM", "xterm-256color"), ("LC_TERMINAL", "iTerm2")], Some(KnownTerminal::Iterm2)),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "vscode")], Some(KnownTerminal::TrueColor)),
            (&[("TERM", "xterm-256color"), ("WT_SESSION", "1")], Some(KnownTerminal::TrueColor)),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "Apple_Terminal")], None),
            (&[("TERM", "xterm-256color")], None),
            (&[], None),
        ] {
            assert_eq!(known(variables), terminal, "{variables:?}");
        }
    }

    #[test]
    fn inside_a_multiplexer_the_terminal_outside_does_not_count() {
        let outside = ("LC_TERMINAL", "iTerm2");
        assert_eq!(known(&[outside, ("TERM", "tmux-256color")]), None);
        assert_eq!(known(&[outside, ("TERM", "screen"), ("TMUX", "/tmp/tmux,1,0")]), None);
        assert_eq!(known(&[outside, ("TERM", "screen.xterm-256color")]), Some(KnownTerminal::GnuScreen));
        assert_eq!(known(&[("TERM", "xterm-kitty"), ("ZELLIJ", "0")]), Some(KnownTerminal::TrueColor));
    }
}
