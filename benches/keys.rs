//! Keys while a picture of 4,000 x 3,000 pixels is made, in a pseudo-terminal of 120x40, for half blocks, Sixel and Kitty's
//! protocol: the time from a key to the end of the drawing that shows its effect. The picture is the frame of the second
//! step of a branch; it is loaded and decoded when that step is shown, and scaled and encoded again for every
//! magnification. `MAGEYARD_PROGRAM` names another program to compare with.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// The answers of a terminal with cells of 10x20 pixels.
const ANSWERS: &[u8] = b"\x1b[2;5R\x1b[6;20;10t\x1b[?2026;2$y\x1b[?62;4;22c";
/// The last question at the start.
const QUESTION: &[u8] = b"\x1b[c";
/// How long a drawing may take.
const DEADLINE: Duration = Duration::from_secs(30);
/// A screen is settled when nothing was written for this long.
const QUIET: Duration = Duration::from_millis(1500);
/// How often the picture is magnified.
const MAGNIFIED: usize = 8;

struct Screen {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: mpsc::Receiver<Vec<u8>>,
    parser: vt100::Parser,
    bytes: usize,
}

impl Screen {
    fn start(program: &Path, home: &Path, form: &str) -> Self {
        let size = PtySize { rows: 40, cols: 120, pixel_width: 1200, pixel_height: 800 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(["view", "last#b1@1", "--pictures", form]);
        command.env_clear();
        for (name, value) in variables(home) {
            command.env(name, value);
        }
        command.cwd(home);
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
        let parser = vt100::Parser::new(rows(40), rows(120), 0);
        let mut screen = Self { child, keys, output, parser, bytes: 0 };
        screen.until_bytes(QUESTION);
        screen.press(ANSWERS);
        screen.until("step 1 of");
        screen.settle();
        screen
    }

    fn press(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).expect("a terminal");
    }

    fn read(&mut self, time: Duration) -> Option<Vec<u8>> {
        let part = self.output.recv_timeout(time).ok()?;
        self.parser.process(&part);
        self.bytes += part.len();
        Some(part)
    }

    fn until_bytes(&mut self, end: &[u8]) {
        let mut all = Vec::new();
        while !all.windows(end.len()).any(|part| part == end) {
            all.extend(self.read(DEADLINE).expect("output in time"));
        }
    }

    fn until(&mut self, text: &str) {
        while !self.parser.screen().contents().contains(text) {
            self.read(DEADLINE).expect("output in time");
        }
    }

    /// Reads until nothing has come for a while; returns when the last byte came, and how many there were.
    fn settle(&mut self) -> (Instant, usize) {
        let before = self.bytes;
        let mut last = Instant::now();
        while self.read(QUIET).is_some() {
            last = Instant::now();
        }
        (last, self.bytes - before)
    }

    /// From a key to the drawing that shows this text.
    fn time(&mut self, key: &[u8], effect: &str) -> Duration {
        let pressed = Instant::now();
        self.press(key);
        self.until(effect);
        pressed.elapsed()
    }
}

fn rows(count: u16) -> std::num::NonZeroU16 {
    count.try_into().expect("a size")
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

fn run(program: &Path, home: &Path, args: &[&str]) {
    let mut command = Command::new(program);
    command.args(args).env_clear().envs(variables(home)).current_dir(home);
    let output = command.output().expect("the program");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Records an episode and a branch of it whose frame is a large picture.
fn record(program: &Path, home: &Path) {
    let shade = |value: u32| u8::try_from(value % 256).expect("a byte");
    let pixel = |x: u32, y: u32| image::Rgb([shade(x / 16), shade(y / 12), shade((x / 40) * (y / 30))]);
    let mut bytes = Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(4000, 3000, pixel);
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    fs::write(home.join("large.png"), bytes.into_inner()).expect("a file");
    run(program, home, &["run", "sokoban/first/1", "--agent", "random", "--max-steps", "3"]);
    run(program, home, &["fork", "last#2", "--frame", "large.png"]);
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn measure(program: &Path, home: &Path, form: &str) {
    let mut screen = Screen::start(program, home, form);
    let pressed = Instant::now();
    let step = screen.time(b"l", "step 2 of");
    let mut keys = vec![screen.time(b"\t", "▸Agent◂"), screen.time(b"\x1b[Z", "▸Frame◂")];
    let (last, _) = screen.settle();
    let picture = last - pressed;
    for _ in 0..MAGNIFIED {
        screen.press(b"+");
        keys.push(screen.time(b"\t", "▸Agent◂"));
        keys.push(screen.time(b"\x1b[Z", "▸Frame◂"));
        screen.settle();
    }
    screen.time(b"h", "step 1 of");
    screen.settle();
    screen.press(b"l");
    let (_, bytes) = screen.settle();
    keys.sort();
    println!(
        "{form}: the step {:.1} ms, its picture {:.0} ms; keys meanwhile p50 {:.1} ms, most {:.1} ms; the step again {bytes} bytes",
        milliseconds(step),
        milliseconds(picture),
        milliseconds(keys[keys.len() / 2]),
        milliseconds(keys[keys.len() - 1])
    );
    screen.press(b"q");
    screen.child.wait().expect("an exit");
}

fn main() {
    let named = std::env::var_os("MAGEYARD_PROGRAM").map(PathBuf::from);
    let program = named.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_mageyard")));
    let home = tempfile::tempdir().expect("a folder");
    record(&program, home.path());
    for form in ["half-blocks", "sixel", "kitty"] {
        measure(&program, home.path(), form);
    }
}
