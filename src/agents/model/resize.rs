//! Scales frames with a Lanczos filter. The result has the same bytes as `image::imageops::resize`, because recordings
//! have the digests of such images, but takes a fraction of the time: several lines of the result are made at once, and
//! the sums of one pixel of all of them stay in registers.

use std::ops::Range;

use smallvec::SmallVec;

/// The bytes of a pixel.
pub(super) const CHANNELS: usize = 3;
/// The radius of the filter, in pixels of the larger of both sizes.
const RADIUS: f32 = 3.0;
/// So many lines of the result are made at once.
const LINES: usize = 8;
/// The values of one column of these lines.
const LANES: usize = LINES * CHANNELS;
/// So many values of a line are summed at once.
const BLOCK: usize = 16;

/// The filters that scale frames from one width and height, in pixels, to another.
#[derive(Debug)]
pub(super) struct Scaling {
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
    pub(super) columns: Vec<Taps>,
    pub(super) rows: Vec<Taps>,
}

impl Scaling {
    /// None of the sides is 0.
    pub(super) fn new(from: (usize, usize), to: (usize, usize)) -> Self {
        Self { from, to, columns: filter(from.0, to.0), rows: filter(from.1, to.1) }
    }

    /// Scales all RGB pixels.
    pub(super) fn scale(&self, pixels: &[u8]) -> Vec<u8> {
        let mut result = vec![0; self.to.0 * self.to.1 * CHANNELS];
        self.scale_region(pixels, (0..self.to.0, 0..self.to.1), &mut result);
        result
    }

    /// Makes these columns and rows of the result.
    pub(super) fn scale_region(
        &self,
        pixels: &[u8],
        (columns, rows): (Range<usize>, Range<usize>),
        result: &mut [u8],
    ) {
        let taps = &self.columns[columns.clone()];
        let length = self.to.0 * CHANNELS;
        let Some((first, last)) = taps.first().zip(taps.last()) else { return };
        let source = first.first..last.first + last.weights.len();
        let mut summed = vec![[0.0; LANES]; source.len()];
        let lines = result[rows.start * length..rows.end * length].chunks_mut(LINES * length);
        for (lines, rows) in lines.zip(self.rows[rows].chunks(LINES)) {
            sum_rows(pixels, self.from.0, &source, rows, &mut summed);
            let mut lines: SmallVec<[&mut [u8]; LINES]> = lines
                .chunks_mut(length)
                .map(|line| &mut line[columns.start * CHANNELS..columns.end * CHANNELS])
                .collect();
            sum_columns(&summed, source.start, taps, &mut lines);
        }
    }
}

/// The rows or columns that make up one of the result: the first of them, and their weights.
#[derive(Debug)]
pub(super) struct Taps {
    pub(super) first: usize,
    pub(super) weights: Vec<f32>,
}

/// Sums rows of these columns of a frame of this width for some lines, column by column of the result.
fn sum_rows(
    pixels: &[u8],
    width: usize,
    columns: &Range<usize>,
    lines: &[Taps],
    summed: &mut [[f32; LANES]],
) {
    let mut sums = vec![0.0; columns.len() * CHANNELS];
    for (line, taps) in lines.iter().enumerate() {
        let rows = pixels.chunks_exact(width * CHANNELS).skip(taps.first);
        let rows = rows.map(|row| &row[columns.start * CHANNELS..]).zip(&taps.weights);
        sum_line(&rows, &mut sums);
        let (sums, _) = sums.as_chunks::<CHANNELS>();
        for (column, sums) in summed.iter_mut().zip(sums) {
            column[line * CHANNELS..][..CHANNELS].copy_from_slice(sums);
        }
    }
}

/// The weighted sum of rows.
fn sum_line<'a>(rows: &(impl Iterator<Item = (&'a [u8], &'a f32)> + Clone), sums: &mut [f32]) {
    for (block, sums) in sums.chunks_mut(BLOCK).enumerate() {
        let mut block_sums = [0.0; BLOCK];
        for (row, weight) in rows.clone() {
            let values = row.get(block * BLOCK..).unwrap_or_default();
            match values.first_chunk::<BLOCK>() {
                Some(values) => add(&mut block_sums, values, *weight),
                None => add(&mut block_sums, values, *weight),
            }
        }
        sums.copy_from_slice(&block_sums[..sums.len()]);
    }
}

