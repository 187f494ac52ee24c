//! Sets up the terminal and restores it on return, error, panic, signal and suspend. Nothing is written
//! unless standard input and output are a terminal.

use std::cell::Cell;
use std::io::{BufWriter, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, panic};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::Print;
use crossterm::terminal::{EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue, terminal};
use ratatui::layout::{Rect, Size};
use rustix::process;

use crate::backend::{DiffBackend, skipped_cells};
use crate::canvas::{Canvas, DrawFn, SuspendTarget};
use crate::console_symbols::replace_for_console;
use crate::counted_output::CountedOutput;
use crate::picture_form::TerminalReport;
use crate::terminal_input::{AwaitedAnswers, read_late_answers};

/// Reports of presses, drags and the wheel (modes 1000 and 1002) in the SGR encoding (1006). The library's own
/// command also requests every motion (1003), which sends bytes whenever the mouse moves.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

type PanicHook = Arc<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync>;

/// The terminal while the screen uses it.
pub struct Terminal {
    /// Never dropped: its destructor writes to the terminal once more and panics if that is gone.
    screen: ManuallyDrop<ratatui::Terminal<DiffBackend<BufWriter<CountedOutput<Stdout>>>>>,
    written: Rc<Cell<usize>>,
    mouse: bool,
    /// Whether it is a console, whose fonts have few characters.
    console: bool,
    /// Whether the terminal is set up now.
    active: bool,
    panicked: Arc<AtomicBool>,
    previous_hook: PanicHook,
}

impl Terminal {
    /// Whether standard input and output are a terminal.
    pub fn is_available() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// The number of this process.
    pub fn process_number() -> u32 {
        process::getpid().as_raw_nonzero().get().unsigned_abs()
    }

    /// Sets up the terminal, which has this size if it does not say one.
    pub fn take(mouse: bool, console: bool, assumed_size: (u16, u16)) -> io::Result<Self> {
        let out = CountedOutput::new(io::stdout());
        let written = out.count();
        let screen =
            ratatui::Terminal::new(DiffBackend::new(BufWriter::with_capacity(1 << 16, out), assumed_size))?;
        let broken = Arc::new(AtomicBool::new(false));
        let earlier = install_panic_hook(broken.clone());
        let screen = ManuallyDrop::new(screen);
        let mut this =
            Self { screen, written, mouse, console, active: false, panicked: broken, previous_hook: earlier };
        this.set_abilities(&TerminalReport::default());
        this.enter()?;
        Ok(this)
    }

    fn enter(&mut self) -> io::Result<()> {
        // A shell may have changed the modes meanwhile, so raw mode is set again.
        let _ = terminal::disable_raw_mode();
        terminal::enable_raw_mode()?;
        self.active = true;
        let out = self.screen.backend_mut();
        queue!(out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        if self.mouse {
            queue!(out, Print(MOUSE_ON))?;
        }
        Write::flush(out)?;
        self.clear_screen()
    }

    /// Clears the terminal and the buffer of what it shows. The library's `clear` queries the cursor
    /// position and waits for the answer among the keys; `resize` does not.
    fn clear_screen(&mut self) -> io::Result<()> {
        let size = self.screen.size()?;
        self.screen.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Restores the terminal, unless the panic hook has done so: a second time would move the cursor over
    /// the message.
    fn leave(&mut self) {
        if std::mem::take(&mut self.active) && !self.has_panicked() {
            restore_terminal();
        }
    }
}

/// Stops until the shell continues it.
pub fn stop(whom: SuspendTarget) -> io::Result<()> {
    match whom {
        // The whole job stops, as by Ctrl-Z of the terminal: a parent process such as a build tool that kept running
        // would keep the shell waiting.
        SuspendTarget::Job => process::kill_current_process_group(process::Signal::STOP)?,
        SuspendTarget::Process => process::kill_process(process::getpid(), process::Signal::STOP)?,
    }
    Ok(())
}

/// Restores the terminal. Errors are ignored: the terminal may be gone.
fn restore_terminal() {
    let mut out = io::stdout();
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        Print(MOUSE_OFF),
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = terminal::disable_raw_mode();
}

/// Installs a panic hook that restores the terminal before the previous hook prints.
fn install_panic_hook(broken: Arc<AtomicBool>) -> PanicHook {
    let earlier: PanicHook = Arc::from(panic::take_hook());
    let next = earlier.clone();
    panic::set_hook(Box::new(move |info| {
        if !broken.swap(true, Ordering::SeqCst) {
            restore_terminal();
        }
        next(info);
    }));
    earlier
}

impl Canvas for Terminal {
    fn size(&self) -> io::Result<Size> {
        self.screen.size()
    }

    fn draw(&mut self, draw: DrawFn<'_>) -> io::Result<()> {
        // The panic hook waits for this lock, so it never restores the terminal in the middle of a frame,
        // and no frame follows.
        let _whole = io::stdout().lock();
        if self.has_panicked() {
            return Ok(());
        }
        self.screen.autoresize()?;
        let buffer = self.screen.current_buffer_mut();
        draw(buffer.area, buffer);
        if self.console {
            replace_for_console(buffer);
        }
        let skipped = skipped_cells(buffer);
        self.screen.backend_mut().cells_mut().forget(skipped);
        self.screen.flush()?;
        self.screen.swap_buffers();
        Write::flush(self.screen.backend_mut())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_screen()
    }

    fn release(&mut self) {
        self.leave();
    }

    fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()> {
        self.leave();
        stop(whom)
    }

    fn resume(&mut self) -> io::Result<()> {
        self.enter()
    }

    fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
        match (std::mem::replace(&mut self.mouse, mouse), mouse) {
            (false, true) => execute!(self.screen.backend_mut(), Print(MOUSE_ON)),
            (true, false) => execute!(self.screen.backend_mut(), Print(MOUSE_OFF)),
            _ => Ok(()),
        }
    }

    fn written(&self) -> usize {
        self.written.get()
    }

    fn read_late_answers(&mut self, awaited: AwaitedAnswers) -> io::Result<TerminalReport> {
        read_late_answers(awaited)
    }

    fn set_abilities(&mut self, report: &TerminalReport) {
        let repeats = report.repeats == Some(true);
        let synchronized = report.synchronized.unwrap_or(true);
        self.screen.backend_mut().cells_mut().set_abilities(repeats, synchronized);
    }

    fn write_sequence(&mut self, sequence: &str) -> io::Result<()> {
        let _whole = io::stdout().lock();
        if self.has_panicked() {
            return Ok(());
        }
        let out = self.screen.backend_mut();
        out.write_all(sequence.as_bytes())?;
        Write::flush(out)
    }

    fn has_panicked(&self) -> bool {
        self.panicked.load(Ordering::SeqCst)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
        // A panicking thread cannot change the hook.
        if !std::thread::panicking() {
            let earlier = self.previous_hook.clone();
            panic::set_hook(Box::new(move |info| earlier(info)));
        }
    }
}
