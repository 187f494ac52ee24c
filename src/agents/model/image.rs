//! Scales and encodes frames.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::imageops::FilterType as ResizeFilter;
use image::{ExtendedColorType, ImageBuffer, ImageEncoder, Rgb, imageops};

use super::frame_scaler::FrameScaler;
use super::image_cache::{ImageCache, ImageKey};
use mageyard_domain::{BlobRef, PartId, Picture, SentImage};

/// The encoding of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageFormat {
    /// Compressed with this effort, from 1 to 9; 0 chooses it by the size of the image ([`compression`]).
    Png(u8),
    Jpeg,
}

impl ImageFormat {
    fn media_type(self) -> &'static str {
        match self {
            Self::Png(_) => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// The most pixels of an image that level 0 compresses with the fastest coding. Up to here that is a sixth of the time of
/// level 3 for an eighth more bytes; a page of 1920x1080 would have twice the bytes.
const FAST_PIXELS: u64 = 512 * 512;
/// The level of larger images.
const LARGE_LEVEL: u8 = 3;

/// How a scaled frame is written as PNG.
fn compression(level: u8, (width, height): (u32, u32)) -> CompressionType {
    match level {
        0 if u64::from(width) * u64::from(height) <= FAST_PIXELS => CompressionType::Fast,
        0 => CompressionType::Level(LARGE_LEVEL),
        level => CompressionType::Level(level),
    }
}

/// How a frame is scaled to the longer edge of the setting `resolution`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scaling {
    /// To exactly this edge with a Lanczos filter, as `MageBench` does.
    Smooth,
    /// Enlarged by the largest whole factor that fits, pixel by pixel, so that tiles stay sharp; a larger frame is made
    /// smaller as by `Smooth`.
    Whole,
}

/// The longer edge of sent frames in pixels, `None` for the original size, and how they are scaled to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameSize {
    pub(super) edge: Option<u32>,
    pub(super) scaling: Scaling,
}

/// Scales the picture and encodes it, unless the same pixels have been encoded before.
pub(super) fn encode_image(
    picture: &Picture,
    part: PartId,
    (frame_size, format): (FrameSize, ImageFormat),
    (cache, scaler): (&ImageCache, &mut FrameScaler),
) -> Result<SentImage, String> {
    let painted = (picture.width(), picture.height());
    let pixels = picture.pixels().map_err(|error| error.to_string())?;
    let key = image_key(&pixels, painted, (frame_size, format));
    if let Some(known) = cache.get(&key) {
        return Ok(SentImage { part, ..known });
    }
    let (size, bytes) = scale_and_encode(&pixels, painted, (frame_size, format), scaler)?;
    let image = SentImage { part, blob: BlobRef::of(format.media_type(), &bytes), size, bytes: bytes.into() };
    cache.insert(key, image.clone());
    Ok(image)
}

fn image_key(pixels: &[u8], painted: (u32, u32), how: (FrameSize, ImageFormat)) -> ImageKey {
    let mut hasher = blake3::Hasher::new();
    hasher.update(pixels);
    hasher.update(format!("{painted:?} {how:?}").as_bytes());
    hasher.finalize()
}

/// Width and height for indexing.
fn sides((width, height): (u32, u32)) -> Result<(usize, usize), String> {
    let side = |side: u32| usize::try_from(side).map_err(|error| error.to_string());
    Ok((side(width)?, side(height)?))
}

/// The size of the encoded image and its bytes.
fn scale_and_encode(
    pixels: &[u8],
    painted: (u32, u32),
    (frame_size, format): (FrameSize, ImageFormat),
    scaler: &mut FrameScaler,
) -> Result<((u32, u32), Vec<u8>), String> {
    let size = frame_size.scaled(painted);
    let whole = ImageBuffer::<Rgb<u8>, &[u8]>::from_raw(painted.0, painted.1, pixels);
    let whole = whole.ok_or("the frame has too few pixels")?;
    let bytes = if size == painted {
        encode_pixels(&whole, size, format)
    } else if size.0 > painted.0 && frame_size.scaling == Scaling::Whole {
        encode_pixels(&imageops::resize(&whole, size.0, size.1, ResizeFilter::Nearest), size, format)
    } else {
        encode_pixels(&scaler.scale(pixels, sides(painted)?, sides(size)?), size, format)
    };
    Ok((size, bytes.map_err(|error| format!("the frame cannot be encoded: {error}"))?))
}

