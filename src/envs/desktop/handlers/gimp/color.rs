//! Grey, hue, saturation and value of pictures, rounded as Pillow does, and means over a channel.

use super::picture::Picture;
use super::plane::Plane;

/// The brightness of a pixel from 0 to 255 (ITU-R 601).
fn grey(pixel: [u8; 4]) -> u8 {
    let [red, green, blue, _] = pixel.map(u32::from);
    let grey = (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
    u8::try_from(grey).unwrap_or(u8::MAX)
}

/// The brightness of each pixel; alpha is left out.
pub(super) fn brightness(picture: &Picture) -> Plane {
    let samples = picture.pixels.iter().copied().map(grey).collect();
    Plane { width: picture.width, height: picture.height, samples }
}

/// Hue, saturation and value of each pixel, each from 0 to 255; alpha is left out.
pub(super) fn hsv(picture: &Picture) -> [Plane; 3] {
    let plane = || Plane { width: picture.width, height: picture.height, samples: Vec::new() };
    let mut planes = [plane(), plane(), plane()];
    for pixel in picture.pixels.iter().copied() {
        for (plane, sample) in planes.iter_mut().zip(hsv_pixel(pixel)) {
            plane.samples.push(sample);
        }
    }
    planes
}

fn hsv_pixel(pixel: [u8; 4]) -> [u8; 3] {
    let [red, green, blue, _] = pixel;
    let most = red.max(green).max(blue);
    let least = red.min(green).min(blue);
    if most == least {
        return [0, 0, most];
    }
    let range = f32::from(most - least);
    let below = |sample: u8| f32::from(most - sample) / range;
    let hue = match most {
        most if most == red => below(blue) - below(green),
        most if most == green => single(2.0 + f64::from(below(red)) - f64::from(below(blue))),
        _ => single(4.0 + f64::from(below(green)) - f64::from(below(red))),
    };
    let turn = single((f64::from(hue) / 6.0 + 1.0) % 1.0);
    let saturation = range / f32::from(most);
    [scaled(turn), scaled(saturation), most]
}

#[expect(clippy::cast_possible_truncation, reason = "Pillow computes in single precision")]
fn single(number: f64) -> f32 {
    number as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is from 0 to 255, and cut as Pillow does"
)]
fn scaled(share: f32) -> u8 {
    (f64::from(share) * 255.0) as u8
}

/// The mean of the samples of channels.
#[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^27 samples")]
pub(super) fn mean(planes: &[Plane]) -> f64 {
    let sum: u64 = planes.iter().flat_map(|plane| &plane.samples).map(|sample| u64::from(*sample)).sum();
    let count: usize = planes.iter().map(|plane| plane.samples.len()).sum();
    sum as f64 / count.max(1) as f64
}

/// The standard deviation of the samples of channels, all together.
#[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^27 samples")]
pub(super) fn deviation(planes: &[Plane]) -> f64 {
    let mean = mean(planes);
    let samples = planes.iter().flat_map(|plane| &plane.samples);
    let squares: f64 = samples.map(|sample| (f64::from(*sample) - mean).powi(2)).sum();
    let count: usize = planes.iter().map(|plane| plane.samples.len()).sum();
    (squares / count.max(1) as f64).sqrt()
}

/// The samples times a factor, cut to whole numbers up to 255.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is from 0 to 255, and cut as Pillow does"
)]
pub(super) fn brightened(plane: &Plane, factor: f64) -> Plane {
    let brightened = |sample: &u8| (f64::from(*sample) * factor).clamp(0.0, 255.0) as u8;
    Plane { samples: plane.samples.iter().map(brightened).collect(), ..*plane }
}

/// The mean squared difference of two lists of channels, as shares of 255; `None` if their sizes or numbers differ.
#[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^27 samples")]
pub(super) fn squared_error(a: &[Plane], b: &[Plane]) -> Option<f64> {
    let size = |plane: &Plane| (plane.width, plane.height);
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| size(a) != size(b)) {
        return None;
    }
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a.samples.iter().zip(&b.samples));
    let squares: i64 = pairs.map(|(a, b)| (i64::from(*a) - i64::from(*b)).pow(2)).sum();
    let count: usize = a.iter().map(|plane| plane.samples.len()).sum();
    Some(squares as f64 / (255.0 * 255.0) / count.max(1) as f64)
}
