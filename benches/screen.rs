//! The screen on a recorded episode of 2000 steps with 40 branches, in a pseudo-terminal of 120x40: the time from the start
//! of the program to the first complete frame, from a key to the last byte of its frame, of a search through all steps, the
//! resident memory, and what an idle screen costs: bytes, wake-ups and processor time. Before that, the time of a branch at
//! three quarters of the episode, as a command with its process, beside the time of a command that reads nothing
//! (`--version`), and the bytes that a branch stores for each step. The program that is measured is the one of this profile.
//!
//! The number of steps can be given: `cargo bench --bench screen -- 300`.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mageyard");
/// The starts that are measured.
const STARTS: usize = 9;
/// The branches of the episode, and the steps of their own that each has.
const BRANCHES: usize = 40;
const OWN_STEPS: usize = 50;
/// The keys that are measured, each back and forth.
const KEYS: usize = 200;
/// How long the idle screen is watched.
const IDLE: Duration = Duration::from_secs(10);
/// The end of a frame, and the last question at the start with the answers of a terminal without graphics.
const FRAME_END: &[u8] = b"\x1b[?2026l";
const QUESTION: &[u8] = b"\x1b[c";
const ANSWERS: &[u8] = b"\x1b[2;5R\x1b[?2026;2$y\x1b[?62;22c";
/// How long a frame may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// The program in a pseudo-terminal.
struct Screen {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    pid: u32,
}

impl Screen {
    /// Starts it on the newest recording and waits for the first complete frame; returns how long that took.
    fn start(home: &Path) -> (Self, Duration) {
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(["view", "last"]);
        command.env_clear();
        for (name, value) in variables(home) {
            command.env(name, value);
        }
        command.cwd(home);
        let began = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program");
        drop(pair.slave);
        let (tell, output) = mpsc::channel();
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        thread::spawn(move || {
            // The terminal is open as long as it is read.
            let _master = pair.master;
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if tell.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let pid = child.process_id().expect("a process");
        let mut screen = Self { child, keys, output, pid };
        screen.until(QUESTION);
        screen.press(ANSWERS);
        screen.until(FRAME_END);
        (screen, began.elapsed())
    }

    fn press(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).expect("a terminal");
    }

    /// Reads until these bytes have come.
    fn until(&self, end: &[u8]) {
        let mut all = Vec::new();
        while !all.windows(end.len()).any(|part| part == end) {
            all.extend(self.output.recv_timeout(DEADLINE).expect("output in time"));
        }
    }

    /// Reads until nothing has come for a while, and returns the number of bytes.
    fn drain(&self) -> usize {
        let quiet = Duration::from_millis(500);
        std::iter::from_fn(|| self.output.recv_timeout(quiet).ok()).map(|part| part.len()).sum()
    }

    /// From a key to the last byte of its frame.
    fn key_time(&mut self, key: &[u8]) -> Duration {
        let began = Instant::now();
        self.press(key);
        self.until(FRAME_END);
        began.elapsed()
    }

    /// A number of `/proc/PID/status` or of its threads, added up.
    fn status(&self, name: &str) -> u64 {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid)).expect("a process");
        let number = |path: &Path| -> u64 {
            let text = fs::read_to_string(path.join("status")).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        threads.flatten().map(|thread| number(&thread.path())).sum()
    }

