//! A folder of this machine as a computer that also runs commands, with the processes that work in it.
#![expect(clippy::disallowed_methods, reason = "the tests run what tasks run")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::handlers::{Change, Computer, FileFacts, FolderComputer, Mount, Ran, RunningProcess, Trouble};

pub(super) struct Machine {
    folder: tempfile::TempDir,
    files: FolderComputer,
}

impl Machine {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        let mount = Mount { path: path.to_str().unwrap().to_owned(), folder: path };
        let files = FolderComputer::new(std::slice::from_ref(&mount), &mount.path).unwrap();
        Self { folder, files }
    }

    /// Runs a cell: lines that begin with `!` by the shell, others by Python.
    pub(super) fn cell(cell: &str) -> bool {
        let (program, text) = match cell.strip_prefix('!') {
            Some(command) => ("sh", command),
            None => ("python3", cell),
        };
        let mut command = Command::new(program);
        command.arg("-c").arg(text).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
        command.status().unwrap().success()
    }
}

impl Drop for Machine {
    /// Ends what tasks leave running in the folder.
    fn drop(&mut self) {
        let left: Vec<u32> = self.processes().unwrap_or_default().iter().map(|process| process.id).collect();
        let _ = self.end(&left);
        assert!(self.folder.path().is_dir());
    }
}

impl Computer for Machine {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Trouble> {
        self.files.read(path)
    }

    fn facts(&mut self, path: &str) -> Result<Option<FileFacts>, Trouble> {
        self.files.facts(path)
    }

    fn list(&mut self, path: &str) -> Result<Vec<String>, Trouble> {
        self.files.list(path)
    }

    fn change(&mut self, change: &Change<'_>) -> Result<(), Trouble> {
        self.files.change(change)
    }

    /// The processes whose working folder is inside.
    fn processes(&mut self) -> Result<Vec<RunningProcess>, Trouble> {
        let inside = |process: &Path| {
            let folder = std::fs::read_link(process.join("cwd")).ok()?;
            if !folder.starts_with(self.files.home()) {
                return None;
            }
            let id = process.file_name()?.to_str()?.parse().ok()?;
            let name = std::fs::read_to_string(process.join("comm")).ok()?.trim_end().to_owned();
            let program = std::fs::read_link(process.join("exe")).ok()?.to_string_lossy().into_owned();
            Some(RunningProcess { id, name, program, arguments: Vec::new() })
        };
        let all = std::fs::read_dir("/proc").map_err(|_| Trouble::Unsupported("processes"))?;
        Ok(all.flatten().filter_map(|process| inside(&process.path())).collect())
    }

    fn end(&mut self, processes: &[u32]) -> Result<(), Trouble> {
        for id in processes {
            let _ = Command::new("kill").arg(id.to_string()).status();
        }
        Ok(())
    }

    fn run(&mut self, command: &str, _limit: Duration) -> Result<Ran, Trouble> {
        let ran = Command::new("sh").arg("-c").arg(command).output();
        let ran = ran.map_err(|error| Trouble::Other(error.to_string()))?;
        Ok(Ran { code: ran.status.code(), output: String::from_utf8_lossy(&ran.stdout).into_owned() })
    }

    fn start(&mut self, command: &[String]) -> Result<(), Trouble> {
        let [program, arguments @ ..] = command else { return Err(Trouble::Missing) };
        let started = Command::new(program).args(arguments).spawn();
        started.map(|_| ()).map_err(|error| Trouble::Other(error.to_string()))
    }

    fn sleep(&mut self, duration: Duration) {
        std::thread::sleep(duration);
    }

    fn home(&self) -> &str {
        self.files.home()
    }
}
