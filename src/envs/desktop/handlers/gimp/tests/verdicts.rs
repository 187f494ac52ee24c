#![expect(clippy::needless_pass_by_value, reason = "JSON is written in place")]

use image::{GrayImage, ImageFormat};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::picture::Picture;
use super::{encoded, file, png, rgb, rgba};
use crate::handlers::scripted::{Scripted, call, error, fail};
use crate::handlers::{Finding, Rules};

const STANDARD: Rules = Rules::Standard;
const CODE: Rules = Rules::Code;
const RULES: [Rules; 2] = [STANDARD, CODE];

fn judge(function: &str, source: &[u8], target: &[u8], rules: Rules) -> Result<(), Finding> {
    let mut computer = Scripted::with(&[("/src", source), ("/tgt", target)]);
    call(&mut computer, &format!("gimp.{function}"), &json!({"src_path": "/src", "tgt_path": "/tgt"}), rules)
}

fn files(function: &str, source: &str, target: &str, rules: Rules) -> Result<(), Finding> {
    judge(function, &file(source), &file(target), rules)
}

const BRIGHTNESS: &str = "check_brightness_decrease_and_structure_sim";
const SATURATION: &str = "check_saturation_increase_and_structure_sim";
const CONTRAST: &str = "check_contrast_increase_and_structure_sim";
const PALETTE: &str = "check_palette_and_structure_sim";
const RESIZED: &str = "check_structure_sim_resized";

#[test]
fn edits_of_colour_are_judged() {
    for rules in RULES {
        assert_eq!(files(BRIGHTNESS, "darker.png", "photo.png", rules), Ok(()));
        assert!(fail(files(BRIGHTNESS, "photo.png", "darker.png", rules)).contains("expected is below"));
        assert_eq!(files(SATURATION, "saturated.png", "photo.png", rules), Ok(()));
        assert!(fail(files(SATURATION, "photo.png", "saturated.png", rules)).contains("saturation is"));
        assert_eq!(files(CONTRAST, "contrast.png", "photo.png", rules), Ok(()));
        assert!(fail(files(CONTRAST, "darker.png", "photo.png", rules)).contains("contrast is"));
    }
    let darker_other = rgb(26, 19, |x, y| if (x + y) % 2 == 0 { [0, 0, 0] } else { [90, 90, 90] });
    let sentence = fail(judge(BRIGHTNESS, &png(darker_other), &file("photo.png"), STANDARD));
    assert!(sentence.contains("squared difference"), "{sentence}");
}

#[test]
fn a_black_picture_is_an_error_only_in_the_released_code() {
    let black = png(rgb(26, 19, |_, _| [0; 3]));
    assert!(fail(judge(BRIGHTNESS, &black, &file("photo.png"), STANDARD)).contains("is black"));
    assert!(error(judge(BRIGHTNESS, &black, &file("photo.png"), CODE)).contains("black"));
}

#[test]
fn structure_is_judged() {
    for function in ["check_structure_sim", "check_file_exists_and_structure_sim"] {
        for rules in RULES {
            assert_eq!(files(function, "photo.png", "photo.png", rules), Ok(()));
            assert_eq!(files(function, "photo.jpg", "photo.png", rules), Ok(()));
            let sentence = fail(files(function, "other.png", "photo.png", rules));
            assert_eq!(sentence, "the structural similarity is 0.0647, expected is at least 0.9");
        }
    }
    for rules in RULES {
        assert_eq!(files("check_image_mirror", "mirrored.png", "photo.png", rules), Ok(()));
        assert!(fail(files("check_image_mirror", "photo.png", "photo.png", rules)).contains("at least 0.99"));
        assert_eq!(files(RESIZED, "large.png", "photo.png", rules), Ok(()));
        fail(files(RESIZED, "other.png", "photo.png", rules));
        assert_eq!(files(PALETTE, "palette.png", "photo.png", rules), Ok(()));
        assert!(fail(files(PALETTE, "photo.png", "photo.png", rules)).contains("palette"));
        fail(files(PALETTE, "palette.png", "other.png", rules));
    }
}

