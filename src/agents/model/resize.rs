//! Scales frames with a Lanczos filter. The result has the same bytes as `image::imageops::resize`, because recordings
//! have the digests of such images, but takes a fraction of the time: several lines of the result are made at once, and
//! the sums of one pixel of all of them stay in registers.

use std::borrow::Cow;
use std::ops::Range;

use smallvec::SmallVec;

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

/// Frames of which the last one is kept take at most so many bytes before and after scaling together.
const KEPT_BYTES: usize = 1 << 19;

/// Scales one frame after the other. Those of an episode differ in few places, so only what depends on the pixels that
/// have changed since the last frame is made again.
#[derive(Debug, Default)]
pub(super) struct FrameScaler(Option<ScaledFrame>);

/// A frame before and after scaling.
#[derive(Debug)]
struct ScaledFrame {
    pixels: Vec<u8>,
    scaling: Scaling,
    result: Vec<u8>,
}

impl FrameScaler {
    /// Scales RGB pixels from one width and height to another, none of which is 0.
    pub(super) fn scale(&mut self, pixels: &[u8], from: (usize, usize), to: (usize, usize)) -> Cow<'_, [u8]> {
        let known = self.0.take().filter(|known| (known.scaling.from, known.scaling.to) == (from, to));
        let frame = if let Some(mut known) = known {
            known.change_to(pixels);
            known
        } else {
            let scaling = Scaling::new(from, to);
            let mut result = vec![0; to.0 * to.1 * CHANNELS];
            scaling.scale(pixels, (0..to.0, 0..to.1), &mut result);
            if pixels.len() + result.len() > KEPT_BYTES {
                return result.into();
            }
            ScaledFrame { pixels: pixels.to_vec(), scaling, result }
        };
        Cow::Borrowed(&self.0.insert(frame).result)
    }
}

impl ScaledFrame {
    fn change_to(&mut self, pixels: &[u8]) {
        let Scaling { from, columns, rows, .. } = &self.scaling;
        if let Some((changed_columns, changed_rows)) = changed_region(&self.pixels, pixels, from.0) {
            let region = (affected(columns, &changed_columns), affected(rows, &changed_rows));
            self.scaling.scale(pixels, region, &mut self.result);
            self.pixels.copy_from_slice(pixels);
        }
    }
}

/// The columns and rows within which two frames of this width differ, if they do.
fn changed_region(before: &[u8], now: &[u8], width: usize) -> Option<(Range<usize>, Range<usize>)> {
    let (mut columns, mut rows) = (None::<Range<usize>>, None::<Range<usize>>);
    let lines = before.chunks_exact(width * CHANNELS).zip(now.chunks_exact(width * CHANNELS));
    for (row, (before, now)) in lines.enumerate().filter(|(_, (before, now))| before != now) {
        let differ = |(before, now): (&u8, &u8)| before != now;
        let first = before.iter().zip(now).position(differ)? / CHANNELS;
        let end = before.iter().zip(now).rposition(differ)? / CHANNELS + 1;
        let known = columns.get_or_insert(first..end);
        *known = known.start.min(first)..known.end.max(end);
        rows.get_or_insert(row..row).end = row + 1;
    }
    columns.zip(rows)
}

/// The rows or columns of the result that are made up of one of these.
fn affected(taps: &[Taps], changed: &Range<usize>) -> Range<usize> {
    let first = taps.partition_point(|taps| taps.first + taps.weights.len() <= changed.start);
    first..taps.partition_point(|taps| taps.first < changed.end).max(first)
}

/// The way from one width and height to another.
#[derive(Debug)]
struct Scaling {
    from: (usize, usize),
    to: (usize, usize),
    columns: Vec<Taps>,
    rows: Vec<Taps>,
}

impl Scaling {
    fn new(from: (usize, usize), to: (usize, usize)) -> Self {
        Self { from, to, columns: filter(from.0, to.0), rows: filter(from.1, to.1) }
    }

    /// Makes these columns and rows of the result.
    fn scale(&self, pixels: &[u8], (columns, rows): (Range<usize>, Range<usize>), result: &mut [u8]) {
        let (taps, length) = (&self.columns[columns.clone()], self.to.0 * CHANNELS);
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
struct Taps {
    first: usize,
    weights: Vec<f32>,
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
            prop_assert!(*FrameScaler::default().scale(&pixels, sides(from), sides(to)) == *expected.as_raw());
        }

        #[test]
        fn a_frame_after_others_is_scaled_like_one_alone(
            from in (1_usize..50, 1_usize..50), to in (1_usize..90, 1_usize..90),
            changes in proptest::collection::vec(
                (any::<(u16, u16)>(), any::<(u8, u8)>(), any::<u8>(), any::<bool>()), 1..8),
        ) {
            let mut pixels = vec![90; from.0 * from.1 * CHANNELS];
            let mut scaler = FrameScaler::default();
            for ((column, row), (width, height), shade, turn) in changes {
                let (column, row) = (usize::from(column) % from.0, usize::from(row) % from.1);
                for row in row..from.1.min(row + usize::from(height) % 8) {
                    let end = from.0.min(column + usize::from(width) % 8);
                    pixels[(row * from.0 + column) * CHANNELS..(row * from.0 + end) * CHANNELS].fill(shade);
                }
                // A frame of another size in between.
                if turn {
                    scaler.scale(&[1, 2, 3], (1, 1), to);
                }
                let alone = FrameScaler::default().scale(&pixels, from, to).into_owned();
                prop_assert!(*scaler.scale(&pixels, from, to) == *alone);
            }
        }
    }

    #[test]
    fn only_what_a_change_affects_is_made_again() {
        let (from, to) = ((160, 160), (256, 256));
        let before = vec![10; 160 * 160 * CHANNELS];
        let mut now = before.clone();
        now[(40 * 160 + 80) * CHANNELS] = 11;
        now[(41 * 160 + 79) * CHANNELS + 2] = 11;
        assert_eq!(changed_region(&before, &now, 160), Some((79..81, 40..42)));
        assert_eq!(changed_region(&before, &before, 160), None);
        let scaling = Scaling::new(from, to);
        let (columns, rows) = (affected(&scaling.columns, &(79..81)), affected(&scaling.rows, &(40..42)));
        assert!(columns.len() <= 14 && rows.len() <= 14, "{columns:?} {rows:?}");
        for (taps, affected, changed) in [(&scaling.columns, columns, 79..81), (&scaling.rows, rows, 40..42)]
        {
            for (index, taps) in taps.iter().enumerate() {
                let reads = (taps.first..taps.first + taps.weights.len()).any(|at| changed.contains(&at));
                assert_eq!(reads, affected.contains(&index), "{index}");
            }
        }
    }

    #[test]
    fn large_frames_are_not_kept() {
        let mut scaler = FrameScaler::default();
        scaler.scale(&[7; 30 * 30 * CHANNELS], (30, 30), (60, 60));
        assert!(scaler.0.is_some());
        scaler.scale(&vec![7; 500 * 300 * CHANNELS], (500, 300), (256, 154));
        assert!(scaler.0.is_none());
    }
}
