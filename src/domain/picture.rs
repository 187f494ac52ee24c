//! Pictures: painted by an environment, or encoded in a blob.
//!
//! A picture never keeps its pixels. They are painted or decoded when they are asked for, and shared for as long as a
//! caller holds them. Caches with a limit in bytes hold them for longer.

mod decode;
mod numbers;

use std::fmt;
#[expect(clippy::disallowed_types, reason = "locked only to read or replace a weak reference")]
use std::sync::Mutex;
use std::sync::{Arc, PoisonError, Weak};

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};

pub use self::decode::{PictureError, picture_header};
pub use self::numbers::NumberedBox;
use super::{BlobHandle, BlobStore};

/// An opaque RGB picture with 8 bits per channel, rows from the top, without padding.
pub struct Picture {
    width: u32,
    height: u32,
    grain: u32,
    detail: u32,
    /// Boxes that are painted over the pixels.
    numbers: Option<Arc<[NumberedBox]>>,
    source: Source,
    /// The pixels that a caller holds, if any. Not a slice: a weak reference to a slice would keep its memory.
    #[expect(clippy::disallowed_types, reason = "clones of an observation share a picture across threads")]
    pixels: Mutex<Weak<Vec<u8>>>,
}

/// Where the pixels come from.
enum Source {
    Painted(Paint),
    Stored(BlobHandle),
}

/// Paints into pixels that are all black.
type Paint = Box<dyn Fn(&mut [u8]) -> Result<(), PictureError> + Send + Sync>;

/// The most pixels of a picture that is put together from others.
const MAX_COMPOSED_PIXELS: u64 = 1 << 26;

impl Picture {
    /// A picture of these pixels, which it holds; `None` if `rgb` does not have exactly `width * height * 3` bytes or a
    /// side is 0. `grain` is the side of a tile in pixels, 1 for a picture without tiles; viewers that scale a picture
    /// keep tiles equal in size. A picture that can be painted or stored needs less memory.
    pub fn new(width: u32, height: u32, grain: u32, rgb: Vec<u8>) -> Option<Self> {
        let bytes = u64::from(width) * u64::from(height) * 3;
        (bytes == rgb.len() as u64).then(|| {
            Self::painted(width, height, grain, move |pixels: &mut [u8]| pixels.copy_from_slice(&rgb))
        })?
    }

    /// A picture that `paint` paints into black pixels whenever its pixels are asked for: the same ones each time.
    /// `None` if a side or the grain is 0.
    pub fn painted(
        width: u32,
        height: u32,
        grain: u32,
        paint: impl Fn(&mut [u8]) + Send + Sync + 'static,
    ) -> Option<Self> {
        let paint = move |pixels: &mut [u8]| {
            paint(pixels);
            Ok(())
        };
        Self::from_source(width, height, grain, Source::Painted(Box::new(paint)))
    }

    /// A picture without tiles that `paint` puts together from others into black pixels whenever its pixels are asked
    /// for. `None` if a side is 0, or if it has more than 2^26 pixels.
    pub fn composed(
        width: u32,
        height: u32,
        paint: impl Fn(&mut [u8]) -> Result<(), PictureError> + Send + Sync + 'static,
    ) -> Option<Self> {
        let fits = u64::from(width) * u64::from(height) <= MAX_COMPOSED_PIXELS;
        fits.then(|| Self::from_source(width, height, 1, Source::Painted(Box::new(paint))))?
    }

    /// The same picture with something that `paint` paints over its pixels whenever they are asked for.
    #[must_use]
    pub fn painted_over(self: &Arc<Self>, paint: impl Fn(&mut [u8]) + Send + Sync + 'static) -> Self {
        let below = self.clone();
        let paint = move |pixels: &mut [u8]| {
            pixels.copy_from_slice(&below.pixels()?);
            paint(pixels);
            Ok(())
        };
        let source = Source::Painted(Box::new(paint));
        let pixels = Weak::new().into();
        Self {
            width: self.width,
            height: self.height,
            grain: self.grain,
            detail: self.detail,
            numbers: None,
            source,
            pixels,
        }
    }

    /// The same picture with these boxes and their numbers painted over its pixels whenever they are asked for. They replace
    /// those that it has, and are stored beside its blob, not in it.
    #[must_use]
    pub fn with_numbers(self, numbers: Arc<[NumberedBox]>) -> Self {
        let numbers = Some(numbers).filter(|numbers| !numbers.is_empty());
        Self { numbers, pixels: Weak::new().into(), ..self }
    }

    /// The boxes that are painted over its pixels.
    pub fn numbers(&self) -> &[NumberedBox] {
        self.numbers.as_deref().unwrap_or_default()
    }

