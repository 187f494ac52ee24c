//! The forms in which a terminal can show pictures, best first, and which one it gets.
//!
//! tmux answers most questions by itself, so it is asked what it knows of the terminal outside. A form that does not
//! get through gives way to half blocks, also if it was named.

use ratatui::layout::Size;

use crate::color_choice::choose_depth;
use crate::known_terminal::KnownTerminal;
use crate::link::LinkProbe;
use crate::size::cell_of_window;
use crate::terminal_input::TerminalAnswer;
use crate::theme::ColorDepth;
pub use mageyard_config::PictureForm;

/// What a command has chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChosenForm {
    /// Nothing: the setting holds.
    #[default]
    Setting,
    /// The best that the terminal has.
    Auto,
    /// This form.
    Form(PictureForm),
}

/// What a terminal answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerminalReport {
    /// Whether it takes pictures by Kitty's protocol; `None` without an answer.
    pub kitty: Option<bool>,
    /// Its device attributes (DA1), which every terminal answers; `None` without an answer.
    pub attributes: Option<Vec<u16>>,
    /// Its name and version.
    pub version: Option<String>,
    /// The pixels of a cell.
    pub cell: Option<Size>,
    /// Whether it can hold back a half-drawn screen (mode 2026).
    pub synchronized: Option<bool>,
    /// Whether it repeats a character by a sequence (REP).
    pub repeats: Option<bool>,
    /// Whether its terminfo entry has `RGB` or `Tc`.
    pub rgb_capability: Option<bool>,
    /// Whether it shows a 24-bit colour as it was set.
    pub true_color: Option<bool>,
    /// How fast the link to it is, if that was measured.
    pub link: LinkProbe,
}

/// The device attribute of terminals with Sixel.
const SIXEL: u16 = 4;
/// The mode of synchronized output.
const SYNCHRONIZED: u16 = 2026;
/// The column of the cursor after a character and three repetitions.
const REPEATED_COLUMN: u16 = 5;
/// The first version of Kitty with placeholder cells.
const FIRST_WITH_PLACEHOLDERS: (u32, u32) = (0, 28);
/// The beginning of the versions of terminals with iTerm2's pictures.
const WITH_INLINE_PICTURES: [&str; 4] = ["iTerm2", "WezTerm", "mintty", "Konsole"];

impl TerminalReport {
    /// Adds an answer.
    pub fn add(&mut self, answer: TerminalAnswer) {
        match answer {
            TerminalAnswer::Kitty { ok, .. } => self.kitty = Some(ok),
            TerminalAnswer::Attributes(attributes) => self.attributes = Some(attributes),
            TerminalAnswer::Version(version) => self.version = Some(version),
            TerminalAnswer::CellSize { height, width } => self.cell = Some(Size::new(width, height)),
            TerminalAnswer::Mode { mode: SYNCHRONIZED, known } => self.synchronized = Some(known),
            TerminalAnswer::Column(column) => self.repeats = Some(column == REPEATED_COLUMN),
            TerminalAnswer::RgbCapability(known) => {
                self.rgb_capability = Some(known || self.rgb_capability == Some(true));
            }
            TerminalAnswer::TrueColor(shown) => self.true_color = Some(shown),
            TerminalAnswer::Mode { .. } | TerminalAnswer::Ready => {}
        }
    }

    /// Whether the last question was answered.
    pub(super) fn is_complete(&self) -> bool {
        self.attributes.is_some()
    }

    /// Whether no more answers are due: tmux answers before the terminal outside of it.
    pub fn is_finished(&self, around: Surroundings) -> bool {
        self.is_complete() && !(around.asks_outside() && self.kitty.is_none())
    }

    /// Takes the size of a cell from that of the window if the terminal has not answered it.
    pub fn find_cell(&mut self) {
        self.cell = self.cell.or_else(cell_of_window);
    }

