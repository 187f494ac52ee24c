//! The terminal: taken, and given back on return, error, panic, signal and suspend. Nothing is
//! written before it is known that there is one.

use std::io;
use std::io::BufWriter;
use std::io::IsTerminal;
use std::io::Stdout;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use crossterm::cursor::Hide;
use crossterm::cursor::Show;
use crossterm::event::DisableBracketedPaste;
use crossterm::event::DisableMouseCapture;
use crossterm::event::EnableBracketedPaste;
use crossterm::event::EnableMouseCapture;
use crossterm::execute;
use crossterm::queue;
use crossterm::terminal;
use crossterm::terminal::BeginSynchronizedUpdate;
use crossterm::terminal::EndSynchronizedUpdate;
use crossterm::terminal::EnterAlternateScreen;
use crossterm::terminal::LeaveAlternateScreen;
use ratatui::layout::Rect;
use ratatui::layout::Size;
use rustix::process;

use super::backend::DiffBackend;
use super::canvas::Canvas;
use super::canvas::DrawFn;
use super::canvas::SuspendTarget;

type PanicHook = Arc<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync>;

/// The terminal while the screen has it.
pub(super) struct Terminal {
    /// Never dropped: its drop writes once more to a terminal that is no longer ours, and panics
    /// where that terminal has gone.
    screen: ManuallyDrop<ratatui::Terminal<DiffBackend<BufWriter<Stdout>>>>,
    mouse: bool,
    /// Whether the terminal is ours now.
    active: bool,
    panicked: Arc<AtomicBool>,
    previous_hook: PanicHook,
}

impl Terminal {
    /// Whether standard input and output are a terminal.
    pub(super) fn is_available() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Takes the terminal.
    pub(super) fn take(mouse: bool) -> io::Result<Self> {
        let screen =
            ratatui::Terminal::new(DiffBackend::new(BufWriter::with_capacity(1 << 16, io::stdout())))?;
        let broken = Arc::new(AtomicBool::new(false));
        let earlier = install_panic_hook(broken.clone());
        let screen = ManuallyDrop::new(screen);
        let mut this = Self { screen, mouse, active: false, panicked: broken, previous_hook: earlier };
        this.enter()?;
        Ok(this)
    }

    fn enter(&mut self) -> io::Result<()> {
        // A shell may have changed the modes behind our back: take them anew.
        let _ = terminal::disable_raw_mode();
        terminal::enable_raw_mode()?;
        self.active = true;
        let out = self.screen.backend_mut();
        queue!(out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        if self.mouse {
            queue!(out, EnableMouseCapture)?;
        }
        Write::flush(out)?;
        self.clear_screen()
    }

    /// Empties the terminal and forgets what was on it. The library's own `clear` asks the terminal
    /// where its cursor is, and waits for the answer among the keys; its `resize` does not.
    fn clear_screen(&mut self) -> io::Result<()> {
        let size = self.screen.size()?;
        self.screen.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// After a panic the hook has given it back already. Once more would move the cursor to where it
    /// was before the screen, over the message.
    fn leave(&mut self) {
        if std::mem::take(&mut self.active) && !self.has_panicked() {
            restore_terminal();
        }
    }
}

/// Gives the terminal back as far as it takes it: a terminal that has gone answers with errors.
fn restore_terminal() {
    let mut out = io::stdout();
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = terminal::disable_raw_mode();
}

/// On a panic anywhere the terminal is given back before the earlier hook speaks.
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
        // A panic elsewhere waits for this lock to give the terminal back: never amid a drawing, and
        // none comes after it.
        let _whole = io::stdout().lock();
        if self.has_panicked() {
            return Ok(());
        }
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        self.screen.draw(|frame| draw(frame.area(), frame.buffer_mut()))?;
        execute!(self.screen.backend_mut(), EndSynchronizedUpdate)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_screen()
    }

    fn release(&mut self) {
        self.leave();
    }

    fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()> {
        self.leave();
        match whom {
            // The whole job stops, as a terminal's own Ctrl-Z would stop it: a parent such as a
            // build tool that stayed awake would keep the shell waiting.
            SuspendTarget::Job => process::kill_current_process_group(process::Signal::STOP)?,
            SuspendTarget::Process => process::kill_process(process::getpid(), process::Signal::STOP)?,
        }
        Ok(())
    }

    fn resume(&mut self) -> io::Result<()> {
        self.enter()
    }

    fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
        match (std::mem::replace(&mut self.mouse, mouse), mouse) {
            (false, true) => execute!(self.screen.backend_mut(), EnableMouseCapture),
            (true, false) => execute!(self.screen.backend_mut(), DisableMouseCapture),
            _ => Ok(()),
        }
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
        // A hook cannot be changed by a thread that panics.
        if !std::thread::panicking() {
            let earlier = self.previous_hook.clone();
            panic::set_hook(Box::new(move |info| earlier(info)));
        }
    }
}
