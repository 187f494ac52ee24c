//! Decodes pictures from blobs. The bytes may be hostile: sizes are checked before anything is allocated for them.

use std::io::{BufRead, Cursor, Seek};
use std::sync::Arc;

use image::{ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use thiserror::Error;

use super::super::{BlobError, BlobHandle};

/// The largest side of a stored picture, in pixels.
const MAX_SIDE: u32 = 1 << 15;
/// The largest stored picture, in pixels.
const MAX_PIXELS: u64 = 1 << 25;
/// The most bytes that a decoder may allocate.
const MAX_ALLOCATION: u64 = MAX_PIXELS * 8;

/// Why a picture has no pixels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// The blob cannot be loaded.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The media type is neither PNG nor JPEG.
    #[error("{0:?} is not a media type of pictures: they are image/png or image/jpeg")]
    Format(Arc<str>),
    /// The picture is too large to be decoded.
    #[error(
        "the picture is too large: at most {MAX_SIDE} px per side and {MAX_PIXELS} px in all are decoded"
    )]
    TooLarge,
    /// The bytes are not a picture of their media type.
    #[error("the picture cannot be decoded: {0}")]
    Malformed(String),
    /// The pixels cannot be written as PNG.
    #[error("the picture cannot be written: {0}")]
    Encoding(String),
    /// The picture or its grain has no size.
    #[error("the picture has no pixels")]
    Empty,
    /// The blob has another size than the picture.
    #[error("the picture has {}x{} px instead of {}x{}", actual.0, actual.1, expected.0, expected.1)]
    Size {
        /// The width and height of the picture.
        expected: (u32, u32),
        /// The width and height in the blob.
        actual: (u32, u32),
    },
}

/// The width and height of the picture in a blob.
pub(super) fn size(blob: &BlobHandle) -> Result<(u32, u32), PictureError> {
    let bytes = blob.load()?;
    Ok(decoder(blob, &bytes)?.dimensions())
}

/// The pixels of the picture in a blob, which must have this size.
pub(super) fn pixels(blob: &BlobHandle, expected: (u32, u32)) -> Result<Vec<u8>, PictureError> {
    let bytes = blob.load()?;
    let decoder = decoder(blob, &bytes)?;
    let actual = decoder.dimensions();
    if actual != expected {
        return Err(PictureError::Size { expected, actual });
    }
    let image = image::DynamicImage::from_decoder(decoder).map_err(|error| malformed(&error))?;
    Ok(image.into_rgb8().into_raw())
}

/// The media type, width and height of an encoded picture, of which only the beginning is read.
pub fn picture_header(mut source: impl BufRead + Seek) -> Result<(&'static str, (u32, u32)), PictureError> {
    let beginning = source.fill_buf().map_err(|error| PictureError::Malformed(error.to_string()))?;
    let (media, format) = match image::guess_format(beginning) {
        Ok(ImageFormat::Png) => ("image/png", ImageFormat::Png),
        Ok(ImageFormat::Jpeg) => ("image/jpeg", ImageFormat::Jpeg),
        _ => return Err(PictureError::Malformed("it is neither PNG nor JPEG".to_owned())),
    };
    Ok((media, decoder_of(source, format)?.dimensions()))
}

/// A decoder that has read the header and accepts its size.
fn decoder<'a>(blob: &BlobHandle, bytes: &'a [u8]) -> Result<impl ImageDecoder + 'a, PictureError> {
    let media = &blob.blob().media_type;
    let format = match &**media {
        "image/png" => ImageFormat::Png,
        "image/jpeg" => ImageFormat::Jpeg,
        _ => return Err(PictureError::Format(media.clone())),
    };
    decoder_of(Cursor::new(bytes), format)
}

fn decoder_of<'a>(
    source: impl BufRead + Seek + 'a,
    format: ImageFormat,
) -> Result<impl ImageDecoder + 'a, PictureError> {
    let mut reader = ImageReader::with_format(source, format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_ALLOCATION);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| malformed(&error))?;
    let (width, height) = decoder.dimensions();
    if width > MAX_SIDE || height > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(PictureError::TooLarge);
    }
    Ok(decoder)
}

fn malformed(error: &ImageError) -> PictureError {
    match error {
        ImageError::Limits(_) => PictureError::TooLarge,
        other => PictureError::Malformed(other.to_string()),
    }
}
