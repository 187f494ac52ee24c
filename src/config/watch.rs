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
    changes: mpsc::UnboundedReceiver<Vec<PathBuf>>,
    due: Option<Instant>,
    watcher: RecommendedWatcher,
    /// A file that is meant, without links.
    file: Option<PathBuf>,
    folder: Option<Folder>,
}

/// A folder that is meant with all that is in it, and that need not exist.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// What is watched for it, without links: itself, or the nearest folder above it that exists.
    near: PathBuf,
    /// The part of its path that does not exist; empty when it exists.
    rest: PathBuf,
}

impl Watch {
    /// Watches the configuration folder and the project's settings, also when they come only later;
    /// `None` when the system gives no watch. The reason then goes to the log: everything works
    /// without it.
    pub fn start(folders: &Folders) -> Option<Self> {
        Self::over(Some(&folders.config), &folders.project_file())
    }

    /// Watches one file; `None` when its folder does not exist or the system gives no watch.
    pub fn file(path: &Path) -> Option<Self> {
        Self::over(None, path)
    }

    fn over(folder: Option<&Path>, file: &Path) -> Option<Self> {
        let (sender, changes) = mpsc::unbounded_channel();
        let tell = move |event: notify::Result<Event>| {
            if let Some(event) = event.ok().filter(|event| !event.kind.is_access()) {
                let _ = sender.send(event.paths);
            }
        };
        let watcher = notify::recommended_watcher(tell).map_err(log).ok()?;
        let file = file.parent().and_then(real).zip(file.file_name()).map(|(near, name)| near.join(name));
        let mut this = Self { changes, due: None, watcher, file, folder: folder.and_then(Folder::find) };
        // A folder that is meant whole comes last: it may be the one that the file is in.
        let near = this.file.as_deref().and_then(Path::parent).map(Path::to_owned);
        let flat = near.and_then(|near| this.listen(&near, RecursiveMode::NonRecursive));
        this.listen_near().or(flat).map(|()| this)
    }

    fn listen(&mut self, path: &Path, mode: RecursiveMode) -> Option<()> {
        self.watcher.watch(path, mode).map_err(log).ok()
    }

    fn listen_near(&mut self) -> Option<()> {
        let (near, mode) = self.folder.as_ref().map(|folder| (folder.near.clone(), folder.mode()))?;
        self.listen(&near, mode)
    }

    /// Comes as near to the folder as it can by now; one that was made anew is watched anew. An earlier
    /// watch further up does no harm.
    fn approach(&mut self) {
        if let Some(found) = self.folder.as_ref().and_then(|folder| Folder::find(&folder.path)) {
            self.folder = Some(found);
            self.listen_near();
        }
    }

    fn concerns(&self, paths: &[PathBuf]) -> bool {
        let folder = |path: &PathBuf| self.folder.as_ref().is_some_and(|folder| folder.holds(path));
        paths.iter().any(|path| folder(path) || Some(path) == self.file.as_ref())
    }

    /// Returns a tenth of a second after a change, once for all that came meanwhile. The future may be
    /// dropped and made again at any time; no change is lost by it.
    pub async fn changed(&mut self) {
        if self.due.is_none() {
            self.first().await;
        }
        let due = *self.due.get_or_insert_with(|| Instant::now() + DELAY);
        time::sleep_until(due).await;
        while self.changes.try_recv().is_ok() {}
        // Before anybody reads: what is written from now on is told, what was written earlier is read.
        self.approach();
        self.due = None;
    }

    async fn first(&mut self) {
        loop {
            match self.changes.recv().await {
                Some(paths) if self.concerns(&paths) => return,
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
    }
}

impl Folder {
    /// `None` only where no folder above it exists.
    fn find(path: &Path) -> Option<Self> {
        let (above, near) = path.ancestors().find_map(|above| Some((above, real(above)?)))?;
        let rest = path.strip_prefix(above).ok()?.to_owned();
        Some(Self { path: path.to_owned(), near, rest })
    }

    fn mode(&self) -> RecursiveMode {
        let exists = self.rest.as_os_str().is_empty();
        if exists { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive }
    }

    /// Whether what happened here happened in the folder, or brings it nearer.
    fn holds(&self, path: &Path) -> bool {
        match self.rest.components().next() {
            None => path.starts_with(&self.near),
            Some(next) => path == self.near.join(next),
        }
    }
}

/// The folder without links, as the system reports it in events; the one we stand in for no name.
fn real(folder: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
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

    #[tokio::test]
    async fn what_comes_only_later_is_told_as_well() {
        let root = tempfile::tempdir().unwrap();
        let mut folders = Folders::below(root.path());
        folders.config = root.path().join("home/.config/mageyard");
        std::fs::create_dir(&folders.working).unwrap();
        let mut watch = Watch::start(&folders).unwrap();
        std::fs::write(root.path().join("other"), "").unwrap();
        std::fs::write(folders.working.join("other"), "").unwrap();
        assert!(!told(&mut watch, 300).await);
        std::fs::write(folders.project_file(), "[play]\n").unwrap();
        assert!(told(&mut watch, 5_000).await, "a project's first settings");
        std::fs::create_dir(root.path().join("home")).unwrap();
        assert!(told(&mut watch, 5_000).await, "a folder on the way");
        std::fs::create_dir_all(folders.themes()).unwrap();
        assert!(told(&mut watch, 5_000).await, "the configuration folder");
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(told(&mut watch, 5_000).await, "a theme in it");
        std::fs::remove_dir_all(&folders.config).unwrap();
        assert!(told(&mut watch, 5_000).await, "all of it gone");
        std::fs::create_dir(&folders.config).unwrap();
        assert!(told(&mut watch, 5_000).await, "and come again");
        std::fs::remove_dir(&folders.config).unwrap();
        std::fs::create_dir(&folders.config).unwrap();
        assert!(told(&mut watch, 5_000).await, "gone and come again at once");
        std::fs::write(folders.user_file(), "").unwrap();
        assert!(told(&mut watch, 5_000).await, "with settings in it");
    }

    #[tokio::test]
    async fn a_configuration_folder_that_is_the_working_folder_is_watched_whole() {
        let (_root, mut folders) = world();
        folders.working.clone_from(&folders.config);
        let mut watch = Watch::start(&folders).unwrap();
        std::fs::write(folders.themes().join("mine.toml"), "").unwrap();
        assert!(told(&mut watch, 5_000).await);
    }

    #[test]
    fn a_file_in_no_folder_is_no_error() {
        let root = tempfile::tempdir().unwrap();
        assert!(Watch::file(&root.path().join("none/journal.jsonl")).is_none());
    }
}
