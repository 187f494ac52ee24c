//! Loads the theme, the keys and the display settings of the screen.

use mageyard_config::{
    Catalog, ClipboardSetting, Config, Folders, FrameDisplay, MotionSetting, MouseSetting, Problem,
    SourceFile,
};
use mageyard_screen::{Appearance, FrameView, Keymap, Motion, ScreenSettings};
use mageyard_terminal::{ColorDepth, CopyRoute, OutsideTerminal, Proportions, Theme};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The size limit of a keymap file, in bytes.
const LIMIT: u64 = 1 << 20;

/// Loads theme, keys, settings and prices for the screen.
pub(super) fn load(folders: &Folders, config: &Config) -> Result<Appearance, Problem> {
    let screen = &config.settings().screen;
    let layout = &config.settings().layout;
    let tmux = is_in_tmux();
    let settings = ScreenSettings {
        depth: colour_depth(),
        view: match screen.frame {
            FrameDisplay::Auto => FrameView::Auto,
            FrameDisplay::Picture => FrameView::Picture,
            FrameDisplay::Text => FrameView::Text,
        },
        link: screen.link,
        remote: is_remote(),
        mouse: uses_mouse(screen.mouse),
        layout: Proportions::percent([layout.frame, layout.side, layout.steps, layout.score]),
        // A clipboard is reached with an escape sequence, which lines never have.
        copy_route: if is_linear(config) { CopyRoute::File } else { copy_route(screen.clipboard) },
        linear: is_linear(config),
        motion: match screen.motion {
            MotionSetting::Full => Motion::Full,
            MotionSetting::Reduced => Motion::Reduced,
        },
        pictures: screen.pictures,
        pace: Duration::from_millis(screen.pace),
        tmux,
        passthrough: tmux && tmux_passthrough().is_some_and(|value| value != "off"),
        outside: if tmux { outside_terminal() } else { OutsideTerminal::default() },
        can_ask: can_ask_terminal(),
        console: is_console(),
    };
    Ok(Appearance {
        theme: configured_theme(folders, config)?,
        keys: load_keymap(folders)?,
        settings,
        prices: mageyard_config::load_prices(folders)?,
    })
}

/// Whether the screen uses the mouse. Multiplexers have bindings of their own for it, and over a slow connection its
/// reports come late.
fn uses_mouse(setting: MouseSetting) -> bool {
    match setting {
        MouseSetting::Auto => !(is_in_tmux() || is_in_gnu_screen() || is_remote()),
        MouseSetting::On => true,
        MouseSetting::Off => false,
    }
}

/// The way from a copied text to the person. A console prints what it does not know, so it gets no sequence unless that
/// is set.
fn copy_route(setting: ClipboardSetting) -> CopyRoute {
    match setting {
        ClipboardSetting::File => CopyRoute::File,
        ClipboardSetting::Auto if !can_ask_terminal() => CopyRoute::File,
        _ if is_in_tmux() => CopyRoute::Tmux,
        _ if is_in_gnu_screen() => CopyRoute::GnuScreen,
        _ => CopyRoute::Terminal,
    }
}

/// Whether the terminal is on another machine, by the variables of SSH and mosh.
pub(super) fn is_remote() -> bool {
    ["SSH_CONNECTION", "SSH_TTY", "MOSH_CONNECTION"].into_iter().any(is_set)
}

/// Whether the terminal belongs to tmux.
pub(super) fn is_in_tmux() -> bool {
    is_set("TMUX")
}

/// Whether the terminal belongs to GNU screen.
fn is_in_gnu_screen() -> bool {
    is_set("STY")
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// The option `allow-passthrough` of tmux for this pane: `on`, `all` or `off`; `None` if tmux does not say.
pub(super) fn tmux_passthrough() -> Option<String> {
    let shown = Command::new("tmux").args(["show-options", "-Apqv", "allow-passthrough"]).output().ok()?;
    let value = String::from_utf8(shown.stdout).ok()?.trim().to_owned();
    (shown.status.success() && !value.is_empty()).then_some(value)
}

/// What tmux knows of the terminal outside of it; nothing if tmux does not say.
pub(super) fn outside_terminal() -> OutsideTerminal {
    let format = "#{client_termfeatures}\n#{client_termtype}\n#{client_termname}";
    let shown = Command::new("tmux").args(["display-message", "-p", format]).output();
    let text = shown.map(|shown| String::from_utf8_lossy(&shown.stdout).into_owned()).unwrap_or_default();
    let mut lines = text.lines();
    let [features, version, term] = [(); 3].map(|()| lines.next().unwrap_or_default());
    OutsideTerminal::new(features, version, term)
}

/// Whether the terminal of this `TERM` may be asked what it can do: a console would print the questions.
pub(super) fn can_ask_terminal() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    !(term.is_empty() || term == "dumb" || term == "linux" || term.starts_with("vt"))
}

/// Whether the terminal is the console of Linux.
pub(super) fn is_console() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "linux")
}

/// The configured theme; an unknown name is reported at the place where it was set.
pub(super) fn configured_theme(folders: &Folders, config: &Config) -> Result<Theme, Problem> {
    let wanted = &config.settings().screen.theme;
    let names: Vec<String> = theme_catalog(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.problem_with("screen.theme", format!("there is no theme {wanted}"));
        return Err(problem.with_suggestions(wanted, names.iter().map(String::as_str)));
    }
    load_theme(folders, wanted)
}

/// The themes: shipped ones and the user's own.
pub(super) fn theme_catalog(folders: &Folders) -> Catalog {
    let shipped = Theme::shipped().iter().copied();
    Catalog::new("theme", "themes", shipped, folders.themes(), &["toml"])
}

/// A theme by name; the user's own take precedence over shipped ones.
pub(super) fn load_theme(folders: &Folders, name: &str) -> Result<Theme, Problem> {
    let catalog = theme_catalog(folders);
    let file = catalog.find(name)?;
    let parent = |name: &str| {
        let file = catalog.find(name).ok()?;
        Some((file.path, file.text.to_string()))
    };
    Theme::parse(name, &file.path, &file.text, &parent)
}

/// The default keys with the user's own changes.
pub(super) fn load_keymap(folders: &Folders) -> Result<Keymap, Problem> {
    match SourceFile::read_if_exists(folders.keys_file(), LIMIT)? {
        Some(file) => Keymap::parse_key(&PathBuf::from(&file.path), &file.text),
        None => Ok(Keymap::default()),
    }
}

/// Whether the screen is written line by line: if that is set, or the terminal cannot move its cursor.
pub(super) fn is_linear(config: &Config) -> bool {
    config.settings().screen.linear || is_dumb_terminal()
}

/// Whether `TERM` is `dumb`: a terminal without cursor movement.
pub(super) fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The colour depth according to `TERM`, `COLORTERM` and `NO_COLOR`.
pub(super) fn colour_depth() -> ColorDepth {
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let no_color = variable("NO_COLOR").is_some();
    ColorDepth::detect(variable("TERM").as_deref(), variable("COLORTERM").as_deref(), no_color)
}
