//! A frame that the real engine has drawn, as a picture. Its pixels are in the blobs of the episode. They are no part of the
//! state: other renderers draw other pixels, and so does the same one after the engine has returned to a state.

use std::sync::Arc;

use super::wire::Frame;
use mageyard_domain::{BlobHandle, BlobStore, EnvironmentError, Picture};

/// The pixels of the ball.
const DETAIL: u32 = 6;

/// The picture of these pixels, a frame of [`Frame::ONLY`].
pub(super) fn picture(pixels: Vec<u8>, blobs: &Arc<dyn BlobStore>) -> Result<Picture, EnvironmentError> {
    let failed = |error: &dyn ToString| EnvironmentError::Failed(error.to_string());
    let Frame { width, height, .. } = Frame::ONLY;
    let unreadable = || failed(&"the frame has another size");
    let drawn = Picture::new(width, height, 1, pixels).ok_or_else(unreadable)?;
    let png = drawn.png().map_err(|error| failed(&error))?;
    let blob = BlobHandle::store(blobs, "image/png", &png).map_err(|error| failed(&error))?;
    let stored = Picture::stored(blob, (width, height), 1).ok_or_else(unreadable)?;
    // Put together from the stored one, because a picture that is stored itself is part of the state's digest.
    let picture = Picture::composed(width, height, move |pixels: &mut [u8]| {
        pixels.copy_from_slice(&stored.pixels()?);
        Ok(())
    });
    picture.map(|picture| picture.with_detail(DETAIL)).ok_or_else(unreadable)
}