#[test]
fn other_sizes_channels_and_palettes_are_errors_only_in_the_released_code() {
    let sentence = fail(files("check_structure_sim", "large.png", "photo.png", STANDARD));
    assert_eq!(sentence, "the picture is 61 x 47 in 3 channels, expected is 26 x 19 in 3 channels");
    error(files("check_structure_sim", "large.png", "photo.png", CODE));
    error(files("check_structure_sim", "alpha.png", "photo.png", CODE));
    error(files("check_structure_sim", "palette.png", "photo.png", CODE));
    error(files("check_structure_sim", "grey.png", "photo.png", CODE));
    assert_eq!(files("check_structure_sim", "palette.png", "photo.png", STANDARD), Ok(()));
    assert_eq!(files("check_structure_sim", "palette.png", "palette.png", STANDARD), Ok(()));
    let tiny = png(rgb(5, 5, |x, _| [40 * u8::try_from(x).unwrap(), 0, 0]));
    assert_eq!(judge("check_structure_sim", &tiny, &tiny, STANDARD), Ok(()));
    assert!(error(judge("check_structure_sim", &tiny, &tiny, CODE)).contains("below 7"));
}

#[test]
fn a_grey_picture_is_compared_by_columns_only_in_the_released_code() {
    // Columns that are the same, in rows that change from column to column: alike by columns, and so by windows here.
    let grey = |shift: u32| {
        GrayImage::from_fn(21, 21, move |x, y| {
            let flat = if x % 2 == 0 { 60 } else { 190 };
            let noise = if y % 7 == shift { 12 } else { 0 };
            image::Luma([flat + noise])
        })
    };
    let (a, b) = (png(grey(0)), png(grey(3)));
    assert_eq!(judge("check_structure_sim", &a, &b, STANDARD), Ok(()));
    fail(judge("check_structure_sim", &a, &b, CODE));
}

#[test]
fn damaged_and_missing_pictures() {
    let photo = file("photo.png");
    let cut = &photo[..photo.len() / 2];
    for (source, words) in
        [(cut, "cannot be read as a picture"), (b"text".as_slice(), "is not a picture in PNG or JPEG")]
    {
        assert!(fail(judge("check_structure_sim", source, &photo, STANDARD)).contains(words));
        assert!(error(judge("check_structure_sim", source, &photo, CODE)).contains(words));
        for rules in RULES {
            assert!(error(judge("check_structure_sim", &photo, source, rules)).contains(words));
        }
    }
    let mut computer = Scripted::with(&[("/tgt", &photo)]);
    let params = json!({"src_path": "/src", "tgt_path": "/tgt"});
    for rules in RULES {
        let sentence = fail(call(&mut computer, "gimp.check_structure_sim", &params, rules));
        assert_eq!(sentence, "/src does not exist");
    }
    let params = json!({"src_path": "/tgt", "tgt_path": "/none"});
    assert_eq!(error(call(&mut computer, "gimp.check_structure_sim", &params, CODE)), "/none does not exist");
}

