//! Equations, tables, and where pictures are.

use std::rc::Rc;

use super::open::{FILES, Pair};
use super::text::{TextOptions, same_text};
use super::{Case, Finding, Params, Rules};
use crate::office::docx::{Document, Paragraph, Table};
use crate::office::quote;

/// The texts are equal, and as many paragraphs have an equation, at least one. What the equations say is not compared.
pub(super) fn compare_insert_equation(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let [reference, made] = FILES;
    same_text(case, params.text(reference)?, params.text(made)?, TextOptions::default())?;
    let pair = Pair::read(params, case, FILES)?;
    let expected = equations(&pair.reference, case.rules);
    let found = equations(&pair.made, case.rules);
    if expected == 0 && case.rules == Rules::Standard {
        return Err(Finding::error("the reference has no equation"));
    }
    if expected == found && expected > 0 {
        return Ok(());
    }
    Err(Finding::Fail(format!("{found} paragraphs have an equation, expected are {expected}")))
}

fn equations(document: &Document, rules: Rules) -> usize {
    let paragraphs = match rules {
        Rules::Standard => document.all_paragraphs(),
        Rules::Code => document.paragraphs.iter().collect(),
    };
    paragraphs.into_iter().filter(|paragraph| paragraph.equations > 0).count()
}

/// There are as many tables, and their cells have the same text, blanks around it apart.
pub(super) fn compare_docx_tables(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pair = Pair::read(params, case, FILES)?;
    let expected = &pair.reference.tables;
    let found = &pair.made.tables;
    if expected.len() != found.len() {
        return Err(Finding::Fail(format!(
            "there are {} tables, expected are {}",
            found.len(),
            expected.len()
        )));
    }
    let mut tables = expected.iter().zip(found).enumerate();
    tables.try_for_each(|(index, (expected, found))| same_table(expected, found, index + 1))
}

fn same_table(expected: &Table, found: &Table, place: usize) -> Result<(), Finding> {
    let size = |table: &Table| (table.rows.len(), table.columns);
    if size(expected) != size(found) {
        return Err(Finding::Fail(format!(
            "table {place} has {} rows and {} columns, expected are {} and {}",
            found.rows.len(),
            found.columns,
            expected.rows.len(),
            expected.columns
        )));
    }
    for (row, (expected, found)) in expected.grid().iter().zip(&found.grid()).enumerate() {
        for column in 0..expected.len().max(found.len()) {
            let (expected, found) = (text_at(expected, column), text_at(found, column));
            if expected != found {
                return Err(Finding::Fail(format!(
                    "row {}, column {} of table {place} is {}, expected is {}",
                    row + 1,
                    column + 1,
                    quote(found),
                    quote(expected)
                )));
            }
        }
    }
    Ok(())
}

fn text_at(cells: &[Rc<str>], column: usize) -> &str {
    cells.get(column).map_or("", |text| text.trim())
}

/// The pictures are in the same paragraphs, counting those that have text or a picture, and as many. The released code compares
/// runs pair by pair and ends with the shorter document.
pub(super) fn compare_contains_image(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pair = Pair::read(params, case, FILES)?;
    if case.rules == Rules::Code {
        return graphics_by_code(&pair);
    }
    let expected = filled(&pair.reference);
    let found = filled(&pair.made);
    let count =
        |paragraphs: &[&Paragraph]| paragraphs.iter().map(|paragraph| paragraph.pictures).sum::<usize>();
    if count(&expected) != count(&found) {
        let sentence = format!("there are {} pictures, expected are {}", count(&found), count(&expected));
        return Err(Finding::Fail(sentence));
    }
    for (index, expected) in expected.iter().enumerate() {
        let pictures = found.get(index).map_or(0, |paragraph| paragraph.pictures);
        if pictures != expected.pictures {
            let place = index + 1;
            let wanted = expected.pictures;
            return Err(Finding::Fail(format!(
                "paragraph {place} has {pictures} pictures, expected are {wanted}"
            )));
        }
    }
    Ok(())
}

fn filled(document: &Document) -> Vec<&Paragraph> {
    let has_something = |paragraph: &&Paragraph| !paragraph.is_blank() || paragraph.pictures > 0;
    document.all_paragraphs().into_iter().filter(has_something).collect()
}

fn graphics_by_code(pair: &Pair) -> Result<(), Finding> {
    let paragraphs = pair.reference.paragraphs.iter().zip(&pair.made.paragraphs).enumerate();
    for (index, (expected, found)) in paragraphs {
        let differs = expected.runs.iter().zip(&found.runs).any(|(a, b)| a.graphic != b.graphic);
        if differs {
            let place = index + 1;
            return Err(Finding::Fail(format!(
                "a run of paragraph {place} has a picture in one document only"
            )));
        }
    }
    Ok(())
}