    /// Whether it has Sixel.
    pub fn has_sixel(&self) -> bool {
        self.attributes
            .as_ref()
            .is_some_and(|attributes| attributes.iter().skip(1).any(|&number| number == SIXEL))
    }

    /// Whether pictures of Kitty's protocol are shown in placeholder cells: unless it takes such pictures and is not known
    /// to have the cells. Through tmux there is no other way.
    pub fn takes_placeholders(&self, around: Surroundings) -> bool {
        around.tmux || self.kitty != Some(true) || self.has_placeholders() || self.is_named_kitty(around)
    }

    /// Whether it does not say its name, and has placeholder cells by its variables.
    fn is_named_kitty(&self, around: Surroundings) -> bool {
        self.version.is_none() && around.known.is_some_and(KnownTerminal::has_placeholders)
    }

    /// Whether it is Ghostty, or Kitty from version 0.28: both have placeholder cells.
    fn has_placeholders(&self) -> bool {
        self.is_one_of(&["ghostty"])
            || self.kitty_version().is_some_and(|version| version >= FIRST_WITH_PLACEHOLDERS)
    }

    /// The first two numbers of `kitty(0.36.4)`.
    fn kitty_version(&self) -> Option<(u32, u32)> {
        let numbers = self.version.as_ref()?.strip_prefix("kitty(")?.strip_suffix(')')?;
        let mut parts = numbers.split('.').map(|part| part.parse().ok());
        Some((parts.next()??, parts.next()??))
    }

    pub(super) fn is_one_of(&self, names: &[&str]) -> bool {
        self.version.as_ref().is_some_and(|version| {
            names
                .iter()
                .any(|name| version.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
        })
    }
}

/// What is known of a terminal without asking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// Whether it belongs to tmux.
    pub tmux: bool,
    /// Whether tmux hands sequences on to the terminal outside of it.
    pub passthrough: bool,
    /// The terminal outside of tmux, as tmux knows it.
    pub outside: OutsideTerminal,
    /// Its colours by the variables `TERM` and `COLORTERM`.
    pub depth: ColorDepth,
    /// Which one it is by its variables.
    pub known: Option<KnownTerminal>,
    /// Whether it is on another machine.
    pub remote: bool,
    /// Whether it can be asked: neither a console nor one that prints what it does not know.
    pub can_ask: bool,
    /// Whether it is the console of Linux.
    pub console: bool,
}

impl Surroundings {
    /// Whether the terminal outside of tmux is asked too.
    pub(super) fn asks_outside(self) -> bool {
        self.tmux && self.passthrough && self.outside.placeholders
    }
}

/// The terminal outside of tmux, as tmux knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutsideTerminal {
    /// Whether tmux draws Sixel on it.
    pub sixel: bool,
    /// Whether tmux sends it 24-bit colours.
    pub true_color: bool,
    /// Whether it is known to have Kitty's placeholder cells.
    pub placeholders: bool,
}

impl OutsideTerminal {
    /// What tmux says: the features of its client, its name and version, and its `TERM`.
    pub fn new(features: &str, version: &str, term: &str) -> Self {
        let report = TerminalReport { version: Some(version.to_owned()), ..TerminalReport::default() };
        let known_terms = ["xterm-kitty", "xterm-ghostty"];
        let is_unknown = version.is_empty() && known_terms.iter().any(|known| term.starts_with(known));
        Self {
            sixel: features.split(',').any(|feature| feature == "sixel"),
            true_color: features.split(',').any(|feature| feature == "RGB"),
            placeholders: report.has_placeholders() || is_unknown,
        }
    }
}

/// Why pictures that tmux hands on do not appear.
const NO_PASSTHROUGH: &str = "tmux hands no pictures on: set -g allow-passthrough on";
/// Why tmux draws a text in place of Sixel.
const NO_SIXEL_OUTSIDE: &str =
    "tmux does not know that the terminal outside of it has Sixel: set -as terminal-features ',*:sixel'";
