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
const DEBOUNCE: Duration = Duration::from_millis(100);

/// A watch over files and folders. Ends when dropped.
#[derive(Debug)]
pub struct FileWatcher {
    events: mpsc::UnboundedReceiver<Vec<PathBuf>>,
    deadline: Option<Instant>,
    watcher: RecommendedWatcher,
    /// A file that is meant, without links.
    file: Option<PathBuf>,
    folder: Option<WatchedFolder>,
}

/// A folder that is meant with all that is in it, and that need not exist.
#[derive(Debug)]
struct WatchedFolder {
    path: PathBuf,
    /// What is watched for it, without links: itself, or the nearest folder above it that exists.
    nearest_existing: PathBuf,
    /// The part of its path that does not exist; empty when it exists.
    missing_part: PathBuf,
}

impl FileWatcher {
    /// Watches the configuration folder and the project's settings, also when they come only later;
    /// `None` when the system gives no watch. The reason then goes to the log: everything works
    /// without it.
    pub fn start(folders: &Folders) -> Option<Self> {
        Self::watch_paths(Some(&folders.config), &folders.project_file())
    }

    /// Watches one file; `None` when its folder does not exist or the system gives no watch.
    pub fn file(path: &Path) -> Option<Self> {
        Self::watch_paths(None, path)
    }

    /// Watches a folder with everything in it; `None` when the system gives no watch.
    pub fn folder(path: &Path) -> Option<Self> {
        Self::watch_paths(Some(path), Path::new(""))
    }

    fn watch_paths(folder: Option<&Path>, file: &Path) -> Option<Self> {
        let (sender, changes) = mpsc::unbounded_channel();
        let tell = move |event: notify::Result<Event>| {
            if let Some(event) = event.ok().filter(|event| !event.kind.is_access()) {
                let _ = sender.send(event.paths);
            }
        };
        let watcher = notify::recommended_watcher(tell).map_err(log_error).ok()?;
        let file = file
            .parent()
            .and_then(canonical_folder)
            .zip(file.file_name())
            .map(|(near, name)| near.join(name));
        let mut this = Self {
            events: changes,
            deadline: None,
            watcher,
            file,
            folder: folder.and_then(WatchedFolder::locate),
        };
        // A folder that is meant whole comes last: it may be the one that the file is in.
        let near = this.file.as_deref().and_then(Path::parent).map(Path::to_owned);
        let flat = near.and_then(|near| this.watch_path(&near, RecursiveMode::NonRecursive));
        this.watch_nearest_folder().or(flat).map(|()| this)
    }

    fn watch_path(&mut self, path: &Path, mode: RecursiveMode) -> Option<()> {
        self.watcher.watch(path, mode).map_err(log_error).ok()
    }

    fn watch_nearest_folder(&mut self) -> Option<()> {
        let (near, mode) =
            self.folder.as_ref().map(|folder| (folder.nearest_existing.clone(), folder.recursive_mode()))?;
        self.watch_path(&near, mode)
    }

    /// Comes as near to the folder as it can by now; one that was made anew is watched anew. An earlier
    /// watch further up does no harm.
    fn rewatch_folder(&mut self) {
        if let Some(found) = self.folder.as_ref().and_then(|folder| WatchedFolder::locate(&folder.path)) {
            self.folder = Some(found);
            self.watch_nearest_folder();
        }
    }

    fn is_relevant(&self, paths: &[PathBuf]) -> bool {
        let folder = |path: &PathBuf| self.folder.as_ref().is_some_and(|folder| folder.contains_event(path));
        paths.iter().any(|path| folder(path) || Some(path) == self.file.as_ref())
    }

    /// Returns a tenth of a second after a change, once for all that came meanwhile. The future may be
    /// dropped and made again at any time; no change is lost by it.
    pub async fn changed(&mut self) {
        if self.deadline.is_none() {
            self.next_relevant_event().await;
        }
        let due = *self.deadline.get_or_insert_with(|| Instant::now() + DEBOUNCE);
        time::sleep_until(due).await;
        while self.events.try_recv().is_ok() {}
        // Before anybody reads: what is written from now on is told, what was written earlier is read.
        self.rewatch_folder();
        self.deadline = None;
    }

