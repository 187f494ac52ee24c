//! `sheets`: workbooks, compared by a list of rules (section 5 of the rules, row `sheets`; section 11, Sheets).
//!
//! The released code passes, whatever the rules, if it cannot open the workbook of the agent or if a rule names a sheet that is
//! not in the first of its two workbooks.

mod chart;
mod data;
mod frame;
mod freeze;
mod pivot;
mod print;
mod select;

use serde_json::{Map, Value};

use self::select::Workbooks;
use super::docs::{Options, Role, read};
use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules};
use crate::office::quote;

pub(super) const HANDLERS: &[Handler] = &[Handler {
    evaluator: "sheets",
    function: "compare_table",
    phase: Phase::Evaluation,
    params: &[
        Param::required("result", ParamType::Made),
        Param::optional("expected", ParamType::Reference),
        Param::required("options", ParamType::Table),
    ],
    destroys: false,
    call: compare_table,
}];

/// What follows a rule that does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// The next rule.
    Next,
    /// Nothing: the released code takes the rest for done.
    Done,
}

type Rule = fn(&Options<'_>, &Workbooks<'_>, &mut Case<'_>) -> Result<Flow, Finding>;

/// The rules: their names, what they take beside the two sheets, what carries them out.
const RULES: &[(&str, &[&str], Rule)] = &[
    ("sheet_data", &["type", "sheet_idx0", "sheet_idx1", "precision"], data::sheet_data),
    ("sheet_print", &["type", "sheet_idx0", "sheet_idx1", "ignore_case"], print::sheet_print),
    ("chart", &["type", "sheet_idx0", "sheet_idx1", "chart_props"], chart::chart),
    ("pivot_table", &["type", "sheet_idx0", "sheet_idx1", "pivot_props"], pivot::pivot_table),
    ("freeze", &["type", "sheet_idx0", "sheet_idx1"], freeze::freeze),
];

/// Rules of the released code that no task of the suite uses.
const NOT_BUILT: &[&str] = &[
    "sheet_name",
    "sheet_fuzzy",
    "style",
    "zoom",
    "data_validation",
    "row_props",
    "col_props",
    "filter",
    "sparkline",
    "check_cell",
];

/// All rules in `options.rules` hold; they are tried in their order.
fn compare_table(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let options = Options::of(Some(params.table("options")?), "options", &["rules"])?;
    let rules = options.get("rules").and_then(Value::as_array);
    let rules = rules.ok_or_else(|| Finding::error("options.rules must be a list"))?;
    let rules: Vec<(Rule, Options<'_>)> = rules.iter().map(known).collect::<Result<_, _>>()?;
    let Some(workbooks) = Workbooks::read(params, case)? else { return Ok(()) };
    for (rule, options) in rules {
        if rule(&options, &workbooks, case)? == Flow::Done {
            break;
        }
    }
    Ok(())
}

fn known(rule: &Value) -> Result<(Rule, Options<'_>), Finding> {
    let table: &Map<String, Value> =
        rule.as_object().ok_or_else(|| Finding::error("each of options.rules must be an object"))?;
    let name = table.get("type").and_then(Value::as_str);
    let name = name.ok_or_else(|| Finding::error("each of options.rules must have a type"))?;
    if let Some((_, params, call)) = RULES.iter().find(|(known, _, _)| *known == name) {
        return Ok((*call, Options::of(Some(table), "options.rules", params)?));
    }
    if NOT_BUILT.contains(&name) {
        return Err(Finding::Error(format!("the rule {name} of compare_table is not built")));
    }
    let names: Vec<&str> = RULES.iter().map(|(name, _, _)| *name).collect();
    Err(Finding::Error(format!(
        "unknown rule {} of compare_table; known are {}",
        quote(name),
        names.join(", ")
    )))
}

/// The names in a list of properties, all of which must be known.
fn props<'a>(options: &Options<'a>, name: &str, known: &[&str]) -> Result<Vec<&'a str>, Finding> {
    let list = match options.get(name) {
        None => return Ok(Vec::new()),
        Some(list) => list.as_array().ok_or_else(|| Finding::Error(format!("{name} must be a list")))?,
    };
    let prop = |value: &'a Value| {
        let prop = value.as_str().ok_or_else(|| Finding::Error(format!("{name} must be a list of texts")))?;
        if known.contains(&prop) {
            return Ok(prop);
        }
        let known = known.join(", ");
        Err(Finding::Error(format!("{} in {name} is not built; known are {known}", quote(prop))))
    };
    list.iter().map(prop).collect()
}

/// Compares descriptions of what two sheets have, such as `charts`. They are compared whole, and cut in the sentence only.
fn same(what: &str, found: &[String], expected: &[String]) -> Result<Flow, Finding> {
    const LONGEST: usize = 600;
    if found == expected {
        return Ok(Flow::Next);
    }
    let text = |all: &[String]| {
        let joined = if all.is_empty() { "none".to_owned() } else { all.join("; ") };
        let mut cut: String = joined.chars().take(LONGEST).collect();
        if cut.len() < joined.len() {
            cut.push('…');
        }
        cut
    };
    Err(Finding::Fail(format!("the {what} are {}, expected are {}", text(found), text(expected))))
}

#[cfg(test)]
mod tests;
