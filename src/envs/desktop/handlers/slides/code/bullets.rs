//! Bullets of a whole slide, which the released code compares at each pair of runs.
//!
//! It reads the XML of the slide as it is at that moment: python-pptx has added properties to the paragraphs that were compared so far, and
//! a level that is not set differs from properties that are missing.

use super::super::Finding;
use crate::office::pptx::Mark;
use crate::office::quote;

/// The bullets of two slides, and how many of them differ now.
pub(super) struct Bullets<'a> {
    sides: [Side<'a>; 2],
    different: usize,
    /// Whether a text in a paragraph of either slide is empty.
    has_empty_text: bool,
}

/// The marks of a slide.
struct Side<'a> {
    marks: &'a [Mark],
    /// Whether python-pptx has added properties.
    touched: Vec<bool>,
    /// The places of the paragraphs with text, by the order of these.
    filled: Vec<usize>,
    /// The order of a paragraph among those with text.
    order: Vec<Option<usize>>,
}

impl<'a> Side<'a> {
    fn new(marks: &'a [Mark]) -> Self {
        let is_filled = |mark: &Mark| !mark.text.trim().is_empty();
        let mut filled = Vec::new();
        let mut order = Vec::new();
        for (place, mark) in marks.iter().enumerate() {
            order.push(is_filled(mark).then_some(filled.len()));
            if is_filled(mark) {
                filled.push(place);
            }
        }
        Self { marks, touched: vec![false; marks.len()], filled, order }
    }

    /// A paragraph with text, and whether it has properties.
    fn at(&self, order: usize) -> Option<(&Mark, bool)> {
        let place = *self.filled.get(order)?;
        let mark = self.marks.get(place)?;
        Some((mark, mark.has_properties || *self.touched.get(place)?))
    }
}

fn is_different(sides: &[Side<'_>; 2], order: usize) -> bool {
    let [expected, found] = sides;
    let (Some((a, a_has)), Some((b, b_has))) = (expected.at(order), found.at(order)) else { return true };
    let is_same = a_has == b_has && a.level == b.level && a.character == b.character;
    !is_same || a.color != b.color || a.text != b.text
}

impl<'a> Bullets<'a> {
    pub(super) fn new(expected: &'a [Mark], found: &'a [Mark]) -> Self {
        let sides = [Side::new(expected), Side::new(found)];
        let [first, second] = &sides;
        let count = first.filled.len().max(second.filled.len());
        let different = (0..count).filter(|order| is_different(&sides, *order)).count();
        let has_empty_text = expected.iter().chain(found).any(|mark| mark.has_empty_text);
        Self { sides, different, has_empty_text }
    }

    /// Adds properties to a pair of paragraphs, as reading their alignment does.
    pub(super) fn touch(&mut self, expected: Option<usize>, found: Option<usize>) {
        for (index, place) in [expected, found].into_iter().enumerate() {
            let Some((side, place)) = self.sides.get(index).zip(place) else { continue };
            let order = side.order.get(place).copied().flatten();
            let before = order.is_some_and(|order| is_different(&self.sides, order));
            if let Some(touched) = self.sides.get_mut(index).and_then(|side| side.touched.get_mut(place)) {
                *touched = true;
            }
            let after = order.is_some_and(|order| is_different(&self.sides, order));
            self.different = self.different - usize::from(before) + usize::from(after);
        }
    }

    /// Compares the bullets of the slides.
    ///
    /// # Errors
    /// They differ, or a text in a paragraph is empty, which the released code cannot read.
    pub(super) fn compare(&self, slide: usize) -> Result<(), Finding> {
        if self.has_empty_text {
            return Err(Finding::Error(format!("a run of slide {slide} has an empty text")));
        }
        if self.different == 0 {
            return Ok(());
        }
        let [expected, found] = &self.sides;
        let count = expected.filled.len().max(found.filled.len());
        let first = (0..count).find(|order| is_different(&self.sides, *order)).unwrap_or_default();
        Err(Finding::Fail(format!(
            "the bullets of slide {slide} differ: paragraph {} is {}, expected is {}",
            first + 1,
            described(found.at(first)),
            described(expected.at(first))
        )))
    }
}

fn described(paragraph: Option<(&Mark, bool)>) -> String {
    let Some((mark, has_properties)) = paragraph else { return "missing".to_owned() };
    let level = match &mark.level {
        Some(level) => quote(level),
        None if has_properties => "not set".to_owned(),
        None => "without properties".to_owned(),
    };
    let or_none = |value: &Option<String>| value.as_deref().map_or_else(|| "none".to_owned(), quote);
    format!(
        "{} with level {level}, bullet {} and color {}",
        quote(&mark.text),
        or_none(&mark.character),
        or_none(&mark.color)
    )
}
