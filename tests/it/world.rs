//! An empty world for the real binary: a home of its own, no inherited variables, a time limit.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use std::time::Instant;

/// How long a verb may take before the test fails.
const LIMIT: Duration = Duration::from_mins(1);

/// A folder with nothing in it but what a test writes.
pub(crate) struct World {
    root: tempfile::TempDir,
    variables: Vec<(String, String)>,
}

/// A verb that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        Self { root, variables: Vec::new() }
    }

    /// The same world with one variable more.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A path in it. `work` is the folder the verbs run in, `config` holds the settings folder.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(path)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The binary in this world, not started yet.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mageyard"));
        command.args(args).env_clear().current_dir(self.path("work")).stdin(Stdio::null());
        for (name, folder) in [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(name, self.path(folder));
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a verb to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (out, err) = (drain(child.stdout.take().unwrap()), drain(child.stderr.take().unwrap()));
        let code = wait(&mut child);
        Ran { code, out: out.join().unwrap(), err: err.join().unwrap() }
    }
}

/// Waits for the end of a child; kills it and fails the test when it takes too long.
pub(crate) fn wait(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("it did not end within {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn drain(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).expect("output is UTF-8")
    })
}

impl Ran {
    /// Standard output of a verb that was done, without a word on standard error.
    pub(crate) fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// Standard error in one line, as it was before it was wrapped for reading.
    fn said(&self) -> String {
        let lines = self.err.lines().map(|line| line.trim().trim_start_matches("| "));
        lines.collect::<Vec<_>>().join(" ")
    }

    /// Fails unless it ended with this code and one message that says all this.
    pub(crate) fn refused(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        let said = self.said();
        for part in says {
            assert!(said.contains(part), "{part:?} is not in: {}", self.err);
        }
        assert_eq!(self.err.matches("  x ").count(), 1, "one message: {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }

    /// Standard output as objects, one a line, each with the schema version in front.
    pub(crate) fn objects(&self) -> Vec<serde_json::Value> {
        let object = |line: &str| {
            assert!(line.starts_with(r#"{"schema":1,"#), "{line}");
            serde_json::from_str(line).expect(line)
        };
        self.out.lines().map(object).collect()
    }
}
