//! Scales the frames of an agent one after the other. They differ in few places, so only what depends on changed pixels is
//! scaled again.

use std::borrow::Cow;
use std::ops::Range;

use super::resize::{CHANNELS, Scaling, Taps};

/// The largest cached frame in bytes: its pixels before and after scaling together.
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
            let result = scaling.scale(pixels);
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
            self.scaling.scale_region(pixels, region, &mut self.result);
            self.pixels.copy_from_slice(pixels);
        }
    }
}

/// The columns and rows within which two frames of this width differ, if they do.
fn changed_region(before: &[u8], now: &[u8], width: usize) -> Option<(Range<usize>, Range<usize>)> {
    let mut columns = None::<Range<usize>>;
    let mut rows = None::<Range<usize>>;
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

/// The rows or columns of the result that depend on any of these rows or columns of the source.
fn affected(taps: &[Taps], changed: &Range<usize>) -> Range<usize> {
    let first = taps.partition_point(|taps| taps.first + taps.weights.len() <= changed.start);
    first..taps.partition_point(|taps| taps.first < changed.end).max(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_frame_after_others_is_scaled_like_one_alone(
            from in (1_usize..50, 1_usize..50), to in (1_usize..90, 1_usize..90),
            changes in proptest::collection::vec(
                (any::<(u16, u16)>(), any::<(u8, u8)>(), any::<u8>(), any::<bool>()), 1..8),
        ) {
            let mut pixels = vec![90; from.0 * from.1 * CHANNELS];
            let mut scaler = FrameScaler::default();
            for ((column, row), (width, height), shade, turn) in changes {
                let column = usize::from(column) % from.0;
                let row = usize::from(row) % from.1;
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
        let from = (160, 160);
        let to = (256, 256);
        let before = vec![10; 160 * 160 * CHANNELS];
        let mut now = before.clone();
        now[(40 * 160 + 80) * CHANNELS] = 11;
        now[(41 * 160 + 79) * CHANNELS + 2] = 11;
        assert_eq!(changed_region(&before, &now, 160), Some((79..81, 40..42)));
        assert_eq!(changed_region(&before, &before, 160), None);
        let scaling = Scaling::new(from, to);
        let columns = affected(&scaling.columns, &(79..81));
        let rows = affected(&scaling.rows, &(40..42));
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
