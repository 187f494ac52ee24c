//! Scales frames with a Lanczos filter. The result has the same bytes as `image::imageops::resize`, because recordings
//! have the digests of such images, but takes a fraction of the time: several lines of the result are made at once, and
//! the sums of one pixel of all of them stay in registers.

/// The bytes of a pixel.
const CHANNELS: usize = 3;
/// The radius of the filter, in pixels of the larger of both sizes.
const RADIUS: f32 = 3.0;
/// So many lines of the result are made at once.
const LINES: usize = 8;
/// The values of one column of these lines.
const LANES: usize = LINES * CHANNELS;
/// So many values of a line are summed at once.
const BLOCK: usize = 16;

/// Scales RGB pixels from one width and height to another, none of which is 0.
pub(super) fn resize(pixels: &[u8], from: (usize, usize), to: (usize, usize)) -> Vec<u8> {
    let (rows, columns) = (filter(from.1, to.1), filter(from.0, to.0));
    let mut summed = vec![[0.0; LANES]; from.0];
    let mut result = vec![0; to.0 * to.1 * CHANNELS];
    let lines = result.chunks_mut(LINES * to.0 * CHANNELS);
    for (lines, rows) in lines.zip(rows.chunks(LINES)) {
        sum_rows(pixels, from.0 * CHANNELS, rows, &mut summed);
        sum_columns(&summed, &columns, lines);
    }
    result
}

/// The rows or columns that make up one of the result: the first of them, and their weights.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// Sums rows of this length for some lines, column by column of the result.
fn sum_rows(pixels: &[u8], length: usize, lines: &[Taps], summed: &mut [[f32; LANES]]) {
    let mut sums = vec![0.0; length];
    for (line, taps) in lines.iter().enumerate() {
        sum_line(pixels.get(taps.first * length..).unwrap_or_default(), &taps.weights, &mut sums);
        let (sums, _) = sums.as_chunks::<CHANNELS>();
        for (column, sums) in summed.iter_mut().zip(sums) {
            column[line * CHANNELS..][..CHANNELS].copy_from_slice(sums);
        }
    }
}

/// The weighted sum of as many rows as there are weights.
fn sum_line(rows: &[u8], weights: &[f32], sums: &mut [f32]) {
    let length = sums.len();
    for (block, sums) in sums.chunks_mut(BLOCK).enumerate() {
        let mut block_sums = [0.0; BLOCK];
        for (row, weight) in rows.chunks_exact(length).zip(weights) {
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

/// Sums columns, and writes some lines of the result.
fn sum_columns(summed: &[[f32; LANES]], columns: &[Taps], lines: &mut [u8]) {
    let width = columns.len() * CHANNELS;
    for (column, taps) in columns.iter().enumerate() {
        let mut sums = [0.0; LANES];
        for (values, weight) in summed.iter().skip(taps.first).zip(&taps.weights) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value * weight;
            }
        }
        let mut rounded = [0; LANES];
        for (rounded, sum) in rounded.iter_mut().zip(sums) {
            *rounded = round(sum);
        }
        for (line, pixel) in lines.chunks_exact_mut(width).zip(rounded.as_chunks::<CHANNELS>().0) {
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
    use image::ImageBuffer;
    use image::Rgb;
    use image::imageops;
    use image::imageops::FilterType;
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
            prop_assert!(resize(&pixels, sides(from), sides(to)) == *expected.as_raw());
        }
    }
}
