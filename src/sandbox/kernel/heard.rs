//! What a kernel has said: whether it is ready, and the results of the cell that runs. It is hostile until it is read.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::Lost;

/// The longest text of a cell that is kept, in bytes.
const TEXT: usize = 64 << 10;
/// The longest rich results of a cell that are kept, in bytes of all.
const RICH: usize = 4 << 20;
/// What a rich result counts beyond its text, in bytes.
const RICH_ENTRY: usize = 64;

/// Which kernel runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelReport {
    /// `jupyter`, `ipython` or `plain`.
    pub kernel: String,
    /// The version of the kernel.
    pub version: String,
    /// The version of Python.
    pub python: String,
    /// Better ones that are not installed, with the reason.
    #[serde(default)]
    pub missing: Vec<String>,
}

/// What a cell printed or showed, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellOutput {
    /// Printed text.
    Text(String),
    /// A value or a display: MIME types and their text; pictures are base64.
    Rich(BTreeMap<String, String>),
}

/// What became of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellResult {
    /// What it printed and showed.
    pub output: Vec<CellOutput>,
    /// The name and the value of the exception that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<(String, String)>,
    /// Characters of its text that are left out.
    #[serde(default)]
    pub left_out: u64,
    /// Why it did not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
}

/// A line of the bridge after the secret, of which each has some fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    ready: Option<KernelReport>,
    absent: Option<String>,
    cell: u64,
    text: Option<String>,
    rich: Option<BTreeMap<String, String>>,
    error: Option<(String, String)>,
    cut: Option<u64>,
    done: bool,
}

#[derive(Default)]
struct State {
    number: u64,
    /// Without it no line counts.
    secret: String,
    ready: Option<Result<KernelReport, String>>,
    cell: u64,
    result: CellResult,
    text: usize,
    rich: usize,
    done: bool,
    ended: bool,
    last: Option<Instant>,
}

/// The state, and a bell for whoever waits for it.
#[derive(Default)]
pub(crate) struct Heard {
    state: Mutex<State>,
    changed: Notify,
}

impl Heard {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the kernel of this number is the one that is heard. Its lines begin with the secret.
    pub(super) fn expect_start(&self, number: u64, secret: &str) {
        *self.state() = State { number, secret: secret.to_owned(), ..State::default() };
    }

    /// From now on the results of this cell are kept.
    pub(super) fn expect_cell(&self, cell: u64) {
        let mut state = self.state();
        let State { number, secret, ready, ended, .. } = std::mem::take(&mut *state);
        *state = State { number, secret, ready, cell, ended, ..State::default() };
    }

    /// Takes a line of the kernel of this number. One of an earlier kernel, one without the secret and one that has no meaning are
    /// passed over.
    pub(crate) fn hear(&self, number: u64, line: &str) {
        let mut state = self.state();
        if number != state.number {
            return;
        }
        let line = line.strip_prefix(state.secret.as_str()).and_then(|line| serde_json::from_str(line).ok());
        if let Some(line) = line {
            state.take(line);
            drop(state);
            self.changed.notify_one();
        }
    }

    /// The kernel of this number has ended.
    pub(crate) fn ended(&self, number: u64) {
        let mut state = self.state();
        if state.number == number {
            state.ended = true;
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Nothing will be heard any more.
    pub(crate) fn lost(&self) {
        self.state().ended = true;
        self.changed.notify_one();
    }

    /// The report of the kernel once it is ready, or why it is not.
    pub(super) async fn ready(&self, number: u64) -> Result<KernelReport, String> {
        loop {
            {
                let state = self.state();
                match &state.ready {
                    Some(ready) => return ready.clone(),
                    None if state.ended || state.number != number => {
                        return Err("it ended before it was ready".to_owned());
                    }
                    None => {}
                }
            }
            self.changed.notified().await;
        }
    }

    /// When the cell was heard last.
    pub(super) fn last(&self, cell: u64) -> Option<Instant> {
        let state = self.state();
        state.last.filter(|_| state.cell == cell)
    }

    /// Waits until the cell, or the kernel, has ended.
    pub(super) async fn cell_ended(&self) {
        while !{
            let state = self.state();
            state.done || state.ended
        } {
            self.changed.notified().await;
        }
    }

    /// The result of the cell, and whether the kernel has ended.
    pub(super) fn take(&self, cell: u64) -> (CellResult, bool) {
        let mut state = self.state();
        let result =
            if state.cell == cell { std::mem::take(&mut state.result) } else { CellResult::default() };
        // What a cell that was left still prints is none of the next one's.
        state.cell = 0;
        (result, state.ended)
    }
}

impl State {
    fn take(&mut self, line: Line) {
        if let Some(ready) = line.ready {
            self.ready.get_or_insert(Ok(ready));
        }
        if let Some(absent) = line.absent {
            self.ready.get_or_insert(Err(absent));
        }
        if line.cell != self.cell || self.cell == 0 {
            return;
        }
        self.last = Some(Instant::now());
        if let Some(text) = line.text {
            self.print(&text.replace("\r\n", "\n"));
        }
        if let Some(rich) = line.rich {
            // Names and the entry itself count too: a cell may show any number of empty results.
            self.rich += RICH_ENTRY + rich.iter().map(|(mime, text)| mime.len() + text.len()).sum::<usize>();
            if self.rich <= RICH {
                self.result.output.push(CellOutput::Rich(rich));
            } else {
                self.result.left_out += rich.values().map(|text| text.chars().count() as u64).sum::<u64>();
            }
        }
        if let Some(cut) = line.cut {
            self.result.left_out = self.result.left_out.max(cut);
        }
        if let Some((name, value)) = line.error {
            self.result.error = Some((first(&name, 200), first(&value, TEXT)));
        }
        self.done |= line.done;
    }

    fn print(&mut self, text: &str) {
        let kept = first(text, TEXT.saturating_sub(self.text));
        self.text += kept.len();
        self.result.left_out += (text.chars().count() - kept.chars().count()) as u64;
        if kept.is_empty() {
            return;
        }
        match self.result.output.last_mut() {
            Some(CellOutput::Text(before)) => before.push_str(&kept),
            _ => self.result.output.push(CellOutput::Text(kept)),
        }
    }
}

/// The beginning of a text with at most so many bytes.
fn first(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most.min(text.len()));
    text.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: &str = r#"{"ready": {"kernel": "plain", "version": "1", "python": "1"}}"#;

    #[tokio::test]
    async fn only_lines_of_this_kernel_with_its_secret_count() {
        let heard = Heard::default();
        heard.expect_start(2, "secret ");
        for (number, prefix) in [(1, "secret "), (2, ""), (2, "guess "), (3, "secret ")] {
            heard.hear(number, &format!("{prefix}{READY}"));
        }
        assert!(heard.state().ready.is_none());
        heard.hear(2, &format!("secret {READY}"));
        assert_eq!(heard.ready(2).await.unwrap().kernel, "plain");
        heard.expect_cell(5);
        for line in [r#"secret {"cell": 4, "text": "other"}"#, r#"{"cell": 5, "text": "forged"}"#] {
            heard.hear(2, line);
        }
        heard.hear(2, r#"secret {"cell": 5, "text": "own"}"#);
        let (result, ended) = heard.take(5);
        assert_eq!((result.output, ended), (vec![CellOutput::Text("own".into())], false));
    }
}
