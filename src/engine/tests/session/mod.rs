//! Orders to a session, on a paused clock.

mod opening;
mod person;
mod running;
mod standing;

use tokio::sync::mpsc;
use tokio::sync::watch;

use super::*;

const LIMIT: Duration = Duration::from_hours(1);

struct Play {
    session: Session,
    agent: Script,
    log: Nowhere,
}

impl Play {
    fn start(setting: Setting, lines: &[&'static str]) -> Self {
        Self::with(head(setting, 3, 50), script(lines))
    }

    fn with(head: Head, agent: Script) -> Self {
        let log = Nowhere::default();
        let driver = driver(head, agent.clone(), Box::new(log.clone()));
        let terms = terms(None, Duration::from_secs(2));
        Self { session: Session::start(driver, terms), agent, log }
    }

    fn order(&self, order: Order) {
        self.session.orders.as_ref().unwrap().send(order).unwrap();
    }

    async fn until(&mut self, what: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let seen = self.session.snapshots.wait_for(|snapshot| what(snapshot));
        tokio::time::timeout(LIMIT, seen).await.expect("it never came").unwrap().clone()
    }

    async fn waits_for(&mut self, waiting: Waiting) -> Arc<Snapshot> {
        self.until(|snapshot| snapshot.waiting == waiting && snapshot.mode == Mode::Standing).await
    }
}

/// What a session is started with that searches no distances.
fn terms(person: Option<mpsc::UnboundedSender<Vec<Action>>>, pace: Duration) -> Terms {
    Terms { kind: &Corridors, person, pace, allowance: None, folder: "nowhere".into() }
}

fn order(session: &Session, order: Order) {
    session.orders.as_ref().unwrap().send(order).unwrap();
}

async fn seen(snapshots: &mut watch::Receiver<Arc<Snapshot>>, what: impl Fn(&Snapshot) -> bool) {
    let seen = snapshots.wait_for(|snapshot| what(snapshot));
    tokio::time::timeout(LIMIT, seen).await.expect("it never came").unwrap();
}
