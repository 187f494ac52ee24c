//! Presentations are files of python-pptx and `LibreOffice` (`tests/files/slides`), and changed forms of them.

#![expect(clippy::disallowed_methods, reason = "a test makes its files")]
#![expect(clippy::needless_pass_by_value, reason = "JSON is written in place")]

mod change;
mod damaged;
mod options;
mod reading;
mod variants;

use std::fs;

use serde_json::{Value, json};

use crate::handlers::scripted::call;
use crate::handlers::{Finding, FolderComputer, Mount, Rules};

const STANDARD: Rules = Rules::Standard;
const CODE: Rules = Rules::Code;
const BOTH: [Rules; 2] = [STANDARD, CODE];

/// Written by python-pptx: almost all formatting is inherited.
const GOOD: &[u8] = include_bytes!("../../../tests/files/slides/good.pptx");
/// The same, saved by `LibreOffice`: almost all formatting is at the runs.
const OFFICE: &[u8] = include_bytes!("../../../tests/files/slides/office.pptx");

/// Calls `compare_pptx_files` on a folder with files, which is `/w` to the task.
fn judge(files: &[(&str, &[u8])], options: &Value, rules: Rules) -> Result<(), Finding> {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        fs::write(folder.path().join(path), bytes).unwrap();
    }
    let mounts = [Mount { path: "/w".to_owned(), folder: folder.path().to_owned() }];
    let mut computer = FolderComputer::new(&mounts, "/w").unwrap();
    let params = json!({"expected": "/w/expected.pptx", "result": "/w/result.pptx", "options": options});
    call(&mut computer, "slides.compare_pptx_files", &params, rules)
}

/// Compares two presentations.
fn compare(expected: &[u8], result: &[u8], options: &Value, rules: Rules) -> Result<(), Finding> {
    judge(&[("expected.pptx", expected), ("result.pptx", result)], options, rules)
}
