//! What the terminal of this process is, by its variables and by what tmux knows.

use std::io::IsTerminal;
use std::process::Command;

use crate::{ColorDepth, KnownTerminal, OutsideTerminal, USUAL_SIZE};
use mageyard_config::Config;

/// Whether standard input and output are a terminal.
pub fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Whether the terminal is on another machine, by the variables of SSH and mosh.
pub fn is_remote() -> bool {
    ["SSH_CONNECTION", "SSH_TTY", "MOSH_CONNECTION"].into_iter().any(is_set)
}

/// Whether the terminal belongs to tmux.
pub fn is_in_tmux() -> bool {
    is_set("TMUX")
}

/// Whether the terminal belongs to GNU screen.
pub fn is_in_gnu_screen() -> bool {
    is_set("STY")
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// The option `allow-passthrough` of tmux for this pane: `on`, `all` or `off`; `None` if tmux does not say.
pub fn tmux_passthrough() -> Option<String> {
    let shown = Command::new("tmux").args(["show-options", "-Apqv", "allow-passthrough"]).output().ok()?;
    let value = String::from_utf8(shown.stdout).ok()?.trim().to_owned();
    (shown.status.success() && !value.is_empty()).then_some(value)
}

/// What tmux knows of the terminal outside of it; nothing if tmux does not say.
pub fn outside_terminal() -> OutsideTerminal {
    let format = "#{client_termfeatures}\n#{client_termtype}\n#{client_termname}";
    let shown = Command::new("tmux").args(["display-message", "-p", format]).output();
    let text = shown.map(|shown| String::from_utf8_lossy(&shown.stdout).into_owned()).unwrap_or_default();
    let mut lines = text.lines();
    let [features, version, term] = [(); 3].map(|()| lines.next().unwrap_or_default());
    OutsideTerminal::new(features, version, term)
}

/// Whether the terminal of this `TERM` may be asked what it can do: a console would print the questions.
pub fn can_ask_terminal() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    !(term.is_empty() || term == "dumb" || term == "linux" || term.starts_with("vt"))
}

/// Whether the terminal is the console of Linux.
pub fn is_console() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "linux")
}

/// Whether the screen is written line by line: if that is set, or the terminal cannot move its cursor.
pub fn is_linear(config: &Config) -> bool {
    config.settings().screen.linear || is_dumb_terminal()
}

/// Whether `TERM` is `dumb`: a terminal without cursor movement.
pub fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The colour depth according to `TERM`, `COLORTERM` and `NO_COLOR`.
pub fn colour_depth() -> ColorDepth {
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let no_color = variable("NO_COLOR").is_some();
    ColorDepth::detect(variable("TERM").as_deref(), variable("COLORTERM").as_deref(), no_color)
}

/// The terminal as its variables name it.
pub fn known_terminal() -> Option<KnownTerminal> {
    KnownTerminal::of(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

/// The columns and rows of a terminal that does not say them: `COLUMNS` and `LINES`, else 80x24.
pub fn assumed_size() -> (u16, u16) {
    let variable = |name| std::env::var(name).ok();
    let (columns, rows) = USUAL_SIZE;
    (cells(variable("COLUMNS")).unwrap_or(columns), cells(variable("LINES")).unwrap_or(rows))
}

/// A number of columns or rows; `None` for anything that no terminal has.
fn cells(text: Option<String>) -> Option<u16> {
    text?.trim().parse().ok().filter(|count| *count > 0)
}

/// The columns and rows of the terminal of this process, or what is assumed of it.
pub fn terminal_size() -> (u16, u16) {
    crate::size::terminal_size(assumed_size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_no_size_is_ignored() {
        let read = |text: &str| cells(Some(text.to_owned()));
        assert_eq!((read("100"), read(" 30 "), cells(None)), (Some(100), Some(30), None));
        for text in ["", "0", "-1", "many", "70000", "80x24"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
