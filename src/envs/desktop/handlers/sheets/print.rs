//! `sheet_print`: a sheet as it was saved in comma-separated values.

use super::select::{Side, Workbooks, is_csv};
use super::{Case, Finding, Flow, Options, Role, Rules};
use crate::office::quote;

/// The files `<workbook>-<sheet>.csv` beside the workbooks have the same lines, without blanks around them and without blank lines
/// at the end; with `ignore_case` in any case. A workbook that is a `.csv` itself is its own print. The released code never
/// loads such a one.
pub(super) fn sheet_print(
    options: &Options<'_>,
    workbooks: &Workbooks<'_>,
    case: &mut Case<'_>,
) -> Result<Flow, Finding> {
    let ignore_case = options.flag("ignore_case", false)?;
    let [found, expected] = workbooks.sides(options)?;
    let read = |side: &Side<'_>, case: &mut Case<'_>| -> Result<Vec<String>, Finding> {
        let lines = lines(side, case)?;
        Ok(if ignore_case { lines.iter().map(|line| line.to_lowercase()).collect() } else { lines })
    };
    let found = match read(&found, case) {
        Err(_) if case.rules == Rules::Code => return Ok(Flow::Done),
        found => found?,
    };
    let expected = match read(&expected, case) {
        Err(_) if case.rules == Rules::Code && !ignore_case => {
            return Err(Finding::fail("the second print is missing"));
        }
        expected => expected?,
    };
    if found == expected {
        return Ok(Flow::Next);
    }
    let index = found.iter().zip(&expected).take_while(|(found, expected)| found == expected).count();
    let text = |lines: &[String]| lines.get(index).map_or_else(|| "missing".to_owned(), |line| quote(line));
    let place = index + 1;
    Err(Finding::Fail(format!(
        "line {place} of the print is {}, expected is {}",
        text(&found),
        text(&expected)
    )))
}

fn lines(side: &Side<'_>, case: &mut Case<'_>) -> Result<Vec<String>, Finding> {
    let path = path(side)?;
    let bytes = match side.role {
        Role::Made => case.made(&path)?,
        Role::Reference => case.reference(&path)?,
    };
    let text = String::from_utf8(bytes).map_err(|_| side.finding(format!("{path} is not UTF-8")))?;
    let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Ok(lines)
}

fn path(side: &Side<'_>) -> Result<String, Finding> {
    let workbook = side.file.path;
    if is_csv(workbook) {
        return Ok(workbook.to_owned());
    }
    let name = side.name.as_deref().ok_or_else(|| side.missing())?;
    // The name comes from a file: it must not lead out of the folder.
    if name.contains(['/', '\\', '\0']) {
        return Err(side.finding(format!("the name of the sheet {} cannot be part of a path", quote(name))));
    }
    let file = workbook.rfind('/').map_or(0, |slash| slash + 1);
    let stem =
        workbook.rfind('.').filter(|dot| *dot > file).and_then(|dot| workbook.get(..dot)).unwrap_or(workbook);
    Ok(format!("{stem}-{name}.csv"))
}
