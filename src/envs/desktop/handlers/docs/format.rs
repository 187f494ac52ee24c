//! Formatting: distances of lines, alignment, fonts, subscripts.

use super::open::{FILES, Pair, document};
use super::text::{TextOptions, same_text};
use super::{Case, Finding, Options, Params, Role, Rules};
use crate::office::docx::{Alignment, Document, LineSpacing, Paragraph};
use crate::office::quote;

/// The texts are equal, and so are the distances of lines of all paragraphs. What a style says counts; one line if nothing
/// is said. The released code compares what paragraphs say themselves.
pub(super) fn compare_line_spacing(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let [reference, made] = FILES;
    same_text(case, params.text(reference)?, params.text(made)?, TextOptions::default())?;
    let pair = Pair::read(params, case, FILES)?;
    let expected = paragraphs(&pair.reference, case.rules);
    let found = paragraphs(&pair.made, case.rules);
    if expected.len() != found.len() {
        let sentence = format!("there are {} paragraphs, expected are {}", found.len(), expected.len());
        return Err(Finding::Fail(sentence));
    }
    for (index, (expected, found)) in expected.iter().zip(&found).enumerate() {
        let same = match case.rules {
            Rules::Standard => same_spacing(expected.format.line_spacing, found.format.line_spacing),
            Rules::Code => plain(expected.direct.line_spacing) == plain(found.direct.line_spacing),
        };
        if !same {
            return Err(Finding::Fail(format!(
                "the line spacing of paragraph {} ({}) is {}, expected is {}",
                index + 1,
                quote(&found.text),
                spacing_text(found.format.line_spacing),
                spacing_text(expected.format.line_spacing)
            )));
        }
    }
    Ok(())
}

fn paragraphs(document: &Document, rules: Rules) -> Vec<&Paragraph> {
    match rules {
        Rules::Code => document.paragraphs.iter().collect(),
        Rules::Standard => visible(document),
    }
}

/// All paragraphs with text.
fn visible(document: &Document) -> Vec<&Paragraph> {
    document.all_paragraphs().into_iter().filter(|paragraph| !paragraph.is_blank()).collect()
}

fn same_spacing(expected: Option<LineSpacing>, found: Option<LineSpacing>) -> bool {
    /// Lines: a hundredth. Twips: a twentieth of a point, twice.
    const CLOSE: f64 = 0.01;
    let single = LineSpacing::Lines(1.0);
    match (expected.unwrap_or(single), found.unwrap_or(single)) {
        (LineSpacing::Lines(a), LineSpacing::Lines(b)) => (a - b).abs() <= CLOSE,
        (LineSpacing::Exactly(a), LineSpacing::Exactly(b))
        | (LineSpacing::AtLeast(a), LineSpacing::AtLeast(b)) => (a - b).abs() <= 2.0,
        _ => false,
    }
}

/// As python-docx has it: lines as they are, lengths in EMU, whatever their rule.
fn plain(spacing: Option<LineSpacing>) -> Option<f64> {
    const EMU_IN_A_TWIP: f64 = 635.0;
    spacing.map(|spacing| match spacing {
        LineSpacing::Lines(lines) => lines,
        LineSpacing::Exactly(twips) | LineSpacing::AtLeast(twips) => twips * EMU_IN_A_TWIP,
    })
}

fn spacing_text(spacing: Option<LineSpacing>) -> String {
    match spacing {
        None => "1 line".to_owned(),
        Some(LineSpacing::Lines(lines)) => format!("{lines} lines"),
        Some(LineSpacing::Exactly(twips)) => format!("exactly {} pt", twips / 20.0),
        Some(LineSpacing::AtLeast(twips)) => format!("at least {} pt", twips / 20.0),
    }
}

