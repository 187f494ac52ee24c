//! Which sheets a rule compares.

use serde_json::Value;

use super::{Case, Finding, Options, Params, Role, Rules, read};
use crate::office::quote;
use crate::office::xlsx::{Sheet, Workbook};

/// The workbooks of a procedure.
pub(super) struct Workbooks<'a> {
    pub(super) result: WorkbookFile<'a>,
    pub(super) expected: Option<WorkbookFile<'a>>,
}

/// A workbook and its path.
pub(super) struct WorkbookFile<'a> {
    pub(super) path: &'a str,
    pub(super) workbook: Workbook,
}

/// A sheet that a rule names: in which workbook, and by which name; none if the number has no sheet.
pub(super) struct Side<'a> {
    pub(super) file: &'a WorkbookFile<'a>,
    pub(super) role: Role,
    pub(super) name: Option<String>,
    asked: String,
}

impl<'a> Workbooks<'a> {
    /// Reads the workbooks; `None` if the released code takes the task for done because it cannot open the first.
    pub(super) fn read(params: &Params<'a>, case: &mut Case<'_>) -> Result<Option<Self>, Finding> {
        let result = WorkbookFile::read(params.text("result")?, Role::Made, case);
        if result.is_err() && case.rules == Rules::Code {
            return Ok(None);
        }
        let result = result?;
        let expected = match params.get("expected") {
            Some(_) => Some(WorkbookFile::read(params.text("expected")?, Role::Reference, case)?),
            None => None,
        };
        Ok(Some(Self { result, expected }))
    }

    /// The two sheets of a rule: what is found, and what is expected.
    pub(super) fn sides(&self, options: &Options<'_>) -> Result<[Side<'_>; 2], Finding> {
        Ok([self.side(options, "sheet_idx0")?, self.side(options, "sheet_idx1")?])
    }

    fn side(&self, options: &Options<'_>, param: &str) -> Result<Side<'_>, Finding> {
        let index = match options.get(param) {
            Some(Value::Number(number)) => format!("RI{number}"),
            Some(Value::String(text)) => text.clone(),
            _ => {
                return Err(Finding::Error(format!(
                    "{param} must be a number or a text such as RI0 or ENSheet1"
                )));
            }
        };
        let unknown = || {
            Finding::Error(format!("{param} is {}, expected is RIn, RNname, EIn or ENname", quote(&index)))
        };
        let (kind, rest) = index.split_at_checked(2).ok_or_else(unknown)?;
        let (file, role) = match kind {
            "RI" | "RN" => (Some(&self.result), Role::Made),
            "EI" | "EN" => (self.expected.as_ref(), Role::Reference),
            _ => return Err(unknown()),
        };
        let file = file.ok_or_else(|| {
            Finding::Error(format!("{param} names the parameter expected, which is missing"))
        })?;
        let name = if kind.ends_with('N') {
            Some(rest.to_owned())
        } else {
            let number: i64 = rest.trim().parse().map_err(|_| unknown())?;
            file.name(number)
        };
        let asked = if kind.ends_with('N') { quote(rest) } else { format!("number {rest}") };
        Ok(Side { file, role, name, asked })
    }
}

impl<'a> WorkbookFile<'a> {
    fn read(path: &'a str, role: Role, case: &mut Case<'_>) -> Result<Self, Finding> {
        let is_text = case.rules == Rules::Standard && is_csv(path);
        let workbook = if is_text { Workbook::default() } else { read(case, path, role, Workbook::read)? };
        Ok(Self { path, workbook })
    }

    /// The name of a sheet by its number from 0; a negative one counts from the end, as in Python.
    fn name(&self, number: i64) -> Option<String> {
        let count = i64::try_from(self.workbook.sheets.len()).ok()?;
        let number = if number < 0 { number.saturating_add(count) } else { number };
        let sheet = self.workbook.sheets.get(usize::try_from(number).ok()?)?;
        Some(sheet.name.clone())
    }
}

/// Whether a path is that of comma-separated values.
pub(super) fn is_csv(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, suffix)| suffix.eq_ignore_ascii_case("csv"))
}

impl Side<'_> {
    /// The sheet, if it is there.
    pub(super) fn sheet(&self) -> Option<&Sheet> {
        self.file.workbook.sheet(self.name.as_deref()?)
    }

    /// The sheet, which must be there: a fail for the workbook of the agent, an error otherwise.
    pub(super) fn required(&self) -> Result<&Sheet, Finding> {
        self.sheet().ok_or_else(|| self.missing())
    }

    /// The sentence for a sheet that is not there.
    pub(super) fn missing(&self) -> Finding {
        self.finding(format!("{} has no sheet {}", self.file.path, self.asked))
    }

    /// A finding about its workbook: a fail for that of the agent, an error otherwise.
    pub(super) fn finding(&self, sentence: String) -> Finding {
        match self.role {
            Role::Made => Finding::Fail(sentence),
            Role::Reference => Finding::Error(sentence),
        }
    }
}
