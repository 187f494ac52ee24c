//! References after their heading.

use super::open::{FILES, document};
use super::text::{both_end, similarity};
use super::{Case, Finding, Options, Params, Role, Rules};
use crate::office::docx::Document;
use crate::office::quote;

/// The paragraphs after the heading `reference_indicator` (`References` unless set) are as many, and their mean similarity is
/// at least `reference_base_result` (0.5 unless set). The last such heading counts, blanks around it and its case do not; the
/// released code takes the first that is exactly equal.
pub(super) fn compare_references(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let options = Options::read(params, "options", &["reference_indicator", "reference_base_result"])?;
    let indicator = options.text("reference_indicator", "References")?;
    let least = options.number("reference_base_result", 0.5)?;
    let [reference_path, made_path] = FILES;
    let reference_path = params.text(reference_path)?;
    let made_path = params.text(made_path)?;
    if case.rules == Rules::Code && !both_end(reference_path, made_path, ".docx") {
        return Err(Finding::fail("the files are not both .docx"));
    }
    let expected = references(&document(case, reference_path, Role::Reference)?, indicator, case.rules);
    let found = references(&document(case, made_path, Role::Made)?, indicator, case.rules);
    let absent = |path: &str| format!("{path} has no paragraph {}", quote(indicator));
    let expected = expected.ok_or_else(|| match case.rules {
        Rules::Standard => Finding::Error(absent(reference_path)),
        Rules::Code => Finding::Fail(absent(reference_path)),
    })?;
    let found = found.ok_or_else(|| Finding::Fail(absent(made_path)))?;
    if expected.len() != found.len() {
        return Err(Finding::Fail(format!(
            "there are {} references, expected are {}",
            found.len(),
            expected.len()
        )));
    }
    if expected.is_empty() {
        return Err(Finding::Error(format!("{reference_path} has no references after {}", quote(indicator))));
    }
    mean_similarity(&expected, &found, least)
}

fn mean_similarity(expected: &[String], found: &[String], least: f64) -> Result<(), Finding> {
    let mut total = 0.0;
    for (expected, found) in expected.iter().zip(found) {
        total += similarity(expected, found)?;
    }
    let mean = total / f64::from(u32::try_from(expected.len()).unwrap_or(u32::MAX));
    if mean >= least {
        return Ok(());
    }
    Err(Finding::Fail(format!(
        "the mean similarity of the references is {mean:.3}, expected is at least {least}"
    )))
}

/// The texts after the heading, without those in tables under both rules: python-docx shows no others, and a list of references is
/// running text.
fn references(document: &Document, indicator: &str, rules: Rules) -> Option<Vec<String>> {
    let mut texts = document.paragraphs.iter().map(|paragraph| paragraph.text.as_str());
    let index = match rules {
        Rules::Code => texts.position(|text| text == indicator)?,
        Rules::Standard => {
            let wanted = indicator.trim().to_lowercase();
            document
                .paragraphs
                .iter()
                .rposition(|paragraph| paragraph.text.trim().to_lowercase() == wanted)?
        }
    };
    let after = document.paragraphs.iter().skip(index + 1);
    Some(after.filter(|paragraph| !paragraph.is_blank()).map(|paragraph| paragraph.text.clone()).collect())
}
