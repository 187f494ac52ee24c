//! Loads the theme, the keys and the display settings of the screen.

use mageyard_terminal::configured_theme;
use mageyard_terminal::surroundings::{
    assumed_size, can_ask_terminal, colour_depth, is_console, is_in_gnu_screen, is_in_tmux, is_linear,
    is_remote, known_terminal, outside_terminal, tmux_passthrough,
};

use mageyard_config::{
    ClipboardSetting, Config, Folders, FrameDisplay, MotionSetting, MouseSetting, Problem, SourceFile,
};
use mageyard_screen::{Appearance, DisplaySettings, FrameView, Keymap, Motion};
use mageyard_terminal::{CopyRoute, OutsideTerminal, Proportions};
use std::path::PathBuf;
use std::time::Duration;

/// The size limit of a keymap file, in bytes.
const LIMIT: u64 = 1 << 20;

/// Loads theme, keys, settings and prices for the screen.
pub(crate) fn load(folders: &Folders, config: &Config) -> Result<Appearance, Problem> {
    let screen = &config.settings().screen;
    let layout = &config.settings().layout;
    let tmux = is_in_tmux();
    let settings = DisplaySettings {
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
        assumed_size: assumed_size(),
        tmux,
        passthrough: tmux && tmux_passthrough().is_some_and(|value| value != "off"),
        outside: if tmux { outside_terminal() } else { OutsideTerminal::default() },
        known: known_terminal(),
        can_ask: can_ask_terminal(),
        console: is_console(),
    };
    Ok(Appearance {
        theme: configured_theme(folders, config)?,
        keys: load_keymap(folders)?,
        settings,
        prices: mageyard_config::load_prices(config)?,
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

/// The default keys with the user's own changes.
pub(crate) fn load_keymap(folders: &Folders) -> Result<Keymap, Problem> {
    match SourceFile::read_if_exists(folders.keys_file(), LIMIT)? {
        Some(file) => Keymap::parse_key(&PathBuf::from(&file.path), &file.text),
        None => Ok(Keymap::default()),
    }
}
