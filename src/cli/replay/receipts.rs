//! Receipts as files: a JSON object a line, one per episode.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::exit::{Exit, Failure};
use crate::output_file;
use mageyard_config::{Problem, SourceFile};
use mageyard_engine::Head;
use mageyard_lab::Receipt;

/// The version of the file.
const FORMAT: u32 = 1;
/// The largest file, in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// A line of the file.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    format: u32,
    /// The program that wrote it, for people.
    program: String,
    run: String,
    environment: String,
    level: String,
    agent: String,
    seed: u64,
    #[serde(flatten)]
    receipt: Receipt,
}

/// Writes the receipts of these episodes.
pub(super) fn write(path: &Path, episodes: &[(String, Head, Receipt)], replace: bool) -> Result<(), Failure> {
    let mut text = String::new();
    for (run, head, receipt) in episodes {
        let line = Line {
            format: FORMAT,
            program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).to_owned(),
            run: run.clone(),
            environment: head.environment.clone(),
            level: head.reference.clone(),
            agent: head.agent.name.clone(),
            seed: head.seed,
            receipt: receipt.clone(),
        };
        let json = serde_json::to_string(&line).map_err(|error| Problem::new(error.to_string()))?;
        text.push_str(&json);
        text.push('\n');
    }
    output_file::write(path, text.as_bytes(), replace)
}

/// Reads a file of receipts.
pub(super) fn read(path: &Path) -> Result<Vec<Line>, Problem> {
    let file = SourceFile::read(path, MAX_BYTES)?;
    let lines = file.text.lines().enumerate().map(|(index, text)| {
        let wrong = |why: String| file.problem_in_line(format!("not a receipt: {why}"), index + 1);
        let line: Line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        match line.format {
            FORMAT => Ok(line),
            other => Err(wrong(format!("format {other} is unknown, this program reads {FORMAT}"))),
        }
    });
    lines.collect()
}

/// Compares the receipt of a replay with the one at this index.
pub(super) fn compare(known: &[Line], index: usize, now: &Receipt) -> Result<(), Failure> {
    let Some(line) = known.get(index) else {
        let what = format!("the receipt has {} episodes, and this is the next one", known.len());
        return Err(Failure::Problem(Exit::Mismatch, Problem::new(what)));
    };
    match line.receipt.difference(now) {
        None => Ok(()),
        Some(found) => {
            let what = format!("step {}: the receipt has another {}", found.step, found.what);
            Err(Failure::Problem(Exit::Mismatch, Problem::new(what)))
        }
    }
}