    async fn next_relevant_event(&mut self) {
        loop {
            match self.events.recv().await {
                Some(paths) if self.is_relevant(&paths) => return,
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
    }
}

impl WatchedFolder {
    /// `None` only where no folder above it exists.
    fn locate(path: &Path) -> Option<Self> {
        let (above, near) = path.ancestors().find_map(|above| Some((above, canonical_folder(above)?)))?;
        let rest = path.strip_prefix(above).ok()?.to_owned();
        Some(Self { path: path.to_owned(), nearest_existing: near, missing_part: rest })
    }

    fn recursive_mode(&self) -> RecursiveMode {
        let exists = self.missing_part.as_os_str().is_empty();
        if exists { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive }
    }

    /// Whether what happened here happened in the folder, or brings it nearer.
    fn contains_event(&self, path: &Path) -> bool {
        match self.missing_part.components().next() {
            None => path.starts_with(&self.nearest_existing),
            Some(next) => path == self.nearest_existing.join(next),
        }
    }
}

/// The folder without links, as the system reports it in events; the one we stand in for no name.
fn canonical_folder(folder: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands it over")]
fn log_error(error: notify::Error) {
    tracing::warn!("files are not watched: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, Folders) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        std::fs::create_dir_all(folders.themes()).unwrap();
        std::fs::create_dir_all(&folders.working).unwrap();
        (root, folders)
    }

    async fn reports_change(watch: &mut FileWatcher, within: u64) -> bool {
        time::timeout(Duration::from_millis(within), watch.changed()).await.is_ok()
    }

    #[tokio::test]
    async fn a_change_is_reported_once_and_reading_is_not_a_change() {
        let (_root, folders) = world();
        let mut watch = FileWatcher::start(&folders).unwrap();
        for _ in 0..5 {
            std::fs::write(folders.user_file(), "[play]\n").unwrap();
        }
        assert!(!reports_change(&mut watch, 20).await);
        assert!(reports_change(&mut watch, 5_000).await, "a dropped wait lost the change");
        std::fs::read_to_string(folders.user_file()).unwrap();
        std::fs::write(folders.working.join("other"), "").unwrap();
        assert!(!reports_change(&mut watch, 300).await);
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(reports_change(&mut watch, 5_000).await);
    }

    #[tokio::test]
    async fn a_file_that_replaces_the_project_file_is_reported() {
        let (root, folders) = world();
        std::fs::write(folders.project_file(), "").unwrap();
        let mut watch = FileWatcher::start(&folders).unwrap();
        let fresh = root.path().join("fresh");
        std::fs::write(&fresh, "[play]\n").unwrap();
        std::fs::rename(fresh, folders.project_file()).unwrap();
        assert!(reports_change(&mut watch, 5_000).await);
    }

    #[tokio::test]
    async fn files_and_folders_created_later_are_reported() {
        let root = tempfile::tempdir().unwrap();
        let mut folders = Folders::under(root.path());
        folders.config = root.path().join("home/.config/mageyard");
        std::fs::create_dir(&folders.working).unwrap();
        let mut watch = FileWatcher::start(&folders).unwrap();
        std::fs::write(root.path().join("other"), "").unwrap();
        std::fs::write(folders.working.join("other"), "").unwrap();
        assert!(!reports_change(&mut watch, 300).await);
        std::fs::write(folders.project_file(), "[play]\n").unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "a project's first settings");
        std::fs::create_dir(root.path().join("home")).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "a folder on the way");
        std::fs::create_dir_all(folders.themes()).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "the configuration folder");
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "a theme in it");
        std::fs::remove_dir_all(&folders.config).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "all of it gone");
        std::fs::create_dir(&folders.config).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "and come again");
        std::fs::remove_dir(&folders.config).unwrap();
        std::fs::create_dir(&folders.config).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "gone and come again at once");
        std::fs::write(folders.user_file(), "").unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "with settings in it");
    }

    #[tokio::test]
    async fn a_configuration_folder_that_is_also_the_working_folder_is_watched_recursively() {
        let (_root, mut folders) = world();
        folders.working.clone_from(&folders.config);
        let mut watch = FileWatcher::start(&folders).unwrap();
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(reports_change(&mut watch, 5_000).await);
    }

    #[test]
    fn a_file_in_a_missing_folder_gives_no_watcher() {
        let root = tempfile::tempdir().unwrap();
        assert!(FileWatcher::file(&root.path().join("none/journal.jsonl")).is_none());
    }
}
