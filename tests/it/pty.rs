//! A pseudo-terminal with eyes and hands: starts a program in it, presses keys, and waits for what is
//! to be seen. Every wait has a deadline, and the program is killed by its id at the end.

use std::fs;
use std::fs::File;
use std::io::Read;
use std::io::Write;
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use portable_pty::Child;
use portable_pty::CommandBuilder;
use portable_pty::MasterPty;
use portable_pty::PtySize;
use portable_pty::native_pty_system;
use rustix::fs::Mode;
use rustix::fs::OFlags;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use rustix::termios::Termios;
use rustix::termios::tcgetattr;

/// How long anything may take before the test fails.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long nothing may be written before a screen counts as settled.
const QUIET_PERIOD: Duration = Duration::from_millis(300);
/// The private modes that a screen may switch on: alternate screen, mouse, paste, synchronised update.
const MODES: [u16; 8] = [1049, 1000, 1002, 1003, 1006, 1015, 2004, 2026];

/// A program in a terminal.
pub(crate) struct Pty {
    child: Box<dyn Child + Send + Sync>,
    pid: Pid,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    /// The program's end of the terminal, held so that its modes can be read after the program.
    tty: File,
    before: Termios,
    shown: Arc<Display>,
}

/// What has arrived from the program.
struct Display {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    /// Nobody reads any more.
    closed: bool,
}

/// A program that has ended, and the terminal it left behind.
pub(crate) struct ExitedPty {
    pub(crate) code: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
    same_modes: bool,
}

impl Pty {
    /// Starts a program in a terminal of so many columns and rows.
    pub(crate) fn start(command: &Command, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let path = pair.master.tty_name().unwrap();
        let line = rustix::fs::open(path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty());
        let tty = File::from(line.unwrap());
        let before = tcgetattr(&tty).unwrap();
        let child = pair.slave.spawn_command(builder(command)).unwrap();
        drop(pair.slave);
        let shown = Arc::new(Display::new(columns, rows));
        let (eyes, reader) = (shown.clone(), pair.master.try_clone_reader().unwrap());
        thread::spawn(move || eyes.read(reader));
        let pid = Pid::from_raw(child.process_id().unwrap().cast_signed()).unwrap();
        let keys = pair.master.take_writer().unwrap();
        Self { child, pid, master: pair.master, keys, tty, before, shown }
    }

