//! Frames of shapes. What a task moves is measured in the reference, not in what the agent made.

use super::super::{BOTTOM, Examine, Finding, MOVED_SLIDE, RESIZED, RIGHT, TABLE_SLIDE, TITLE, TOP};
use super::Pair;
use super::text::whole_text;
use crate::office::pptx::{Frame, Kind, Shape};

type Check = fn(&Pair<'_>) -> Result<(), Finding>;

pub(super) fn compare(pair: &Pair<'_>, examine: &Examine) -> Result<(), Finding> {
    let checks: [(bool, Check); 8] = [
        (examine.title_bottom_position, title_bottom),
        (examine.table_bottom_position, table_bottom),
        (examine.right_position, right),
        (examine.top_position, top),
        (examine.shape_for_shift_size, shift_size),
        (examine.shape, same_frame),
        (examine.image_size, image_size),
        (examine.modify_height, modify_height),
    ];
    checks.into_iter().filter(|(is_on, _)| *is_on).try_for_each(|(_, check)| check(pair))
}

fn title_bottom(pair: &Pair<'_>) -> Result<(), Finding> {
    let Some(text) = equal_text(pair) else { return same_frame(pair) };
    let top = |shape: &Shape| side(pair, shape.frame.top);
    if text == TITLE && (top(pair.expected)? <= top(pair.found)? || top(pair.expected)? < BOTTOM) {
        return Err(pair.fail("the title is not lower in the reference than in the result"));
    }
    Ok(())
}

fn table_bottom(pair: &Pair<'_>) -> Result<(), Finding> {
    if pair.slide != TABLE_SLIDE || !both(pair, Kind::Table)? {
        return same_frame(pair);
    }
    let expected = side(pair, pair.expected.frame.top)?;
    if expected > side(pair, pair.found.frame.top)? || expected < BOTTOM {
        return Err(
            pair.fail("the table of the reference is lower than that of the result, or not at the bottom")
        );
    }
    Ok(())
}

fn right(pair: &Pair<'_>) -> Result<(), Finding> {
    if pair.slide != MOVED_SLIDE || !both_without_text(pair) {
        return Ok(());
    }
    let expected = side(pair, pair.expected.frame.left)?;
    if expected <= side(pair, pair.found.frame.left)? || expected < RIGHT {
        return Err(pair.fail("the shape is not further right in the reference than in the result"));
    }
    Ok(())
}

fn top(pair: &Pair<'_>) -> Result<(), Finding> {
    if pair.slide != MOVED_SLIDE || !both(pair, Kind::Picture)? {
        return same_frame(pair);
    }
    let expected = side(pair, pair.expected.frame.top)?;
    if expected < side(pair, pair.found.frame.top)? || expected > TOP {
        return Err(
            pair.fail("the picture of the reference is higher than that of the result, or not at the top")
        );
    }
    Ok(())
}

fn shift_size(pair: &Pair<'_>) -> Result<(), Finding> {
    if equal_text(pair).is_some_and(|text| text == RESIZED) { Ok(()) } else { same_frame(pair) }
}

fn image_size(pair: &Pair<'_>) -> Result<(), Finding> {
    if !both(pair, Kind::Picture)? {
        return same_frame(pair);
    }
    let size = |shape: &Shape| (shape.frame.width, shape.frame.height);
    if size(pair.expected) == size(pair.found) { Ok(()) } else { Err(frames(pair)) }
}

fn modify_height(pair: &Pair<'_>) -> Result<(), Finding> {
    if !both_without_text(pair) && !both(pair, Kind::Freeform)? {
        return same_frame(pair);
    }
    if pair.expected.frame.height == pair.found.frame.height { Ok(()) } else { Err(frames(pair)) }
}

fn same_frame(pair: &Pair<'_>) -> Result<(), Finding> {
    if pair.expected.frame == pair.found.frame { Ok(()) } else { Err(frames(pair)) }
}

fn frames(pair: &Pair<'_>) -> Finding {
    pair.differs("the frame", &frame_text(pair.found.frame), &frame_text(pair.expected.frame))
}

fn frame_text(frame: Frame) -> String {
    let side = |side: Option<i64>| side.map_or_else(|| "unset".to_owned(), |side| side.to_string());
    let Frame { left, top, width, height } = frame;
    format!("({}, {}, {}, {}) EMU", side(left), side(top), side(width), side(height))
}

/// A side that is compared by its size; the released code cannot compare one that is not set.
fn side(pair: &Pair<'_>, side: Option<i64>) -> Result<i64, Finding> {
    side.ok_or_else(|| Finding::Error(format!("{} has no place", pair.place)))
}

/// The text of both, if they have the same.
fn equal_text(pair: &Pair<'_>) -> Option<String> {
    let expected = whole_text(pair.expected)?;
    (whole_text(pair.found)? == expected).then_some(expected)
}

fn both_without_text(pair: &Pair<'_>) -> bool {
    pair.expected.text.is_none() && pair.found.text.is_none()
}

fn both(pair: &Pair<'_>, kind: Kind) -> Result<bool, Finding> {
    Ok(is(pair, pair.expected, kind)? && is(pair, pair.found, kind)?)
}

/// Whether a shape is of a kind for python-pptx, to which a placeholder is nothing else. It knows no kind of some shapes.
fn is(pair: &Pair<'_>, shape: &Shape, kind: Kind) -> Result<bool, Finding> {
    match shape.kind {
        _ if shape.placeholder => Ok(false),
        Kind::Formless | Kind::Other => Err(Finding::Error(format!("{} has no form", pair.place))),
        other => Ok(other == kind),
    }
}
