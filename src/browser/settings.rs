//! What a browser is started with, and the limits within which pages are used.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::BrowserFailure;
use mageyard_domain::Seconds;

/// The program of the browser, where it is not one of the usual ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProgram {
    /// Its path, or its name on the path.
    pub path: PathBuf,
    /// Where it was named, for messages: a variable, a flag, or a file with a line.
    pub origin: String,
}

/// The settings of the browser: the table `[browser]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSettings {
    /// Program to start; `None`: the usual names and places.
    pub program: Option<NamedProgram>,
    /// Pages that are open at once, at least 1; further ones wait.
    pub pages: usize,
    /// Most seconds from the start of the browser to its first answer.
    pub start_timeout: Seconds,
    /// Most seconds from opening a page to its load event.
    pub load_timeout: Seconds,
    /// Most seconds of one script of ours in a page, and of one screenshot.
    pub evaluate_timeout: Seconds,
    /// Most seconds of one interaction, without its waiting time.
    pub interaction_timeout: Seconds,
    /// Most memory of a page in MiB, at least 64.
    pub page_memory: u64,
    /// Seconds after which a browser without pages is closed.
    pub idle_timeout: Seconds,
}

impl BrowserSettings {
    /// This program of these settings does not start.
    pub(super) fn start_failure(&self, program: &Path, reason: String) -> BrowserFailure {
        let origin = self.program.as_ref().map(|program| program.origin.clone());
        BrowserFailure::Start { program: program.to_owned(), origin, reason }
    }
}

impl Default for BrowserSettings {
    fn default() -> Self {
        Self {
            program: None,
            pages: 8,
            start_timeout: Seconds::whole(10),
            load_timeout: Seconds::whole(10),
            evaluate_timeout: Seconds::whole(2),
            interaction_timeout: Seconds::whole(5),
            page_memory: 1024,
            idle_timeout: Seconds::whole(60),
        }
    }
}

/// The size of the visible part of a page, in CSS pixels; scroll bars are inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct Viewport {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
}

impl Default for Viewport {
    /// What remains of an outer window of 1920x1080 in a current browser.
    fn default() -> Self {
        Self { width: 1920, height: 937 }
    }
}

impl From<(u32, u32)> for Viewport {
    fn from((width, height): (u32, u32)) -> Self {
        Self { width, height }
    }
}

impl From<Viewport> for (u32, u32) {
    fn from(viewport: Viewport) -> Self {
        (viewport.width, viewport.height)
    }
}
