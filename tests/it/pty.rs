//! A pseudo-terminal with a program in it: what is on its screen, how it answers keys, and how it
//! leaves the terminal behind.

use std::io::Read;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::process::Command;
use std::sync::Arc;
use std::sync::Mutex;
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
use rustix::termios::Termios;

/// How long anything may take before the test fails.
const LIMIT: Duration = Duration::from_secs(30);

/// A terminal with a program running in it.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<Seen>>,
    /// The program's side, held open so that its modes can be read after the program has gone.
    side: OwnedFd,
    before: Termios,
}

struct Seen {
    parser: vt100::Parser,
    bytes: usize,
}

impl Pty {
    /// Starts a program in a terminal of this size.
    pub(crate) fn start(command: &Command, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let name = pair.master.tty_name().unwrap();
        let side =
            rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let before = rustix::termios::tcgetattr(&side).unwrap();
        let child = pair.slave.spawn_command(builder(command)).unwrap();
        let parser = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
        let seen = Arc::new(Mutex::new(Seen { parser, bytes: 0 }));
        watch(pair.master.try_clone_reader().unwrap(), seen.clone());
        let keys = pair.master.take_writer().unwrap();
        Self { master: pair.master, keys, child, seen, side, before }
    }

    /// What is on the screen, a line a row.
    pub(crate) fn text(&self) -> String {
        self.seen.lock().unwrap().parser.screen().contents()
    }

    /// Whether every cell is in the terminal's own colours.
    pub(crate) fn is_colourless(&self) -> bool {
        let seen = self.seen.lock().unwrap();
        let screen = seen.parser.screen();
        let (rows, columns) = screen.size();
        let cells = (0..rows.into())
            .flat_map(|row| (0..columns.into()).filter_map(move |column| screen.cell(row, column)));
        cells
            .into_iter()
            .all(|cell| cell.fgcolor() == vt100::Color::Default && cell.bgcolor() == vt100::Color::Default)
    }

    /// How many bytes the program has written.
    pub(crate) fn bytes(&self) -> usize {
        self.seen.lock().unwrap().bytes
    }

    /// Sends keys as a terminal would.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen shows this.
    pub(crate) fn see(&self, words: &str) {
        self.until(&format!("{words:?} is on the screen"), || self.text().contains(words));
    }

    /// Waits until the screen shows this no longer.
    pub(crate) fn miss(&self, words: &str) {
        self.until(&format!("{words:?} is gone"), || !self.text().contains(words));
    }

    fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let deadline = Instant::now() + LIMIT;
        while !holds() {
            assert!(Instant::now() < deadline, "not within {LIMIT:?}: {what}. The screen:\n{}", self.text());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until nothing has been written for a while.
    pub(crate) fn settle(&self) {
        let (mut before, mut since) = (self.bytes(), Instant::now());
        let deadline = Instant::now() + LIMIT;
        while since.elapsed() < Duration::from_millis(150) {
            assert!(Instant::now() < deadline, "it never stops writing");
            thread::sleep(Duration::from_millis(5));
            if self.bytes() != before {
                (before, since) = (self.bytes(), Instant::now());
            }
        }
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        // The parser knows no screen of one column, as no terminal does: give it two.
        let (wide, high) = (columns.max(2), rows.max(2));
        self.seen
            .lock()
            .unwrap()
            .parser
            .screen_mut()
            .set_size(high.try_into().unwrap(), wide.try_into().unwrap());
        self.master.resize(size(columns, rows)).unwrap();
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.process_id().unwrap().cast_signed()).unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        rustix::process::kill_process(self.pid(), signal).unwrap();
    }

    /// Waits for the end of the program, and says its exit code.
    pub(crate) fn exit(&mut self) -> u32 {
        let deadline = Instant::now() + LIMIT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                self.settle();
                return status.exit_code();
            }
            if Instant::now() > deadline {
                let _ = self.child.kill();
                panic!("it did not end within {LIMIT:?}. The screen:\n{}", self.text());
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether the program is stopped, as a shell sees it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stat().starts_with('T')
    }

    fn stat(&self) -> String {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid().as_raw_nonzero())).unwrap();
        stat.rsplit(") ").next().unwrap_or_default().to_owned()
    }

    pub(crate) fn wait_until_stopped(&self) {
        self.until("the program is stopped", || self.is_stopped());
        self.settle();
    }

    /// How often the threads of the program have gone to sleep, so how often they were woken.
    pub(crate) fn sleeps(&self) -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid().as_raw_nonzero())).unwrap();
        let status = tasks
            .map(|task| std::fs::read_to_string(task.unwrap().path().join("status")).unwrap_or_default());
        let count = |text: String| -> u64 {
            let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            line.map_or(0, |number| number.trim().parse().unwrap())
        };
        status.map(count).sum()
    }

    /// Whether the screen is taken: the other page, raw keys.
    pub(crate) fn is_taken(&self) -> bool {
        let other_page = self.seen.lock().unwrap().parser.screen().alternate_screen();
        other_page && !same(&self.before, &rustix::termios::tcgetattr(&self.side).unwrap())
    }

    /// Fails unless the terminal is as it was before the program came.
    pub(crate) fn is_as_before(&self) {
        let seen = self.seen.lock().unwrap();
        let screen = seen.parser.screen();
        assert!(!screen.alternate_screen(), "the first page is shown again");
        assert!(!screen.hide_cursor(), "the cursor is shown again");
        assert!(!screen.bracketed_paste(), "pastes are plain again");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is free again");
        let now = rustix::termios::tcgetattr(&self.side).unwrap();
        assert!(same(&self.before, &now), "the modes: before {:?}, now {now:?}", self.before);
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A test that failed leaves no program behind, not even a stopped one.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The same command for a terminal; nothing is inherited.
fn builder(command: &Command) -> CommandBuilder {
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(command.get_args());
    builder.env_clear();
    for (name, value) in command.get_envs().filter_map(|(name, value)| Some((name, value?))) {
        builder.env(name, value);
    }
    builder.env("TERM", "xterm-256color");
    builder.env("COLORTERM", "truecolor");
    if let Some(folder) = command.get_current_dir() {
        builder.cwd(folder);
    }
    builder
}

fn watch(mut from: Box<dyn Read + Send>, seen: Arc<Mutex<Seen>>) {
    thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count) = from.read(&mut bytes) {
            if count == 0 {
                return;
            }
            let mut seen = seen.lock().unwrap();
            seen.parser.process(&bytes[..count]);
            seen.bytes += count;
        }
    });
}

fn same(one: &Termios, other: &Termios) -> bool {
    one.local_modes == other.local_modes
        && one.input_modes == other.input_modes
        && one.output_modes == other.output_modes
        && one.control_modes == other.control_modes
}
