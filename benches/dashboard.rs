//! The dashboard of a sweep with 11,200 episodes in 28 cells, in a pseudo-terminal of 120x40: the time from the start of the
//! program to the first complete drawing, and until all results are shown; from a key to the last byte of its drawing; and the
//! bytes of a refresh on a slow link, while another process plays a second sweep.
//!
//! The number of repeats of each of the 8 levels in a cell can be given instead of 50, and the home of an earlier run:
//! `cargo bench --bench dashboard -- 5 /tmp/home`. `MAGEYARD_PROGRAM` names another program to measure.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// The size of the terminal.
const ROWS: NonZeroU16 = NonZeroU16::new(40).expect("not zero");
const COLUMNS: NonZeroU16 = NonZeroU16::new(120).expect("not zero");
/// The starts that are measured.
const STARTS: usize = 9;
/// The keys that are measured, each back and forth.
const KEYS: usize = 100;
/// How long refreshes are counted.
const WATCHED: Duration = Duration::from_secs(20);
/// The end of a drawing, and the last question at the start with the answers of a terminal without graphics.
const FRAME_END: &[u8] = b"\x1b[?2026l";
const QUESTION: &[u8] = b"\x1b[c";
const ANSWERS: &[u8] = b"\x1b[2;5R\x1b[?2026;2$y\x1b[?62;22c";
/// How long a drawing or a reading may take.
const DEADLINE: Duration = Duration::from_mins(2);

/// The program in a pseudo-terminal.
struct Screen {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
}

impl Screen {
    /// Attaches to a sweep and waits for the first complete drawing; returns how long that took.
    fn start(home: &Path, sweep: &str, link: &str) -> (Self, Duration) {
        let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program());
        command.args(["sweep", "attach", sweep, "--link", link]);
        command.env_clear();
        for (name, value) in variables(home) {
            command.env(name, value);
        }
        command.cwd(home);
        let began = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program");
        drop(pair.slave);
        let (sender, output) = mpsc::channel();
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        thread::spawn(move || {
            // The terminal is open as long as it is read.
            let _master = pair.master;
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut screen = Self { child, keys, output, parser: vt100::Parser::new(ROWS, COLUMNS, 0) };
        screen.until(QUESTION);
        screen.press(ANSWERS);
        screen.until(FRAME_END);
        (screen, began.elapsed())
    }

    fn press(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).expect("a terminal");
    }

    /// Reads until these bytes have come; returns the number of bytes.
    fn until(&mut self, end: &[u8]) -> usize {
        let mut all = Vec::new();
        while !all.windows(end.len()).any(|part| part == end) {
            all.extend(self.output.recv_timeout(DEADLINE).expect("output in time"));
        }
        self.parser.process(&all);
        all.len()
    }

    /// Reads until a text is on the screen.
    fn sees(&mut self, text: &str) {
        while !self.parser.screen().contents().contains(text) {
            let part = self.output.recv_timeout(DEADLINE).expect("output in time");
            self.parser.process(&part);
        }
    }

    /// Reads until nothing has come for a while.
    fn drain(&mut self) {
        let quiet = Duration::from_millis(2500);
        while let Ok(part) = self.output.recv_timeout(quiet) {
            self.parser.process(&part);
        }
    }

    /// From a key to the last byte of its drawing.
    fn key_time(&mut self, key: &[u8]) -> Duration {
        let began = Instant::now();
        self.press(key);
        self.until(FRAME_END);
        began.elapsed()
    }

    /// The bytes of each drawing that comes in some time.
    fn refreshes(&mut self, time: Duration) -> Vec<usize> {
        let end = Instant::now() + time;
        let mut sizes = Vec::new();
        let mut all: Vec<u8> = Vec::new();
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            let Ok(part) = self.output.recv_timeout(left) else { break };
            all.extend(part);
            while let Some(at) = all.windows(FRAME_END.len()).position(|part| part == FRAME_END) {
                sizes.push(at + FRAME_END.len());
                all.drain(..at + FRAME_END.len());
            }
        }
        sizes
    }

    fn quit(mut self) {
        self.press(b"q");
        self.child.wait().expect("an exit");
    }
}

fn program() -> PathBuf {
    std::env::var_os("MAGEYARD_PROGRAM")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_mageyard")), PathBuf::from)
}

