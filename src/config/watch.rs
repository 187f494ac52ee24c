//! Watching what people edit, so that it can be read again. Nothing wakes while nothing changes.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use notify::Event;
use notify::RecommendedWatcher;
use notify::RecursiveMode;
use notify::Watcher;
use tokio::sync::mpsc;
use tokio::time;
use tokio::time::Instant;

use super::folders::Folders;

/// How long after a change it is told, with all that came meanwhile: editors write in several goes.
const DELAY: Duration = Duration::from_millis(100);

/// A watch over files and folders. Ends when dropped.
#[derive(Debug)]
pub struct Watch {
    changes: mpsc::UnboundedReceiver<()>,
    due: Option<Instant>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the configuration folder and the project's settings, as far as they exist; `None` when
    /// there is nothing to watch or the system gives no watch. The reason then goes to the log:
    /// everything works without it.
    pub fn start(folders: &Folders) -> Option<Self> {
        let project = folders.project_file();
        Self::over(Some(&folders.config), Some(&project).filter(|file| file.exists()))
    }

    /// Watches one file that exists; `None` when the system gives no watch.
    pub fn file(path: &Path) -> Option<Self> {
        Self::over(None, Some(path))
    }

    fn over(folder: Option<&Path>, file: Option<impl AsRef<Path>>) -> Option<Self> {
        let folder = folder.and_then(real);
        let file = file.and_then(|file| {
            let file = file.as_ref();
            Some(real(file.parent()?)?.join(file.file_name()?))
        });
        let (sender, changes) = mpsc::unbounded_channel();
        let meant = (folder.clone(), file.clone());
        let tell = move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| concerns(&event, &meant)) {
                let _ = sender.send(());
            }
        };
        let mut watcher = notify::recommended_watcher(tell).map_err(log).ok()?;
        let mut watch = |path: &Path, mode| watcher.watch(path, mode).map_err(log).ok();
        let whole = folder.and_then(|folder| watch(&folder, RecursiveMode::Recursive));
        let flat =
            file.as_deref().and_then(Path::parent).and_then(|near| watch(near, RecursiveMode::NonRecursive));
        whole.or(flat).map(|()| Self { changes, due: None, _watcher: watcher })
    }

    /// Returns a tenth of a second after a change, once for all that came meanwhile. The future may be
    /// dropped and made again at any time; no change is lost by it.
    pub async fn changed(&mut self) {
        let due = match self.due {
            Some(due) => due,
            None => match self.changes.recv().await {
                Some(()) => *self.due.insert(Instant::now() + DELAY),
                None => std::future::pending().await,
            },
        };
        time::sleep_until(due).await;
        while self.changes.try_recv().is_ok() {}
        self.due = None;
    }
}

/// The folder without links, as the system reports it in events; the one we stand in for no name.
fn real(folder: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}

fn concerns(event: &Event, (folder, file): &(Option<PathBuf>, Option<PathBuf>)) -> bool {
    let meant = |path: &PathBuf| {
        folder.as_ref().is_some_and(|folder| path.starts_with(folder)) || Some(path) == file.as_ref()
    };
    !event.kind.is_access() && event.paths.iter().any(meant)
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands it over")]
fn log(error: notify::Error) {
    tracing::warn!("files are not watched: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, Folders) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::below(root.path());
        std::fs::create_dir_all(folders.themes()).unwrap();
        std::fs::create_dir_all(&folders.working).unwrap();
        (root, folders)
    }

    async fn told(watch: &mut Watch, within: u64) -> bool {
        time::timeout(Duration::from_millis(within), watch.changed()).await.is_ok()
    }

    #[tokio::test]
    async fn a_change_is_told_once_and_reading_is_none() {
        let (_root, folders) = world();
        let mut watch = Watch::start(&folders).unwrap();
        for _ in 0..5 {
            std::fs::write(folders.user_file(), "[play]\n").unwrap();
        }
        assert!(!told(&mut watch, 20).await);
        assert!(told(&mut watch, 5_000).await, "a dropped wait lost the change");
        std::fs::read_to_string(folders.user_file()).unwrap();
        std::fs::write(folders.working.join("other"), "").unwrap();
        assert!(!told(&mut watch, 300).await);
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(told(&mut watch, 5_000).await);
    }

    #[tokio::test]
    async fn a_file_that_replaces_the_projects_is_told() {
        let (root, folders) = world();
        std::fs::write(folders.project_file(), "").unwrap();
        let mut watch = Watch::start(&folders).unwrap();
        let fresh = root.path().join("fresh");
        std::fs::write(&fresh, "[play]\n").unwrap();
        std::fs::rename(fresh, folders.project_file()).unwrap();
        assert!(told(&mut watch, 5_000).await);
    }

    #[test]
    fn nothing_to_watch_is_no_error() {
        let root = tempfile::tempdir().unwrap();
        assert!(Watch::start(&Folders::below(root.path())).is_none());
    }
}
