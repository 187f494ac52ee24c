//! The objects of `log`.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::output::count_noun;
use super::records::Record;
use mageyard_domain::shell_quote;
use mageyard_engine::Deleted;
use mageyard_lab::EpisodeSettings;
use mageyard_report::DistanceFields;

/// A session (`log list`), with the settings of its first episode.
#[derive(Serialize, JsonSchema)]
pub(super) struct SessionRecord<'a> {
    /// Name of the session.
    pub(super) session: &'a str,
    /// Number of episodes.
    pub(super) episodes: usize,
    /// Reference of the last level, if there are several episodes.
    pub(super) last: Option<&'a str>,
    /// Command that resumes it; null if finished.
    pub(super) resume: Option<&'a str>,
    /// Replies of finished episodes by ending, without complete ones.
    pub(super) reply_endings: &'a BTreeMap<String, usize>,
    #[serde(flatten)]
    pub(super) settings: Option<EpisodeSettings>,
    #[serde(flatten)]
    pub(super) searched: Option<SearchedFields>,
}

impl Record for SessionRecord<'_> {
    const TYPE: &'static str = "session";
}

/// A sweep (`log list`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedSweepRecord<'a> {
    /// Name of the sweep.
    pub(super) sweep: &'a str,
    /// Cells that were started.
    pub(super) cells: usize,
    /// Episodes that were started.
    pub(super) episodes: usize,
}

impl Record for ListedSweepRecord<'_> {
    const TYPE: &'static str = "listed_sweep";
}

impl ListedSweepRecord<'_> {
    /// The cells of its row.
    pub(super) fn cells(&self) -> Vec<String> {
        let Self { sweep, cells, episodes } = self;
        let counts = format!(
            "{} in {}",
            count_noun(*episodes, "episode", "episodes"),
            count_noun(*cells, "cell", "cells")
        );
        vec![(*sweep).to_owned(), counts, "sweep".to_owned(), format!("mageyard view {}", shell_quote(sweep))]
    }
}

/// A session or a sweep in the trash (`log delete`, `log trash`, `log restore`, `log empty`).
#[derive(Serialize, JsonSchema)]
pub(super) struct DeletedRecord<'a> {
    /// Name that it had.
    pub(super) name: &'a str,
    /// `session` or `sweep`.
    pub(super) kind: &'static str,
    /// What `log restore` takes: the name, and when it was deleted.
    pub(super) address: String,
    /// When it was deleted, ISO 8601.
    pub(super) deleted: String,
    /// `deleted`, `in_trash`, `restored` or `removed`.
    pub(super) state: &'static str,
}

impl Record for DeletedRecord<'_> {
    const TYPE: &'static str = "deleted";
}

impl<'a> DeletedRecord<'a> {
    /// What is in the trash, was brought back, or was removed.
    pub(super) fn of(deleted: &'a Deleted, state: &'static str) -> Self {
        let kind = if deleted.is_sweep() { "sweep" } else { "session" };
        Self { name: deleted.name(), kind, address: deleted.address(), deleted: deleted.time(), state }
    }
}

/// What was searched in a session.
#[derive(Serialize, JsonSchema)]
pub(super) struct SearchedFields {
    /// With `--distance`: extra moves and dead states; null without a solver.
    pub(super) distance: Option<DistanceFields>,
}

/// A journal (`log check`).
#[derive(Serialize, JsonSchema)]
pub(super) struct JournalRecord<'a> {
    /// Name of a session without a journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) session: Option<&'a str>,
    /// Path; null for a session without a journal.
    pub(super) journal: Option<&'a Path>,
    /// Whether it is valid; null if it could not be checked.
    pub(super) whole: Option<bool>,
    #[serde(flatten)]
    pub(super) lines: Option<LineFields>,
    /// What is wrong.
    pub(super) why: Option<&'a str>,
    #[serde(flatten)]
    pub(super) contents: Option<ContentFields<'a>>,
}

impl Record for JournalRecord<'_> {
    const TYPE: &'static str = "journal";
}

impl<'a> JournalRecord<'a> {
    /// A journal that could not be checked, for this reason.
    pub(super) fn unchecked(why: &'a str) -> Self {
        Self { session: None, journal: None, whole: None, lines: None, why: Some(why), contents: None }
    }
}

/// The lines of a journal.
#[derive(Serialize, JsonSchema)]
pub(super) struct LineFields {
    /// Valid lines.
    pub(super) lines: usize,
    /// Bytes of an incomplete last line.
    pub(super) torn: Option<usize>,
    /// First damaged line.
    pub(super) line: Option<usize>,
}

/// What a journal has, and what is lost.
#[derive(Serialize, JsonSchema)]
pub(super) struct ContentFields<'a> {
    /// Edits by a person.
    pub(super) edits: usize,
    /// Changes of the agent that decides.
    pub(super) seats: usize,
    /// Lines from the first damaged line on.
    pub(super) lost: usize,
    /// Path of the repaired journal.
    pub(super) repaired: Option<&'a Path>,
}