fn variables(home: &Path) -> [(&'static str, String); 4] {
    [
        ("HOME", home.display().to_string()),
        ("TERM", "xterm-256color".into()),
        ("COLORTERM", "truecolor".into()),
        ("LANG", "C.UTF-8".into()),
    ]
}

/// The verb that plays a sweep.
fn run(home: &Path, file: &str) -> Command {
    let mut command = Command::new(program());
    command.args(["sweep", "run", file, "--plain"]).env_clear().envs(variables(home)).current_dir(home);
    command.stdout(Stdio::null());
    command
}

/// The file of a sweep of 28 cells with 8 levels, where a server that limits the rate makes episodes slow or not.
fn write(home: &Path, name: &str, repeats: usize, limits: f64) {
    let text = format!(
        "levels = \"sokoban/mini/1..8\"\nrepeats = {repeats}\nreference = {{ memory.am = 5, memory.om = 1 }}\n\
         [settings]\nplay.agent = \"demo\"\nplay.max_steps = 3\ndemo.rate_limits = {limits:.2}\n\
         demo.lost_connections = 0.0\n[[grid]]\nmemory.am = [1, 2, 3, 5, 10]\nmemory.om = \"1..4\"\n\
         play.prompt = [\"0s-CoT\", \"HD-CoT\"]\n"
    );
    fs::write(home.join(format!("{name}.toml")), text).expect("a file");
}

/// The value below which this share of the times lies, in milliseconds.
fn percentile(times: &mut [Duration], share: usize) -> f64 {
    times.sort();
    times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|text| !text.starts_with("--")).collect();
    let repeats = arguments.iter().find_map(|text| text.parse().ok()).unwrap_or(50);
    let given = arguments.iter().find(|text| text.starts_with('/')).map(PathBuf::from);
    let own = tempfile::tempdir().expect("a folder");
    let home = given.as_deref().unwrap_or(own.path());
    let episodes = 28 * 8 * repeats;
    write(home, "large", repeats, 0.0);
    let began = Instant::now();
    assert!(run(home, "large.toml").status().expect("the program").success(), "the sweep is played");
    println!("{episodes} episodes were played in {:.0} s", began.elapsed().as_secs_f64());
    let mut complete = Vec::new();
    let mut starts: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let began = Instant::now();
            let (mut screen, took) = Screen::start(home, "large", "fast");
            screen.sees(&format!("{episodes} of {episodes} episodes"));
            complete.push(began.elapsed());
            screen.quit();
            took
        })
        .collect();
    println!(
        "first drawing: median {:.0} ms, best {:.0} ms; with all results: median {:.0} ms",
        percentile(&mut starts, 50),
        percentile(&mut starts, 0),
        percentile(&mut complete, 50)
    );
    let (mut screen, _) = Screen::start(home, "large", "fast");
    screen.sees(&format!("{episodes} of {episodes} episodes"));
    screen.sees("±");
    screen.drain();
    for (page, keys) in [("maps", [b"j", b"k"]), ("table", [b"j", b"k"])] {
        let mut times: Vec<Duration> =
            (0..KEYS).flat_map(|_| keys).map(|key| screen.key_time(&key[..])).collect();
        println!(
            "a key on the {page}: p50 {:.1} ms, p99 {:.1} ms",
            percentile(&mut times, 50),
            percentile(&mut times, 99)
        );
        screen.drain();
        screen.press(b"\t");
        screen.drain();
    }
    screen.quit();
    measure_refreshes(home);
}

/// Counts the bytes of refreshes while another process plays.
fn measure_refreshes(home: &Path) {
    let name = format!("slow-{}", std::process::id());
    write(home, &name, 50, 0.3);
    let mut player = run(home, &format!("{name}.toml")).spawn().expect("the program");
    let control = home.join(".local/share/mageyard/sessions/sweeps").join(&name).join(".sweep");
    let until = Instant::now() + DEADLINE;
    while !control.is_dir() && Instant::now() < until {
        thread::sleep(Duration::from_millis(50));
    }
    let (mut screen, _) = Screen::start(home, &name, "slow");
    screen.refreshes(Duration::from_secs(5));
    let mut sizes = screen.refreshes(WATCHED);
    sizes.sort_unstable();
    let most = sizes.last().copied().unwrap_or(0);
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    println!(
        "refreshes on a slow link in {} s: {}, median {median} bytes, most {most} bytes",
        WATCHED.as_secs(),
        sizes.len()
    );
    screen.quit();
    player.kill().expect("a process");
    player.wait().expect("an exit");
}
