use serde_json::Value;

use super::super::color::{brightened, brightness, deviation, hsv, mean, squared_error};
use super::super::picture::{Form, Picture};
use super::super::plane::{Plane, Window, similarity};
use super::super::resize::resized;
use super::file;

const NEAR: f64 = 1e-6;

fn measures() -> Value {
    serde_json::from_slice(&file("measures.json")).unwrap()
}

fn picture(name: &str) -> Picture {
    Picture::decode(&file(name)).unwrap()
}

fn stored(name: &str) -> Vec<Plane> {
    picture(name).stored().unwrap()
}

fn assert_near(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() < NEAR, "{what}: {found} is not {expected}");
}

fn mean_similarity(a: &[Plane], b: &[Plane], window: Window) -> f64 {
    let all: Vec<f64> = a.iter().zip(b).map(|(a, b)| similarity(a, b, window).unwrap()).collect();
    all.iter().sum::<f64>() / f64::from(u32::try_from(all.len()).unwrap())
}

/// The sum of samples by their places, row by row and channel by channel in a pixel.
fn checksum(planes: &[Plane]) -> i64 {
    let count = planes[0].samples.len();
    let samples = (0..count).flat_map(|index| planes.iter().map(move |plane| plane.samples[index]));
    samples.zip((1..=251).cycle()).map(|(sample, factor)| i64::from(sample) * factor).sum()
}

#[test]
fn structural_similarity_is_that_of_scikit_image() {
    let measures = measures();
    let pairs = measures["pairs"].as_object().unwrap();
    assert_eq!(pairs.len(), 8);
    for (names, measured) in pairs.iter().filter(|(names, _)| !names.contains(".jpg")) {
        let (a, b) = names.split_once(' ').unwrap();
        let (one, other) = (stored(a), stored(b));
        let window = if one.len() == 1 { Window::COLUMN } else { Window::SQUARE };
        assert_near(mean_similarity(&one, &other, window), &measured["ssim"], names);
        if let Some(square) = measured.get("ssim_square") {
            assert_near(mean_similarity(&one, &other, Window::SQUARE), square, names);
        }
        for (index, channel) in ["ssim_H", "ssim_S", "ssim_V"].into_iter().enumerate() {
            let Some(expected) = measured.get(channel) else { continue };
            let (one, other) = (hsv(&picture(a)), hsv(&picture(b)));
            let found = similarity(&one[index], &other[index], Window::COLUMN).unwrap();
            assert_near(found, expected, &format!("{names} {channel}"));
        }
    }
}

#[test]
fn a_jpeg_is_near_what_another_decoder_reads() {
    let expected = measures()["pairs"]["photo.jpg photo.png"]["ssim"].as_f64().unwrap();
    let found = mean_similarity(&stored("photo.jpg"), &stored("photo.png"), Window::SQUARE);
    assert!((found - expected).abs() < 0.01, "{found} {expected}");
}

#[test]
fn differences_at_one_brightness_are_those_of_numpy() {
    let measures = measures();
    for (names, measured) in measures["pairs"].as_object().unwrap() {
        let (a, b) = names.split_once(' ').unwrap();
        if a.contains(".jpg") {
            continue;
        }
        let scaled = |name: &str| -> Vec<Plane> {
            let factor = 128.0 / mean(&[brightness(&picture(name))]);
            stored(name).iter().map(|plane| brightened(plane, factor)).collect()
        };
        assert_near(squared_error(&scaled(a), &scaled(b)).unwrap(), &measured["squared_error"], names);
    }
}

#[test]
fn brightness_saturation_and_contrast_are_those_of_pillow() {
    let measures = measures();
    let images = measures["images"].as_object().unwrap();
    assert_eq!(images.len(), 7);
    for (name, measured) in images {
        let picture = picture(name);
        let grey = brightness(&picture);
        let channels = hsv(&picture);
        assert_near(mean(&[channels[1].clone()]), &measured["saturation"], name);
        assert_near(deviation(&picture.stored().unwrap()), &measured["deviation"], name);
        assert_eq!(checksum(std::slice::from_ref(&grey)), measured["grey_checksum"], "{name}");
        assert_near(mean(&[grey]), &measured["brightness"], name);
        for (channel, expected) in channels.into_iter().zip(measured["hsv_checksums"].as_array().unwrap()) {
            assert_eq!(checksum(&[channel]), *expected, "{name}");
        }
    }
}

#[test]
fn resized_pictures_are_those_of_pillow() {
    let measures = measures();
    for size in measures["sizes"].as_array().unwrap() {
        let side = |name: &str| usize::try_from(size[name].as_u64().unwrap()).unwrap();
        let planes = resized(&stored(size["name"].as_str().unwrap()), side("width"), side("height"));
        let found: Vec<i64> = planes.iter().map(|plane| checksum(std::slice::from_ref(plane))).collect();
        assert_eq!(Value::from(found), size["checksums"], "{size}");
    }
    let photo = stored("photo.png");
    let small = resized(&stored("large.png"), photo[0].width, photo[0].height);
    assert_near(mean_similarity(&small, &photo, Window::SQUARE), &measures["large_resized"], "large.png");
}

#[test]
fn the_form_of_a_file_is_that_of_its_header() {
    for (name, form) in [
        ("photo.png", Form::Rgb),
        ("photo.jpg", Form::Rgb),
        ("grey.png", Form::Grey),
        ("alpha.png", Form::Rgba),
        ("palette.png", Form::Palette),
    ] {
        assert_eq!(picture(name).form, form, "{name}");
    }
    assert!(picture("palette.png").stored().is_none());
}

#[test]
fn small_windows_fit_small_pictures() {
    let plane = |width, height| Plane { width, height, samples: vec![9; width * height] };
    for (width, height, side) in [(1, 1, 1), (2, 9, 1), (6, 5, 5), (7, 8, 7), (100, 100, 7)] {
        let plane = plane(width, height);
        let window = Window::fitting(&plane);
        assert_eq!((window.width, window.height), (side, side));
        assert_eq!(similarity(&plane, &plane, window), Some(1.0));
    }
    assert_eq!(similarity(&plane(6, 6), &plane(6, 6), Window::SQUARE), None);
    assert_eq!(similarity(&plane(8, 8), &plane(8, 9), Window::SQUARE), None);
    assert_eq!(squared_error(&[plane(1, 2)], &[plane(2, 1)]), None);
}