fn add(sums: &mut [f32], values: &[u8], weight: f32) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += f32::from(*value) * weight;
    }
}

/// Sums columns, of which the first one in `summed` has this number, and writes some lines of the result.
fn sum_columns(summed: &[[f32; LANES]], from: usize, columns: &[Taps], lines: &mut [&mut [u8]]) {
    for (column, taps) in columns.iter().enumerate() {
        let mut sums = [0.0; LANES];
        for (values, weight) in summed.iter().skip(taps.first - from).zip(&taps.weights) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value * weight;
            }
        }
        let mut rounded = [0; LANES];
        for (rounded, sum) in rounded.iter_mut().zip(sums) {
            *rounded = round(sum);
        }
        for (line, pixel) in lines.iter_mut().zip(rounded.as_chunks::<CHANNELS>().0) {
            line[column * CHANNELS..][..CHANNELS].copy_from_slice(pixel);
        }
    }
}

/// The nearest integer; halves are rounded up. Of additions and comparisons only, so that many values are rounded at
/// once: a sum with 2^23 is a whole number, with halves rounded to even.
#[expect(clippy::cast_possible_truncation, reason = "the value is between 0 and 255")]
fn round(value: f32) -> u8 {
    const WHOLE: f32 = 8_388_608.0;
    let value = value.clamp(0.0, 255.0);
    let nearest = (value + WHOLE) - WHOLE;
    let half = if value - nearest >= 0.5 { 1.0 } else { 0.0 };
    (nearest + half + WHOLE).to_bits() as u8
}

/// The filter from one size to another, with the arithmetic of the crate `image`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "sizes of pictures are far below 2^24, and the bounds are clamped to them"
)]
fn filter(from: usize, to: usize) -> Vec<Taps> {
    let ratio = from as f32 / to as f32;
    let scale = if ratio < 1.0 { 1.0 } else { ratio };
    let taps = |row: usize| {
        let centre = (row as f32 + 0.5) * ratio;
        let first = ((centre - RADIUS * scale).floor().max(0.0) as usize).min(from - 1);
        let end = ((centre + RADIUS * scale).ceil().max(0.0) as usize).clamp(first + 1, from);
        let weights = (first..end).map(|row| lanczos((row as f32 - (centre - 0.5)) / scale));
        let mut weights: Vec<f32> = weights.collect();
        let sum = weights.iter().fold(0.0, |sum, weight| sum + weight);
        for weight in &mut weights {
            *weight /= sum;
        }
        Taps { first, weights }
    };
    (0..to).map(taps).collect()
}

fn lanczos(x: f32) -> f32 {
    if x.abs() < RADIUS { sinc(x) * sinc(x / RADIUS) } else { 0.0 }
}

fn sinc(x: f32) -> f32 {
    let angle = x * std::f32::consts::PI;
    if x == 0.0 { 1.0 } else { angle.sin() / angle }
}

#[cfg(test)]
mod tests {
    use image::imageops::FilterType;
    use image::{ImageBuffer, Rgb, imageops};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_rounded_to_the_nearest_integer() {
        for value in [-3.0, 0.0, 0.499_999_97, 0.5, 1.5, 2.499_999_8, 254.5, 254.999_98, 255.0, 255.4, 300.0]
        {
            let expected: f32 = value;
            assert_eq!(f32::from(round(value)), expected.clamp(0.0, 255.0).round(), "{value}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_picture_is_scaled_to_the_same_bytes_as_by_the_image_crate(
            from in (1_u32..70, 1_u32..70), to in (1_u32..130, 1_u32..130), seed in any::<u8>(),
        ) {
            let size = usize::try_from(from.0 * from.1 * 3).unwrap();
            let pixels: Vec<u8> =
                (0..size).map(|byte| (byte.wrapping_mul(byte ^ usize::from(seed)) >> 3).to_le_bytes()[0]).collect();
            prop_assume!(from != to);
            let known = ImageBuffer::<Rgb<u8>, &[u8]>::from_raw(from.0, from.1, &pixels).unwrap();
            let expected = imageops::resize(&known, to.0, to.1, FilterType::Lanczos3);
            let sides = |size: (u32, u32)| (size.0 as usize, size.1 as usize);
            prop_assert!(Scaling::new(sides(from), sides(to)).scale(&pixels) == *expected.as_raw());
        }
    }
}