/// Why placeholder cells would be letters.
const NO_PLACEHOLDERS: &str =
    "the terminal takes Kitty's pictures but is not known to have placeholder cells";

/// A form that was chosen by name: inside tmux, one that does not get through gives way to half blocks, with the reason.
pub fn possible_form(form: PictureForm, around: Surroundings) -> Result<PictureForm, &'static str> {
    match form {
        PictureForm::Iterm2 if around.tmux => Err("tmux does not know where iTerm2's pictures are"),
        PictureForm::Kitty if around.tmux && !around.passthrough => Err(NO_PASSTHROUGH),
        PictureForm::Sixel if around.tmux && !around.outside.sixel => Err(NO_SIXEL_OUTSIDE),
        form => Ok(form),
    }
}

/// Why a tmux whose settings cannot be read gets no pixels.
const TMUX_ELSEWHERE: &str =
    "the terminal is a tmux on another machine, which does not say what the terminal outside of it shows";

/// The form in a terminal that did not answer, by its name.
fn unanswered_form(report: &TerminalReport, around: Surroundings) -> (PictureForm, &'static str) {
    let form = around.known.filter(|_| !around.tmux).and_then(KnownTerminal::pictures);
    match form {
        Some(form) if form != PictureForm::Sixel || report.cell.is_some() => {
            (form, "the terminal did not answer, and has these pictures by its name")
        }
        _ => (PictureForm::HalfBlocks, "the terminal did not answer"),
    }
}