/// The same characters are subscript in all paragraphs; the reference must have some. The released code passes at the first
/// pair of runs that are both subscript.
pub(super) fn compare_subscript_contains(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pair = Pair::read(params, case, FILES)?;
    if case.rules == Rules::Code {
        return subscript_by_code(&pair);
    }
    let expected = visible(&pair.reference);
    let found = visible(&pair.made);
    if expected.iter().all(|paragraph| !characters(paragraph).iter().any(|(_, subscript)| *subscript)) {
        return Err(Finding::error("the reference has no subscript"));
    }
    if expected.len() != found.len() {
        let sentence =
            format!("there are {} paragraphs with text, expected are {}", found.len(), expected.len());
        return Err(Finding::Fail(sentence));
    }
    for (index, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if characters(expected) != characters(found) {
            return Err(Finding::Fail(format!(
                "paragraph {} is {} with the subscript {}, expected is {} with the subscript {}",
                index + 1,
                quote(&found.text),
                quote(&subscript(found)),
                quote(&expected.text),
                quote(&subscript(expected))
            )));
        }
    }
    Ok(())
}

/// The characters that are no blanks, and whether they are subscript.
fn characters(paragraph: &Paragraph) -> Vec<(char, bool)> {
    let runs = paragraph.runs.iter();
    let of_run = runs.flat_map(|run| run.text.chars().map(|c| (c, run.format.subscript == Some(true))));
    of_run.filter(|(character, _)| !character.is_whitespace()).collect()
}

fn subscript(paragraph: &Paragraph) -> String {
    characters(paragraph)
        .into_iter()
        .filter(|(_, subscript)| *subscript)
        .map(|(character, _)| character)
        .collect()
}

fn subscript_by_code(pair: &Pair) -> Result<(), Finding> {
    let paragraphs = pair.reference.paragraphs.iter().zip(&pair.made.paragraphs);
    let mut runs = paragraphs.flat_map(|(expected, found)| expected.runs.iter().zip(&found.runs));
    let both = runs.any(|(expected, found)| {
        expected.direct.subscript == Some(true) && found.direct.subscript == Some(true)
    });
    if both { Ok(()) } else { Err(Finding::fail("a subscript is missing: expected is one at the same run")) }
}

/// The first paragraph with text is centered, itself or by its style. The released code looks at the first paragraph, with or
/// without text, and not at styles.
pub(super) fn is_first_line_centered(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let made = document(case, params.text("docx_file")?, Role::Made)?;
    let alignment = match case.rules {
        Rules::Code => {
            let first =
                made.paragraphs.first().ok_or_else(|| Finding::error("the document has no paragraph"))?;
            first.direct.alignment.clone()
        }
        Rules::Standard => {
            let first = visible(&made).into_iter().next();
            let first = first
                .ok_or_else(|| Finding::fail("the document has no text, expected is a centered line"))?;
            first.format.alignment.clone()
        }
    };
    match alignment {
        Some(Alignment::Center) => Ok(()),
        Some(other) => {
            Err(Finding::Fail(format!("the alignment of the first line is {other:?}, expected is Center")))
        }
        None => Err(Finding::fail("the first line is not centered")),
    }
}

/// All text has the font `rules.font_name`, by itself, by styles or by the theme. The released code looks at runs alone, those
/// without text too.
pub(super) fn compare_font_names(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let options = Options::of(Some(params.table("rules")?), "rules", &["font_name"])?;
    let expected = options.text("font_name", "")?;
    if expected.is_empty() {
        return Err(Finding::error("rules.font_name is missing"));
    }
    let made = document(case, params.text("docx_file")?, Role::Made)?;
    let paragraphs = paragraphs(&made, case.rules);
    if case.rules == Rules::Standard && paragraphs.is_empty() {
        return Err(Finding::Fail(format!(
            "the document has no text, expected is text in {}",
            quote(expected)
        )));
    }
    for (index, paragraph) in paragraphs.iter().enumerate() {
        for run in &paragraph.runs {
            let font = match case.rules {
                Rules::Code => &run.direct.font,
                Rules::Standard if run.text.trim().is_empty() => continue,
                Rules::Standard => &run.format.font,
            };
            if font.as_deref() != Some(expected) {
                return Err(Finding::Fail(format!(
                    "the font of {} in paragraph {} is {}, expected is {}",
                    quote(&run.text),
                    index + 1,
                    font.as_deref().map_or_else(|| "not set".to_owned(), quote),
                    quote(expected)
                )));
            }
        }
    }
    Ok(())
}
