//! A session: a driver that takes orders and shows what has become of them.

mod actor;
mod desk;
mod order;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::order::Order;
use super::driver::Driver;
use super::snapshot::Snapshot;
use crate::domain::Action;
use crate::domain::Kind;

/// A session under way, or a recording of one.
#[derive(Debug)]
pub struct Session {
    /// Where orders go; `None` for a recording.
    pub orders: Option<mpsc::UnboundedSender<Order>>,
    /// The newest snapshot.
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
    task: Option<JoinHandle<()>>,
}

/// What a session is started with, beside its driver.
pub struct Terms {
    /// The kind of environment, for the score.
    pub kind: &'static dyn Kind,
    /// Where a person's actions go, if the seat is a person's.
    pub person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// The pause between two steps while running.
    pub pace: Duration,
    /// The session's folder.
    pub folder: PathBuf,
}

impl Session {
    /// Starts a session on the present runtime. It opens the level and then stands.
    pub fn start(driver: Driver, terms: Terms) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        let (actor, snapshots) = actor::Actor::new(driver, terms, inbox);
        Self { orders: Some(orders), snapshots, task: Some(tokio::spawn(actor.run())) }
    }

    /// A session that only shows: a recording, perhaps one still being written.
    pub fn recording(snapshots: watch::Receiver<Arc<Snapshot>>) -> Self {
        Self { orders: None, snapshots, task: None }
    }

    /// Leaves in order: a thought is cut, an act is finished, the journal is whole.
    pub async fn leave(self) {
        if let Some(orders) = self.orders {
            // It may have ended by itself already, which is as good.
            let _ = orders.send(Order::Leave);
        }
        if let Some(task) = self.task {
            // A session that broke down has said so in its last snapshot.
            let _ = task.await;
        }
    }
}
