//! Progress bars on standard error.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use mageyard_terminal::surroundings::is_dumb_terminal;

/// Whether progress is shown: standard error is a terminal that can move its cursor.
pub(super) fn is_shown() -> bool {
    stderr().is_terminal() && !is_dumb_terminal()
}

/// A bar for so many things, in the form of this template.
pub(super) fn bar(count: usize, template: &str) -> ProgressBar {
    ProgressBar::new(count as u64).with_style(style(template))
}

/// The style of this template.
pub(super) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
