//! `doctor`: which form pictures have, and what the terminal answered.

use std::io::IsTerminal;

use super::finding::Finding;
use crate::surroundings::{
    can_ask_terminal, colour_depth, is_console, is_in_tmux, is_remote, outside_terminal, tmux_passthrough,
};
use mageyard_config::PictureForm;
use mageyard_domain::sanitize;
use mageyard_terminal::{OutsideTerminal, Surroundings, TerminalReport, choose_form, probe_terminal};

const NAME: &str = "pictures";

/// Asks the terminal, and says in which form pictures are drawn and why.
pub(super) fn finding() -> Finding {
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Finding::ok(NAME, "not asked: standard input and output are not a terminal");
    }
    let tmux = is_in_tmux();
    let option = tmux.then(tmux_passthrough).flatten();
    let passthrough = option.as_ref().is_some_and(|value| value != "off");
    let outside = if tmux { outside_terminal() } else { OutsideTerminal::default() };
    let depth = colour_depth();
    let can_ask = can_ask_terminal();
    let around = Surroundings {
        tmux,
        passthrough,
        outside,
        depth,
        remote: is_remote(),
        can_ask,
        console: is_console(),
    };
    let report = if around.can_ask { probe_terminal(around) } else { Ok(TerminalReport::default()) };
    match report {
        Ok(report) => describe(&report, around, option.as_deref()),
        Err(error) => {
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
    use mageyard_terminal::ColorDepth;

    const AROUND: Surroundings = Surroundings {
        tmux: false,
        console: false,
        passthrough: false,
        outside: OutsideTerminal { sixel: false, placeholders: false },
        depth: ColorDepth::TrueColor,
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
