//! Workbooks that openpyxl wrote (`files/make.py`): shared strings, styles, drawings and panes as a real program stores them.

use serde_json::{Value, json};

use super::{BOTH, STANDARD, by};
use crate::handlers::scripted::fail;

const GOOD: &[u8] = include_bytes!("files/good.xlsx");
const WRONG: &[u8] = include_bytes!("files/wrong.xlsx");
/// The same workbooks after `LibreOffice` 7.4 read and saved them without a window, which drops what is frozen.
const GOOD_BY_CALC: &[u8] = include_bytes!("files/good-calc.xlsx");
const WRONG_BY_CALC: &[u8] = include_bytes!("files/wrong-calc.xlsx");

#[test]
fn files_of_openpyxl_are_compared() {
    let props = json!({"chart_props": ["title", "type", "direction", "legend", "xtitle", "ytitle"]});
    let bars: Value =
        json!({"sheet_idx0": "RNBars", "sheet_idx1": "ENBars", "chart_props": props["chart_props"]});
    for rules in BOTH {
        for (kind, more) in [("sheet_data", json!({})), ("chart", bars.clone()), ("freeze", json!({}))] {
            assert_eq!(by(kind, more.clone(), GOOD, GOOD, rules), Ok(()), "{kind} {rules:?}");
            fail(by(kind, more, WRONG, GOOD, rules));
        }
    }
    let scatter = json!({"sheet_idx0": "RNScatter", "sheet_idx1": "ENScatter"});
    assert_eq!(by("chart", scatter.clone(), GOOD, GOOD, STANDARD), Ok(()));
    fail(by("chart", scatter, WRONG, GOOD, STANDARD));
}

#[test]
fn what_calc_saved_is_compared_with_itself_and_with_what_openpyxl_wrote() {
    let bars = json!({"sheet_idx0": "RNBars", "sheet_idx1": "ENBars", "chart_props": ["title", "type", "xtitle", "ytitle"]});
    let scatter = json!({"sheet_idx0": "RNScatter", "sheet_idx1": "ENScatter"});
    for (kind, more) in [("sheet_data", json!({})), ("chart", bars), ("chart", scatter)] {
        for (made, reference) in [(GOOD_BY_CALC, GOOD_BY_CALC), (GOOD_BY_CALC, GOOD), (GOOD, GOOD_BY_CALC)] {
            assert_eq!(by(kind, more.clone(), made, reference, STANDARD), Ok(()), "{kind}");
        }
        fail(by(kind, more.clone(), WRONG_BY_CALC, GOOD_BY_CALC, STANDARD));
        fail(by(kind, more, WRONG_BY_CALC, GOOD, STANDARD));
    }
}

#[test]
fn sentences_have_the_values_that_openpyxl_wrote() {
    let sentence = fail(by("sheet_data", json!({}), WRONG, GOOD, STANDARD));
    assert_eq!(sentence, "cell C2 of sheet \"Data\" is the date 45352, expected is the date 45351");
    let sentence = fail(by("freeze", json!({}), WRONG, GOOD, STANDARD));
    assert_eq!(sentence, "the sheet is frozen at 2 rows and 0 columns, expected is 1 rows and 1 columns");
    let bars =
        json!({"sheet_idx0": "RNBars", "sheet_idx1": "ENBars", "chart_props": ["title", "type", "ytitle"]});
    let sentence = fail(by("chart", bars, WRONG, GOOD, STANDARD));
    let series = "a chart of \"Data!B2:B4 by Data!A2:A4\"";
    assert_eq!(
        sentence,
        format!(
            "the charts are {series}, title \"Costs\", type \"barChart\", ytitle \"Units\", \
             expected are {series}, title \"Sales\", type \"barChart\", ytitle \"Units\""
        )
    );
}
