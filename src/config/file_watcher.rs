//! Watches the files that users edit, so that they can be read again. Does not wake up while nothing changes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;
use tokio::time;
use tokio::time::Instant;

use super::folders::Folders;

/// The delay before a change is reported, together with all changes in between: editors write in several steps.
const DEBOUNCE: Duration = Duration::from_millis(100);

/// Watches files and folders until it is dropped.
#[derive(Debug)]
pub struct FileWatcher {
    events: mpsc::UnboundedReceiver<Vec<PathBuf>>,
    deadline: Option<Instant>,
    watcher: RecommendedWatcher,
    /// The file to watch, with links resolved.
    file: Option<PathBuf>,
    folder: Option<WatchedFolder>,
}

/// A folder that is watched with everything in it. It need not exist.
#[derive(Debug)]
struct WatchedFolder {
    path: PathBuf,
    /// The folder that is watched for it, with links resolved: itself, or the nearest parent that exists.
    nearest_existing: PathBuf,
    /// The part of its path that does not exist; empty if it exists.
    missing_part: PathBuf,
}

impl FileWatcher {
    /// Watches the configuration folder and the project's settings, even if they do not exist yet. Returns `None` and
    /// logs the reason if the system cannot watch them: everything else still works.
    pub fn start(folders: &Folders) -> Option<Self> {
        Self::watch_paths(Some(&folders.config), &folders.project_file())
    }

    /// Watches one file. Returns `None` if its folder does not exist or the system cannot watch it.
    pub fn file(path: &Path) -> Option<Self> {
        Self::watch_paths(None, path)
    }

    /// Watches a folder with everything in it; `None` when the system gives no watch.
    pub fn folder(path: &Path) -> Option<Self> {
        Self::watch_paths(Some(path), Path::new(""))
    }

    fn watch_paths(folder: Option<&Path>, file: &Path) -> Option<Self> {
        let (sender, changes) = mpsc::unbounded_channel();
        let report = move |event: notify::Result<Event>| {
            if let Some(event) = event.ok().filter(|event| !event.kind.is_access()) {
                let _ = sender.send(event.paths);
            }
        };
        let watcher = notify::recommended_watcher(report).map_err(log_error).ok()?;
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
        // The recursive watch comes last: the file may be in the same folder.
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

    /// Watches the nearest folder that exists now. A folder that was created again is watched again; the watch of a
    /// parent is kept.
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

    /// Returns a tenth of a second after a change, once for all changes in between. Dropping the future and calling
    /// again loses no change.
    pub async fn changed(&mut self) {
        if self.deadline.is_none() {
            self.next_relevant_event().await;
        }
        let due = *self.deadline.get_or_insert_with(|| Instant::now() + DEBOUNCE);
        time::sleep_until(due).await;
        while self.events.try_recv().is_ok() {}
        // Before the caller reads: later writes are reported, earlier ones are read.
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
    /// `None` if no parent exists.
    fn locate(path: &Path) -> Option<Self> {
        let (above, near) = path.ancestors().find_map(|above| Some((above, canonical_folder(above)?)))?;
        let rest = path.strip_prefix(above).ok()?.to_owned();
        Some(Self { path: path.to_owned(), nearest_existing: near, missing_part: rest })
    }

    fn recursive_mode(&self) -> RecursiveMode {
        let exists = self.missing_part.as_os_str().is_empty();
        if exists { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive }
    }

    /// Whether an event at this path is in the folder, or creates a missing part of its path.
    fn contains_event(&self, path: &Path) -> bool {
        match self.missing_part.components().next() {
            None => path.starts_with(&self.nearest_existing),
            Some(next) => path == self.nearest_existing.join(next),
        }
    }
}

/// The folder with links resolved, as events have it. An empty path is the working folder.
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
        assert!(reports_change(&mut watch, 5_000).await, "a dropped future lost the change");
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
        assert!(reports_change(&mut watch, 5_000).await, "a parent folder");
        std::fs::create_dir_all(folders.themes()).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "the configuration folder");
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "a theme in it");
        std::fs::remove_dir_all(&folders.config).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "folder removed");
        std::fs::create_dir(&folders.config).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "folder created again");
        std::fs::remove_dir(&folders.config).unwrap();
        std::fs::create_dir(&folders.config).unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "folder replaced");
        std::fs::write(folders.user_file(), "").unwrap();
        assert!(reports_change(&mut watch, 5_000).await, "settings written");
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