    /// A PNG or JPEG picture in a blob, with the width and height that it is known to have; `None` if one of them or
    /// the grain is 0. A blob with another size is an error when its pixels are asked for.
    pub fn stored(blob: BlobHandle, (width, height): (u32, u32), grain: u32) -> Option<Self> {
        Self::from_source(width, height, grain, Source::Stored(blob))
    }

    /// A PNG or JPEG picture in a blob, whose size is read from the blob.
    pub fn open(blob: BlobHandle, grain: u32) -> Result<Self, PictureError> {
        let size = decode::size(&blob)?;
        Self::stored(blob, size, grain).ok_or(PictureError::Empty)
    }

    /// The picture of a PNG or JPEG file, which is put into this store. It is decoded once, so that a broken one is refused.
    pub fn of_file(bytes: &[u8], store: &Arc<dyn BlobStore>) -> Result<Self, PictureError> {
        let media_type = if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
        let picture = Self::open(BlobHandle::store(store, media_type, bytes)?, 1)?;
        picture.pixels()?;
        Ok(picture)
    }

    fn from_source(width: u32, height: u32, grain: u32, source: Source) -> Option<Self> {
        usize::try_from(u64::from(width) * u64::from(height) * 3).ok()?;
        let pixels = Weak::new().into();
        (width > 0 && height > 0 && grain > 0).then_some(Self {
            width,
            height,
            grain,
            detail: 1,
            numbers: None,
            source,
            pixels,
        })
    }

    /// The width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The side of a tile in pixels; 1 for a picture without tiles.
    pub fn grain(&self) -> u32 {
        self.grain
    }

    /// The same picture, whose smallest things that matter have so many pixels. Viewers prefer the text of an observation
    /// where they would be too small to be told apart.
    #[must_use]
    pub fn with_detail(self, detail: u32) -> Self {
        Self { detail, ..self }
    }

    /// The pixels of the smallest things that matter; 1 if that is not known.
    pub fn detail(&self) -> u32 {
        self.detail
    }

    /// The blob of a stored picture; `None` for a painted one.
    pub fn blob(&self) -> Option<&BlobHandle> {
        match &self.source {
            Source::Painted(_) => None,
            Source::Stored(blob) => Some(blob),
        }
    }

    /// The pixels, three bytes each. They are painted or decoded unless a caller still holds those of an earlier call.
    /// Painting never fails, putting together does where one of the pictures fails.
    pub fn pixels(&self) -> Result<Arc<Vec<u8>>, PictureError> {
        if let Some(pixels) = self.held().upgrade() {
            return Ok(pixels);
        }
        let mut pixels = match &self.source {
            Source::Painted(paint) => self.paint(paint)?,
            Source::Stored(blob) => decode::pixels(blob, (self.width, self.height))?,
        };
        numbers::paint(&mut pixels, (self.width, self.height), self.numbers());
        let pixels = Arc::new(pixels);
        *self.held() = Arc::downgrade(&pixels);
        Ok(pixels)
    }

