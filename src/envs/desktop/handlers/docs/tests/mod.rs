//! Documents are made by the writer of `office::tests::write`; both rules judge them in a folder.

mod content;
mod damaged;
mod fields;
mod format;
mod pictures;
mod real_files;
mod tabs;
mod text;
mod words;

use serde_json::{Map, Value};

use crate::handlers::scripted::call;
use crate::handlers::{Finding, FolderComputer, Mount, Rules};

const STANDARD: Rules = Rules::Standard;
const CODE: Rules = Rules::Code;
const RULES: [Rules; 2] = [STANDARD, CODE];

/// Calls a function with parameters in a folder of files, which is `/w` to tasks.
fn judge(function: &str, files: &[(&str, &[u8])], params: &Value, rules: Rules) -> Result<(), Finding> {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let mounts = [Mount { path: "/w".to_owned(), folder: folder.path().to_owned() }];
    let mut computer = FolderComputer::new(&mounts, "/w").unwrap();
    call(&mut computer, &format!("docs.{function}"), params, rules)
}

/// The names of the parameters of a function that are files: the reference before what the agent made.
fn names(function: &str) -> &'static [&'static str] {
    match function {
        "compare_docx_lines" => &["file1", "file2"],
        "check_tabstops"
        | "check_highlighted_words"
        | "evaluate_strike_through_last_paragraph"
        | "evaluate_colored_words_in_tables" => &["docx_ref", "docx_file"],
        "has_page_numbers_in_footers" | "is_first_line_centered" | "compare_font_names" => &["docx_file"],
        _ => &["docx_file1", "docx_file2"],
    }
}

/// The parameters of a function: its files, named `0.docx` and so on, and others.
fn params(function: &str, suffix: &str, others: &Value) -> Value {
    let mut params: Map<String, Value> = others.as_object().cloned().unwrap_or_default();
    for (index, name) in names(function).iter().enumerate() {
        params.insert((*name).to_owned(), format!("/w/{index}.{suffix}").into());
    }
    params.into()
}

/// Calls a function with files of a suffix: the reference before what the agent made, or that alone.
fn judge_as(
    suffix: &str,
    function: &str,
    files: &[&[u8]],
    others: &Value,
    rules: Rules,
) -> Result<(), Finding> {
    let named: Vec<(String, &[u8])> =
        files.iter().enumerate().map(|(index, bytes)| (format!("{index}.{suffix}"), *bytes)).collect();
    let files: Vec<(&str, &[u8])> = named.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    judge(function, &files, &params(function, suffix, others), rules)
}

/// Compares two documents of Word.
fn compare(function: &str, reference: &[u8], made: &[u8], rules: Rules) -> Result<(), Finding> {
    judge_as("docx", function, &[reference, made], &Value::Null, rules)
}

/// Checks one document of Word.
fn check(function: &str, made: &[u8], rules: Rules) -> Result<(), Finding> {
    judge_as("docx", function, &[made], &Value::Null, rules)
}
