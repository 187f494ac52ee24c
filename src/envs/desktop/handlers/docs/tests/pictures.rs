use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};

use super::{CODE, RULES, STANDARD, compare};
use crate::handlers::scripted::{error, fail};
use crate::office::tests::write::{Docx, p, run};

const PLACES: &str = "compare_contains_image";
const PIXELS: &str = "compare_docx_images";

/// A run with the picture of a relation.
fn shown(index: usize) -> String {
    format!(
        "<w:r><w:drawing><a:graphic><a:graphicData><a:blip r:embed='picture{index}'/></a:graphicData></a:graphic>\
         </w:drawing></w:r>"
    )
}

fn paragraph(runs: &[String]) -> String {
    format!("<w:p>{}</w:p>", runs.concat())
}

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn plain(width: u32, height: u32, color: [u8; 3]) -> Vec<u8> {
    encoded(RgbImage::from_pixel(width, height, image::Rgb(color)), ImageFormat::Png)
}

/// A document that shows pictures in the order given, each in a paragraph.
fn showing(pictures: &[&[u8]], order: &[usize]) -> Vec<u8> {
    let body: String = order.iter().map(|index| paragraph(&[shown(*index)])).collect();
    let document = Docx::new(body);
    pictures.iter().fold(document, |document, picture| document.picture(picture)).bytes()
}

#[test]
fn places_of_pictures_are_compared() {
    let picture = plain(2, 2, [1, 2, 3]);
    let document = |paragraphs: &[String]| Docx::new(paragraphs.concat()).picture(&picture).bytes();
    let text = || paragraph(&[run("", "text")]);
    let both = || paragraph(&[run("", "text"), shown(0)]);
    let bare = || paragraph(&[run("", "text"), run("", "")]);
    for rules in RULES {
        assert_eq!(
            compare(PLACES, &document(&[both(), text()]), &document(&[both(), text()]), rules),
            Ok(())
        );
        fail(compare(PLACES, &document(&[both(), text()]), &document(&[bare(), text()]), rules));
    }
    let sentence =
        fail(compare(PLACES, &document(&[both(), text()]), &document(&[text(), text()]), STANDARD));
    assert_eq!(sentence, "there are 0 pictures, expected are 1");
    let sentence =
        fail(compare(PLACES, &document(&[both(), text()]), &document(&[text(), both()]), STANDARD));
    assert_eq!(sentence, "paragraph 1 has 0 pictures, expected are 1");
    // The shorter paragraph and the shorter document end the comparison of the released code.
    assert_eq!(compare(PLACES, &document(&[both(), text()]), &document(&[text(), text()]), CODE), Ok(()));
    assert_eq!(compare(PLACES, &document(&[text(), both()]), &document(&[text()]), CODE), Ok(()));
    fail(compare(PLACES, &document(&[text(), both()]), &document(&[text()]), STANDARD));
    let moved = document(&[p(""), both(), text()]);
    assert_eq!(compare(PLACES, &document(&[both(), text()]), &moved, STANDARD), Ok(()));
}

#[test]
fn pixels_are_compared() {
    let (red, blue) = (plain(3, 2, [255, 0, 0]), plain(3, 2, [0, 0, 255]));
    for rules in RULES {
        assert_eq!(compare(PIXELS, &showing(&[&red], &[0]), &showing(&[&red], &[0]), rules), Ok(()));
        let sentence = fail(compare(PIXELS, &showing(&[&red], &[0]), &showing(&[&blue], &[0]), rules));
        assert_eq!(sentence, "picture 1 has other pixels than expected");
        let sentence = fail(compare(PIXELS, &showing(&[&red], &[0]), &showing(&[], &[]), rules));
        assert_eq!(sentence, "there are 0 pictures, expected are 1");
        let bitmap = encoded(RgbImage::from_pixel(3, 2, image::Rgb([255, 0, 0])), ImageFormat::Jpeg);
        fail(compare(PIXELS, &showing(&[&blue], &[0]), &showing(&[&bitmap], &[0]), rules));
    }
}

#[test]
fn size_and_order_count_and_the_form_does_not_except_in_the_released_code() {
    let (wide, tall) = (plain(3, 2, [9, 9, 9]), plain(2, 3, [9, 9, 9]));
    let sentence = fail(compare(PIXELS, &showing(&[&wide], &[0]), &showing(&[&tall], &[0]), STANDARD));
    assert_eq!(sentence, "picture 1 has 2 x 3 pixels, expected are 3 x 2");
    assert_eq!(compare(PIXELS, &showing(&[&wide], &[0]), &showing(&[&tall], &[0]), CODE), Ok(()));
    let opaque = encoded(RgbaImage::from_pixel(3, 2, image::Rgba([9, 9, 9, 255])), ImageFormat::Png);
    assert_eq!(compare(PIXELS, &showing(&[&wide], &[0]), &showing(&[&opaque], &[0]), STANDARD), Ok(()));
    fail(compare(PIXELS, &showing(&[&wide], &[0]), &showing(&[&opaque], &[0]), CODE));
    let other = plain(3, 2, [200, 0, 0]);
    let forth = showing(&[&wide, &other], &[0, 1]);
    let back = showing(&[&wide, &other], &[1, 0]);
    fail(compare(PIXELS, &forth, &back, STANDARD));
    assert_eq!(compare(PIXELS, &forth, &back, CODE), Ok(()));
}

#[test]
fn a_damaged_picture_differs_from_another() {
    let red = plain(3, 2, [255, 0, 0]);
    let (good, bad) = (showing(&[&red], &[0]), showing(&[b"no picture"], &[0]));
    assert!(fail(compare(PIXELS, &good, &bad, STANDARD)).contains("cannot be read"));
    error(compare(PIXELS, &good, &bad, CODE));
    for rules in RULES {
        assert!(error(compare(PIXELS, &bad, &good, rules)).contains("of the reference"));
        assert_eq!(compare(PIXELS, &bad, &bad, rules), Ok(()));
    }
}

#[test]
fn a_picture_that_is_shown_often_is_held_once() {
    let large = vec![7; 900_000];
    let order = vec![0; 5000];
    let often = showing(&[&large], &order);
    assert_eq!(compare(PIXELS, &often, &often, STANDARD), Ok(()));
    assert!(
        fail(compare(PIXELS, &often, &showing(&[&large], &order[1..]), STANDARD)).contains("4999 pictures")
    );
}