    /// The picture as PNG.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let pixels = self.pixels()?;
        let mut bytes = Vec::new();
        PngEncoder::new(&mut bytes)
            .write_image(&pixels, self.width, self.height, ExtendedColorType::Rgb8)
            .map_err(|error| PictureError::Encoding(error.to_string()))?;
        Ok(bytes)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Weak<Vec<u8>>> {
        self.pixels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paint(&self, paint: &Paint) -> Result<Vec<u8>, PictureError> {
        let bytes = usize::try_from(u64::from(self.width) * u64::from(self.height) * 3).unwrap_or(0);
        let mut pixels = vec![0; bytes];
        paint(&mut pixels)?;
        Ok(pixels)
    }
}

/// Pictures in blobs are equal if their blobs are; others are compared pixel by pixel.
impl PartialEq for Picture {
    fn eq(&self, other: &Self) -> bool {
        let shape = |picture: &Self| (picture.width, picture.height, picture.grain);
        shape(self) == shape(other)
            && match (&self.source, &other.source) {
                (Source::Stored(one), Source::Stored(below)) => one == below && self.numbers == other.numbers,
                _ => self.pixels() == other.pixels(),
            }
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::atomic::{AtomicU32, Ordering};

    use image::{ImageFormat, RgbImage};
    use proptest::prelude::*;

    use super::super::{BlobError, BlobRef, BlobStore, MemoryBlobStore};
    use super::*;

    #[test]
    fn a_picture_has_exactly_its_pixels() {
        assert!(Picture::new(2, 1, 1, vec![0; 6]).is_some());
        assert!(Picture::new(2, 1, 1, vec![0; 5]).is_none());
        assert!(Picture::new(0, 1, 1, vec![]).is_none());
        assert!(Picture::new(1, 1, 0, vec![0; 3]).is_none());
        let part = Picture::painted(1, 2, 1, |pixels| pixels[..4].fill(9)).unwrap();
        assert_eq!(*part.pixels().unwrap(), [9, 9, 9, 9, 0, 0]);
    }

    #[test]
    fn pixels_are_painted_once_while_they_are_held_and_then_forgotten() {
        let times = Arc::new(AtomicU32::new(0));
        let count = times.clone();
        let picture = Picture::painted(1, 1, 1, move |_| _ = count.fetch_add(1, Ordering::Relaxed)).unwrap();
        let held = picture.pixels().unwrap();
        assert!(Arc::ptr_eq(&held, &picture.pixels().unwrap()));
        assert_eq!((times.load(Ordering::Relaxed), Arc::strong_count(&held)), (1, 1));
        drop(held);
        assert!(picture.held().upgrade().is_none());
        assert_eq!(picture.pixels().unwrap().len(), 3);
        assert_eq!(times.load(Ordering::Relaxed), 2);
    }

    fn store() -> Arc<dyn BlobStore> {
        Arc::new(MemoryBlobStore::default())
    }

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let image =
            RgbImage::from_fn(width, height, |x, y| image::Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 7]));
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_stored_picture_is_decoded_when_it_is_asked_for() {
        let blob = BlobHandle::store(&store(), "image/png", &encoded(3, 2, ImageFormat::Png)).unwrap();
        let picture = Picture::open(blob.clone(), 1).unwrap();
        assert_eq!((picture.width(), picture.height()), (3, 2));
        assert_eq!(picture.pixels().unwrap()[..6], [0, 0, 7, 1, 0, 7]);
        assert_eq!(picture, Picture::stored(blob.clone(), (3, 2), 1).unwrap());
        let wrong = Picture::stored(blob, (2, 3), 1).unwrap();
        assert!(matches!(wrong.pixels(), Err(PictureError::Size { actual: (3, 2), .. })));
        let jpeg = BlobHandle::store(&store(), "image/jpeg", &encoded(9, 5, ImageFormat::Jpeg)).unwrap();
        assert_eq!(Picture::open(jpeg, 1).unwrap().pixels().unwrap().len(), 9 * 5 * 3);
    }

    #[test]
    fn a_missing_blob_and_an_unknown_format_are_errors() {
        let missing = BlobHandle::new(BlobRef::of("image/png", b"x"), store());
        assert!(matches!(Picture::open(missing, 1), Err(PictureError::Blob(BlobError::Missing(_)))));
        let page = BlobHandle::store(&store(), "text/html", b"x").unwrap();
        assert!(matches!(Picture::open(page, 1), Err(PictureError::Format(_))));
    }

    /// The size of the first chunk of a PNG, with a valid checksum.
    fn resized(mut png: Vec<u8>, width: u32, height: u32) -> Vec<u8> {
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let sum = png[12..29].iter().fold(!0_u32, |sum, byte| {
            (0..8)
                .fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
        });
        png[29..33].copy_from_slice(&(!sum).to_be_bytes());
        png
    }

    #[test]
    fn a_small_file_that_declares_a_huge_picture_is_refused_before_it_is_decoded() {
        for (width, height) in [(1 << 30, 1 << 30), (30_000, 30_000), (1, 1 << 20)] {
            let bytes = resized(encoded(3, 2, ImageFormat::Png), width, height);
            let blob = BlobHandle::store(&store(), "image/png", &bytes).unwrap();
            let error = Picture::open(blob, 1).unwrap_err();
            assert_eq!(error, PictureError::TooLarge, "{width}x{height}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn hostile_bytes_are_an_error_and_never_a_panic(
            jpeg in any::<bool>(), changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..6),
            cut in any::<proptest::sample::Index>(), cuts in any::<bool>(),
        ) {
            let (media, format) =
                if jpeg { ("image/jpeg", ImageFormat::Jpeg) } else { ("image/png", ImageFormat::Png) };
            let mut bytes = encoded(20, 10, format);
            for (place, value) in changes {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
            if cuts {
                bytes.truncate(cut.index(bytes.len()));
            }
            let blob = BlobHandle::store(&store(), media, &bytes).unwrap();
            if let Ok(picture) = Picture::open(blob, 1)
                && let Ok(pixels) = picture.pixels()
            {
                prop_assert_eq!(pixels.len() as u64, u64::from(picture.width()) * u64::from(picture.height()) * 3);
            }
        }
    }
}