/// A form and why it was chosen, in words.
pub fn choose_form(report: &TerminalReport, around: Surroundings) -> (PictureForm, &'static str) {
    if around.console {
        return (PictureForm::Ascii, "most fonts of the Linux console have no half blocks");
    }
    if !matches!(choose_depth(report, around).0, ColorDepth::TrueColor | ColorDepth::Ansi256) {
        return (PictureForm::HalfBlocks, "few colours");
    }
    if !around.can_ask {
        return (PictureForm::HalfBlocks, "the terminal of this TERM is not asked");
    }
    if !report.is_complete() && report.kitty.is_none() {
        return unanswered_form(report, around);
    }
    let kitty = report.kitty == Some(true);
    match around.tmux {
        true if kitty && around.passthrough && around.outside.placeholders => {
            (PictureForm::Kitty, "the terminal outside of tmux takes Kitty's pictures")
        }
        false if report.is_one_of(&WITH_INLINE_PICTURES) => {
            (PictureForm::Iterm2, "the terminal takes iTerm2's pictures")
        }
        false if kitty => (PictureForm::Kitty, "the terminal takes Kitty's pictures"),
        true if report.has_sixel() && !around.outside.sixel => (PictureForm::HalfBlocks, NO_SIXEL_OUTSIDE),
        false if report.is_one_of(&["tmux "]) => (PictureForm::HalfBlocks, TMUX_ELSEWHERE),
        _ if report.has_sixel() && report.cell.is_some() => (PictureForm::Sixel, "the terminal has Sixel"),
        _ if report.has_sixel() => {
            (PictureForm::HalfBlocks, "the terminal has Sixel but does not say how large its cells are")
        }
        true if !around.passthrough => (PictureForm::HalfBlocks, NO_PASSTHROUGH),
        _ if kitty => (PictureForm::HalfBlocks, NO_PLACEHOLDERS),
        true => (PictureForm::HalfBlocks, "neither tmux nor the terminal outside of it has graphics"),
        false => (PictureForm::HalfBlocks, "the terminal has no graphics"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Surroundings = Surroundings {
        tmux: false,
        console: false,
        passthrough: false,
        outside: OutsideTerminal { sixel: false, true_color: false, placeholders: false },
        depth: ColorDepth::TrueColor,
        known: None,
        remote: false,
        can_ask: true,
    };
    const TMUX: Surroundings = Surroundings {
        tmux: true,
        passthrough: true,
        outside: OutsideTerminal { sixel: true, true_color: false, placeholders: true },
        ..PLAIN
    };

    fn report(answers: &[TerminalAnswer]) -> TerminalReport {
        let mut report = TerminalReport::default();
        for answer in answers.iter().cloned() {
            report.add(answer);
        }
        report
    }

    fn version(name: &str) -> TerminalAnswer {
        TerminalAnswer::Version(name.to_owned())
    }

    #[test]
    fn the_best_form_that_a_terminal_has_is_chosen() {
        let kitty = TerminalAnswer::Kitty { id: 31, ok: true };
        let plain = TerminalAnswer::Attributes(vec![62, 22]);
        let sixel = TerminalAnswer::Attributes(vec![62, 4, 22]);
        let cell = TerminalAnswer::CellSize { height: 20, width: 10 };
        for (answers, around, form) in [
            (vec![kitty.clone(), version("kitty(0.36.4)"), plain.clone()], PLAIN, PictureForm::Kitty),
            (vec![kitty.clone(), version("kitty(0.26.5)"), plain.clone()], PLAIN, PictureForm::Kitty),
            (
                vec![kitty.clone(), version("Zellij(4500)"), sixel.clone(), cell.clone()],
                PLAIN,
                PictureForm::Kitty,
            ),
            (vec![version("Zellij(4301)"), sixel.clone(), cell.clone()], PLAIN, PictureForm::Sixel),
            (vec![kitty.clone(), version("ghostty 1.1"), plain.clone()], PLAIN, PictureForm::Kitty),
            (
                vec![kitty.clone(), version("WezTerm 2024"), sixel.clone(), cell.clone()],
                PLAIN,
                PictureForm::Iterm2,
            ),
            (vec![version("iTerm2 3.5"), plain.clone()], PLAIN, PictureForm::Iterm2),
            (vec![version("foot(1.16)"), sixel.clone(), cell.clone()], PLAIN, PictureForm::Sixel),
            (vec![version("XTerm(379)"), sixel.clone()], PLAIN, PictureForm::HalfBlocks),
            (vec![version("XTerm(379)"), plain.clone(), cell.clone()], PLAIN, PictureForm::HalfBlocks),
            (vec![], PLAIN, PictureForm::HalfBlocks),
            (vec![kitty.clone(), version("tmux 3.4"), plain.clone()], TMUX, PictureForm::Kitty),
            (vec![version("tmux 3.4"), sixel.clone(), cell.clone()], TMUX, PictureForm::Sixel),
            (vec![version("tmux 3.3a"), plain.clone()], TMUX, PictureForm::HalfBlocks),
        ] {
            assert_eq!(choose_form(&report(&answers), around).0, form, "{answers:?}");
        }
        let elsewhere = report(&[version("tmux 3.4"), sixel.clone(), cell.clone()]);
        assert_eq!(choose_form(&elsewhere, PLAIN), (PictureForm::HalfBlocks, TMUX_ELSEWHERE));
        let few = Surroundings { depth: ColorDepth::Ansi16, ..PLAIN };
        assert_eq!(choose_form(&report(&[sixel, cell]), few).0, PictureForm::HalfBlocks);
        let shut = Surroundings { passthrough: false, outside: OutsideTerminal::default(), ..TMUX };
        assert!(choose_form(&report(&[plain]), shut).1.contains("set -g allow-passthrough on"));
    }

    #[test]
    fn pictures_are_placed_at_the_cursor_where_placeholder_cells_are_not_known() {
        let kitty = TerminalAnswer::Kitty { id: 31, ok: true };
        for (answers, around, placeholders) in [
            (vec![kitty.clone(), version("kitty(0.36.4)")], PLAIN, true),
            (vec![kitty.clone(), version("ghostty 1.2.3")], PLAIN, true),
            (vec![kitty.clone(), version("kitty(0.26.5)")], PLAIN, false),
            (vec![kitty.clone(), version("Zellij(4500)")], PLAIN, false),
            (vec![kitty.clone(), version("tmux 3.4")], TMUX, true),
            (vec![kitty.clone()], PLAIN, false),
            (vec![kitty], Surroundings { known: Some(KnownTerminal::Kitty), ..PLAIN }, true),
            (vec![], PLAIN, true),
        ] {
            assert_eq!(report(&answers).takes_placeholders(around), placeholders, "{answers:?}");
        }
    }

    #[test]
    fn a_terminal_that_does_not_answer_is_known_by_its_name() {
        let named = |known| Surroundings { known: Some(known), ..PLAIN };
        let silent = TerminalReport::default();
        let cell = report(&[TerminalAnswer::CellSize { height: 20, width: 10 }]);
        for (report, known, form) in [
            (&silent, KnownTerminal::Kitty, PictureForm::Kitty),
            (&silent, KnownTerminal::Iterm2, PictureForm::Iterm2),
            (&silent, KnownTerminal::Foot, PictureForm::HalfBlocks),
            (&cell, KnownTerminal::Foot, PictureForm::Sixel),
            (&silent, KnownTerminal::GnuScreen, PictureForm::HalfBlocks),
            (&silent, KnownTerminal::TrueColor, PictureForm::HalfBlocks),
        ] {
            assert_eq!(choose_form(report, named(known)).0, form, "{known:?}");
        }
        let answered = report(&[TerminalAnswer::Attributes(vec![62])]);
        assert_eq!(choose_form(&answered, named(KnownTerminal::Kitty)).0, PictureForm::HalfBlocks);
    }

    #[test]
    fn inside_tmux_no_form_is_chosen_that_does_not_get_through() {
        let kitty = [TerminalAnswer::Kitty { id: 31, ok: true }, TerminalAnswer::Attributes(vec![62, 4])];
        let sixel =
            [TerminalAnswer::Attributes(vec![1, 4]), TerminalAnswer::CellSize { height: 20, width: 10 }];
        let half = PictureForm::HalfBlocks;
        for (answers, outside, passthrough, form, why) in [
            (&kitty, (false, false), true, half, "terminal-features ',*:sixel'"),
            (&kitty, (false, true), true, PictureForm::Kitty, "outside of tmux"),
            (&sixel, (true, false), false, PictureForm::Sixel, "Sixel"),
            (&sixel, (false, false), true, half, "set -as terminal-features"),
        ] {
            let outside = OutsideTerminal { sixel: outside.0, true_color: false, placeholders: outside.1 };
            let around = Surroundings { passthrough, outside, ..TMUX };
            let (chosen, reason) = choose_form(&report(answers), around);
            assert_eq!((chosen, reason.contains(why)), (form, true), "{reason}");
        }
        let bare = Surroundings { passthrough: false, outside: OutsideTerminal::default(), ..TMUX };
        for form in PictureForm::ALL {
            assert_eq!(possible_form(form, bare).is_err(), form.has_pixels());
            assert_eq!(possible_form(form, TMUX).is_err(), form == PictureForm::Iterm2);
            assert_eq!(possible_form(form, PLAIN), Ok(form));
        }
    }

    #[test]
    fn what_tmux_knows_of_the_terminal_outside_is_read() {
        let outside = |features: &str, version: &str, term: &str| {
            let outside = OutsideTerminal::new(features, version, term);
            (outside.sixel, outside.placeholders)
        };
        assert_eq!(outside("256,RGB,sixel", "foot(1.16)", "foot"), (true, false));
        assert!(OutsideTerminal::new("256,RGB,sixel", "", "").true_color);
        assert!(!OutsideTerminal::new("256,RGBx", "", "").true_color);
        assert_eq!(outside("256,RGB,sixelx", "kitty(0.36.4)", "xterm-kitty"), (false, true));
        assert_eq!(outside("", "kitty(0.20.1)", "xterm-kitty"), (false, false), "too old");
        assert_eq!(outside("", "", "xterm-ghostty"), (false, true));
        assert_eq!(outside("", "", "xterm-256color"), (false, false));
    }
}
