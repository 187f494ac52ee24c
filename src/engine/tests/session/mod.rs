//! Commands to a session, on a paused clock.

mod errors_and_endings;
mod opening;
mod person;
mod running;

use tokio::sync::{mpsc, watch};

use super::*;

const TIMEOUT: Duration = Duration::from_hours(1);

struct RunningSession {
    session: Session,
    agent: ScriptedAgent,
    log: NullSink,
}

impl RunningSession {
    fn start(setting: Setting, lines: &[&'static str]) -> Self {
        Self::with(head(setting, 3, 50), script(lines))
    }

    fn with(head: Head, agent: ScriptedAgent) -> Self {
        let log = NullSink::default();
        let driver = driver(head, agent.clone(), Box::new(log.clone()));
        let terms = session_options(None, Duration::from_secs(2));
        Self { session: Session::start(driver, terms), agent, log }
    }

    fn send(&self, order: SessionCommand) {
        self.session.commands.as_ref().unwrap().send(order).unwrap();
    }

    async fn until(&mut self, what: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let seen = self.session.snapshots.wait_for(|snapshot| what(snapshot));
        tokio::time::timeout(TIMEOUT, seen).await.expect("timed out").unwrap().clone()
    }

    async fn waits_for(&mut self, waiting: Waiting) -> Arc<Snapshot> {
        self.until(|snapshot| snapshot.run.waiting == waiting && snapshot.run.mode == Mode::Paused).await
    }
}

/// Options of a session without distance searches.
fn session_options(person: Option<mpsc::UnboundedSender<Vec<Action>>>, pace: Duration) -> SessionOptions {
    SessionOptions { kind: &CorridorSpec, person, pace, distance_limits: None, folder: "nowhere".into() }
}

fn order(session: &Session, order: SessionCommand) {
    session.commands.as_ref().unwrap().send(order).unwrap();
}

async fn wait_until(snapshots: &mut watch::Receiver<Arc<Snapshot>>, what: impl Fn(&Snapshot) -> bool) {
    let seen = snapshots.wait_for(|snapshot| what(snapshot));
    tokio::time::timeout(TIMEOUT, seen).await.expect("timed out").unwrap();
}
