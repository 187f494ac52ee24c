//! The size of a frame on the screen, and its pixels at that size.

use image::imageops::FilterType;
use image::{GenericImageView, ImageBuffer, Rgb, RgbImage, imageops};
use ratatui::layout::Size;

use super::placement::{Crop, Placement};
use super::room::PictureRoom;
use crate::theme::ColorDepth;
use mageyard_domain::{Picture, PictureError};

/// The part of a picture with these pixels that is shown, scaled to the size of the placement.
pub(super) fn scale(picture: &Picture, pixels: &[u8], shown: Placement) -> Result<RgbImage, PictureError> {
    let source = ImageBuffer::<Rgb<u8>, &[u8]>::from_raw(picture.width(), picture.height(), pixels);
    let source = source.ok_or(PictureError::Empty)?;
    let Crop { left, top, width, height } = shown.crop;
    let (across, down) = shown.size;
    let part = source.view(left, top, width, height);
    Ok(if across <= width && down <= height {
        let whole_tiles = picture.grain() > 1 && (across * picture.grain()).is_multiple_of(width);
        if whole_tiles { shrink_tiles(&*part, across, down) } else { shrink(&*part, across, down) }
    } else {
        // Tiles stay crisp; photographs and pages become smooth.
        let filter = if picture.grain() > 1 { FilterType::Nearest } else { FilterType::Triangle };
        imageops::resize(&*part, across, down, filter)
    })
}

/// Shrinks by area: each pixel is the weighted mean of the pixels that it covers. Unlike faster filters this keeps
/// equal tiles equal and symmetrical ones symmetrical.
pub(super) fn shrink(source: &impl GenericImageView<Pixel = Rgb<u8>>, width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let mut sum = [0u64; 3];
        let mut weight = 0u64;
        for (pixel, share) in covered(source, (x, y), (width, height)) {
            for (sum, value) in sum.iter_mut().zip(pixel.0) {
                *sum += share * u64::from(value);
            }
            weight += share;
        }
        Rgb(sum.map(|sum| u8::try_from((sum + weight / 2) / weight.max(1)).unwrap_or(u8::MAX)))
    })
}

/// Shrinks tiles and keeps their colours: each pixel is the one of those that it covers that is nearest to their mean. So
/// figures keep their edges, and a picture of cells has few colours, each of which costs bytes.
fn shrink_tiles(source: &impl GenericImageView<Pixel = Rgb<u8>>, width: u32, height: u32) -> RgbImage {
    let mut means = shrink(source, width, height);
    for (x, y, mean) in means.enumerate_pixels_mut() {
        let far = |pixel: &Rgb<u8>| -> u32 {
            pixel.0.into_iter().zip(mean.0).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
        };
        let nearest = covered(source, (x, y), (width, height)).map(|(pixel, _)| pixel).min_by_key(far);
        *mean = nearest.unwrap_or(*mean);
    }
    means
}

/// The pixels that a pixel of a smaller size covers, each with its weight.
fn covered(
    source: &impl GenericImageView<Pixel = Rgb<u8>>,
    (x, y): (u32, u32),
    (width, height): (u32, u32),
) -> impl Iterator<Item = (Rgb<u8>, u64)> {
    covered_pixels(y, source.height(), height).flat_map(move |(row, high)| {
        covered_pixels(x, source.width(), width)
            .map(move |(column, wide)| (source.get_pixel(column, row), u64::from(high) * u64::from(wide)))
    })
}

/// The pixels of `old` that pixel `at` of `new` covers, each with its weight.
fn covered_pixels(at: u32, old: u32, new: u32) -> impl Iterator<Item = (u32, u32)> {
    let start = at * old;
    let end = (at + 1) * old;
    (start / new..end.div_ceil(new))
        .map(move |pixel| (pixel, end.min((pixel + 1) * new) - start.max(pixel * new)))
}

/// The least half cells per tile at which tiles get a whole number of them, even if that leaves room unused.
const WHOLE_TILE: u32 = 4;
/// The least half cells per tile at which tiles can be told apart.
const LEGIBLE_TILE: u32 = 3;

/// The tiles of a picture across and down; `None` if it does not consist of whole tiles.
fn tile_count(picture: &Picture) -> Option<(u32, u32)> {
    let across = picture.width() / picture.grain();
    let down = picture.height() / picture.grain();
    let whole =
        picture.width().is_multiple_of(picture.grain()) && picture.height().is_multiple_of(picture.grain());
    (across > 0 && down > 0 && whole).then_some((across, down))
}

/// Whether a picture is legible in a pane of this size with these colours. Tiles must be large enough to be told
/// apart, larger ones with 16 colours. A picture without tiles needs more than 16 colours, and at least one and a half half
/// cells for its smallest details, if they are known.
pub fn is_legible(picture: &Picture, room: Size, depth: ColorDepth) -> bool {
    let wide = u32::from(room.width);
    let high = u32::from(room.height) * 2;
    let few_colors = depth == ColorDepth::Ansi16;
    let least = if few_colors { WHOLE_TILE } else { LEGIBLE_TILE };
    match tile_count(picture).filter(|_| picture.grain() > 1) {
        Some((across, down)) => wide >= least * across && high >= least * down,
        None if picture.detail() > 1 => {
            let enough = |side: u32, shown: u32| 2 * picture.detail() * shown >= 3 * side;
            !few_colors && enough(picture.width(), wide) && enough(picture.height(), high)
        }
        None => !few_colors,
    }
}

/// The size in half cells. Large tiles get a whole number of half cells each. Pictures with small tiles or none
/// use all the room and keep their proportions.
pub fn fitted_size(picture: &Picture, room: PictureRoom) -> Option<(u32, u32)> {
    let (wide, high) = room.half_cells();
    let width = picture.width();
    let height = picture.height();
    if wide == 0 || high == 0 {
        return None;
    }
    if let Some((across, down)) = tile_count(picture).filter(|_| room.has_whole_tiles()) {
        let tile = (wide / across).min(high / down);
        let crisp = if picture.grain() > 1 { WHOLE_TILE } else { 1 };
        if tile >= crisp {
            return Some((across * tile, down * tile));
        }
    }
    Some(room.proportional((width, height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrunk_tiles_keep_their_colours_and_other_pictures_are_mixed() {
        // Two tiles of 16 pixels, each with a frame of one pixel.
        let ground = |x: usize, y: usize| (1..15).contains(&(x % 16)) && (1..15).contains(&y);
        let pixels: Vec<u8> = (0..16 * 32)
            .flat_map(|at| if ground(at % 32, at / 32) { [200, 40, 40] } else { [20, 20, 90] })
            .collect();
        let colors = |grain: u32, size: (u32, u32)| {
            let picture = Picture::new(32, 16, grain, pixels.clone()).unwrap();
            let crop = Crop { left: 0, top: 0, width: 32, height: 16 };
            let mut colors: Vec<[u8; 3]> = scale(&picture, &pixels, Placement { crop, size })
                .unwrap()
                .pixels()
                .map(|pixel| pixel.0)
                .collect();
            colors.sort_unstable();
            colors.dedup();
            colors
        };
        assert!(colors(16, (12, 6)).iter().all(|color| [[20, 20, 90], [200, 40, 40]].contains(color)));
        assert!(colors(1, (12, 6)).len() > 2);
        assert!(colors(16, (13, 6)).len() > 2, "the tiles have different sizes");
    }
}
