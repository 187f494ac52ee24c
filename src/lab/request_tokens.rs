//! The estimated tokens of a request.

use mageyard_domain::{MessagePart, RequestEncoder, estimate_tokens};

/// The tokens and the images of a request with these parts, and with further images of these sizes in pixels.
pub fn request_tokens<'a>(
    encoder: &dyn RequestEncoder,
    parts: impl Iterator<Item = &'a MessagePart>,
    mut images: Vec<(u32, u32)>,
) -> (u64, u64) {
    let mut characters = 0_usize;
    for part in parts {
        match part {
            MessagePart::Text(_, text) => characters = characters.saturating_add(text.chars().count()),
            MessagePart::Image(_, picture) => {
                images.push(encoder.scaled_size((picture.width(), picture.height())));
            }
        }
    }
    let count = u64::try_from(images.len()).unwrap_or(u64::MAX);
    (estimate_tokens(characters, images), count)
}