    /// The resident memory in MB, now and at most.
    fn memory(&self) -> (u64, u64) {
        let text = fs::read_to_string(format!("/proc/{}/status", self.pid)).expect("a process");
        let kilobytes = |name: &str| -> u64 {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        (kilobytes("VmRSS:") / 1024, kilobytes("VmHWM:") / 1024)
    }

    fn quit(mut self) {
        self.press(b"q");
        self.child.wait().expect("an exit");
    }
}

fn variables(home: &Path) -> [(&'static str, String); 4] {
    let home = home.display().to_string();
    [
        ("HOME", home),
        ("TERM", "xterm-256color".into()),
        ("COLORTERM", "truecolor".into()),
        ("LANG", "C.UTF-8".into()),
    ]
}

/// Runs a verb; returns how long its process took.
fn run(home: &Path, args: &[&str]) -> Duration {
    let mut command = Command::new(PROGRAM);
    command.args(args).env_clear().envs(variables(home)).current_dir(home);
    let began = Instant::now();
    let output = command.output().expect("the program");
    let took = began.elapsed();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    took
}

/// Records an episode of so many steps.
fn record(home: &Path, steps: usize) {
    let steps = steps.to_string();
    run(home, &["run", "sokoban/mini/20", "--agent", "random", "--max-steps", &steps, "--json"]);
}

/// The bytes of the files below a folder.
fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_below(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

/// Makes the branches, and plays some steps of each.
fn branch(home: &Path, steps: usize) {
    let step = steps * 3 / 4;
    let place = format!("last#{step}");
    let end = (step + OWN_STEPS - 1).to_string();
    let store = home.join(".local/share/mageyard/sessions");
    let before = bytes_below(&store);
    let mut forks = Vec::new();
    let mut floor = Vec::new();
    for _ in 0..BRANCHES {
        floor.push(run(home, &["--version"]));
        forks.push(run(home, &["fork", &place, "--max-steps", &end, "--json"]));
    }
    println!(
        "fork at step {step}: median {:.1} ms, best {:.1} ms; a process that reads nothing: {:.1} ms",
        percentile(&mut forks, 50),
        percentile(&mut forks, 0),
        percentile(&mut floor, 50)
    );
    for number in 1..=BRANCHES {
        run(home, &["run", "--resume", &format!("last#b{number}"), "--json"]);
    }
    let stored = bytes_below(&store) - before;
    println!(
        "store: {} bytes a branch of {OWN_STEPS} steps, {} bytes a step; the episode has {} bytes a step",
        stored / BRANCHES as u64,
        stored / (BRANCHES * OWN_STEPS) as u64,
        before / steps as u64
    );
}

/// The value below which this share of the times lies, in milliseconds.
fn percentile(times: &mut [Duration], share: usize) -> f64 {
    times.sort();
    times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3
}

fn main() {
    let steps = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(2000);
    let home = tempfile::tempdir().expect("a folder");
    record(home.path(), steps);
    branch(home.path(), steps);
    let mut starts: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let (screen, took) = Screen::start(home.path());
            screen.drain();
            screen.quit();
            took
        })
        .collect();
    println!(
        "start to the first frame, {steps} steps and {BRANCHES} branches: median {:.0} ms, best {:.0} ms",
        percentile(&mut starts, 50),
        percentile(&mut starts, 0)
    );
    let (mut screen, _) = Screen::start(home.path());
    screen.drain();
    let mut keys: Vec<Duration> =
        (0..KEYS).flat_map(|_| [&b"h"[..], &b"l"[..]]).map(|key| screen.key_time(key)).collect();
    println!(
        "key to cells: p50 {:.1} ms, p99 {:.1} ms",
        percentile(&mut keys, 50),
        percentile(&mut keys, 99)
    );
    screen.drain();
    screen.press(b"ga/random");
    screen.drain();
    let mut searches = vec![screen.key_time(b"\r")];
    searches.extend((0..KEYS).map(|_| screen.key_time(b"n")));
    println!(
        "search through {steps} steps, a match: p50 {:.1} ms, most {:.1} ms",
        percentile(&mut searches, 50),
        percentile(&mut searches, 100)
    );
    screen.drain();
    let (now, most) = screen.memory();
    println!("resident memory: {now} MB, at most {most} MB");
    // Threads that wait for work end after 10 s.
    thread::sleep(IDLE + Duration::from_secs(5));
    let before = screen.status("voluntary_ctxt_switches");
    thread::sleep(IDLE);
    let woken = screen.status("voluntary_ctxt_switches") - before;
    println!("idle for {} s: {woken} wake-ups, {} bytes", IDLE.as_secs(), screen.drain());
    screen.quit();
}
