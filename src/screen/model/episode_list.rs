//! The state of the list of episodes and recorded sessions: the filter and the selected row.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{EpisodeView, Model, Unread};
use crate::episode_state::{EpisodeState, session_states};
use crate::panes::annotation_counts;
use crate::requests::{SessionBatch, SessionSummary};
use mageyard_domain::Window;
use mageyard_engine::{Head, Waiting, utc_minute};
use mageyard_terminal::count_of;

/// Maximum length of the filter in bytes.
const MAX_FILTER: usize = 200;

/// The list of episodes and recorded sessions. Its rows are made when what is listed changes, and not when a key is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EpisodeList {
    filter: String,
    selected: usize,
    /// The recorded session that is being opened.
    pub(crate) opening: Option<String>,
    episodes: Vec<EpisodeRow>,
    sessions: Arc<Vec<EpisodeRow>>,
    /// The sessions that are open with all their episodes, which are not listed twice.
    open: HashSet<String>,
    /// The places of the rows that the filter leaves: first those of episodes, then those of sessions.
    shown: Vec<usize>,
    /// The columns of the widest name among them.
    name_width: usize,
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
    /// What it does, or how it ended.
    pub(crate) states: Vec<EpisodeState>,
    pub(crate) details: String,
    /// What the words of the filter are looked for in.
    text: String,
    /// The columns of the name.
    width: usize,
}

impl EpisodeRow {
    fn new(target: RowTarget, name: String, states: Vec<EpisodeState>, details: String) -> Self {
        let words: Vec<String> = states.iter().map(|state| state.word()).collect();
        let text = format!("{name} {} {details}", words.join(" ")).to_lowercase();
        let width = name.width();
        Self { target, name, states, details, text, width }
    }
}

impl EpisodeList {
    /// The list with this episode selected.
    pub(crate) fn at(model: &Model, episode: usize) -> Self {
        let mut list = Self { selected: episode, ..Self::default() };
        list.update_rows(model);
        list
    }

    /// Makes the rows of episodes again, and takes those of the sessions that are known now.
    pub(crate) fn update_rows(&mut self, model: &Model) {
        let episodes = model.episodes.iter().enumerate();
        self.episodes = episodes.map(|(index, episode)| episode_row(model, index, episode)).collect();
        if let Some(Ok(sessions)) = &model.recorded_sessions {
            self.sessions = sessions.rows.clone();
            self.open = sessions.open(&model.episodes);
        }
        self.select_rows();
    }

    /// Selects the rows that have every word of the filter.
    fn select_rows(&mut self) {
        let filter = self.filter.to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let is_open = |row: &EpisodeRow| match &row.target {
            RowTarget::Session(name) | RowTarget::Sweep(name) => self.open.contains(name),
            RowTarget::Episode(_) => false,
        };
        let is_shown = |row: &EpisodeRow| words.iter().all(|word| row.text.contains(word)) && !is_open(row);
        let rows = self.episodes.iter().chain(self.sessions.iter()).enumerate();
        let shown: Vec<(usize, &EpisodeRow)> = rows.filter(|(_, row)| is_shown(row)).collect();
        let name_width = shown.iter().map(|(_, row)| row.width).max().unwrap_or(0);
        (self.shown, self.name_width) = (shown.into_iter().map(|(place, _)| place).collect(), name_width);
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.shown.len()
    }

    /// The row with this index.
    pub(crate) fn row(&self, index: usize) -> Option<&EpisodeRow> {
        let place = *self.shown.get(index)?;
        self.episodes.get(place).or_else(|| self.sessions.get(place.checked_sub(self.episodes.len())?))
    }

    /// The rows: open episodes, then recorded sessions.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &EpisodeRow> {
        (0..self.len()).filter_map(|index| self.row(index))
    }

    /// The columns of the widest name.
    pub(crate) fn name_width(&self) -> usize {
        self.name_width
    }

    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// Index of the selected row.
    pub(crate) fn selected(&self) -> usize {
        self.selected.min(self.len().saturating_sub(1))
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.filter.len() + text.len() <= MAX_FILTER {
            self.filter.push_str(&text);
        }
        self.filtered();
    }

    pub(crate) fn backspace(&mut self) {
        let last = self.filter.grapheme_indices(true).next_back();
        self.filter.truncate(last.map_or(0, |(at, _)| at));
        self.filtered();
    }

    pub(crate) fn clear(&mut self) {
        self.filter.clear();
        self.filtered();
    }

    fn filtered(&mut self) {
        self.selected = 0;
        self.select_rows();
    }

    /// Moves the selection; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize) {
        self.selected = self.selected().saturating_add_signed(by).min(self.len().saturating_sub(1));
    }
}

