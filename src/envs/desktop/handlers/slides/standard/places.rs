//! Frames of shapes: where the task wants them, or where the reference has them.
//!
//! What a task moves is measured in the result, by the fixed places of the released code. The reference may have it at the new place or
//! still at the old one: both are in the published files.

use super::super::{BOTTOM, Examine, Finding, MOVED_SLIDE, RESIZED, RIGHT, TABLE_SLIDE, TITLE, TOP};
use super::{Context, Pair};
use crate::office::pptx::{Frame, Kind, Paragraph, Presentation, Shape};

/// EMU by which sides may differ: a twentieth of an inch.
const CLOSE: u64 = 45_720;

/// A place that a task wants for a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The top is at or below [`BOTTOM`].
    Bottom,
    /// The left is at or beyond [`RIGHT`].
    Right,
    /// The top is at or above [`TOP`].
    Top,
    /// Any.
    Any,
}

fn has_text(shape: &Shape, text: &str) -> bool {
    let Some([first, rest @ ..]) = shape.text.as_deref() else { return false };
    first.text.trim() == text && rest.iter().all(Paragraph::is_blank)
}

/// The place that the options want for a shape; `None` if none is about it.
fn wanted(shape: &Shape, slide: usize, examine: &Examine) -> Option<Wanted> {
    let without_text = shape.text.is_none();
    let rules = [
        (examine.title_bottom_position && has_text(shape, TITLE), Wanted::Bottom),
        (examine.table_bottom_position && slide == TABLE_SLIDE && shape.kind == Kind::Table, Wanted::Bottom),
        (examine.right_position && slide == MOVED_SLIDE && without_text, Wanted::Right),
        (examine.top_position && slide == MOVED_SLIDE && shape.kind == Kind::Picture, Wanted::Top),
        (examine.shape_for_shift_size && has_text(shape, RESIZED), Wanted::Any),
    ];
    rules.into_iter().find(|(applies, _)| *applies).map(|(_, wanted)| wanted)
}

/// The reference has what the options are about.
///
/// # Errors
/// It does not: the task cannot be judged.
pub(super) fn check_reference(expected: &Presentation, examine: &Examine) -> Result<(), Finding> {
    let moves = examine.title_bottom_position
        || examine.table_bottom_position
        || examine.right_position
        || examine.top_position;
    let slides = expected.slides.iter().enumerate();
    let mut shapes =
        slides.flat_map(|(index, slide)| slide.shapes.iter().map(move |shape| (index + 1, shape)));
    let is_moved = |(slide, shape): (usize, &Shape)| {
        wanted(shape, slide, examine).is_some_and(|wanted| wanted != Wanted::Any)
    };
    if moves && !shapes.any(is_moved) {
        return Err(Finding::error("the reference has no shape that the options say is moved"));
    }
    Ok(())
}

pub(super) fn compare(pair: &Pair<'_>, context: &Context<'_>) -> Result<(), Finding> {
    let examine = context.examine;
    if let Some(wanted) = wanted(pair.expected, context.slide, examine) {
        return at_place(pair, wanted, context.size);
    }
    if examine.shape || examine.image_size {
        same_kind(pair)?;
    }
    // These options compare the whole frame of what they are not about.
    let all = examine.shape
        || examine.title_bottom_position
        || examine.table_bottom_position
        || examine.top_position
        || examine.shape_for_shift_size;
    let is_picture = pair.expected.kind == Kind::Picture;
    let is_form = pair.expected.text.is_none() || pair.expected.kind == Kind::Freeform;
    let sides = Sides {
        place: all || (examine.image_size && !is_picture) || (examine.modify_height && !is_form),
        width: all || examine.image_size || (examine.modify_height && !is_form),
        height: all || examine.image_size || examine.modify_height,
    };
    same_sides(pair, sides)
}

fn at_place(pair: &Pair<'_>, wanted: Wanted, slide: Frame) -> Result<(), Finding> {
    let frame = pair.found.frame;
    let (what, found, limit, is_there): (_, _, _, fn(i64, i64) -> bool) = match wanted {
        Wanted::Any => return Ok(()),
        Wanted::Bottom => ("the top", frame.top, BOTTOM, |found, limit| found >= limit),
        Wanted::Right => ("the left side", frame.left, RIGHT, |found, limit| found >= limit),
        Wanted::Top => ("the top", frame.top, TOP, |found, limit| found <= limit),
    };
    let direction = if wanted == Wanted::Top { "at most" } else { "at least" };
    if found.is_none_or(|found| !is_there(found, limit)) {
        return Err(pair.differs(what, &length(found), &format!("{direction} {}", length(Some(limit)))));
    }
    if is_outside(frame.left, frame.width, slide.width) || is_outside(frame.top, frame.height, slide.height) {
        return Err(pair.differs("the frame", &frame_text(frame), "one on the slide"));
    }
    Ok(())
}

/// Whether a shape is left of the slide or right of it, or above or below.
fn is_outside(start: Option<i64>, length: Option<i64>, limit: Option<i64>) -> bool {
    let Some(start) = start else { return false };
    let ends_before = length.is_some_and(|length| start.saturating_add(length) <= 0);
    ends_before || limit.is_some_and(|limit| start >= limit)
}

/// A picture or table is one in both.
fn same_kind(pair: &Pair<'_>) -> Result<(), Finding> {
    let kinds = [pair.expected.kind, pair.found.kind];
    let matters = kinds.iter().any(|kind| matches!(kind, Kind::Picture | Kind::Table));
    if matters && pair.expected.kind != pair.found.kind {
        return Err(pair.differs("the object", pair.found.kind.name(), pair.expected.kind.name()));
    }
    Ok(())
}

/// Which sides are compared.
#[derive(Clone, Copy)]
struct Sides {
    place: bool,
    width: bool,
    height: bool,
}

fn same_sides(pair: &Pair<'_>, sides: Sides) -> Result<(), Finding> {
    let expected = pair.expected.frame;
    let found = pair.found.frame;
    let compared = [
        (sides.place, "the left side", expected.left, found.left),
        (sides.place, "the top", expected.top, found.top),
        (sides.width, "the width", expected.width, found.width),
        (sides.height && !fits_text(pair.expected), "the height", expected.height, found.height),
    ];
    for (is_on, what, expected, found) in compared {
        if is_on && !is_close(expected, found) {
            return Err(pair.differs(what, &length(found), &length(expected)));
        }
    }
    Ok(())
}

/// Whether the height follows from texts: programs compute it, each its own.
fn fits_text(shape: &Shape) -> bool {
    shape.fits_text || shape.children.iter().any(fits_text)
}

fn is_close(expected: Option<i64>, found: Option<i64>) -> bool {
    match (expected, found) {
        (Some(expected), Some(found)) => expected.abs_diff(found) <= CLOSE,
        (expected, found) => expected == found,
    }
}

fn length(length: Option<i64>) -> String {
    length.map_or_else(|| "not set".to_owned(), |length| format!("{length} EMU"))
}

fn frame_text(frame: Frame) -> String {
    let Frame { left, top, width, height } = frame;
    format!("{} by {} at {}, {}", length(width), length(height), length(left), length(top))
}
