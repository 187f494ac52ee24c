//! The sessions of the running screen: new ones, and their end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::screen::Screen;
use crate::appearance::HostEvent;
use crate::asking::AskOrder;
use crate::update::Msg;
use mageyard_engine::{Session, SessionCommand, Snapshot};
use mageyard_terminal::{Canvas, ScreenError, ScreenExit};

/// How long sessions may take to end.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(2);

impl<C: Canvas> Screen<'_, C> {
    /// Adds a session to the inbox and returns its newest snapshot.
    pub(super) fn add_session(&mut self, mut session: Session) -> Arc<Snapshot> {
        let snapshot = session.snapshots.borrow_and_update().clone();
        self.inbox.watch_session(session.snapshots.clone());
        if let Some(journal) = &snapshot.journal {
            self.host.watch_annotations(journal);
            self.host.ask(AskOrder::ReadAsks(journal.clone()));
        }
        self.sessions.push(session);
        snapshot
    }

    pub(super) fn handle_host_event(&mut self, event: HostEvent) -> Result<Option<ScreenExit>, ScreenError> {
        let msg = match event {
            HostEvent::Sessions(answer) => Msg::SessionsListed(answer),
            HostEvent::Recorded(Err(problem)) => Msg::Recorded(Err(problem)),
            HostEvent::Recorded(Ok(sessions)) => {
                Msg::Recorded(Ok(sessions.into_iter().filter_map(|session| self.add_once(session)).collect()))
            }
            HostEvent::Tutorial(answer) => {
                Msg::TutorialOpened(answer.map(|session| self.add_session(session)))
            }
            HostEvent::Branches(answer) => Msg::BranchesListed(answer),
            HostEvent::ForkPlanned(changes, answer) => Msg::ForkPlanned(changes, answer),
            HostEvent::OracleSaid(state, answer) => Msg::OracleSaid(state, answer),
            HostEvent::BreakpointsRead(text, answer) => Msg::BreakpointsRead(text, answer),
            HostEvent::Continued(answer) => Msg::Continued(answer.map(|session| self.add_session(session))),
            HostEvent::Loaded(wanted, answer) => Msg::Loaded(wanted, answer),
            HostEvent::Found(number, progress) => Msg::Found(number, progress),
            HostEvent::Asked(answer) => Msg::Asked(answer),
            HostEvent::Suite(answer) => Msg::Suite(answer),
            HostEvent::Annotations(journal, answer) => Msg::AnnotationsRead(journal, answer),
            HostEvent::EpisodeStarted(session) => match self.add_once(session) {
                Some(snapshot) => Msg::EpisodeStarted(snapshot),
                None => return Ok(None),
            },
        };
        self.handle_msg(msg)
    }

    /// Adds a session unless its episode is open already.
    fn add_once(&mut self, session: Session) -> Option<Arc<Snapshot>> {
        let new = session.snapshots.borrow().journal.clone();
        let is_open =
            self.sessions.iter().any(|open| new.is_some() && open.snapshots.borrow().journal == new);
        (!is_open).then(|| self.add_session(session))
    }

    /// Tells all live sessions to end and waits for them for a limited time.
    pub(super) async fn end_sessions(self) {
        for orders in self.sessions.iter().filter_map(|session| session.commands.as_ref()) {
            // A session that has ended takes no command.
            let _ = orders.send(SessionCommand::Leave);
        }
        let live = self.sessions.into_iter().filter(|session| session.commands.is_some());
        let all = live.map(|session| session_ended(session.snapshots));
        // The rest can be resumed from the journal, which is complete after every event.
        let _ = tokio::time::timeout(LEAVE_TIMEOUT, futures_util::future::join_all(all)).await;
    }
}

/// Waits until the session has ended: no more snapshots are sent.
async fn session_ended(mut snapshots: watch::Receiver<Arc<Snapshot>>) {
    while snapshots.changed().await.is_ok() {}
}
