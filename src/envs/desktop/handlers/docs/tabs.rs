//! Tab stops.

use super::open::{Pair, REFERENCE_AND_FILE};
use super::text::collapsed;
use super::{Case, Finding, Options, Params, Rules};
use crate::office::docx::{Document, Paragraph, ParagraphFormat, TabStop};
use crate::office::quote;

/// Twips that two positions may differ: 0.05 inch.
const CLOSE: f64 = 72.0;

/// The paragraphs with text have the same words and the same tab stops: as many, of the same alignments, at positions that
/// differ by at most 0.05 inch; stops of styles count. With `kwargs.word_number_split_by_tabstop` the part at `kwargs.index`
/// (0 unless set) between tabs has so many words.
///
/// The released code passes if the numbers or the alignments of stops differ, compares no words, and fails for positions only
/// if their mean distance is exactly the width of the text.
pub(super) fn check_tabstops(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let options = Options::read(params, "kwargs", &["word_number_split_by_tabstop", "index"])?;
    let number = options.whole("word_number_split_by_tabstop")?;
    let index = options.whole("index")?.unwrap_or(0);
    let pair = Pair::read(params, case, REFERENCE_AND_FILE)?;
    let expected = with_text(&pair.reference);
    let found = with_text(&pair.made);
    if expected.len() != found.len() {
        let sentence =
            format!("there are {} paragraphs with text, expected are {}", found.len(), expected.len());
        return Err(Finding::Fail(sentence));
    }
    if let Some(number) = number {
        for (place, paragraph) in found.iter().enumerate() {
            check_words(paragraph, place + 1, number, index, case.rules)?;
        }
    }
    match case.rules {
        Rules::Code => distances_by_code(&expected, &found, &pair.made),
        Rules::Standard => {
            let mut paragraphs = expected.iter().zip(&found).enumerate();
            paragraphs.try_for_each(|(place, (expected, found))| same_tabs(expected, found, place + 1))
        }
    }
}

/// The paragraphs with text outside of tables, under both rules: python-docx shows no others, and a stop in a cell is about the
/// cell, not about the lines that a task wants aligned.
fn with_text(document: &Document) -> Vec<&Paragraph> {
    document.paragraphs.iter().filter(|paragraph| !paragraph.is_blank()).collect()
}

fn check_words(
    paragraph: &Paragraph,
    place: usize,
    number: i64,
    index: i64,
    rules: Rules,
) -> Result<(), Finding> {
    let parts: Vec<&str> = paragraph.text.split('\t').collect();
    // As in Python, a negative index counts from the end.
    let count = i64::try_from(parts.len()).unwrap_or(i64::MAX);
    let position = if index < 0 { index.saturating_add(count) } else { index };
    let part = usize::try_from(position).ok().and_then(|position| parts.get(position));
    let Some(part) = part else {
        let sentence =
            format!("paragraph {place} ({}) has no part {index} between tabs", quote(&paragraph.text));
        return Err(if rules == Rules::Code { Finding::Error(sentence) } else { Finding::Fail(sentence) });
    };
    let words = part.split_whitespace().count();
    if i64::try_from(words) == Ok(number) {
        return Ok(());
    }
    Err(Finding::Fail(format!(
        "part {index} of paragraph {place} ({}) has {words} words, expected are {number}",
        quote(part)
    )))
}

/// The stops that are not cleared, without one at the margin.
fn stops(format: &ParagraphFormat) -> Vec<&TabStop> {
    let is_set =
        |stop: &&TabStop| stop.alignment != "clear" && !(stop.alignment == "left" && stop.position == 0.0);
    format.tabs.iter().filter(is_set).collect()
}

fn same_tabs(expected: &Paragraph, found: &Paragraph, place: usize) -> Result<(), Finding> {
    if collapsed(&expected.text) != collapsed(&found.text) {
        let (found, expected) = (quote(&found.text), quote(&expected.text));
        return Err(Finding::Fail(format!("paragraph {place} is {found}, expected is {expected}")));
    }
    let wanted = stops(&expected.format);
    let given = stops(&found.format);
    let close = |(a, b): (&&TabStop, &&TabStop)| {
        a.alignment == b.alignment && (a.position - b.position).abs() <= CLOSE
    };
    if wanted.len() == given.len() && wanted.iter().zip(&given).all(close) {
        return Ok(());
    }
    Err(Finding::Fail(format!("paragraph {place} has {}, expected is {}", listed(&given), listed(&wanted))))
}

fn listed(stops: &[&TabStop]) -> String {
    if stops.is_empty() {
        return "no tab stops".to_owned();
    }
    let text = |stop: &&TabStop| format!("{} at {:.2} in", stop.alignment, stop.position / 1440.0);
    format!("the tab stops {}", stops.iter().map(text).collect::<Vec<_>>().join(", "))
}

fn distances_by_code(expected: &[&Paragraph], found: &[&Paragraph], made: &Document) -> Result<(), Finding> {
    let section = made.sections.first().ok_or_else(|| Finding::error("the document has no section"))?;
    let width =
        section.text_width().ok_or_else(|| Finding::fail("the width of the page or a margin is not set"))?;
    if width == 0.0 {
        return Err(Finding::error("the text has no width"));
    }
    let mut distance = 0.0;
    for (expected, found) in expected.iter().zip(found) {
        let wanted = stops(&expected.direct);
        let given = stops(&found.direct);
        let same_kinds = wanted.iter().zip(&given).all(|(a, b)| a.alignment == b.alignment);
        if wanted.len() != given.len() || !same_kinds {
            return Ok(());
        }
        let apart: f64 = wanted.iter().zip(&given).map(|(a, b)| (a.position - b.position).abs()).sum();
        distance += apart / width;
    }
    let count = f64::from(u32::try_from(expected.len()).unwrap_or(u32::MAX));
    if count == 0.0 {
        return Err(Finding::error("the documents have no text"));
    }
    if 1.0 - distance / count == 0.0 {
        return Err(Finding::fail("the mean distance of the tab stops is the width of the text"));
    }
    Ok(())
}
