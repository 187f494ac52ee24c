//! Pictures that are put together from two others when their pixels are asked for.

use std::sync::Arc;

use super::super::{Picture, PictureError};

/// The columns between two pictures side by side.
const GAP: u32 = 16;
/// What is not covered by a picture.
const GROUND: u8 = 128;
/// The lightness that equal pixels have at least, so that differences are darker.
const EQUAL_LIGHT: u32 = 176;

/// Two pictures side by side, aligned at their tops; `None` if the result is too large.
pub fn side_by_side(left: &Arc<Picture>, right: &Arc<Picture>) -> Option<Picture> {
    let start = left.width().checked_add(GAP)?;
    let width = start.checked_add(right.width())?;
    let height = left.height().max(right.height());
    let left = left.clone();
    let right = right.clone();
    Picture::composed(width, height, move |pixels| {
        pixels.fill(GROUND);
        place(pixels, width, &left, 0)?;
        place(pixels, width, &right, start)
    })
}

/// Where two pictures differ: equal pixels are pale and grey, others red, darker and stronger the more they differ.
/// Aligned at the upper left corner; pixels that only one of them has differ entirely. `None` if the result is too
/// large.
pub fn difference(first: &Arc<Picture>, second: &Arc<Picture>) -> Option<Picture> {
    let width = first.width().max(second.width());
    let height = first.height().max(second.height());
    let first = first.clone();
    let second = second.clone();
    Picture::composed(width, height, move |pixels| {
        let one = first.pixels()?;
        let other = second.pixels()?;
        let rows = pixels.chunks_exact_mut(length(width).max(1));
        for (y, row) in rows.enumerate() {
            let one = row_of(&one, &first, y);
            let other = row_of(&other, &second, y);
            let mut pixels = [one, other].map(|row| row.chunks_exact(3));
            for pixel in row.chunks_exact_mut(3) {
                let [one, other] = pixels.each_mut().map(Iterator::next);
                pixel.copy_from_slice(&difference_color(one, other));
            }
        }
        Ok(())
    })
}

/// Copies a picture to these columns.
fn place(pixels: &mut [u8], width: u32, picture: &Picture, column: u32) -> Result<(), PictureError> {
    let source = picture.pixels()?;
    let start = length(column);
    for (y, row) in pixels.chunks_exact_mut(length(width).max(1)).enumerate() {
        let from = row_of(&source, picture, y);
        if let Some(place) = row.get_mut(start..start + from.len()) {
            place.copy_from_slice(from);
        }
    }
    Ok(())
}

/// The bytes of so many pixels.
fn length(pixels: u32) -> usize {
    usize::try_from(u64::from(pixels) * 3).unwrap_or(usize::MAX)
}

/// A row of a picture; empty below its last one.
fn row_of<'a>(pixels: &'a [u8], picture: &Picture, y: usize) -> &'a [u8] {
    let bytes = length(picture.width());
    pixels.get(y.saturating_mul(bytes)..).and_then(|rest| rest.get(..bytes)).unwrap_or_default()
}

fn difference_color(one: Option<&[u8]>, other: Option<&[u8]>) -> [u8; 3] {
    let (Some(one), Some(other)) = (one, other) else { return difference_red(u8::MAX) };
    let most = one.iter().zip(other).map(|(one, other)| one.abs_diff(*other)).max().unwrap_or(0);
    if most > 0 {
        return difference_red(most);
    }
    let mean = one.iter().map(|value| u32::from(*value)).sum::<u32>() / 3;
    [byte(EQUAL_LIGHT + mean * (255 - EQUAL_LIGHT) / 255); 3]
}

/// A red for pixels whose channels differ by at most this much.
fn difference_red(most: u8) -> [u8; 3] {
    let rest = 120 - u32::from(most) * 100 / 255;
    [220, byte(rest), byte(rest)]
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, rgb: &[u8]) -> Arc<Picture> {
        Picture::new(width, height, 1, rgb.to_vec()).unwrap().into()
    }

    #[test]
    fn two_pictures_are_placed_side_by_side() {
        let both = side_by_side(&picture(1, 2, &[1, 2, 3, 4, 5, 6]), &picture(2, 1, &[7; 6])).unwrap();
        assert_eq!((both.width(), both.height(), both.grain()), (GAP + 3, 2, 1));
        let pixels = both.pixels().unwrap();
        let row = length(GAP + 3);
        let gap = vec![GROUND; length(GAP)];
        assert_eq!(
            (&pixels[..3], &pixels[3..row - 6], &pixels[row - 6..row]),
            (&[1, 2, 3][..], &*gap, &[7; 6][..])
        );
        assert_eq!((&pixels[row..row + 3], &pixels[2 * row - 6..]), (&[4, 5, 6][..], &[GROUND; 6][..]));
    }

    #[test]
    fn equal_pixels_are_grey_and_others_red() {
        let one = picture(3, 1, &[0, 0, 0, 255, 255, 255, 10, 20, 30]);
        let other = picture(2, 2, &[0, 0, 0, 255, 250, 255, 9, 9, 9, 9, 9, 9]);
        let found = difference(&one, &other).unwrap();
        assert_eq!((found.width(), found.height()), (3, 2));
        let pixels = found.pixels().unwrap();
        let all = difference_red(255);
        assert_eq!(pixels[..6], [176, 176, 176, 220, 119, 119]);
        assert_eq!(pixels[6..], [all; 4].concat());
        let same = difference(&one, &one).unwrap();
        assert!(same.pixels().unwrap().chunks_exact(3).all(|pixel| pixel[0] == pixel[1] && pixel[0] >= 176));
    }

    #[test]
    fn a_picture_that_cannot_be_loaded_is_an_error() {
        use super::super::super::{BlobHandle, BlobRef, MemoryBlobStore};
        let missing = BlobHandle::new(BlobRef::of("image/png", b"x"), Arc::new(MemoryBlobStore::default()));
        let lost = Arc::new(Picture::stored(missing, (1, 1), 1).unwrap());
        let there = picture(1, 1, &[0; 3]);
        for composed in [side_by_side(&there, &lost), difference(&lost, &there)] {
            assert!(matches!(composed.unwrap().pixels(), Err(PictureError::Blob(_))));
        }
    }
}
