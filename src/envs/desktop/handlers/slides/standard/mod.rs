//! The comparison as a person makes it who reads the task and looks at both presentations.

mod places;
mod text;

use super::{Examine, Finding, decoded, place};
use crate::office::pptx::{Frame, Notes, Paint, Presentation, Shape, Slide};
use crate::office::quote;

/// Compares two presentations; slides that only one has are left out, for their number is an option of its own.
pub(super) fn compare(
    expected: &Presentation,
    found: &Presentation,
    examine: &Examine,
) -> Result<(), Finding> {
    places::check_reference(expected, examine)?;
    for (index, (wanted, given)) in expected.slides.iter().zip(&found.slides).enumerate() {
        let slide = index + 1;
        if examine.background_color {
            same_background(wanted, given, slide)?;
        }
        if examine.note {
            same_notes(wanted, given, slide)?;
        }
        let context = Context { examine, slide, size: found.size };
        compare_shapes(&wanted.shapes, &given.shapes, &context)?;
    }
    Ok(())
}

/// What shapes are compared with.
#[derive(Clone, Copy)]
struct Context<'a> {
    examine: &'a Examine,
    /// The number of the slide.
    slide: usize,
    /// The size of the slides that the agent made.
    size: Frame,
}

/// Two shapes at the same place in the order of their slides or groups.
struct Pair<'a> {
    expected: &'a Shape,
    found: &'a Shape,
    /// For sentences.
    place: String,
}

impl Pair<'_> {
    fn differs(&self, what: &str, found: &str, expected: &str) -> Finding {
        Finding::Fail(format!("{what} is {found}, expected is {expected}, at {}", self.place))
    }
}

fn same_background(expected: &Slide, found: &Slide, slide: usize) -> Result<(), Finding> {
    let plain = Paint::Rgb([255, 255, 255]);
    let wanted = expected.background.as_ref().unwrap_or(&plain);
    let given = found.background.as_ref().unwrap_or(&plain);
    if same_paint(wanted, given) {
        return Ok(());
    }
    Err(Finding::Fail(format!("the background of slide {slide} is {given}, expected is {wanted}")))
}

/// Whether a person sees the same: programs compute the colors of themes differently.
fn same_paint(expected: &Paint, found: &Paint) -> bool {
    /// Of 255 levels.
    const CLOSE: u8 = 4;
    match (expected, found) {
        (Paint::Rgb(expected), Paint::Rgb(found)) => {
            expected.iter().zip(found).all(|(a, b)| a.abs_diff(*b) <= CLOSE)
        }
        (expected, found) => expected == found,
    }
}

fn same_notes(expected: &Slide, found: &Slide, slide: usize) -> Result<(), Finding> {
    let lines = |slide: &Slide| match &slide.notes {
        Notes::Text(text) => text.trim().lines().map(|line| line.trim_end().to_owned()).collect(),
        Notes::Missing | Notes::NoPlaceholder => Vec::<String>::new(),
    };
    let wanted = lines(expected);
    let given = lines(found);
    if wanted == given {
        return Ok(());
    }
    let text = |lines: &[String]| quote(&lines.join("\n"));
    Err(Finding::Fail(format!(
        "the notes of slide {slide} are {}, expected are {}",
        text(&given),
        text(&wanted)
    )))
}

fn compare_shapes(expected: &[Shape], found: &[Shape], context: &Context<'_>) -> Result<(), Finding> {
    let Context { examine, slide, .. } = *context;
    if expected.len() != found.len() && (examine.shape || examine.text) {
        return Err(Finding::Fail(format!(
            "slide {slide} or a group on it has {} shapes, expected are {}",
            found.len(),
            expected.len()
        )));
    }
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        let pair = Pair { expected, found, place: place(slide, index + 1, &found.name) };
        places::compare(&pair, context)?;
        if examine.shape {
            same_picture(&pair)?;
        }
        text::compare(&pair, examine)?;
        compare_shapes(&expected.children, &found.children, context)?;
    }
    Ok(())
}

/// The pictures are the same file or have the same pixels. Other files than PNG and JPEG cannot be compared by pixels.
fn same_picture(pair: &Pair<'_>) -> Result<(), Finding> {
    let (Some(expected), Some(found)) = (&pair.expected.picture, &pair.found.picture) else { return Ok(()) };
    if expected == found {
        return Ok(());
    }
    let (Ok(expected), Ok(found)) = (decoded(expected), decoded(found)) else { return Ok(()) };
    let size = |picture: &image::DynamicImage| (picture.width(), picture.height());
    if size(&expected) == size(&found) && expected.to_rgba8() == found.to_rgba8() {
        return Ok(());
    }
    Err(Finding::Fail(format!("the picture is another one than expected, at {}", pair.place)))
}
