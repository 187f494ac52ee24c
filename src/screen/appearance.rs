//! Theme, keys and settings of the screen.

use std::time::Duration;

use super::keymap::Keymap;
use mageyard_config::{LinkSetting, PictureForm};
use mageyard_domain::Prices;
use mageyard_terminal::{
    ColorDepth, CopyRoute, KnownTerminal, OutsideTerminal, Proportions, Surroundings, Theme,
};

/// Theme, keys and settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Appearance {
    /// The theme as written; the screen adapts it to the colors of the terminal.
    pub theme: Theme,
    /// The keys.
    pub keys: Keymap,
    /// All other settings.
    pub settings: DisplaySettings,
    /// Prices of models.
    pub prices: Prices,
}

/// Settings of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplaySettings {
    /// Colors of the terminal: by its variables, and on the screen by its answers.
    pub depth: ColorDepth,
    /// Initial view of the frame.
    pub view: FrameView,
    /// The form of pictures; `None` for the best that the terminal has.
    pub pictures: Option<PictureForm>,
    /// How fast the link to the terminal is.
    pub link: LinkSetting,
    /// Whether the terminal is on another machine, as over SSH.
    pub remote: bool,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// The sizes of the panes.
    pub layout: Proportions,
    /// The way from a copied text to the person.
    pub copy_route: CopyRoute,
    /// Whether the screen is written line by line, without cursor movement.
    pub linear: bool,
    /// How much moves on the screen.
    pub motion: Motion,
    /// Delay between two steps of a run.
    pub pace: Duration,
    /// The columns and rows of a terminal that does not say them.
    pub assumed_size: (u16, u16),
    /// Whether the terminal belongs to tmux.
    pub tmux: bool,
    /// Whether tmux hands sequences on to the terminal outside of it.
    pub passthrough: bool,
    /// The terminal outside of tmux, as tmux knows it.
    pub outside: OutsideTerminal,
    /// The terminal as its variables name it.
    pub known: Option<KnownTerminal>,
    /// Whether the terminal may be asked what it can do.
    pub can_ask: bool,
    /// Whether it is the console of Linux, whose fonts have few characters.
    pub console: bool,
}

impl DisplaySettings {
    /// What is known of the terminal without asking it.
    pub fn surroundings(&self) -> Surroundings {
        let Self { depth, known, tmux, passthrough, outside, remote, can_ask, console, .. } = *self;
        Surroundings { tmux, passthrough, outside, depth, known, remote, can_ask, console }
    }
}

/// How much moves on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Films play, seconds are counted, and replies are shown as they arrive.
    Full,
    /// No films, no counted seconds, and a reply that arrives is redrawn at most once a second.
    Reduced,
}

/// How the frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameView {
    /// As a picture where it is legible, otherwise as text.
    Auto,
    /// As a picture.
    Picture,
    /// As text.
    Text,
}