/// The image as a URL that contains it.
pub(super) fn data_url(image: &SentImage) -> String {
    let mut url = String::with_capacity(64 + image.bytes.len().div_ceil(3) * 4);
    url.extend(["data:", &image.blob.media_type, ";base64,"]);
    STANDARD.encode_string(&image.bytes, &mut url);
    url
}

impl FrameSize {
    /// The width and height of a picture of this size after scaling.
    pub(super) fn scaled(self, (width, height): (u32, u32)) -> (u32, u32) {
        let Some(edge) = self.edge else { return (width, height) };
        let longer = width.max(height);
        if self.scaling == Scaling::Whole && longer <= edge {
            let factor = edge / longer.max(1);
            return (width * factor, height * factor);
        }
        let longer = u64::from(longer);
        let side = |side: u32| {
            let scaled = (u64::from(side) * u64::from(edge) + longer / 2) / longer;
            u32::try_from(scaled).unwrap_or(edge).max(1)
        };
        (side(width), side(height))
    }
}

fn encode_pixels(
    pixels: &[u8],
    (width, height): (u32, u32),
    format: ImageFormat,
) -> image::ImageResult<Vec<u8>> {
    // Most frames have flat colours; a photograph needs more.
    let mut bytes = Cursor::new(Vec::with_capacity(pixels.len() / 2));
    let colour = ExtendedColorType::Rgb8;
    match format {
        ImageFormat::Png(level) => {
            let compression = compression(level, (width, height));
            PngEncoder::new_with_quality(&mut bytes, compression, FilterType::Adaptive)
                .write_image(pixels, width, height, colour)?;
        }
        ImageFormat::Jpeg => {
            JpegEncoder::new_with_quality(&mut bytes, 90).write_image(pixels, width, height, colour)?;
        }
    }
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: ImageFormat = ImageFormat::Png(3);

    #[test]
    fn the_longer_edge_is_scaled_and_the_aspect_ratio_is_kept() {
        let scaled = |size, edge| smooth(edge).scaled(size);
        assert_eq!(scaled((160, 80), Some(256)), (256, 128));
        assert_eq!(scaled((500, 1000), Some(256)), (128, 256));
        assert_eq!(scaled((5000, 1), Some(256)), (256, 1));
        assert_eq!(scaled((160, 80), None), (160, 80));
    }

    #[test]
    fn a_whole_factor_keeps_every_pixel_and_never_exceeds_the_edge() {
        let whole = |edge| FrameSize { edge, scaling: Scaling::Whole };
        for (painted, edge, size) in [
            ((112, 112), Some(256), (224, 224)),
            ((256, 64), Some(256), (256, 64)),
            ((200, 100), Some(256), (200, 100)),
            ((500, 1000), Some(256), (128, 256)),
            ((40, 20), None, (40, 20)),
        ] {
            assert_eq!(whole(edge).scaled(painted), size, "{painted:?}");
        }
        let picture = Picture::new(40, 20, 10, (0..=250).cycle().take(40 * 20 * 3).collect()).unwrap();
        let blob = encode(&picture, 1, (whole(Some(90)), PNG));
        let sent = image::load_from_memory(&blob.bytes).unwrap().to_rgb8();
        assert_eq!(sent.dimensions(), (80, 40));
        let pixels = picture.pixels().unwrap();
        let pixel = |x: usize, y: usize| &pixels[(y * 40 + x) * 3..][..3];
        assert!(sent.enumerate_pixels().all(|(x, y, rgb)| rgb.0 == pixel(x as usize / 2, y as usize / 2)));
    }

    fn encode(picture: &Picture, step: u32, how: (FrameSize, ImageFormat)) -> SentImage {
        encode_image(
            picture,
            PartId { step, index: 0 },
            how,
            (&ImageCache::default(), &mut FrameScaler::default()),
        )
        .unwrap()
    }

    #[test]
    fn the_same_pixels_are_encoded_once_for_each_size_and_format() {
        let cache = ImageCache::default();
        let picture = |shade| Picture::new(4, 4, 1, vec![shade; 48]).unwrap();
        let encode = |shade, step, edge, format| {
            encode_image(
                &picture(shade),
                PartId { step, index: 0 },
                (smooth(edge), format),
                (&cache, &mut FrameScaler::default()),
            )
            .unwrap()
        };
        let first = encode(1, 1, Some(8), PNG);
        let again = encode(1, 7, Some(8), PNG);
        assert!(std::sync::Arc::ptr_eq(&first.bytes, &again.bytes));
        assert_eq!((first.part.step, again.part.step), (1, 7));
        for other in [
            encode(2, 1, Some(8), PNG),
            encode(1, 1, Some(9), PNG),
            encode(1, 1, Some(8), ImageFormat::Jpeg),
            encode(1, 1, Some(8), ImageFormat::Png(6)),
        ] {
            assert_ne!(other.blob.digest, first.blob.digest);
        }
    }

    fn smooth(edge: Option<u32>) -> FrameSize {
        FrameSize { edge, scaling: Scaling::Smooth }
    }

    #[test]
    fn an_encoded_image_can_be_decoded() {
        let picture = Picture::new(40, 20, 10, (0..=250).cycle().take(40 * 20 * 3).collect()).unwrap();
        for (format, media) in [(PNG, "image/png"), (ImageFormat::Jpeg, "image/jpeg")] {
            let blob = encode(&picture, 3, (smooth(Some(64)), format));
            let opened = image::load_from_memory(&blob.bytes).unwrap();
            assert_eq!((opened.width(), opened.height()), (64, 32));
            assert_eq!((&*blob.blob.media_type, blob.size, blob.part.step), (media, (64, 32), 3));
        }
        let as_painted = encode(&picture, 1, (smooth(None), PNG));
        assert_eq!(
            image::load_from_memory(&as_painted.bytes).unwrap().to_rgb8().as_raw()[..],
            *picture.pixels().unwrap()
        );
    }

    #[test]
    fn level_0_is_the_fastest_coding_of_small_images_and_level_3_of_large_ones() {
        let encoded = |size: (u32, u32), level| {
            let bytes = 0..size.0 * size.1 * 3;
            let pixels: Vec<u8> = bytes.map(|byte| ((byte / 7) ^ (byte >> 9)).to_le_bytes()[0]).collect();
            let png = encode_pixels(&pixels, size, ImageFormat::Png(level)).unwrap();
            let same = image::load_from_memory(&png).unwrap().to_rgb8().into_raw() == pixels;
            assert!(same, "{size:?} at {level}");
            png
        };
        let small = (512, 512);
        assert!((1..=9).all(|level| encoded(small, 0) != encoded(small, level)));
        let large = (513, 512);
        assert!(encoded(large, 0) == encoded(large, 3));
    }

    #[test]
    fn level_6_gives_the_bytes_of_recordings_without_a_level() {
        let pixels: Vec<u8> =
            (0..64 * 64 * 3_u32).map(|byte| ((byte * (byte ^ 0b100_1101)) >> 4).to_le_bytes()[0]).collect();
        let mut known = Cursor::new(Vec::new());
        PngEncoder::new_with_quality(&mut known, CompressionType::Default, FilterType::Adaptive)
            .write_image(&pixels, 64, 64, ExtendedColorType::Rgb8)
            .unwrap();
        assert_eq!(encode_pixels(&pixels, (64, 64), ImageFormat::Png(6)).unwrap(), known.into_inner());
    }
}
