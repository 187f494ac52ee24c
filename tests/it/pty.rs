//! A pseudo-terminal for tests: starts a program, presses keys, and waits for text on the screen. Every wait has a time
//! limit, and the program is killed at the end.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{Termios, tcgetattr};

/// The time limit of every wait.
const TIMEOUT: Duration = Duration::from_secs(20);
/// A screen is settled when nothing was written for this long.
const QUIET_PERIOD: Duration = Duration::from_millis(300);
/// The private modes that a screen may set: alternate screen, mouse, paste, synchronized update.
const MODES: [u16; 8] = [1049, 1000, 1002, 1003, 1006, 1015, 2004, 2026];

/// A program in a pseudo-terminal.
pub(crate) struct Pty {
    child: Box<dyn Child + Send + Sync>,
    pid: Pid,
    master: Box<dyn MasterPty + Send>,
    keys: Keys,
    /// The program's side of the terminal, kept open so that its modes can be read after the exit.
    tty: File,
    before: Termios,
    shown: Arc<Display>,
}

/// What is typed, and the answers of the terminal.
#[derive(Clone)]
struct Keys(Arc<Mutex<Box<dyn Write + Send>>>);

impl Write for Keys {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.lock().unwrap().flush()
    }
}

/// A terminal at the other end of a link, which says when it is ready (DSR).
#[derive(Clone, Copy)]
pub(crate) struct Far {
    /// Bytes a second.
    pub(crate) rate: u32,
    pub(crate) round_trip: Duration,
}

/// What a terminal answers by itself.
enum Answering {
    Nothing,
    /// What every terminal answers, at once. It has no graphics.
    Usual,
    /// Whether it is ready, later.
    Far(Far),
}

/// The questions that every terminal answers, with an answer: its device attributes, and whether it is ready.
const ANSWERED: [(&[u8], &[u8]); 2] = [(b"\x1b[c", b"\x1b[?62;22c"), (READY_QUESTION, b"\x1b[0n")];
/// The question whether a terminal is ready.
const READY_QUESTION: &[u8] = b"\x1b[5n";
/// The bytes that a link carries at a time.
const PACKET: usize = 64;

/// The output of the program.
struct Display {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    /// Reading has ended.
    closed: bool,
}

/// A program that has exited, and the state of its terminal.
pub(crate) struct ExitedPty {
    pub(crate) code: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
    same_modes: bool,
}

impl Pty {
    /// Starts a program in a terminal of this size, which answers what every terminal answers.
    pub(crate) fn start(command: &Command, columns: u16, rows: u16) -> Self {
        Self::open(command, size(columns, rows), (columns, rows), Answering::Usual)
    }

    /// Starts a program in a terminal of this size that answers nothing by itself.
    pub(crate) fn start_silent(command: &Command, columns: u16, rows: u16) -> Self {
        Self::open(command, size(columns, rows), (columns, rows), Answering::Nothing)
    }

    /// Starts a program in a terminal whose size was never set. What is written is shown in this one.
    pub(crate) fn start_without_size(command: &Command, columns: u16, rows: u16) -> Self {
        Self::open(command, size(0, 0), (columns, rows), Answering::Usual)
    }

    /// Starts a program in a terminal of this size at the other end of a link.
    pub(crate) fn start_far(command: &Command, columns: u16, rows: u16, far: Far) -> Self {
        Self::open(command, size(columns, rows), (columns, rows), Answering::Far(far))
    }

    fn open(command: &Command, set: PtySize, (columns, rows): (u16, u16), answering: Answering) -> Self {
        let pair = native_pty_system().openpty(set).unwrap();
        let path = pair.master.tty_name().unwrap();
        let line = rustix::fs::open(path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty());
        let tty = File::from(line.unwrap());
        let before = tcgetattr(&tty).unwrap();
        let child = pair.slave.spawn_command(builder(command)).unwrap();
        drop(pair.slave);
        let shown = Arc::new(Display::new(columns, rows));
        let display = shown.clone();
        let reader = pair.master.try_clone_reader().unwrap();
        let keys = Keys(Arc::new(Mutex::new(pair.master.take_writer().unwrap())));
        let answers = keys.clone();
        thread::spawn(move || match answering {
            Answering::Nothing => display.read(reader, None),
            Answering::Usual => display.read(reader, Some(answers)),
            Answering::Far(far) => display.read_far(reader, &answers, far),
        });
        let pid = Pid::from_raw(child.process_id().unwrap().cast_signed()).unwrap();
        Self { child, pid, master: pair.master, keys, tty, before, shown }
    }

