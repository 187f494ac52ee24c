//! Scales and encodes frames.

use std::io::Cursor;
use std::sync::Arc;

use image::DynamicImage;
use image::ExtendedColorType;
use image::ImageEncoder;
use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::CompressionType;
use image::codecs::png::FilterType;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType as Scaling;

use crate::domain::Blob;
use crate::domain::Digest;
use crate::domain::Picture;

/// The encoding of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageFormat {
    Png,
    Jpeg,
}

impl ImageFormat {
    fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// Scales the picture to a longer edge of `edge` pixels with a Lanczos filter and encodes it.
pub(super) fn encode_image(
    picture: &Picture,
    step: u32,
    edge: Option<u32>,
    format: ImageFormat,
) -> Result<Blob, String> {
    let size = scaled_size((picture.width(), picture.height()), edge);
    let whole = RgbImage::from_raw(picture.width(), picture.height(), picture.rgb().to_vec());
    let whole = DynamicImage::ImageRgb8(whole.ok_or("the frame has too few pixels")?);
    let image = if size == (whole.width(), whole.height()) {
        whole
    } else {
        whole.resize_exact(size.0, size.1, Scaling::Lanczos3)
    };
    let bytes =
        encode_pixels(&image, format).map_err(|error| format!("the frame cannot be encoded: {error}"))?;
    let media = format.media_type().to_owned();
    Ok(Blob { digest: Digest::of(&bytes), media_type: media, size, step, bytes: Arc::from(bytes) })
}

/// The width and height of the scaled picture.
pub(super) fn scaled_size((width, height): (u32, u32), edge: Option<u32>) -> (u32, u32) {
    let Some(edge) = edge else { return (width, height) };
    let longer = u64::from(width.max(height));
    let side = |side: u32| {
        let scaled = (u64::from(side) * u64::from(edge) + longer / 2) / longer;
        u32::try_from(scaled).unwrap_or(edge).max(1)
    };
    (side(width), side(height))
}

fn encode_pixels(image: &DynamicImage, format: ImageFormat) -> image::ImageResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    let (pixels, width, height) = (image.as_bytes(), image.width(), image.height());
    let colour = ExtendedColorType::Rgb8;
    match format {
        // Fast compression makes such pictures several times larger.
        ImageFormat::Png => {
            PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
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

    #[test]
    fn the_longer_edge_is_scaled_and_the_aspect_ratio_is_kept() {
        assert_eq!(scaled_size((160, 80), Some(256)), (256, 128));
        assert_eq!(scaled_size((500, 1000), Some(256)), (128, 256));
        assert_eq!(scaled_size((5000, 1), Some(256)), (256, 1));
        assert_eq!(scaled_size((160, 80), None), (160, 80));
    }

    #[test]
    fn an_encoded_image_can_be_decoded() {
        let picture = Picture::new(40, 20, 10, (0..=250).cycle().take(40 * 20 * 3).collect()).unwrap();
        for (format, media) in [(ImageFormat::Png, "image/png"), (ImageFormat::Jpeg, "image/jpeg")] {
            let blob = encode_image(&picture, 3, Some(64), format).unwrap();
            let opened = image::load_from_memory(&blob.bytes).unwrap();
            assert_eq!((opened.width(), opened.height()), (64, 32));
            assert_eq!((blob.media_type.as_str(), blob.size, blob.step), (media, (64, 32), 3));
        }
        let as_painted = encode_image(&picture, 1, None, ImageFormat::Png).unwrap();
        assert_eq!(image::load_from_memory(&as_painted.bytes).unwrap().to_rgb8().as_raw(), picture.rgb());
    }
}
