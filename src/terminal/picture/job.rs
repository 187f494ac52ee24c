//! Work on pictures that can be done beside the drawing: what is to be done, and what has come of it.

use std::sync::{Arc, Weak};

use ratatui::layout::Size;

use super::detail::Detail;
use super::encoded::Content;
use super::encoding::Encoding;
use super::held_pixels::HeldPixels;
use super::placement::Placement;
use super::scale::scale;
use crate::graphics::{Encode, Patch, PatchKey, encode};
use mageyard_domain::{Picture, PictureError};

/// What is to be done.
pub(super) enum Job {
    /// Scale a picture to one pixel a half cell: how much of it has changed decides how finely it is drawn.
    Outline(Arc<Picture>, Placement),
    /// Encode a part of a picture for a place.
    Encode(Arc<Picture>, EncodedKey, Encoding),
    /// Make the bytes of patches.
    Patches(Vec<Patch>),
}

/// What a part of a picture was encoded for.
#[derive(Clone, Debug)]
pub(super) struct EncodedKey {
    /// Only identifies the picture.
    pub(super) picture: Weak<Picture>,
    pub(super) room: Size,
    pub(super) shown: Placement,
    pub(super) detail: Detail,
}

/// Tells jobs apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JobKey {
    Outline(EncodedKey),
    Encode(EncodedKey),
    Patches(Vec<PatchKey>),
}

/// What has come of a job.
pub(super) enum Outcome {
    Outlined(Weak<Picture>, Placement, Result<Vec<u8>, PictureError>),
    /// There is no content if the picture is too large for the terminal.
    Encoded(EncodedKey, Result<Option<Content>, PictureError>),
    Patched(Vec<(PatchKey, Result<Arc<str>, String>)>),
}

impl EncodedKey {
    /// Whether it is of this picture.
    pub(super) fn is_for(&self, picture: &Arc<Picture>) -> bool {
        std::ptr::eq(self.picture.as_ptr(), Arc::as_ptr(picture))
    }
}

impl PartialEq for EncodedKey {
    fn eq(&self, other: &Self) -> bool {
        self.picture.ptr_eq(&other.picture)
            && (self.room, self.shown, self.detail) == (other.room, other.shown, other.detail)
    }
}

impl JobKey {
    /// The key of an outline.
    pub(super) fn outline(picture: Weak<Picture>, shown: Placement) -> Self {
        Self::Outline(EncodedKey { picture, room: Size::ZERO, shown, detail: Detail::Full })
    }
}

impl Job {
    pub(super) fn key(&self) -> JobKey {
        match self {
            Self::Outline(picture, shown) => JobKey::outline(Arc::downgrade(picture), *shown),
            Self::Encode(_, key, _) => JobKey::Encode(key.clone()),
            Self::Patches(patches) => JobKey::Patches(patches.iter().map(Patch::key).collect()),
        }
    }
}

/// Does the work.
pub(super) struct Encoder {
    pixels: HeldPixels,
    encode: Encode,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { pixels: HeldPixels::default(), encode }
    }
}

impl Encoder {
    /// One that makes the bytes of patches in this way.
    #[cfg(test)]
    pub(super) fn with(encode: Encode) -> Self {
        Self { encode, ..Self::default() }
    }

    pub(super) fn perform(&mut self, job: &Job) -> Outcome {
        match job {
            Job::Outline(picture, shown) => {
                let small = self.pixels.of(picture).and_then(|pixels| scale(picture, &pixels, *shown));
                Outcome::Outlined(Arc::downgrade(picture), *shown, small.map(image::RgbImage::into_raw))
            }
            Job::Encode(picture, key, encoding) => {
                Outcome::Encoded(key.clone(), self.content(picture, key.shown, *encoding))
            }
            Job::Patches(patches) => {
                let bytes = |patch: &Patch| (patch.key(), patch.encoded(self.encode));
                Outcome::Patched(patches.iter().map(bytes).collect())
            }
        }
    }

    fn content(
        &mut self,
        picture: &Arc<Picture>,
        shown: Placement,
        encoding: Encoding,
    ) -> Result<Option<Content>, PictureError> {
        let pixels = self.pixels.of(picture)?;
        let content = encoding.content(picture, &pixels, shown)?;
        self.pixels.keep(picture, pixels, shown.is_part_of(picture));
        Ok(content)
    }
}
