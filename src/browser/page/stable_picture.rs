//! A picture of a page that no longer changes. Right after a page is loaded or moves, its fonts may be missing and the
//! browser may still draw some pixels again, so that two pictures of the same page would differ.

use std::time::Duration;

use tokio::time::Instant;

use super::{Page, ScreenshotSpeed};
use crate::BrowserError;

/// Completes when the fonts are there, or after half a second.
const FONTS: &str =
    "Promise.race([document.fonts.ready, new Promise(done => setTimeout(done, 500))]).then(() => 0)";
/// The most bytes of the answer.
const SHORT: usize = 100;
/// The time between two pictures: that of a frame and a little more.
const PAUSE: Duration = Duration::from_millis(20);
/// The most pictures that are taken until two in a row are equal.
const MOST_PICTURES: usize = 6;
/// No other picture is begun after this time.
const MOST_TIME: Duration = Duration::from_secs(1);

/// The viewport of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StablePicture {
    /// The last picture as PNG.
    pub png: Vec<u8>,
    /// Whether the one before it had the same pixels.
    pub is_stable: bool,
}

impl Page {
    /// The viewport as soon as its fonts are loaded and two pictures in a row are equal; after 6 pictures or 1 s the last
    /// one, which is not stable.
    ///
    /// # Errors
    /// As [`Page::screenshot`] and [`Page::evaluate`].
    pub async fn stable_screenshot(&self, speed: ScreenshotSpeed) -> Result<StablePicture, BrowserError> {
        self.evaluate(FONTS, SHORT).await?;
        let begin = Instant::now();
        let mut png = self.screenshot(speed).await?;
        for _ in 1..MOST_PICTURES {
            self.wait(PAUSE).await?;
            let next = self.screenshot(speed).await?;
            let is_stable = next == png;
            png = next;
            if is_stable || begin.elapsed() > MOST_TIME {
                return Ok(StablePicture { png, is_stable });
            }
        }
        Ok(StablePicture { png, is_stable: false })
    }
}