    /// Presses keys by name, with a blank between them: `enter`, `ctrl-c`, `left`, `h`, `:3`. Esc must
    /// be the last one: with something close behind it, it would be Alt.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        let bytes: Vec<u8> = keys.split(' ').flat_map(key).collect();
        self.keys.write_all(&bytes).unwrap();
        self
    }

    /// Opens the palette and does a command by name.
    pub(crate) fn command(&mut self, line: &str) -> &mut Self {
        self.keys.write_all(format!(":{line}\r").as_bytes()).unwrap();
        self
    }

    /// Waits until this stands on the screen.
    pub(crate) fn sees(&mut self, text: &str) -> &mut Self {
        self.until(text, |screen| screen.contents().contains(text))
    }

    /// Waits until a step of at least this number is named on the screen; a run never waits for eyes.
    pub(crate) fn gets_to(&mut self, step: usize) -> &mut Self {
        self.until(&format!("step {step}"), |screen| {
            let text = screen.contents();
            let numbers = text.split("step ").filter_map(|part| part.split_once(" of ")?.0.parse().ok());
            numbers.max().is_some_and(|newest: usize| newest >= step)
        })
    }

    /// Waits until this no longer stands on the screen.
    pub(crate) fn misses(&mut self, text: &str) -> &mut Self {
        self.until(&format!("no {text}"), |screen| !screen.contents().contains(text))
    }

    /// Waits until the screen is like this.
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
            assert!(!left.is_zero() && !state.closed, "this never came: {what}\non the screen:\n{screen}");
            state = self.shown.changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Asks again and again until it holds.
    pub(crate) fn poll(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        while !holds(self) {
            assert!(Instant::now() < deadline, "this never came: {what}\non the screen:\n{}", self.text());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until nothing has been written for a while.
    pub(crate) fn settle(&mut self) -> &mut Self {
        let (mut count, mut since) = (self.byte_count(), Instant::now());
        self.poll("quiet", |this| {
            if this.byte_count() != count {
                (count, since) = (this.byte_count(), Instant::now());
            }
            since.elapsed() > QUIET_PERIOD
        });
        self
    }

    /// Waits until a drawing that was begun has arrived whole.
    pub(crate) fn drawing_ends(&mut self) -> &mut Self {
        self.wait("the end of a drawing", |state| state.bytes.ends_with(b"\x1b[?2026l"));
        self
    }

    /// What stands on the screen.
    pub(crate) fn text(&self) -> String {
        self.shown.lock().parser.screen().contents()
    }

    /// What stands on the screen, with its colours.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.shown.lock().parser.screen().clone()
    }

    /// How many bytes were written so far.
    pub(crate) fn byte_count(&self) -> usize {
        self.shown.lock().bytes.len()
    }

    /// What was written from this byte on.
    pub(crate) fn bytes_from(&self, start: usize) -> Vec<u8> {
        self.shown.lock().bytes[start..].to_vec()
    }

    /// Gives the terminal another size; what was on it stays until it is drawn over.
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

    /// A file about the process below `/proc`.
    pub(crate) fn proc(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.pid.as_raw_nonzero())).unwrap()
    }

    /// Waits until the program is stopped, and for the terminal to be given back.
    pub(crate) fn stops(&mut self) -> &mut Self {
        self.poll("a stopped program", Self::is_stopped);
        self.poll("cooked modes", Self::has_original_modes);
        self.wait("a terminal that is given back", |state| modes_left(&state.bytes).is_empty());
        self
    }

    /// Whether the program is stopped, as a shell sees it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stat()[0] == "T"
    }

    /// The fields of `/proc/PID/stat` from the state on.
    fn stat(&self) -> Vec<String> {
        let stat = self.proc("stat");
        let fields = stat.rsplit_once(')').unwrap().1;
        fields.split_whitespace().map(str::to_owned).collect()
    }

    /// Ticks of the processor used so far, and how often threads went to sleep.
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

    /// Waits for the end of the program and everything it wrote.
    pub(crate) fn wait_for_exit(mut self) -> ExitedPty {
        let code = self.exit_code();
        let same_modes = self.has_original_modes();
        // Without the last hand on its other end, reading comes to an end.
        self.tty = File::open("/dev/null").unwrap();
        self.poll("the last byte", |this| this.shown.lock().closed);
        let state = self.shown.lock();
        let (bytes, text) = (state.bytes.clone(), state.parser.screen().contents());
        drop(state);
        ExitedPty { code, bytes, text, same_modes }
    }

    fn exit_code(&mut self) -> u32 {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "it never ended; on the screen:\n{}", self.text());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the terminal under the program, and waits for its end: the code it ends with.
    pub(crate) fn hang_up(mut self) -> u32 {
        self.shown.lock().closed = true;
        // The reader sits in a call that only news ends.
        self.tty.write_all(b"\0").unwrap();
        self.poll("a reader who has gone", |this| Arc::strong_count(&this.shown) == 1);
        let nothing = || File::open("/dev/null").unwrap();
        self.tty = nothing();
        self.keys = Box::new(nothing());
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

    fn read(&self, mut from: impl Read) {
        let mut buffer = [0; 1 << 14];
        loop {
            let read = from.read(&mut buffer).unwrap_or(0);
            let mut state = self.lock();
            state.closed |= read == 0;
            if state.closed {
                return self.changed.notify_all();
            }
            state.bytes.extend(&buffer[..read]);
            state.parser.process(&buffer[..read]);
            self.changed.notify_all();
        }
    }
}

impl ExitedPty {
    /// Fails unless it ended with this code and left the terminal as it was, without a control byte
    /// after that.
    pub(crate) fn assert_restored(self, code: u32) -> Self {
        assert_eq!(self.code, code, "{}", self.text);
        assert!(self.same_modes, "the modes of the terminal are not as before");
        assert_eq!(modes_left(&self.bytes), [0; 0], "modes left on; 25 is a hidden cursor");
        let last = self.text_after_screen();
        assert!(!last.contains('\x1b'), "{last:?}");
        self
    }

    /// What was written after the screen was given back. Showing a cursor that is there already does
    /// not count: the drawing library does it once more when it is dropped.
    pub(crate) fn text_after_screen(&self) -> String {
        let left = b"\x1b[?1049l";
        let from = last(&self.bytes, left).expect("the alternate screen is left") + left.len();
        String::from_utf8_lossy(&self.bytes[from..]).replace("\x1b[?25h", "")
    }
}

/// The private modes that are still on after these bytes; a hidden cursor counts as 25.
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

/// The same program for a terminal: it starts where and as the command says, and nowhere else.
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
