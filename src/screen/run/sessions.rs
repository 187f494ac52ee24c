//! The sessions of the running screen: new ones, recorded ones that are read later, and their end.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::screen::Screen;
use crate::recorded_episodes::RecordedEpisodes;
use crate::requests::{Answered, AskOrder, Opened, Request};
use crate::sweep::{DashboardSources, SweepContent};
use crate::update::{Msg, OpenedRecordings};
use mageyard_engine::{Session, SessionCommand, Snapshot};
use mageyard_terminal::{Canvas, ScreenError, ScreenExit};

/// How long sessions may take to end.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(2);

/// The place of an episode: its number is that of the episode in the model.
pub(super) enum SessionSlot {
    /// It is open.
    Open(Session),
    /// It is recorded in this journal, and read when it is to be shown.
    Unread(PathBuf),
}

impl SessionSlot {
    /// Its session, if it is open.
    pub(super) fn session(&self) -> Option<&Session> {
        match self {
            Self::Open(session) => Some(session),
            Self::Unread(_) => None,
        }
    }

    fn journal(&self) -> Option<PathBuf> {
        match self {
            Self::Open(session) => session.snapshots.borrow().journal.clone(),
            Self::Unread(journal) => Some(journal.clone()),
        }
    }

    fn is_unread(&self, journal: &PathBuf) -> bool {
        matches!(self, Self::Unread(unread) if unread == journal)
    }
}

impl<C: Canvas> Screen<'_, C> {
    /// Adds a session to the inbox and returns its newest snapshot.
    pub(super) fn add_session(&mut self, session: Session) -> Arc<Snapshot> {
        self.inbox.watch_session(session.snapshots.clone());
        let snapshot = self.begin_session(&session);
        self.sessions.push(SessionSlot::Open(session));
        snapshot
    }

    /// The newest snapshot of a session. What is stored beside its journal is read.
    fn begin_session(&mut self, session: &Session) -> Arc<Snapshot> {
        let snapshot = session.snapshots.borrow().clone();
        if let Some(journal) = &snapshot.journal {
            self.requests.send(Request::WatchAnnotations(journal.clone()));
            self.requests.send(Request::Ask(AskOrder::ReadAsks(journal.clone())));
        }
        snapshot
    }

    /// Adds recorded episodes: those that were read, unless they are open, and places for the others.
    pub(super) fn add_recordings(&mut self, recordings: RecordedEpisodes) -> OpenedRecordings {
        let RecordedEpisodes { journals, read } = recordings;
        let known: HashSet<PathBuf> = self.sessions.iter().filter_map(SessionSlot::journal).collect();
        let first = self.sessions.len();
        let unread: Vec<PathBuf> = journals.into_iter().filter(|journal| !known.contains(journal)).collect();
        for journal in &unread {
            self.inbox.reserve_session();
            self.sessions.push(SessionSlot::Unread(journal.clone()));
        }
        let read: Vec<_> = read.into_iter().filter_map(|session| self.add_once(session)).collect();
        let numbered =
            (first..).zip(&unread).filter(|(number, _)| self.sessions[*number].session().is_none());
        let listed: Vec<_> = numbered.map(|(number, journal)| (number, journal.clone())).collect();
        if !listed.is_empty() {
            self.requests.send(Request::Outline(listed));
        }
        OpenedRecordings { unread, read }
    }

    /// Watches a sweep in place of the one before, and returns its content.
    pub(super) fn watch_sweep(&mut self, mut sources: DashboardSources) -> SweepContent {
        let content = sources.newest();
        self.open_cell = Some(sources.open.clone());
        self.inbox.watch_sweep(Some(sources));
        content
    }

    /// Takes sessions that were opened, or another answer of the lab.
    pub(super) fn handle_answer(&mut self, answered: Answered) -> Result<Option<ScreenExit>, ScreenError> {
        let msg = match answered {
            Answered::Answer(answer) => Msg::Answer(answer),
            Answered::Opened(Opened::Level(session)) => Msg::Opened(session.map(|new| self.add_session(new))),
            Answered::Opened(Opened::Continued(session)) => {
                Msg::Continued(session.map(|session| self.add_session(session)))
            }
            Answered::Opened(Opened::Lesson(session)) => {
                Msg::LessonOpened(session.map(|session| self.add_session(session)))
            }
            Answered::Opened(Opened::Recorded(sessions)) => {
                Msg::Recorded(sessions.map(|sessions| self.add_recordings(sessions)))
            }
            Answered::Opened(Opened::Sweep(sources)) => {
                Msg::SweepOpened(sources.map(|sources| self.watch_sweep(sources)))
            }
            Answered::Opened(Opened::Followed(session)) => match self.add_once(session) {
                Some((_, snapshot)) => Msg::EpisodeStarted(snapshot),
                None => return Ok(None),
            },
        };
        self.handle_msg(msg)
    }

    /// Adds a session unless its episode is open already, and returns its number. An unread one gets its place.
    fn add_once(&mut self, session: Session) -> Option<(usize, Arc<Snapshot>)> {
        let new = session.snapshots.borrow().journal.clone();
        let Some(journal) = &new else {
            return Some((self.sessions.len(), self.add_session(session)));
        };
        if let Some(number) = self.sessions.iter().position(|slot| slot.is_unread(journal)) {
            self.inbox.watch_reserved(number, session.snapshots.clone());
            let snapshot = self.begin_session(&session);
            self.sessions[number] = SessionSlot::Open(session);
            return Some((number, snapshot));
        }
        let mut open = self.sessions.iter().filter_map(SessionSlot::session);
        let is_open = open.any(|open| open.snapshots.borrow().journal == new);
        (!is_open).then(|| (self.sessions.len(), self.add_session(session)))
    }

    /// Tells all live sessions to end and waits for them for a limited time.
    pub(super) async fn end_sessions(self) {
        let open = self.sessions.iter().filter_map(SessionSlot::session);
        for orders in open.filter_map(|session| session.commands.as_ref()) {
            // A session that has ended takes no command.
            let _ = orders.send(SessionCommand::Leave);
        }
        let open = self.sessions.iter().filter_map(SessionSlot::session);
        let live = open.filter(|session| session.commands.is_some());
        let all = live.map(|session| session_ended(session.snapshots.clone()));
        // The rest can be resumed from the journal, which is complete after every event.
        let _ = tokio::time::timeout(LEAVE_TIMEOUT, futures_util::future::join_all(all)).await;
    }
}

/// Waits until the session has ended: no more snapshots are sent.
async fn session_ended(mut snapshots: watch::Receiver<Arc<Snapshot>>) {
    while snapshots.changed().await.is_ok() {}
}
