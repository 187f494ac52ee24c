//! What an agent is shown: the task, and the result of its last cell.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mageyard_domain::{BlobError, BlobHandle, BlobStore, Digest, Observation, ObservationPart, sanitize};
use mageyard_sandbox::{CellOutput, CellResult};
use serde_json::{Value, json};

/// The fact with the cell of a recorded solution.
pub(crate) const ORACLE: &str = "oracle";
/// The fact with a cell that does the task wrongly.
pub(crate) const WRONG: &str = "wrong";

/// What does not change in an episode.
#[derive(Clone, Debug)]
pub(crate) struct Circumstances {
    /// The instruction, with its variables replaced.
    pub(crate) instruction: String,
    /// What was wrong at an earlier try of the task, a sentence each.
    pub(crate) earlier: Vec<String>,
    /// A cell that does the task, and one that does it wrongly.
    pub(crate) cells: [Option<String>; 2],
    /// The form of sandbox, for reports.
    pub(crate) surface: String,
    /// The kernel with its versions.
    pub(crate) kernel: String,
}

/// The state after a cell; before the first one there is no result.
pub(crate) fn observe(
    of: &Circumstances,
    cells: u32,
    result: Option<&CellResult>,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Observation, BlobError> {
    let task = task_text(of);
    let shown = result.map_or_else(|| "No cell has run yet.".to_owned(), result_text);
    let mut parts =
        vec![ObservationPart::Text(task.as_str().into()), ObservationPart::Text(shown.as_str().into())];
    for (media, bytes) in result.into_iter().flat_map(pictures) {
        parts.push(ObservationPart::Data(BlobHandle::store(blobs, media, &bytes)?));
    }
    let text = format!("{task}\n\n{shown}");
    Ok(Observation::from_parts(parts, text, facts(of, cells, &shown)))
}

/// The task, and what was wrong at an earlier try.
fn task_text(of: &Circumstances) -> String {
    let task = format!("The task: {}", sanitize(&of.instruction));
    if of.earlier.is_empty() {
        return task;
    }
    let lines = of.earlier.iter().map(|sentence| format!("\n- {}", sanitize(sentence)));
    format!(
        "{task}\n\nAn earlier try of this task failed, and nothing is left of it. What was wrong:{}",
        lines.collect::<String>()
    )
}

fn facts(of: &Circumstances, cells: u32, shown: &str) -> Value {
    let [oracle, wrong] = &of.cells;
    json!({
        ORACLE: oracle.as_ref().filter(|_| cells == 0),
        WRONG: wrong,
        "cells": cells,
        "surface": of.surface,
        "kernel": of.kernel,
        "task_parts": 1,
        "identity": [cells, Digest::of(shown.as_bytes()).to_string()],
    })
}

/// The result as text: what was printed and shown, the exception, and what is left out.
fn result_text(result: &CellResult) -> String {
    let mut pieces: Vec<String> = result.output.iter().map(output_text).collect();
    pieces.retain(|piece| !piece.is_empty());
    if let Some((name, value)) = &result.error {
        let colon = if value.is_empty() { "" } else { ": " };
        pieces.push(format!("{name}{colon}{value}"));
    }
    if result.left_out > 0 {
        pieces.push(format!("[{} more characters are left out]", result.left_out));
    }
    if pieces.is_empty() {
        return "The cell has run, and printed nothing.".to_owned();
    }
    sanitize(&pieces.join("\n")).into_owned()
}

fn output_text(output: &CellOutput) -> String {
    match output {
        CellOutput::Text(text) => text.trim_end_matches('\n').to_owned(),
        CellOutput::Rich(table) => {
            let text = table.get("text/plain").or_else(|| table.get("text/html"));
            let others = table.keys().filter(|media| media.starts_with("image/"));
            let mut lines: Vec<String> = text.cloned().into_iter().collect();
            lines.extend(others.map(|media| format!("[a picture, {media}]")));
            lines.join("\n")
        }
    }
}

/// Pictures that were shown, for people. What is no base64 is passed over.
fn pictures(result: &CellResult) -> Vec<(&'static str, Vec<u8>)> {
    let rich = result.output.iter().filter_map(|output| match output {
        CellOutput::Rich(table) => Some(table),
        CellOutput::Text(_) => None,
    });
    let kinds = ["image/png", "image/jpeg"];
    let found = rich.flat_map(|table| kinds.iter().filter_map(|media| Some((*media, table.get(*media)?))));
    let decoded = found.filter_map(|(media, text)| {
        let text: String = text.split_whitespace().collect();
        Some((media, BASE64_STANDARD.decode(text).ok()?))
    });
    decoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rich(media: &str, text: &str) -> CellOutput {
        CellOutput::Rich([(media.to_owned(), text.to_owned())].into())
    }

    #[test]
    fn texts_and_rich_results_are_both_shown_in_order() {
        let output = vec![CellOutput::Text("a\n".to_owned()), rich("text/plain", "2")];
        let error = Some(("ValueError".to_owned(), "no \u{1b}[2J".to_owned()));
        let text = result_text(&CellResult { output, error, left_out: 7, lost: None });
        assert!(text.starts_with("a\n2\nValueError: no "), "{text}");
        assert!(text.ends_with("[7 more characters are left out]") && !text.contains('\u{1b}'), "{text}");
        assert!(result_text(&CellResult::default()).contains("printed nothing"));
    }

    #[test]
    fn pictures_are_kept_for_people_and_named_for_agents() {
        let result = CellResult { output: vec![rich("image/png", "aGk=\n")], ..CellResult::default() };
        assert_eq!(pictures(&result), [("image/png", b"hi".to_vec())]);
        assert_eq!(result_text(&result), "[a picture, image/png]");
        let broken = CellResult { output: vec![rich("image/png", "%")], ..CellResult::default() };
        assert_eq!(pictures(&broken), []);
    }
}
