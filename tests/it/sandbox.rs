//! A sandbox for the real binary: its own home folder, no inherited variables, a time limit.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How long a verb may take before the test fails.
const TIMEOUT: Duration = Duration::from_secs(45);

/// A temporary folder that contains only what a test writes.
pub(crate) struct Sandbox {
    root: tempfile::TempDir,
    variables: Vec<(String, String)>,
}

/// The result of a verb.
#[derive(Debug)]
pub(crate) struct CommandResult {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A program that cargo has built beside this test: `mageyard`, or `examples/pages`.
///
/// The package of these tests links nothing of the program and does not depend on it, so cargo builds the program only
/// if its package is tested in the same command, as it is by default. A program that is older than its sources fails
/// the test.
pub(crate) fn program(name: &str) -> PathBuf {
    static CHECKED: Mutex<BTreeMap<PathBuf, Result<(), String>>> = Mutex::new(BTreeMap::new());
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name(name);
    let checked = CHECKED.lock().unwrap().entry(path.clone()).or_insert_with(|| check_program(&path)).clone();
    if let Err(why) = checked {
        panic!("{}: {why}; build it first: `cargo build --bins --examples`", path.display());
    }
    path
}

/// Fails if a source of the program has changed since it was built, by the list that cargo writes beside it.
fn check_program(program: &Path) -> Result<(), String> {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    let built = changed(program).map_err(|error| error.to_string())?;
    let list = fs::read_to_string(program.with_extension("d")).unwrap_or_default();
    let (_, sources) = list.split_once(": ").unwrap_or_default();
    let mut sources = sources.split_whitespace().map(Path::new);
    match sources.find(|source| changed(source).is_ok_and(|time| time > built)) {
        Some(newer) => Err(format!("{} is newer", newer.display())),
        None => Ok(()),
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        Self { root, variables: Vec::new() }
    }

    /// The same sandbox with another variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A path in it. Verbs run in `work`; `config` contains the settings folder.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(path)
    }

    /// The folders of the sessions in this store, oldest first.
    pub(crate) fn sessions(&self, store: impl AsRef<Path>) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path(store)).unwrap().map(|entry| entry.unwrap().path());
        let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes a program that can be started.
    ///
    /// Another process writes the file itself: a program that a test beside this one starts at that moment would
    /// inherit the open file, and a file that is open for writing cannot be started.
    pub(crate) fn write_program(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.write(path, "");
        let text = self.write("program-text", content);
        let copy = ["-c", "rm \"$1\" && cp \"$0\" \"$1\" && chmod 755 \"$1\""];
        assert!(Command::new("sh").args(copy).args([&text, &path]).status().unwrap().success());
        path
    }

    /// The command of the binary in this sandbox.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.command_of(&program("mageyard"), args)
    }

    /// The command of another program in this sandbox.
    pub(crate) fn command_of(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
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

    /// Runs a verb to completion.
    pub(crate) fn run(&self, args: &[&str]) -> CommandResult {
        self.run_with(args, Stdio::null())
    }

    /// Runs a verb to completion with a standard input.
    pub(crate) fn run_with(&self, args: &[&str], stdin: impl Into<Stdio>) -> CommandResult {
        complete(self.command(args).stdin(stdin))
    }
}

impl Sandbox {
    /// Runs a verb to completion in a terminal and returns what it shows.
    pub(crate) fn terminal(&self, args: &[&str], columns: u16, rows: u16) -> vt100::Parser {
        let size = portable_pty::PtySize { rows, cols: columns, ..Default::default() };
        let pair = portable_pty::native_pty_system().openpty(size).unwrap();
        let mut command = portable_pty::CommandBuilder::new(program("mageyard"));
        command.args(args);
        command.env_clear();
        command.cwd(self.path("work"));
        command.env("HOME", self.path("home"));
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut from = pair.master.try_clone_reader().unwrap();
        let (sender, bytes) = channel();
        thread::spawn(move || {
            let mut all = Vec::new();
            // Reading the master fails after the last process has closed the terminal.
            let _ = from.read_to_end(&mut all);
            let _ = sender.send(all);
        });
        let mut parser = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
        let Ok(bytes) = bytes.recv_timeout(TIMEOUT) else {
            let _ = child.kill();
            panic!("{args:?} did not end within {TIMEOUT:?}");
        };
        parser.process(&bytes);
        let deadline = Instant::now() + TIMEOUT;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "{args:?} closed its terminal and did not end");
            thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "{}", parser.screen().contents());
        parser
    }
}

/// Waits for a child to exit; after the time limit kills it and fails the test.
pub(crate) fn wait(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("it did not end within {TIMEOUT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a command to completion and collects its output, with the time limit of [`wait`].
pub(crate) fn complete(command: &mut Command) -> CommandResult {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_with_output(&mut child)
}

/// Waits for a child to exit and collects its piped output, with the time limit of [`wait`].
pub(crate) fn wait_with_output(child: &mut Child) -> CommandResult {
    let out = child.stdout.take().map(drain);
    let err = child.stderr.take().map(drain);
    let code = wait(child);
    let output = |pipe: Option<Receiver<String>>| {
        pipe.map_or_else(String::new, |text| text.recv_timeout(TIMEOUT).expect("the pipe closes at exit"))
    };
    CommandResult { code, out: output(out), err: output(err) }
}

/// The first line of a child's standard output. The rest is read and dropped, so that the child never
/// blocks. After the time limit kills the child and fails the test.
pub(crate) fn first_line(child: &mut Child) -> String {
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let (sender, line) = channel();
    thread::spawn(move || {
        let mut first = String::new();
        from.read_line(&mut first).unwrap();
        let _ = sender.send(first);
        let _ = io::copy(&mut from, &mut io::sink());
    });
    line.recv_timeout(TIMEOUT).unwrap_or_else(|_| {
        let _ = child.kill();
        panic!("it said nothing within {TIMEOUT:?}");
    })
}

fn drain(mut from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, text) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        let _ = sender.send(String::from_utf8(bytes).expect("output is UTF-8"));
    });
    text
}

impl CommandResult {
    /// Standard output; fails unless the exit code is 0 and standard error is empty.
    pub(crate) fn success(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// Fails unless the exit code matches and standard error is one message with all these texts.
    pub(crate) fn fails_with(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for part in says {
            assert!(self.err.contains(part), "{part:?} is not in: {}", self.err);
        }
        assert_eq!(self.err.matches("  x ").count(), 1, "one message: {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }

    /// Standard output as JSON objects, one per line, each with the schema version first.
    pub(crate) fn json_lines(&self) -> Vec<serde_json::Value> {
        let object = |line: &str| {
            assert!(line.starts_with(r#"{"schema":1,"#), "{line}");
            serde_json::from_str(line).expect(line)
        };
        self.out.lines().map(object).collect()
    }
}
