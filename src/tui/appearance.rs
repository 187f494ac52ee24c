//! How the screen looks and answers: what comes from files that people edit, and the one trait by
//! which the screen asks whoever started it.

use std::time::Duration;

use super::keymap::Keymap;
use super::theme::ColorDepth;
use super::theme::Theme;
use crate::config::Problem;
use crate::dialog::Prompt;
use crate::domain::Prices;
use crate::engine::Session;

/// Theme, keys and settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Appearance {
    /// The theme as written; the screen fits it to the terminal.
    pub theme: Theme,
    /// The keys.
    pub keys: Keymap,
    /// Everything else.
    pub settings: ScreenSettings,
    /// What models cost.
    pub prices: Prices,
}

/// The screen's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSettings {
    /// The colours of the terminal.
    pub depth: ColorDepth,
    /// Picture or text to begin with.
    pub view: FrameView,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// The pause between two steps of a run.
    pub pace: Duration,
    /// Whether the terminal is one of tmux.
    pub tmux: bool,
}

/// How the frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameView {
    /// As a picture where the terminal has at least 256 colours, otherwise as text.
    Auto,
    /// As a picture.
    Picture,
    /// As text.
    Text,
}

/// What the screen asks of whoever started it.
pub trait Host {
    /// Starts a session on another level.
    fn open(&mut self, reference: &str) -> Result<Session, Problem>;
    /// The levels there are, for completion.
    fn levels(&self) -> Vec<String>;
    /// The themes there are, for completion.
    fn themes(&self) -> Vec<String>;
    /// A theme by name.
    fn theme(&mut self, name: &str) -> Result<Theme, Problem>;
    /// The text of a prompt variant, with the name of a new one in it.
    fn new_prompt_text(&mut self, environment: &str, from: &str) -> Result<String, Problem>;
    /// Keeps a text as a prompt variant of the user's. What is wrong, or would take the place of another
    /// variant, is refused and not written.
    fn save_prompt(&mut self, environment: &str, text: &str) -> Result<Prompt, Problem>;
    /// The command of the person's own editor, as `VISUAL` or `EDITOR` has it.
    fn editor(&self) -> Option<String>;
    /// Reads the files again, after they have changed.
    fn reload(&mut self) -> Result<Appearance, Problem>;
}