    /// Presses keys by name, separated by blanks: `enter`, `ctrl-c`, `left`, `h`, `:3`. Esc must be last:
    /// together with the next key it would be Alt.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        let bytes: Vec<u8> = keys.split(' ').flat_map(key).collect();
        self.keys.write_all(&bytes).unwrap();
        self
    }

    /// Sends bytes, as a terminal that answers.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> &mut Self {
        self.keys.write_all(bytes).unwrap();
        self
    }

    /// Waits until the program has written these bytes.
    pub(crate) fn wrote(&mut self, bytes: &[u8]) -> &mut Self {
        self.wait("bytes", |state| state.bytes.windows(bytes.len()).any(|part| part == bytes));
        self
    }

    /// Runs a command by name in the palette.
    pub(crate) fn command(&mut self, line: &str) -> &mut Self {
        self.keys.write_all(format!(":{line}\r").as_bytes()).unwrap();
        self
    }

    /// Waits until the screen contains this text.
    pub(crate) fn sees(&mut self, text: &str) -> &mut Self {
        self.until(text, |screen| screen.contents().contains(text))
    }

    /// Waits until the screen shows this step or a later one; a run does not wait for the test.
    pub(crate) fn gets_to(&mut self, step: usize) -> &mut Self {
        self.until(&format!("step {step}"), |screen| {
            let text = screen.contents();
            let numbers = text.split("step ").filter_map(|part| part.split_once(" of ")?.0.parse().ok());
            numbers.max().is_some_and(|newest: usize| newest >= step)
        })
    }

    /// Waits until the screen no longer contains this text.
    pub(crate) fn misses(&mut self, text: &str) -> &mut Self {
        self.until(&format!("no {text}"), |screen| !screen.contents().contains(text))
    }

    /// Waits until a condition holds for the screen.
    pub(crate) fn until(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) -> &mut Self {
        self.wait(what, |state| holds(state.parser.screen()));
        self
    }

    fn wait(&self, what: &str, holds: impl Fn(&State) -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        let mut state = self.shown.lock();
        while !holds(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            let screen = state.parser.screen().contents();
            assert!(!left.is_zero() && !state.closed, "timeout waiting for {what}\nscreen:\n{screen}");
            state = self.shown.changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Polls until a condition holds.
    pub(crate) fn poll(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        while !holds(self) {
            assert!(Instant::now() < deadline, "timeout waiting for {what}\nscreen:\n{}", self.text());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until nothing was written for [`QUIET_PERIOD`].
    pub(crate) fn settle(&mut self) -> &mut Self {
        let mut count = self.byte_count();
        let mut since = Instant::now();
        self.poll("quiet", |this| {
            if this.byte_count() != count {
                (count, since) = (this.byte_count(), Instant::now());
            }
            since.elapsed() > QUIET_PERIOD
        });
        self
    }

    /// Waits for the end of the current drawing.
    pub(crate) fn drawing_ends(&mut self) -> &mut Self {
        self.wait("the end of a drawing", |state| {
            let bytes = state.bytes.strip_suffix(READY_QUESTION).unwrap_or(&state.bytes);
            bytes.ends_with(b"\x1b[?2026l")
        });
        self
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.shown.lock().parser.screen().contents()
    }

    /// The screen with its colours.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.shown.lock().parser.screen().clone()
    }

    /// Number of bytes written so far.
    pub(crate) fn byte_count(&self) -> usize {
        self.shown.lock().bytes.len()
    }

    /// The bytes written from this offset on.
    pub(crate) fn bytes_from(&self, start: usize) -> Vec<u8> {
        self.shown.lock().bytes[start..].to_vec()
    }

    /// Resizes the terminal; its contents stay until they are redrawn.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        let cells = |count| NonZeroU16::new(count).unwrap();
        self.shown.lock().parser.set_size(cells(rows), cells(columns));
        self.master.resize(size(columns, rows)).unwrap();
        self
    }

    /// Sends the program a signal.
    pub(crate) fn signal(&mut self, signal: Signal) -> &mut Self {
        kill_process(self.pid, signal).unwrap();
        self
    }

    /// A file of the process in `/proc`.
    pub(crate) fn proc(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.pid.as_raw_nonzero())).unwrap()
    }

    /// Waits until the program is stopped and the terminal restored.
    pub(crate) fn stops(&mut self) -> &mut Self {
        self.poll("a stopped program", Self::is_stopped);
        self.poll("cooked modes", Self::has_original_modes);
        self.wait("a restored terminal", |state| modes_left(&state.bytes).is_empty());
        self
    }

    /// Whether the program is stopped (job control).
    pub(crate) fn is_stopped(&self) -> bool {
        self.stat()[0] == "T"
    }

    /// The fields of `/proc/PID/stat`, starting with the state.
    fn stat(&self) -> Vec<String> {
        let stat = self.proc("stat");
        let fields = stat.rsplit_once(')').unwrap().1;
        fields.split_whitespace().map(str::to_owned).collect()
    }

    /// Processor ticks used so far, and the number of times that threads went to sleep.
    pub(crate) fn cpu_use(&self) -> (u64, u64) {
        let stat = self.stat();
        let ticks = stat[11].parse::<u64>().unwrap() + stat[12].parse::<u64>().unwrap();
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid.as_raw_nonzero())).unwrap();
        let switches = threads.map(|thread| {
            let status = fs::read_to_string(thread.unwrap().path().join("status")).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            line.map_or(0, |count| count.trim().parse().unwrap())
        });
        (ticks, switches.sum())
    }

    fn has_original_modes(&self) -> bool {
        let now = tcgetattr(&self.tty).unwrap();
        let same = |key: fn(&Termios) -> String| key(&now) == key(&self.before);
        same(|modes| format!("{:?}", modes.input_modes))
            && same(|modes| format!("{:?}", modes.output_modes))
            && same(|modes| format!("{:?}", modes.control_modes))
            && same(|modes| format!("{:?}", modes.local_modes))
            && same(|modes| format!("{:?}", modes.special_codes))
    }

    /// Waits for the exit of the program and the rest of its output.
    pub(crate) fn wait_for_exit(mut self) -> ExitedPty {
        let code = self.exit_code();
        let same_modes = self.has_original_modes();
        // Reading ends when the last handle of the other side is closed.
        self.tty = File::open("/dev/null").unwrap();
        self.poll("the last byte", |this| this.shown.lock().closed);
        let state = self.shown.lock();
        let bytes = state.bytes.clone();
        let text = state.parser.screen().contents();
        drop(state);
        ExitedPty { code, bytes, text, same_modes }
    }

    fn exit_code(&mut self) -> u32 {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "the program did not exit; screen:\n{}", self.text());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the terminal while the program runs, and returns the exit code.
    pub(crate) fn hang_up(mut self) -> u32 {
        self.shown.lock().closed = true;
        // The reader blocks in a call that only new bytes end.
        self.tty.write_all(b"\0").unwrap();
        self.poll("the end of the reader", |this| Arc::strong_count(&this.shown) == 1);
        let nothing = || File::open("/dev/null").unwrap();
        self.tty = nothing();
        self.keys = Keys(Arc::new(Mutex::new(Box::new(nothing()))));
        self.master = native_pty_system().openpty(size(1, 1)).unwrap().master;
        self.exit_code()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process(self.pid, Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

impl Display {
    fn new(columns: u16, rows: u16) -> Self {
        let cells = |count| NonZeroU16::new(count).unwrap();
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        Self {
            state: Mutex::new(State { parser, bytes: Vec::new(), closed: false }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn read(&self, mut from: impl Read, mut answers: Option<Keys>) {
        let mut buffer = [0; 1 << 14];
        let mut tail = Vec::<u8>::new();
        loop {
            let read = from.read(&mut buffer).unwrap_or(0);
            if !self.show(&buffer[..read]) {
                return;
            }
            let Some(answers) = &mut answers else { continue };
            tail.extend(&buffer[..read]);
            let mut rest = &tail[..];
            while !rest.is_empty() {
                let asked = ANSWERED.iter().find(|(question, _)| rest.starts_with(question));
                if let Some((_, answer)) = asked {
                    // The program may be gone.
                    let _ = answers.write_all(answer);
                } else if ANSWERED.iter().any(|(question, _)| question.starts_with(rest)) {
                    break;
                }
                rest = &rest[asked.map_or(1, |(question, _)| question.len())..];
            }
            tail = rest.to_vec();
        }
    }

    /// Reads no faster than a link carries, and answers after the time of a round trip.
    fn read_far(&self, mut from: impl Read, answers: &Keys, far: Far) {
        let mut buffer = [0; PACKET];
        let mut tail = Vec::<u8>::new();
        let mut free = Instant::now();
        loop {
            let read = from.read(&mut buffer).unwrap_or(0);
            free =
                free.max(Instant::now()) + Duration::from_secs(1) * u32::try_from(read).unwrap() / far.rate;
            thread::sleep(free.saturating_duration_since(Instant::now()));
            if !self.show(&buffer[..read]) {
                return;
            }
            tail.extend(&buffer[..read]);
            for _ in tail.windows(READY_QUESTION.len()).filter(|part| *part == READY_QUESTION) {
                let mut answers = answers.clone();
                thread::spawn(move || {
                    thread::sleep(far.round_trip);
                    // The program may be gone.
                    let _ = answers.write_all(b"\x1b[0n");
                });
            }
            let rest = tail.windows(READY_QUESTION.len()).rposition(|part| part == READY_QUESTION);
            let keep = tail.len().saturating_sub(READY_QUESTION.len() - 1);
            tail.drain(..rest.map_or(keep, |at| keep.max(at + READY_QUESTION.len())));
        }
    }

    /// Shows these bytes; false at the end of the output.
    fn show(&self, bytes: &[u8]) -> bool {
        let mut state = self.lock();
        state.closed |= bytes.is_empty();
        if !state.closed {
            state.bytes.extend(bytes);
            state.parser.process(bytes);
        }
        self.changed.notify_all();
        !state.closed
    }
}

impl ExitedPty {
    /// Fails unless the exit code matches and the terminal is restored, without control bytes after that.
    pub(crate) fn assert_restored(self, code: u32) -> Self {
        assert_eq!(self.code, code, "{}", self.text);
        assert!(self.same_modes, "the terminal modes are not restored");
        assert_eq!(modes_left(&self.bytes), [0; 0], "modes left on; 25 is a hidden cursor");
        let last = self.text_after_screen();
        assert!(!last.contains('\x1b'), "{last:?}");
        self
    }

    /// Fails unless the exit code matches and the program wrote no control sequence and changed no mode.
    pub(crate) fn assert_plain(self, code: u32) -> Self {
        assert_eq!(self.code, code, "{}", self.text);
        assert!(self.same_modes && !self.bytes.contains(&0x1b), "{}", self.text);
        self
    }

    /// The text written after the screen was left. Showing the cursor again is ignored: the drawing library
    /// does it when it is dropped.
    pub(crate) fn text_after_screen(&self) -> String {
        let left = b"\x1b[?1049l";
        let from = last(&self.bytes, left).expect("the alternate screen is left") + left.len();
        String::from_utf8_lossy(&self.bytes[from..]).replace("\x1b[?25h", "")
    }
}

/// The private modes that are still set after these bytes; 25 is a hidden cursor.
fn modes_left(bytes: &[u8]) -> Vec<u16> {
    let at = |mode: u16, letter: char| last(bytes, format!("\x1b[?{mode}{letter}").as_bytes());
    let mut left: Vec<u16> = MODES.into_iter().filter(|mode| at(*mode, 'h') > at(*mode, 'l')).collect();
    left.extend((at(25, 'l') > at(25, 'h')).then_some(25));
    left
}

fn last(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).rposition(|window| window == part)
}

fn key(name: &str) -> Vec<u8> {
    match name {
        "enter" => b"\r".into(),
        "space" => b" ".into(),
        "esc" => b"\x1b".into(),
        "tab" => b"\t".into(),
        "up" => b"\x1b[A".into(),
        "down" => b"\x1b[B".into(),
        "right" => b"\x1b[C".into(),
        "left" => b"\x1b[D".into(),
        name => match name.strip_prefix("ctrl-") {
            Some(letter) => vec![letter.as_bytes()[0] & 0x1f],
            None => name.into(),
        },
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The same command for a pseudo-terminal, with the same arguments, variables and folder.
fn builder(command: &Command) -> CommandBuilder {
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(command.get_args());
    builder.env_clear();
    for (name, value) in command.get_envs() {
        builder.env(name, value.unwrap_or_default());
    }
    builder.cwd(command.get_current_dir().expect("a folder to start in"));
    builder
}
