//! Scales frames with a Lanczos filter. The result has the same bytes as `image::imageops::resize`, because recordings
//! have the digests of such images, but takes a fraction of the time: whole rows are summed instead of single pixels.

/// The bytes of a pixel.
const CHANNELS: usize = 3;
/// The radius of the filter, in pixels of the larger of both sizes.
const RADIUS: f32 = 3.0;

/// Scales RGB pixels from one width and height to another, none of which is 0.
pub(super) fn resize(pixels: &[u8], from: (usize, usize), to: (usize, usize)) -> Vec<u8> {
    let higher = sum_rows(pixels, from.0 * CHANNELS, &filter(from.1, to.1));
    let turned = transpose(&higher, from.0);
    let wider = sum_rows(&turned, to.1 * CHANNELS, &filter(from.0, to.0));
    transpose(&wider.into_iter().map(round).collect::<Vec<u8>>(), to.1)
}

/// The rows that make up one row of the result: the first of them, and their weights.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// Each row of the result is the weighted sum of some rows of this length.
fn sum_rows<T: Copy + Into<f32>>(rows: &[T], length: usize, filter: &[Taps]) -> Vec<f32> {
    let mut result = vec![0.0; length * filter.len()];
    for (sum, taps) in result.chunks_exact_mut(length).zip(filter) {
        for (row, weight) in rows.chunks_exact(length).skip(taps.first).zip(&taps.weights) {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += (*value).into() * weight;
            }
        }
    }
    result
}

/// Turns rows of so many pixels into columns.
fn transpose<T: Copy>(values: &[T], width: usize) -> Vec<T> {
    let (pixels, _) = values.as_chunks::<CHANNELS>();
    let mut columns = Vec::with_capacity(pixels.len());
    for column in 0..width {
        columns.extend(pixels.iter().skip(column).step_by(width));
    }
    columns.into_flattened()
}

/// The nearest integer; halves are rounded up. Faster than `f32::round`, which is a call on many processors.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is between 0 and 255")]
fn round(value: f32) -> u8 {
    let value = value.clamp(0.0, 255.0);
    let whole = value as u8;
    whole + u8::from(value - f32::from(whole) >= 0.5)
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
