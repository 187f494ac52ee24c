//! Workbooks are made in memory, as Excel writes them, or by `files/make.py` with openpyxl.

#![expect(clippy::disallowed_methods, reason = "a test makes its files")]
#![expect(clippy::needless_pass_by_value, reason = "JSON is written in place")]

mod charts;
mod code;
mod data;
mod files;
mod freeze;
mod make;
mod pivots;
mod print;
mod rules;

use std::fs;

use serde_json::{Value, json};

use crate::handlers::scripted::call;
use crate::handlers::{Finding, FolderComputer, Mount, Rules};

const STANDARD: Rules = Rules::Standard;
const CODE: Rules = Rules::Code;
const BOTH: [Rules; 2] = [STANDARD, CODE];

/// Calls `compare_table` on a folder with files, which is `/w` to the task.
fn compare(files: &[(&str, &[u8])], params: Value, rules: Rules) -> Result<(), Finding> {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        fs::write(folder.path().join(path), bytes).unwrap();
    }
    let mounts = [Mount { path: "/w".to_owned(), folder: folder.path().to_owned() }];
    let mut computer = FolderComputer::new(&mounts, "/w").unwrap();
    call(&mut computer, "sheets.compare_table", &params, rules)
}

/// The parameters of one rule over `/w/result.xlsx` and `/w/expected.xlsx`; it compares the first sheets unless it names others.
fn params(kind: &str, more: Value) -> Value {
    let mut rule = json!({"type": kind, "sheet_idx0": "RI0", "sheet_idx1": "EI0"});
    rule.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"result": "/w/result.xlsx", "expected": "/w/expected.xlsx", "options": {"rules": [rule]}})
}

/// Compares two workbooks by one rule.
fn by(kind: &str, more: Value, result: &[u8], expected: &[u8], rules: Rules) -> Result<(), Finding> {
    compare(&[("result.xlsx", result), ("expected.xlsx", expected)], params(kind, more), rules)
}
