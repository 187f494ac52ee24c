//! What levels need of the machine beyond their text and files, such as a program.

use super::{Level, Options};

/// What levels need. It is shown with a list of levels, and looked for before episodes begin.
pub trait LevelNeeds: Send + Sync {
    /// What the level needs, a phrase each, such as `needs LibreOffice`.
    fn needs(&self, level: &Level) -> Vec<String>;

    /// Why the level cannot be played on this machine with these options, a sentence without an end mark; `None` if it can. It
    /// looks for programs and starts none for longer than a moment.
    fn missing(&self, level: &Level, options: &Options) -> Option<String>;
}
