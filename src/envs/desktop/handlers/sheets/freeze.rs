//! `freeze`: rows and columns that stay when a sheet scrolls.

use super::select::Workbooks;
use super::{Case, Finding, Flow, Options, Rules};
use crate::office::xlsx::Sheet;

/// The same rows and columns are frozen. The released code compares the first cell that scrolls, which moves when the sheet was
/// scrolled, and takes a split for frozen.
pub(super) fn freeze(
    options: &Options<'_>,
    workbooks: &Workbooks<'_>,
    case: &mut Case<'_>,
) -> Result<Flow, Finding> {
    let [found, expected] = workbooks.sides(options)?;
    if case.rules == Rules::Code {
        let Some(found) = found.sheet() else { return Ok(Flow::Done) };
        let expected = expected.sheet().ok_or_else(|| Finding::error("the second sheet is missing"))?;
        return same(&cell(found), &cell(expected));
    }
    same(&frozen(found.required()?), &frozen(expected.required()?))
}

fn same(found: &str, expected: &str) -> Result<Flow, Finding> {
    if found == expected {
        return Ok(Flow::Next);
    }
    Err(Finding::Fail(format!("the sheet is frozen at {found}, expected is {expected}")))
}

fn cell(sheet: &Sheet) -> String {
    let cell = sheet.pane.as_ref().and_then(|pane| pane.top_left.clone());
    cell.unwrap_or_else(|| "no cell".to_owned())
}

fn frozen(sheet: &Sheet) -> String {
    match &sheet.pane {
        Some(pane) if pane.frozen => format!("{} rows and {} columns", pane.rows, pane.columns),
        _ => "0 rows and 0 columns".to_owned(),
    }
}
