//! The surface: a task that stands for another program. Its state is a file, the log of what was done to it, so it
//! survives this process, and a test can count what really happened.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use mageyard_domain::Action;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::level::PageLevel;
use super::page::Page;

/// The log in the folder of a surface.
pub(crate) const LOG: &str = "surface.log";

/// A request to a surface: an action, or a look without one. The answer is the page.
type Request = (Option<Action>, oneshot::Sender<Page>);

/// A connection to a surface. Dropping it ends the task.
pub(super) struct Surface {
    requests: mpsc::UnboundedSender<Request>,
    task: JoinHandle<()>,
    log: PathBuf,
}

impl Surface {
    /// Connects to the surface in a folder, which is created if it is not there.
    pub(super) fn connect(folder: &Path, level: PageLevel) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let log = folder.join(LOG);
        note(&log, "open")?;
        let (requests, inbox) = mpsc::unbounded_channel();
        let task = tokio::spawn(serve(log.clone(), level, inbox));
        Ok(Self { requests, task, log })
    }

    /// Sends a request. The receiver fails when the surface dies.
    pub(super) fn send(&self, action: Option<&Action>) -> oneshot::Receiver<Page> {
        let (answer, receiver) = oneshot::channel();
        // Without a surface the answer is dropped, which the receiver reports.
        let _ = self.requests.send((action.cloned(), answer));
        receiver
    }

    /// Ends the connection. The state stays.
    pub(super) fn disconnect(self) -> std::io::Result<()> {
        note(&self.log, "close")
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn note(log: &Path, line: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(log)?;
    file.write_all(format!("{line}\n").as_bytes())
}

/// The actions in a log.
pub(crate) fn acts(log: &Path) -> Vec<Action> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let rows = text.lines().filter_map(|row| row.strip_prefix("act "));
    rows.map(|row| serde_json::from_str(row).expect("an action")).collect()
}

/// Answers requests. An action takes effect before anything can go wrong with its answer.
async fn serve(log: PathBuf, level: PageLevel, mut inbox: mpsc::UnboundedReceiver<Request>) {
    let mut hanging = Vec::new();
    while let Some((action, answer)) = inbox.recv().await {
        if let Some(action) = &action {
            let line = serde_json::to_string(action).expect("an action");
            note(&log, &format!("act {line}")).expect("the log can be written");
        }
        tokio::time::sleep(level.late).await;
        let acts = acts(&log);
        let now = action.map(|_| acts.len());
        if now.is_some() && now == level.die {
            return;
        }
        if now.is_some() && now == level.deaf {
            std::future::pending::<()>().await;
        }
        if now.is_some() && now == level.hang {
            hanging.push(answer);
            continue;
        }
        let mut page = Page::default();
        for action in &acts {
            page.apply(action, &level);
        }
        let _ = answer.send(page);
    }
}
