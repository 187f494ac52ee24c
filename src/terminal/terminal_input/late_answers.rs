//! Answers that are still due when the terminal is given to another program. Its shell would take them for typed text.

use std::io;
use std::time::Duration;

use rustix::termios::{QueueSelector, tcflush};
use tokio::time::Instant;

use super::answer::TerminalAnswer;
use super::events::{TerminalEvent, TerminalInput};
use super::questions::is_readable;
use crate::picture_form::{Surroundings, TerminalReport};

/// How long an answer may take until the terminal counts as one that does not answer.
pub const ANSWER_TIME: Duration = Duration::from_secs(2);

/// What a terminal has not answered yet.
#[derive(Clone, Debug, PartialEq)]
pub struct AwaitedAnswers {
    /// What it has answered to the questions of the start.
    pub report: TerminalReport,
    /// What is known of it.
    pub around: Surroundings,
    /// Whether it was asked whether it is ready.
    pub ready: bool,
    /// When no more answers are waited for.
    pub until: Instant,
}

impl AwaitedAnswers {
    fn add(&mut self, answer: TerminalAnswer) {
        self.ready &= answer != TerminalAnswer::Ready;
        self.report.add(answer);
    }

    fn is_over(&self) -> bool {
        self.report.is_finished(self.around) && !self.ready
    }
}

/// Reads answers from standard input until all have come or the time is over, and drops what is typed meanwhile. Returns
/// what the terminal has answered. The terminal must be in raw mode, and nothing else may read it.
pub(crate) fn read_late_answers(mut awaited: AwaitedAnswers) -> io::Result<TerminalReport> {
    let mut input = TerminalInput::default();
    let mut buffer = [0; 1024];
    while !awaited.is_over() {
        let left = awaited.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        if !is_readable(left)? {
            continue;
        }
        let count = rustix::io::read(io::stdin(), &mut buffer)?;
        if count == 0 {
            break;
        }
        for event in input.take(&buffer[..count]) {
            if let TerminalEvent::Answer(answer) = event {
                awaited.add(answer);
            }
        }
    }
    Ok(awaited.report)
}

/// Drops what has arrived on standard input and was not read.
pub(super) fn drop_input() {
    // What is no terminal has nothing to drop.
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
}
