//! The settings of the screen and of its panes.

use serde::Deserialize;

use super::bounded::{bounded, share};
use super::picture_form::{PictureForm, auto_or_form};

/// The screen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenSettings {
    /// The name of the theme in its catalog.
    pub theme: String,
    /// Milliseconds between two steps while the agent runs.
    #[serde(deserialize_with = "bounded::<_, _, 0, 60_000>")]
    pub pace: u64,
    /// How the frame is shown at first.
    pub frame: FrameDisplay,
    /// The form of pictures; `None` for the best that the terminal says it has.
    #[serde(deserialize_with = "auto_or_form")]
    pub pictures: Option<PictureForm>,
    /// How fast the link to the terminal is.
    pub link: LinkSetting,
    /// Whether the mouse works.
    pub mouse: MouseSetting,
    /// Where copies go.
    pub clipboard: ClipboardSetting,
    /// Whether the screen is written line by line.
    pub linear: bool,
    /// How much moves on the screen.
    pub motion: MotionSetting,
    /// Whether distances to the goal are searched.
    pub distance: bool,
    /// The maximum time of such a search, in seconds; 0 for no limit.
    #[serde(deserialize_with = "bounded::<_, _, 0, 86_400>")]
    pub distance_time: u64,
}

/// The sizes of the panes in percent of the columns or rows of all panes; 0 follows the content.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutSettings {
    /// The frame, beside or above the other panes.
    #[serde(deserialize_with = "share")]
    pub frame: u16,
    /// The columns of memory and score.
    #[serde(deserialize_with = "share")]
    pub side: u16,
    /// The rows of the filmstrip.
    #[serde(deserialize_with = "share")]
    pub steps: u16,
    /// The rows of the score, or of the row with memory and score.
    #[serde(deserialize_with = "share")]
    pub score: u16,
}

/// How much moves on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionSetting {
    /// Films, counted seconds and replies as they arrive.
    Full,
    /// Changes only, and not often.
    Reduced,
}

/// How a frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameDisplay {
    /// As a picture where the terminal has the colours for it, otherwise as text.
    Auto,
    /// In pixels.
    Picture,
    /// In letters.
    Text,
}

/// Whether the screen uses the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MouseSetting {
    /// Unless the terminal is a multiplexer or at the other end of an SSH connection.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// Where a copied text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClipboardSetting {
    /// To the terminal unless it is a console, which would print the text.
    Auto,
    /// To the clipboard of the terminal.
    Terminal,
    /// Into a file.
    File,
}

/// How fast the link to the terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkSetting {
    /// It is measured, if the terminal is on another machine.
    Auto,
    /// Few bytes are sent.
    Slow,
    /// Bytes do not count.
    Fast,
}

impl LinkSetting {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Slow, Self::Fast];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Slow => "slow",
            Self::Fast => "fast",
        }
    }
}