#[test]
fn a_picture_that_says_it_is_huge_is_refused_before_it_is_decoded() {
    let mut huge = file("photo.png");
    huge[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    // The checksum of the header.
    let mut crc = flate2::Crc::new();
    crc.update(&huge[12..29]);
    huge[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    let reason = Picture::decode(&huge).unwrap_err();
    assert!(reason.contains("65536 x 65536 pixels"), "{reason}");
    assert_eq!(Picture::size(&huge), Ok((65536, 65536)));
}

fn with_rule(function: &str, rule: Value, rules: Rules) -> Result<(), Finding> {
    let mut computer = Scripted::with(&[("/src", &file("photo.png"))]);
    call(&mut computer, &format!("gimp.{function}"), &json!({"src_path": "/src", "rule": rule}), rules)
}

#[test]
fn sizes_are_judged() {
    for rules in RULES {
        for rule in
            [json!({"width": 26, "height": 19}), json!({"width": 26}), json!({"height": 19.0, "width": null})]
        {
            assert_eq!(with_rule("check_image_size", rule, rules), Ok(()));
        }
        let sentence = fail(with_rule("check_image_size", json!({"height": 20}), rules));
        assert_eq!(sentence, "the height of /src is 19, expected is 20");
        assert!(
            error(with_rule("check_image_size", json!({"height": "19"}), rules))
                .contains("a number as height")
        );
        assert_eq!(with_rule("check_image_file_size", json!({"max_size": 500_000}), rules), Ok(()));
        let length = file("photo.png").len();
        let sentence = fail(with_rule("check_image_file_size", json!({"max_size": length}), rules));
        assert_eq!(sentence, format!("/src has {length} bytes, expected is below {length}"));
        error(with_rule("check_image_file_size", json!({}), rules));
    }
    assert!(error(with_rule("check_image_size", json!({}), STANDARD)).contains("width, height or both"));
    assert_eq!(with_rule("check_image_size", json!({}), CODE), Ok(()));
    let mut computer = Scripted::with(&[("/src", b"x")]);
    let params = json!({"src_path": "/src", "rules": {"max_size": 2}});
    assert_eq!(call(&mut computer, "gimp.check_image_file_size", &params, STANDARD), Ok(()));
}

fn triangle(bytes: &[u8], rules: Rules) -> Result<(), Finding> {
    let mut computer = Scripted::with(&[("/t", bytes)]);
    call(&mut computer, "gimp.check_triangle_position", &json!({"tgt_path": "/t"}), rules)
}

/// A yellow triangle on white, its middle at these pixels; an edge in a rarer colour.
fn drawn(middle: i64, edge: bool) -> image::RgbImage {
    rgb(60, 60, move |x, y| {
        let (x, y) = (i64::from(x) - middle, i64::from(y) - middle);
        if edge && (x, y) == (0, -8) {
            return [128, 128, 0];
        }
        if y.abs() < 8 && x.abs() < 8 { [255, 255, 0] } else { [255; 3] }
    })
}

#[test]
fn the_place_of_a_triangle_is_judged() {
    for rules in RULES {
        assert_eq!(triangle(&png(drawn(30, true)), rules), Ok(()));
        let sentence = fail(triangle(&png(drawn(20, true)), rules));
        assert!(sentence.contains("-16.7 % of the width and -16.7 % of the height"), "{sentence}");
    }
    // With two colours the released code judges the background, whose middle is near that of the picture.
    assert_eq!(triangle(&png(drawn(20, false)), CODE), Ok(()));
    fail(triangle(&png(drawn(20, false)), STANDARD));
    assert_eq!(triangle(&png(drawn(30, false)), STANDARD), Ok(()));
    let grey = png(GrayImage::from_fn(30, 30, |x, _| image::Luma([if x < 5 { 0 } else { 255 }])));
    fail(triangle(&grey, STANDARD));
    error(triangle(&grey, CODE));
    error(triangle(&file("palette.png"), CODE));
    let plain = png(rgb(30, 30, |_, _| [1, 2, 3]));
    assert!(fail(triangle(&plain, STANDARD)).contains("no triangle"));
    error(triangle(&plain, CODE));
    assert_eq!(fail(triangle_missing()), "/none does not exist");
}

fn triangle_missing() -> Result<(), Finding> {
    call(&mut Scripted::default(), "gimp.check_triangle_position", &json!({"tgt_path": "/none"}), STANDARD)
}

#[test]
fn the_place_of_a_text_is_judged_and_transparent_is_dark_only_in_the_released_code() {
    let left = |bytes: &[u8], rules| {
        let mut computer = Scripted::with(&[("/s", bytes)]);
        call(&mut computer, "gimp.check_textbox_on_leftside", &json!({"src_path": "/s"}), rules)
    };
    let text_at = |at: u32| png(rgb(100, 20, move |x, y| if x >= at && y == 10 { [0; 3] } else { [255; 3] }));
    for rules in RULES {
        assert_eq!(left(&text_at(4), rules), Ok(()));
        assert!(fail(left(&text_at(5), rules)).contains("begins at 5.0 %"));
        assert_eq!(fail(left(&text_at(100), rules)), "the picture has no dark text");
    }
    let transparent = png(rgba(100, 20, |x, _| if x == 50 { [0, 0, 0, 255] } else { [0; 4] }));
    assert_eq!(left(&transparent, CODE), Ok(()));
    assert!(fail(left(&transparent, STANDARD)).contains("begins at 50.0 %"));
}

#[test]
fn a_green_background_is_judged_and_x_and_y_are_exchanged_only_in_the_released_code() {
    const GREEN: &str = "check_green_background";
    let object = |x: u32, y: u32| (2..5).contains(&x) && (3..6).contains(&y);
    let target =
        |width, height| png(rgb(width, height, move |x, y| if object(x, y) { [0; 3] } else { [255; 3] }));
    let source = |width, height, object_color: [u8; 3], color: [u8; 3]| {
        png(rgb(width, height, move |x, y| if object(x, y) { object_color } else { color }))
    };
    let green = [10, 200, 20];
    for rules in RULES {
        assert_eq!(judge(GREEN, &source(9, 9, [200, 0, 0], green), &target(9, 9), rules), Ok(()));
        let sentence = fail(judge(GREEN, &source(9, 9, green, [9, 9, 9]), &target(9, 9), rules));
        assert_eq!(sentence, "the background at (0, 0) is not green");
    }
    let wide = source(12, 9, [200, 0, 0], green);
    assert_eq!(judge(GREEN, &wide, &target(12, 9), STANDARD), Ok(()));
    assert!(error(judge(GREEN, &wide, &target(12, 9), CODE)).contains("leaves the picture"));
    let below = png(rgb(9, 12, move |_, y| if y == 11 { [255, 0, 0] } else { green }));
    let open = png(rgb(9, 12, |_, _| [255; 3]));
    fail(judge(GREEN, &below, &open, STANDARD));
    assert!(error(judge(GREEN, &below, &open, CODE)).contains("leaves the picture"));
    error(judge(GREEN, &file("grey.png"), &file("photo.png"), CODE));
    assert!(fail(judge(GREEN, &wide, &target(9, 9), STANDARD)).contains("expected is (9, 9)"));
}

#[test]
fn a_jpeg_is_read_too() {
    let bytes = encoded(rgb(16, 16, |_, _| [0, 200, 0]), ImageFormat::Jpeg);
    assert_eq!(Picture::size(&bytes), Ok((16, 16)));
    for rules in RULES {
        assert_eq!(judge("check_green_background", &bytes, &bytes, rules), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damaged_pictures_do_not_panic(
        name in prop::sample::select(vec!["photo.png", "photo.jpg", "palette.png", "grey.png"]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        length in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut bytes = file(name);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if cuts {
            bytes.truncate(length.index(bytes.len()));
        }
        let rows = crate::handlers::all().filter(|handler| handler.evaluator == "gimp");
        for handler in rows {
            for rules in RULES {
                let mut computer = Scripted::with(&[("/a", &bytes), ("/b", &file("photo.png"))]);
                let params = json!({"src_path": "/a", "tgt_path": "/b", "rule": {"width": 3, "max_size": 9}});
                let _ = call(&mut computer, &format!("gimp.{}", handler.function), &params, rules);
                let params = json!({"src_path": "/b", "tgt_path": "/a", "rule": {}});
                let _ = call(&mut computer, &format!("gimp.{}", handler.function), &params, rules);
            }
        }
    }
}
