//! Tries the browser of this machine: for `doctor`, and to say why environments with pages cannot be used.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::finder::find_browser;
use super::launch::has_sandbox;
use super::{BrowserError, BrowserPool, BrowserSettings, ScreenshotSpeed, Viewport};

/// A page with a colour that a screenshot must show.
const PAGE: &str = "<!doctype html><body style='background: teal'>";

/// A browser that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserReport {
    /// The program.
    pub program: PathBuf,
    /// Name and version, such as `Chrome/148.0.7778.167`.
    pub version: String,
    /// From the start of the program to its first answer.
    pub start: Duration,
    /// From there to the first screenshot of a page.
    pub picture: Duration,
    /// Whether pages run in the sandbox of the browser; not as root.
    pub sandbox: bool,
}

/// Starts the browser, opens a page, takes a screenshot, and closes it.
///
/// # Errors
/// What does not work.
pub async fn probe_browser(settings: &BrowserSettings) -> Result<BrowserReport, BrowserError> {
    let program = find_browser(settings.program.as_ref())?;
    let no_folder =
        |error: std::io::Error| settings.start_failure(&program, format!("no temporary folder: {error}"));
    let site = site().map_err(no_folder)?;
    let pool = BrowserPool::new(settings.clone());
    let began = Instant::now();
    let version = pool.version().await?;
    let start = began.elapsed();
    let page = pool.page(site.path(), Viewport::default()).await?;
    page.open("index.html").await?;
    page.screenshot(ScreenshotSpeed::Fast).await?;
    let picture = began.elapsed().saturating_sub(start);
    pool.close().await;
    Ok(BrowserReport { program, version, start, picture, sandbox: has_sandbox() })
}

fn site() -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("index.html"), PAGE)?;
    Ok(folder)
}
