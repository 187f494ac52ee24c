//! Recorded episodes that were not read: their places among the open ones, and what the list shows of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::episode_list::{RowFacts, row_details};
use super::{EpisodeView, Model};
use crate::episode_state::EpisodeState;
use crate::recorded_episodes::EpisodeOutline;
use crate::update::OpenedRecordings;
use mageyard_domain::Returns;
use mageyard_engine::{RunState, Snapshot, Steps, Waiting};
use mageyard_terminal::count_of;

/// A recorded episode that was not read.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    /// Its journal.
    pub(crate) journal: PathBuf,
    /// What the list shows of it; `None` until its head was read.
    pub(crate) listed: Option<ListedEpisode>,
    /// Whether it is being read.
    pub(crate) is_requested: bool,
}

/// What the list shows of an episode that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedEpisode {
    pub(crate) name: Box<str>,
    /// What is known of its end.
    pub(crate) state: Option<EpisodeState>,
    pub(crate) details: Box<str>,
}

impl ListedEpisode {
    /// The row of an episode with this outline.
    pub(crate) fn of(outline: &EpisodeOutline) -> Self {
        let head = &outline.head;
        let summary = outline.summary.as_deref();
        let steps = summary.map_or(0, |summary| summary.steps);
        let ending = summary.and_then(|summary| summary.ending);
        let (state, place) = match ending {
            Some(ending) => {
                let steps = usize::try_from(steps).unwrap_or(usize::MAX);
                (Some(EpisodeState::Ended(ending)), count_of(steps, "step"))
            }
            None if outline.is_unfinished => (Some(EpisodeState::Unfinished), String::new()),
            None => (None, "finished".to_owned()),
        };
        let hides_score = head.agent.is_person() && !head.solver_visible && ending.is_none();
        let score = summary.and_then(|summary| summary.score).filter(|_| steps > 0 && !hides_score);
        let facts = RowFacts {
            head,
            place,
            score,
            annotations: outline.annotations,
            prompt: &head.prompt,
            window: head.window,
        };
        Self { name: head.reference.as_str().into(), state, details: row_details(&facts).into() }
    }

    /// The row of an episode whose head cannot be read.
    pub(crate) fn unreadable() -> Self {
        let state = Some(EpisodeState::Unreadable);
        Self { name: "–".into(), state, details: "see `mageyard log check`".into() }
    }
}

impl Unread {
    fn new(journal: PathBuf) -> Self {
        Self { journal, listed: None, is_requested: false }
    }

    /// The name of its folder, which is its number in the session.
    pub(crate) fn folder_name(&self) -> &str {
        self.journal.parent().and_then(|folder| folder.file_name()?.to_str()).unwrap_or_default()
    }
}

impl Model {
    /// Adds recorded episodes. Those without a snapshot stay unread.
    pub(crate) fn add_recordings(&mut self, opened: OpenedRecordings, live: bool) {
        let OpenedRecordings { unread, read } = opened;
        if let Some((_, first)) = read.first().filter(|_| !unread.is_empty()) {
            let nothing = Arc::new(without_content(first));
            self.episodes.extend(unread.into_iter().map(|journal| {
                let mut place = EpisodeView::new(nothing.clone(), false);
                place.unread = Some(Unread::new(journal));
                place
            }));
        }
        for (number, snapshot) in read {
            let view = EpisodeView::new(snapshot, live);
            match self.episodes.get_mut(number) {
                Some(place) => *place = view,
                None => self.episodes.push(view),
            }
        }
    }

    /// Whether this is the number of an episode that was not read.
    pub(crate) fn is_unread(&self, number: usize) -> bool {
        self.episodes.get(number).is_some_and(|episode| episode.unread.is_some())
    }

    /// How many episodes have no row in the list yet, and how many there are; `None` if all have one.
    pub(crate) fn unlisted(&self) -> Option<(usize, usize)> {
        let missing =
            |episode: &&EpisodeView| episode.unread.as_ref().is_some_and(|unread| unread.listed.is_none());
        let count = self.episodes.iter().filter(missing).count();
        (count > 0).then_some((count, self.episodes.len()))
    }
}

/// A snapshot of no episode, in the folder of this one.
fn without_content(snapshot: &Snapshot) -> Snapshot {
    Snapshot {
        steps: Steps::default(),
        returns: Returns::default(),
        run: RunState::recorded(Waiting::Opening),
        journal: None,
        ..snapshot.clone()
    }
}