/// What a row says of an episode.
pub(super) struct RowFacts<'a> {
    pub(super) head: &'a Head,
    /// Where it is, or where it ended; empty if that is not known.
    pub(super) place: String,
    /// The score, if it has steps and is not hidden.
    pub(super) score: Option<f64>,
    /// The numbers of tags and comments.
    pub(super) annotations: (usize, usize),
    pub(super) prompt: &'a str,
    pub(super) window: Window,
}

/// The second column of a row.
pub(super) fn row_details(facts: &RowFacts<'_>) -> String {
    let RowFacts { head, place, score, annotations, prompt, window } = facts;
    let agent = head.agent.display_name();
    let counts = annotation_counts(*annotations);
    let counts = if counts.is_empty() { counts } else { format!(" · {counts}") };
    let score = score.map_or(String::new(), |score| format!(" · score {score:.1}"));
    let place = if place.is_empty() { String::new() } else { format!("{place} · ") };
    format!(
        "{place}{}{score}{counts} · {agent} · {} · {prompt} · AM {} OM {} · seed {}",
        utc_minute(head.started),
        head.setting,
        window.am(),
        window.om(),
        head.seed
    )
}

/// The row of an episode that was not read.
fn unread_row(index: usize, unread: &Unread) -> EpisodeRow {
    let (name, states, details) = match &unread.listed {
        Some(listed) => (&*listed.name, listed.state, &*listed.details),
        None => (unread.folder_name(), None, ""),
    };
    let states = states.into_iter().collect();
    EpisodeRow::new(RowTarget::Episode(index), format!("  {name}"), states, details.to_owned())
}

fn episode_row(model: &Model, index: usize, episode: &EpisodeView) -> EpisodeRow {
    if let Some(unread) = &episode.unread {
        return unread_row(index, unread);
    }
    let head = &episode.snapshot.head;
    let snapshot = &episode.snapshot;
    let place = match snapshot.run.waiting {
        Waiting::Ended(_) => count_of(done(episode), "step"),
        _ => episode.step_label(),
    };
    let shown = if index == model.current { "●" } else { " " };
    let branch = head
        .parent
        .as_ref()
        .map_or_else(String::new, |parent| format!(" · {} from step {}", episode.branch_name(), parent.step));
    let facts = RowFacts {
        head,
        place,
        score: snapshot.score.filter(|_| snapshot.steps_done() > 0),
        annotations: episode.annotations.counts(),
        prompt: &snapshot.prompt,
        window: snapshot.window,
    };
    let name = format!("{shown} {}{branch}", head.reference);
    let states = vec![EpisodeState::listed(snapshot)];
    EpisodeRow::new(RowTarget::Episode(index), name, states, row_details(&facts))
}

fn done(episode: &EpisodeView) -> usize {
    usize::try_from(episode.snapshot.steps_done()).unwrap_or(usize::MAX)
}

fn target(session: &SessionSummary) -> RowTarget {
    let name = session.name.clone();
    if session.is_sweep { RowTarget::Sweep(name) } else { RowTarget::Session(name) }
}

fn session_row(session: &SessionSummary) -> EpisodeRow {
    let details = format!("{} · {}", count_of(session.episodes, "episode"), session.summary);
    let states = session_states(session, false);
    EpisodeRow::new(target(session), format!("  {}", session.name), states, details)
}

/// The recorded sessions, with their rows.
#[derive(Clone, Debug)]
pub(crate) struct RecordedSessions {
    sessions: Vec<SessionSummary>,
    rows: Arc<Vec<EpisodeRow>>,
}

impl From<Vec<SessionSummary>> for RecordedSessions {
    fn from(sessions: Vec<SessionSummary>) -> Self {
        let rows = sessions.iter().map(session_row).collect();
        Self { sessions, rows: Arc::new(rows) }
    }
}

impl RecordedSessions {
    /// Changes sessions that were read, and leaves out those that are gone.
    pub(crate) fn apply(&mut self, batch: &SessionBatch) {
        let mut sessions = std::mem::take(&mut self.sessions);
        batch.apply(&mut sessions);
        *self = sessions.into();
    }

    /// The names of those that are open with all their episodes.
    fn open(&self, episodes: &[EpisodeView]) -> HashSet<String> {
        let mut open: HashMap<&str, usize> = HashMap::new();
        for name in episodes.iter().filter_map(|episode| episode.snapshot.folder.file_name()?.to_str()) {
            *open.entry(name).or_default() += 1;
        }
        let is_open = |session: &&SessionSummary| {
            open.get(session.name.as_str()).is_some_and(|count| *count >= session.episodes.max(1))
        };
        self.sessions.iter().filter(is_open).map(|session| session.name.clone()).collect()
    }
}
