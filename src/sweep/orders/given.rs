//! An order, and what is recorded with it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::change::Changes;
use super::requeue::RequeuedCell;
use mageyard_domain::{sanitize, shell_quote};
use mageyard_engine::utc_second;

/// What all workers of a sweep are to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Start no episode; those that are running are finished.
    Pause,
    /// Start episodes again, after a pause or a cancel.
    Resume,
    /// Finish the steps that are running, and end.
    Cancel,
    /// Try cells again that have failed or are parked.
    Requeue {
        /// The cells, with the claims that ended so.
        cells: Vec<RequeuedCell>,
    },
    /// Use other limits.
    Set {
        /// The new values.
        values: Changes,
        /// The beginning of the names of the workers that use them; all workers if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worker: Option<String>,
    },
}

/// An order that is recorded in a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOrder {
    /// Its number, from 1, which is its place among the orders of the sweep.
    pub number: u32,
    /// What is ordered.
    pub order: Order,
    /// Who ordered it: user and host. It is read from a file, so text for people is made with [`GivenOrder::person`].
    pub by: String,
    /// When, by the clock of that host: the time since 1970-01-01 UTC.
    pub at: Duration,
    /// Why, if the person said so; see [`GivenOrder::reason`].
    pub why: Option<String>,
}

impl Order {
    /// Its name, which is that of the verb that gives it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Cancel => "cancel",
            Self::Requeue { .. } => "requeue",
            Self::Set { .. } => "set",
        }
    }

    /// What it orders in a line without control characters, such as `set jobs=8`.
    pub fn text(&self) -> String {
        match self {
            Self::Requeue { cells } if cells.len() == 1 => format!("requeue {}", line(&cells[0].cell)),
            Self::Requeue { cells } => format!("requeue {} cells", cells.len()),
            Self::Set { values, worker } => {
                let of = worker.as_deref().map(|worker| format!(" for {}", line(worker)));
                format!("set {values}{}", of.unwrap_or_default())
            }
            _ => self.name().to_owned(),
        }
    }
}

impl GivenOrder {
    /// When it was given in UTC, such as `2026-11-20T11:02:07Z`.
    pub fn time(&self) -> String {
        utc_second(self.at.as_secs())
    }

    /// Who gave it, in a line without control characters.
    pub fn person(&self) -> String {
        line(&self.by)
    }

    /// Why it was given, in a line without control characters.
    pub fn reason(&self) -> Option<String> {
        self.why.as_deref().map(line)
    }

    /// Number, time, text, and who ordered it and why: the columns of a table.
    pub fn columns(&self) -> Vec<String> {
        vec![self.number.to_string(), self.time(), self.order.text(), self.person_and_reason()]
    }

    /// What was ordered in a line: `2026-11-20T11:02:07Z: pause, by ada@node1: WHY`.
    pub fn line(&self) -> String {
        format!("{}: {}, by {}", self.time(), self.order.text(), self.person_and_reason())
    }

    /// What workers of this sweep do now, in a sentence, such as `paused by ada@node1: WHY; ...`.
    pub fn message(&self, sweep: &str) -> String {
        let by = self.person_and_reason();
        let sweep = shell_quote(sweep);
        match &self.order {
            Order::Pause => format!(
                "paused by {by}; running episodes are finished, and no other starts until `mageyard sweep resume {sweep}`"
            ),
            Order::Resume => format!("resumed by {by}"),
            Order::Cancel => format!(
                "cancelled by {by}; workers end after their steps; `sweep run` with the same arguments goes on, and \
                 `mageyard sweep resume {sweep}` lets `sweep work` start again"
            ),
            Order::Set { values, .. } => {
                let undo =
                    values.undo().map(|undo| format!("; `mageyard sweep set {sweep} {undo}` undoes it"));
                format!("{} by {by}{}", self.order.text(), undo.unwrap_or_default())
            }
            Order::Requeue { .. } => format!("{} by {by}", self.order.text()),
        }
    }

    /// Who ordered it and why, such as `ada@node1: the server is slow`.
    pub fn person_and_reason(&self) -> String {
        match self.reason() {
            Some(why) => format!("{}: {why}", self.person()),
            None => self.person(),
        }
    }
}

/// Text of a file in one line of a terminal.
fn line(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}
