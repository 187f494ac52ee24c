//! `doctor`: which form pictures have, and what the terminal answered.

use std::io;

use super::finding::Finding;
use mageyard_config::PictureForm;
use mageyard_domain::sanitize;
use mageyard_terminal::surroundings::{
    can_ask_terminal, colour_depth, is_console, is_in_tmux, is_remote, is_terminal, known_terminal,
    outside_terminal, tmux_passthrough,
};
use mageyard_terminal::{
    ColorDepth, OutsideTerminal, Surroundings, TerminalReport, choose_depth, choose_form, probe_terminal,
};

const NAME: &str = "pictures";

/// What the terminal of this process has answered.
pub(super) struct AskedTerminal {
    /// `None` if standard input and output are not a terminal.
    report: Option<io::Result<TerminalReport>>,
    around: Surroundings,
    /// The option `allow-passthrough` of tmux.
    passthrough: Option<String>,
}

impl AskedTerminal {
    /// Asks the terminal, unless it would print the questions.
    pub(super) fn ask() -> Self {
        let tmux = is_in_tmux();
        let passthrough = tmux.then(tmux_passthrough).flatten();
        let around = Surroundings {
            tmux,
            passthrough: passthrough.as_ref().is_some_and(|value| value != "off"),
            outside: if tmux { outside_terminal() } else { OutsideTerminal::default() },
            depth: colour_depth(),
            known: known_terminal(),
            remote: is_remote(),
            can_ask: can_ask_terminal(),
            console: is_console(),
        };
        let ask = || if around.can_ask { probe_terminal(around) } else { Ok(TerminalReport::default()) };
        Self { report: is_terminal().then(ask), around, passthrough }
    }

    /// The colours, and why they are these.
    pub(super) fn depth(&self) -> (ColorDepth, &'static str) {
        match &self.report {
            Some(Ok(report)) => choose_depth(report, self.around),
            _ => choose_depth(&TerminalReport::default(), self.around),
        }
    }
}

/// In which form pictures are drawn and why.
pub(super) fn finding(asked: &AskedTerminal) -> Finding {
    match &asked.report {
        None => Finding::ok(NAME, "not asked: standard input and output are not a terminal"),
        Some(Ok(report)) => describe(report, asked.around, asked.passthrough.as_deref()),
        Some(Err(error)) => {
            Finding::warn(NAME, format!("the terminal cannot be asked: {error}"), "set screen.pictures")
        }
    }
}

fn describe(report: &TerminalReport, around: Surroundings, passthrough: Option<&str>) -> Finding {
    let (form, why) = choose_form(report, around);
    let found = format!("{}: {why}; {}", form.name(), answers(report, around.tmux, passthrough));
    if around.tmux && form == PictureForm::HalfBlocks {
        let sixel = report.has_sixel() && !around.outside.sixel;
        let advice = match (sixel, around.passthrough) {
            (true, _) => {
                "if the terminal outside has Sixel, in tmux.conf: set -as terminal-features ',*:sixel'"
            }
            (_, false) => "in tmux.conf: set -g allow-passthrough on",
            _ => return Finding::ok(NAME, found),
        };
        return Finding::warn(NAME, found, advice);
    }
    Finding::ok(NAME, found)
}

/// What was asked and what came back.
fn answers(report: &TerminalReport, tmux: bool, passthrough: Option<&str>) -> String {
    let yes = |known: Option<bool>| match known {
        Some(true) => "yes",
        Some(false) => "no",
        None => "no answer",
    };
    let name =
        report.version.as_ref().map_or_else(|| "no answer".to_owned(), |name| sanitize(name).into_owned());
    let cell =
        report.cell.map_or_else(|| "unknown".to_owned(), |cell| format!("{}x{} px", cell.width, cell.height));
    let through = if tmux {
        format!(", allow-passthrough {}", passthrough.unwrap_or("unknown"))
    } else {
        String::new()
    };
    format!(
        "terminal {name}, Kitty {}, Sixel {}, cell {cell}, synchronized output {}{through}",
        yes(report.kitty),
        yes(report.attributes.as_ref().map(|_| report.has_sixel())),
        yes(report.synchronized),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const AROUND: Surroundings = Surroundings {
        tmux: false,
        console: false,
        passthrough: false,
        outside: OutsideTerminal { sixel: false, true_color: false, placeholders: false },
        depth: ColorDepth::TrueColor,
        known: None,
        remote: false,
        can_ask: true,
    };

    #[test]
    fn the_answers_are_said_in_words() {
        let report = TerminalReport {
            attributes: Some(vec![62, 4]),
            version: Some("foot\u{1b}(1.16)".into()),
            cell: Some((10, 20).into()),
            synchronized: Some(true),
            ..TerminalReport::default()
        };
        let text = format!("{:?}", describe(&report, AROUND, None));
        assert!(
            text.contains(
                "sixel: the terminal has Sixel; terminal foot␛(1.16), Kitty no answer, Sixel yes, "
            ),
            "{text}"
        );
        assert!(text.contains("cell 10x20 px, synchronized output yes"), "{text}");
    }

    #[test]
    fn the_line_for_tmux_is_named() {
        let report = TerminalReport { attributes: Some(vec![1, 2]), ..TerminalReport::default() };
        let text = format!("{:?}", describe(&report, Surroundings { tmux: true, ..AROUND }, Some("off")));
        assert!(
            text.contains("set -g allow-passthrough on") && text.contains("allow-passthrough off"),
            "{text}"
        );
        let sixel = TerminalReport { attributes: Some(vec![1, 4]), ..TerminalReport::default() };
        let around = Surroundings { tmux: true, passthrough: true, ..AROUND };
        let text = format!("{:?}", describe(&sixel, around, Some("on")));
        assert!(text.contains("in tmux.conf: set -as terminal-features ',*:sixel'"), "{text}");
    }
}
