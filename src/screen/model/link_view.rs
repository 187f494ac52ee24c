//! What the screen knows of the link to the terminal.

use tokio::time::Instant;

use mageyard_config::LinkSetting;
use mageyard_terminal::{ColorDepth, Link, Traffic};

/// The link as the screen shows it.
#[derive(Clone, Debug)]
pub(crate) struct LinkView {
    /// The setting, or what a command has chosen.
    pub(crate) setting: LinkSetting,
    /// Whether few bytes are to be sent.
    pub(crate) is_slow: bool,
    /// Whether it is slow and why.
    pub(crate) speed: String,
    /// Whether the status line shows the bytes.
    pub(crate) is_shown: bool,
    /// The bytes that were written, if the status line shows them.
    pub(crate) traffic: String,
}

impl LinkView {
    /// A link of which nothing is known yet.
    pub(crate) fn new(setting: LinkSetting) -> Self {
        let is_slow = setting == LinkSetting::Slow;
        Self { setting, is_slow, speed: String::new(), is_shown: false, traffic: String::new() }
    }

    /// The colors of the screen on a terminal with these colors.
    pub(super) fn depth(&self, terminal: ColorDepth) -> ColorDepth {
        if self.is_slow { terminal.min(ColorDepth::Ansi16) } else { terminal }
    }

    /// The colors of pictures on a terminal with these colors.
    pub(crate) fn picture_depth(&self, terminal: ColorDepth) -> ColorDepth {
        if self.is_slow { terminal.min(ColorDepth::Ansi256) } else { terminal }
    }

    /// Takes over what is known now.
    pub(super) fn update(&mut self, link: &Link, traffic: &Traffic, now: Instant) {
        (self.is_slow, self.speed) = (link.is_slow(), link.describe());
        if self.is_shown {
            self.traffic = traffic.describe(now);
        }
    }
}
