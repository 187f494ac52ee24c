//! One page.

use serde_json::Value;

use super::BrowserError;
use super::PageFault;
use super::Step;

/// How a screenshot is compressed; the pixels are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScreenshotSpeed {
    /// Small files.
    #[default]
    Small,
    /// About twice as fast, larger files.
    Fast,
}

/// A request of a page that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedRequest {
    /// The address, cut to 2,000 characters.
    pub url: String,
    /// What asked for it, such as `Image` or `Fetch`.
    pub kind: String,
}

/// A page in a context of its own (storage, cache) and a window of its own. Dropping it closes it.
#[derive(Debug)]
pub struct Page {}

impl Page {
    /// Opens a file of the folder of the page, given by its path in it, and waits for the load event.
    ///
    /// # Errors
    /// [`PageFault::NoFile`], [`PageFault::LoadTimeout`], [`PageFault::LoadFailed`] or a failure of the browser.
    pub async fn open(&self, file: &str) -> Result<(), BrowserError> {
        let _ = file;
        Err(PageFault::Closed.into())
    }

    /// The value of an expression, apart from the scripts of the page: they share the document with it and nothing
    /// else. A promise is awaited. A value of more than this many bytes of JSON is a fault.
    ///
    /// # Errors
    /// [`PageFault::ScriptTimeout`], [`PageFault::ScriptFailed`], [`PageFault::TooLarge`], a crash of the page, or a
    /// failure of the browser.
    pub async fn evaluate(&self, expression: &str, most_bytes: usize) -> Result<Value, BrowserError> {
        let _ = (expression, most_bytes);
        Err(PageFault::Closed.into())
    }

    /// The viewport as PNG.
    ///
    /// # Errors
    /// [`PageFault::DrawTimeout`], a crash of the page, or a failure of the browser.
    pub async fn screenshot(&self, speed: ScreenshotSpeed) -> Result<Vec<u8>, BrowserError> {
        let _ = speed;
        Err(PageFault::Closed.into())
    }

    /// Performs a step as a person would: scrolls the element into view, moves the pointer, presses keys.
    ///
    /// # Errors
    /// [`PageFault::Interaction`], [`PageFault::InteractionTimeout`], a crash of the page, or a failure of the
    /// browser.
    pub async fn perform(&self, step: &Step) -> Result<(), BrowserError> {
        let _ = step;
        Err(PageFault::Closed.into())
    }

    /// The requests that were refused so far, at most the first 200.
    pub fn blocked(&self) -> Vec<BlockedRequest> {
        Vec::new()
    }

    /// Closes the page and forgets its storage, and waits for it.
    pub async fn close(self) {}
}
