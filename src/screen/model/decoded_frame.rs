//! The frame as it was sent, decoded for display.

use std::path::PathBuf;
use std::sync::Arc;

use mageyard_domain::{Digest, Picture};
use mageyard_terminal::decimal;

/// Identifies the source of a decoded frame.
#[derive(Clone, Debug)]
pub(crate) enum FrameKey {
    Sent(Digest, Option<PathBuf>),
    Unsent(Arc<Picture>),
}

impl FrameKey {
    pub(crate) fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sent(one, here), Self::Sent(two, there)) => one == two && here == there,
            (Self::Unsent(one), Self::Unsent(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}

/// A frame as sent, with the properties of its encoding.
#[derive(Clone, Debug)]
pub(crate) struct SentFrame {
    pub(crate) picture: Arc<Picture>,
    pub(crate) media: String,
    pub(crate) bytes: usize,
    pub(crate) digest: Digest,
    pub(crate) rendered_size: (u32, u32),
}

/// The result of decoding a frame.
#[derive(Clone, Debug)]
pub(crate) struct DecodedFrame {
    pub(crate) key: FrameKey,
    pub(crate) frame: Result<SentFrame, String>,
}

impl SentFrame {
    /// Media type, size, scale, bytes and digest, shortened to this width.
    pub(crate) fn caption(&self, width: u16) -> String {
        let across = self.picture.width();
        let down = self.picture.height();
        let scale = decimal(f64::from(across) / f64::from(self.rendered_size.0.max(1)));
        let media = &self.media;
        let bytes = self.bytes;
        let digest = self.digest;
        let short = media.trim_start_matches("image/");
        let all = [
            format!("{media} {across}×{down} px · ×{scale} · {bytes} bytes · {digest}"),
            format!("{short} {across}×{down} · ×{scale} · {bytes} bytes · {digest}"),
            format!("{short} {across}×{down} ×{scale} {bytes} B {digest}"),
            format!("{short} {across}×{down} ×{scale} {bytes} B {}", &digest.to_string()[..8]),
        ];
        let fits = |words: &&String| words.chars().count() <= usize::from(width);
        all.iter().find(fits).unwrap_or(&all[3]).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caption_is_shortened_to_the_width() {
        let shot = SentFrame {
            picture: Arc::new(Picture::new(256, 128, 1, vec![0; 256 * 128 * 3]).unwrap()),
            media: "image/png".into(),
            bytes: 3412,
            digest: Digest::of(b"x"),
            rendered_size: (160, 80),
        };
        let digest = Digest::of(b"x").to_string();
        assert_eq!(shot.caption(80), format!("image/png 256×128 px · ×1.6 · 3412 bytes · {digest}"));
        assert_eq!(shot.caption(52), format!("png 256×128 · ×1.6 · 3412 bytes · {digest}"));
        assert_eq!(shot.caption(46), format!("png 256×128 ×1.6 3412 B {digest}"));
        assert_eq!(shot.caption(36), format!("png 256×128 ×1.6 3412 B {}", &digest[..8]));
    }
}
