//! The comparison of the released code (2025-06), with its verdicts: what python-pptx shows of two presentations.

mod bullets;
mod places;
mod text;

use self::bullets::Bullets;
use super::{Examine, Finding, place};
use crate::office::pptx::{Notes, Presentation, Shape, Slide};
use crate::office::quote;

/// Compares two presentations up to the end of the shorter one.
pub(super) fn compare(
    expected: &Presentation,
    found: &Presentation,
    examine: &Examine,
) -> Result<(), Finding> {
    for (index, (expected, found)) in expected.slides.iter().zip(&found.slides).enumerate() {
        compare_slides(expected, found, index + 1, examine)?;
    }
    Ok(())
}

fn compare_slides(expected: &Slide, found: &Slide, slide: usize, examine: &Examine) -> Result<(), Finding> {
    let wanted = notes(expected, slide)?;
    let given = notes(found, slide)?;
    if wanted != given && examine.note {
        return Err(Finding::Fail(format!(
            "the notes of slide {slide} are {}, expected are {}",
            quote(given),
            quote(wanted)
        )));
    }
    let mut bullets = Bullets::new(&expected.marks, &found.marks);
    for (index, (expected, found)) in shapes(expected).zip(shapes(found)).enumerate() {
        let pair = Pair { expected, found, slide, place: place(slide, index + 1, &found.name) };
        places::compare(&pair, examine)?;
        text::compare(&pair, examine, &mut bullets)?;
    }
    Ok(())
}

/// The shapes that python-pptx shows.
fn shapes(slide: &Slide) -> impl Iterator<Item = &Shape> {
    slide.shapes.iter().filter(|shape| !shape.alternate)
}

/// The notes, which are compared or not: a page of notes without a place for text is an error anyway.
fn notes(slide: &Slide, number: usize) -> Result<&str, Finding> {
    match &slide.notes {
        Notes::Missing => Ok(""),
        Notes::Text(text) => Ok(text.trim()),
        Notes::NoPlaceholder => {
            Err(Finding::Error(format!("the page of notes of slide {number} has no place for text")))
        }
    }
}

/// Two shapes at the same place in the order of their slides.
struct Pair<'a> {
    expected: &'a Shape,
    found: &'a Shape,
    /// The number of the slide.
    slide: usize,
    /// For sentences.
    place: String,
}

impl Pair<'_> {
    fn fail(&self, sentence: &str) -> Finding {
        Finding::Fail(format!("{sentence} at {}", self.place))
    }

    /// A fail with what was found and what was expected.
    fn differs(&self, what: &str, found: &str, expected: &str) -> Finding {
        self.fail(&format!("{what} is {found}, expected is {expected},"))
    }
}
