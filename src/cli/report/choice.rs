//! Which tables of a report are shown: all, those that are named, or of many rows the main numbers only.

use serde_json::Value;

use super::selection::Selection;
use super::{csv, values};
use mageyard_config::Problem;
use mageyard_report::Report;
use mageyard_report::document::{Document, Section, Table};
use mageyard_report::tables::{Metric, ReportTables};

/// The most rows of a text report that has all tables.
const MOST_ROWS: usize = 8;

/// The name that stands for all tables.
const ALL: &str = "all";

/// A document with one table: these columns of the CSV, numbers rounded to two decimal places.
pub(super) fn columns(
    report: &Report,
    tables: &ReportTables<'_>,
    selection: &Selection,
) -> Result<Document, Problem> {
    let objects = values(report).map_err(|error| Problem::new(error.to_string()))?;
    let rows = csv::table(&objects, selection)?;
    let numbers =
        |column: usize| rows.iter().skip(1).all(|row| row[column].is_number() || row[column].is_null());
    let names = (0..selection.names().len()).take_while(|column| !numbers(*column)).count();
    let rows = rows.iter().map(|row| row.iter().map(shown).collect()).collect();
    let section = Section::table("Columns", true, Table { rows, names });
    Ok(only(tables, section))
}

/// A document with one table of these metrics.
pub(super) fn metrics(tables: &ReportTables<'_>, metrics: &[Metric]) -> Document {
    only(tables, tables.metrics(metrics))
}

/// A document with this section alone.
fn only(tables: &ReportTables<'_>, section: Option<Section>) -> Document {
    Document {
        common: tables.common(),
        findings: Vec::new(),
        sections: section.into_iter().collect(),
        notes: Vec::new(),
    }
}

/// The tables whose titles contain one of these words; all of them for `all`.
pub(super) fn named(document: Document, words: &[String]) -> Result<Document, Problem> {
    if words.is_empty() || words.iter().any(|word| word == ALL) {
        return Ok(document);
    }
    let has = |section: &Section, word: &String| section.title.to_lowercase().contains(&word.to_lowercase());
    if let Some(unknown) =
        words.iter().find(|word| !document.sections.iter().any(|section| has(section, word)))
    {
        let help = format!("the tables are: {}", titles(&document).join(", "));
        return Err(Problem::new(format!("--tables: no table has {unknown:?} in its title")).with_help(help));
    }
    let is_named = |section: &Section| words.iter().any(|word| has(section, word));
    let sections = document.sections.into_iter().filter(is_named).collect();
    Ok(Document { sections, notes: Vec::new(), ..document })
}

/// Of a report with many rows the main numbers, and a line that names the other tables.
pub(super) fn brief(document: Document, tables: &ReportTables<'_>) -> Document {
    if tables.count() <= MOST_ROWS {
        return document;
    }
    let more = format!(
        "More tables: {}. Show some with `--tables WORD,...`, a word of their titles, or all with `--tables all`.",
        titles(&document).join(", ")
    );
    let legend = tables.rows_section();
    let sections = legend.into_iter().chain(tables.metrics(&Metric::MAIN)).collect();
    let notes = tables.finding_notes().into_iter().chain([more]).collect();
    Document { sections, notes, ..document }
}

/// The titles of the tables without what follows a colon, each once.
fn titles(document: &Document) -> Vec<&str> {
    let mut titles: Vec<&str> = Vec::new();
    for section in &document.sections {
        let title = section.title.split(':').next().unwrap_or_default();
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    titles
}

fn shown(value: &Value) -> String {
    match value.as_f64().filter(|_| value.is_f64()) {
        Some(number) => format!("{number:.2}"),
        None if value.is_null() => "–".to_owned(),
        None => csv::scalar(value),
    }
}
