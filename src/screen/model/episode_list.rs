//! The state of the list of episodes and recorded sessions: the filter and the selected row.

use unicode_segmentation::UnicodeSegmentation;

use super::{EpisodeView, Model, Unread};
use crate::panes::annotation_counts;
use crate::requests::SessionSummary;
use mageyard_domain::Window;
use mageyard_engine::{Head, Waiting, utc_minute};
use mageyard_terminal::count_of;

/// Maximum length of the filter in bytes.
const MAX_FILTER: usize = 200;

/// The list of episodes and recorded sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EpisodeList {
    filter: String,
    selected: usize,
    /// The recorded session that is being opened.
    pub(crate) opening: Option<String>,
}

/// What a row of the list opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowTarget {
    /// An open episode, by its index.
    Episode(usize),
    /// A recorded session, by its name.
    Session(String),
    /// A sweep, by its name.
    Sweep(String),
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EpisodeRow {
    pub(crate) target: RowTarget,
    pub(crate) name: String,
    pub(crate) details: String,
}

impl EpisodeList {
    /// The list with this episode selected.
    pub(crate) fn at(episode: usize) -> Self {
        Self { selected: episode, ..Self::default() }
    }

    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// Index of the selected row among `count` rows.
    pub(crate) fn selected(&self, count: usize) -> usize {
        self.selected.min(count.saturating_sub(1))
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.filter.len() + text.len() <= MAX_FILTER {
            self.filter.push_str(&text);
        }
        self.selected = 0;
    }

    pub(crate) fn backspace(&mut self) {
        let last = self.filter.grapheme_indices(true).next_back();
        self.filter.truncate(last.map_or(0, |(at, _)| at));
        self.selected = 0;
    }

    pub(crate) fn clear(&mut self) {
        self.filter.clear();
        self.selected = 0;
    }

    /// Moves the selection among `count` rows; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize, count: usize) {
        self.selected = self.selected(count).saturating_add_signed(by).min(count.saturating_sub(1));
    }

    /// The rows that contain every word of the filter: open episodes, then recorded sessions.
    pub(crate) fn rows(&self, model: &Model) -> Vec<EpisodeRow> {
        let filter = self.filter.to_lowercase();
        let matches = |row: &EpisodeRow| {
            if filter.is_empty() {
                return true;
            }
            let text = format!("{} {}", row.name, row.details).to_lowercase();
            filter.split_whitespace().all(|word| text.contains(word))
        };
        let episodes =
            model.episodes.iter().enumerate().map(|(index, episode)| episode_row(model, index, episode));
        episodes.chain(session_rows(model)).filter(matches).collect()
    }
}

/// What a row says of an episode.
pub(super) struct RowFacts<'a> {
    pub(super) head: &'a Head,
    /// How it ended, or where it is.
    pub(super) state: String,
    /// The score, if it has steps and is not hidden.
    pub(super) score: Option<f64>,
    /// The numbers of tags and comments.
    pub(super) annotations: (usize, usize),
    pub(super) prompt: &'a str,
    pub(super) window: Window,
}

/// The second column of a row.
pub(super) fn row_details(facts: &RowFacts<'_>) -> String {
    let RowFacts { head, state, score, annotations, prompt, window } = facts;
    let agent = head.agent.display_name();
    let counts = annotation_counts(*annotations);
    let counts = if counts.is_empty() { counts } else { format!(" · {counts}") };
    let score = score.map_or(String::new(), |score| format!(" · score {score:.1}"));
    format!(
        "{state} · {}{score}{counts} · {agent} · {} · {prompt} · AM {} OM {} · seed {}",
        utc_minute(head.started),
        head.setting,
        window.am(),
        window.om(),
        head.seed
    )
}

/// The row of an episode that was not read.
fn unread_row(index: usize, unread: &Unread) -> EpisodeRow {
    let (name, details) = match &unread.listed {
        Some(listed) => (&*listed.name, &*listed.details),
        None => (unread.folder_name(), ""),
    };
    EpisodeRow { target: RowTarget::Episode(index), name: format!("  {name}"), details: details.to_owned() }
}

fn episode_row(model: &Model, index: usize, episode: &EpisodeView) -> EpisodeRow {
    if let Some(unread) = &episode.unread {
        return unread_row(index, unread);
    }
    let head = &episode.snapshot.head;
    let snapshot = &episode.snapshot;
    let state = match snapshot.run.waiting {
        Waiting::Ended(ending) => format!("{ending} in {}", count_of(done(episode), "step")),
        _ => episode.step_label(),
    };
    let shown = if index == model.current { "●" } else { " " };
    let branch = head
        .parent
        .as_ref()
        .map_or_else(String::new, |parent| format!(" · {} from step {}", episode.branch_name(), parent.step));
    let facts = RowFacts {
        head,
        state,
        score: snapshot.score.filter(|_| snapshot.steps_done() > 0),
        annotations: episode.annotations.counts(),
        prompt: &snapshot.prompt,
        window: snapshot.window,
    };
    EpisodeRow {
        target: RowTarget::Episode(index),
        name: format!("{shown} {}{branch}", head.reference),
        details: row_details(&facts),
    }
}

fn done(episode: &EpisodeView) -> usize {
    usize::try_from(episode.snapshot.steps_done()).unwrap_or(usize::MAX)
}

fn target(session: &SessionSummary) -> RowTarget {
    let name = session.name.clone();
    if session.is_sweep { RowTarget::Sweep(name) } else { RowTarget::Session(name) }
}

/// Recorded sessions, without those that are open with all their episodes.
fn session_rows(model: &Model) -> Vec<EpisodeRow> {
    let Some(Ok(sessions)) = &model.recorded_sessions else { return Vec::new() };
    let open = |name: &str| {
        let inside = |episode: &&EpisodeView| {
            episode.snapshot.folder.file_name().is_some_and(|folder| folder.to_str() == Some(name))
        };
        model.episodes.iter().filter(inside).count()
    };
    let closed = sessions.iter().filter(|session| open(&session.name) < session.episodes.max(1));
    closed
        .map(|session| EpisodeRow {
            target: target(session),
            name: format!("  {}", session.name),
            details: format!("{} · {}", count_of(session.episodes, "episode"), session.summary),
        })
        .collect()
}
