//! Bicubic resizing with the whole-number arithmetic of Pillow, whose result the measures of the released code see.

use super::plane::Plane;

/// The bits after the point of a weight.
const BITS: u32 = 22;

/// The weights of an output sample: the first input sample, and a weight for it and each next one.
struct Weights {
    first: usize,
    weights: Vec<i64>,
}

/// Channels in another size, from 1 x 1. The last of two or four is alpha, and the others are weighted by it.
pub(super) fn resized(planes: &[Plane], width: usize, height: usize) -> Vec<Plane> {
    let [colors @ .., alpha] = planes else { return Vec::new() };
    if !matches!(planes.len(), 2 | 4) || (alpha.width, alpha.height) == (width, height) {
        return planes.iter().map(|plane| resized_plane(plane, width, height)).collect();
    }
    let small = resized_plane(alpha, width, height);
    let color = |color: &Plane| {
        let weighted = resized_plane(&zipped(color, alpha, weighted), width, height);
        zipped(&weighted, &small, unweighted)
    };
    let mut resized: Vec<Plane> = colors.iter().map(color).collect();
    resized.push(small);
    resized
}

fn zipped(color: &Plane, alpha: &Plane, each: fn(u8, u8) -> u8) -> Plane {
    let samples = color.samples.iter().zip(&alpha.samples).map(|(color, alpha)| each(*color, *alpha));
    Plane { samples: samples.collect(), ..*color }
}

fn weighted(color: u8, alpha: u8) -> u8 {
    let product = u32::from(color) * u32::from(alpha) + 128;
    u8::try_from(((product >> 8) + product) >> 8).unwrap_or(u8::MAX)
}

fn unweighted(color: u8, alpha: u8) -> u8 {
    match alpha {
        0 | u8::MAX => color,
        alpha => u8::try_from(255 * u32::from(color) / u32::from(alpha)).unwrap_or(u8::MAX),
    }
}

fn resized_plane(plane: &Plane, width: usize, height: usize) -> Plane {
    if (plane.width, plane.height) == (width, height) {
        return plane.clone();
    }
    let rows = if plane.width == width {
        plane.clone()
    } else {
        transposed(&resized_rows(&transposed(plane), width))
    };
    if height == plane.height { rows } else { resized_rows(&rows, height) }
}

/// The rows and columns exchanged.
fn transposed(plane: &Plane) -> Plane {
    let (width, height) = (plane.width, plane.height);
    let columns = (0..width).flat_map(|x| plane.samples.iter().skip(x).step_by(width.max(1)));
    Plane { width: height, height: width, samples: columns.copied().collect() }
}

/// A channel with another number of rows.
fn resized_rows(plane: &Plane, height: usize) -> Plane {
    let rows: Vec<&[u8]> = plane.samples.chunks(plane.width.max(1)).collect();
    let mut samples = Vec::with_capacity(plane.width * height);
    for Weights { first, weights } in all_weights(plane.height, height) {
        let mut sums = vec![1_i64 << (BITS - 1); plane.width];
        for (row, weight) in rows.iter().skip(first).zip(&weights) {
            for (sum, sample) in sums.iter_mut().zip(*row) {
                *sum += weight * i64::from(*sample);
            }
        }
        samples
            .extend(sums.into_iter().map(|sum| u8::try_from((sum >> BITS).clamp(0, 255)).unwrap_or(u8::MAX)));
    }
    Plane { width: plane.width, height, samples }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions are within a picture, and cut as Pillow does"
)]
fn all_weights(from: usize, to: usize) -> Vec<Weights> {
    let scale = from as f64 / to as f64;
    // A smaller picture takes each sample from a wider area.
    let wide = scale.max(1.0);
    let support = 2.0 * wide;
    let weights = |index: usize| {
        let center = (index as f64 + 0.5) * scale;
        let first = (center - support + 0.5).max(0.0) as usize;
        let end = ((center + support + 0.5) as usize).min(from);
        let weight = |at: usize| bicubic((at as f64 - center + 0.5) / wide);
        let raw: Vec<f64> = (first..end).map(weight).collect();
        let sum: f64 = raw.iter().sum();
        let whole = |weight: &f64| (weight / sum * f64::from(1_u32 << BITS)).round() as i64;
        Weights { first, weights: raw.iter().map(whole).collect() }
    };
    (0..to).map(weights).collect()
}

/// The cubic convolution of Keys with a = -0.5.
fn bicubic(x: f64) -> f64 {
    const A: f64 = -0.5;
    let x = x.abs();
    if x < 1.0 {
        ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        (((x - 5.0) * x + 8.0) * x - 4.0) * A
    } else {
        0.0
    }
}
