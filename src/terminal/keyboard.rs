//! Reads the terminal in a thread of its own, which sleeps until bytes arrive. It can be paused while another program
//! reads the terminal.

use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{io, thread};

use futures_util::{Stream, stream};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::mpsc;

use crate::terminal_input::{TerminalEvent, TerminalInput};

/// Terminal events.
pub type Events = Pin<Box<dyn Stream<Item = io::Result<TerminalEvent>> + Send>>;

/// Maximum number of queued events.
const QUEUE_LENGTH: usize = 256;
/// How long after an escape the rest of a sequence may take: without it the escape is a key.
const ESCAPE_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
/// The most bytes that are read at once.
const PORTION: usize = 4096;
/// How long the thread may take to pause.
const PAUSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Makes events of the bytes that were read.
pub trait InputDecoder: Send + 'static {
    /// The events of these bytes. What is not complete is held back.
    fn take(&mut self, bytes: &[u8]) -> Vec<TerminalEvent>;
    /// Whether something is held back that ends by itself.
    fn is_waiting(&self) -> bool;
    /// What was held back, because nothing more came for a while or the input has ended.
    fn give_up(&mut self) -> Vec<TerminalEvent>;
}

impl InputDecoder for TerminalInput {
    fn take(&mut self, bytes: &[u8]) -> Vec<TerminalEvent> {
        Self::take(self, bytes)
    }

    fn is_waiting(&self) -> bool {
        Self::is_waiting(self)
    }

    fn give_up(&mut self) -> Vec<TerminalEvent> {
        Self::give_up(self)
    }
}

/// Controls the reading thread.
pub struct Keyboard {
    wake_pipe: OwnedFd,
    pause_count: u64,
    paused: Receiver<u64>,
    resume_sender: Sender<()>,
}

/// Starts the reading thread, which goes on with this input after these events.
pub fn spawn_keyboard(input: impl InputDecoder, early: Vec<TerminalEvent>) -> io::Result<(Events, Keyboard)> {
    let (ear, bell) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let (tell_stopped, stopped) = channel();
    let (go_on, going) = channel();
    let (tell, mut told) = mpsc::channel(QUEUE_LENGTH);
    thread::spawn(move || {
        let reader =
            KeyboardReader { input, wake_pipe: ear, paused: tell_stopped, resumed: going, pause_count: 0 };
        if let Err(error) = reader.run(early, &tell) {
            // The receiver may be closed.
            let _ = tell.blocking_send(Err(error));
        }
    });
    let events = Box::pin(stream::poll_fn(move |cx| told.poll_recv(cx)));
    Ok((events, Keyboard { wake_pipe: bell, pause_count: 0, paused: stopped, resume_sender: go_on }))
}

impl Keyboard {
    /// Waits until the thread has stopped reading. An error when it does not stop in time; it then continues.
    pub fn pause(&mut self) -> io::Result<()> {
        rustix::io::write(&self.wake_pipe, &[1])?;
        self.pause_count += 1;
        loop {
            match self.paused.recv_timeout(PAUSE_TIMEOUT) {
                Ok(rung) if rung == self.pause_count => return Ok(()),
                // The late answer to an earlier request that timed out.
                Ok(_) => {}
                Err(_) => {
                    self.resume();
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
        }
    }

    /// Lets the thread continue.
    pub fn resume(&self) {
        // A thread that ended has sent its error.
        let _ = self.resume_sender.send(());
    }
}

struct KeyboardReader<D> {
    input: D,
    wake_pipe: OwnedFd,
    paused: Sender<u64>,
    resumed: Receiver<()>,
    pause_count: u64,
}

impl<D: InputDecoder> KeyboardReader<D> {
    /// Reads until the receiver is closed or the terminal is gone.
    fn run(
        mut self,
        early: Vec<TerminalEvent>,
        tell: &mpsc::Sender<io::Result<TerminalEvent>>,
    ) -> io::Result<()> {
        let mut events = early;
        loop {
            for event in events {
                if tell.blocking_send(Ok(event)).is_err() {
                    return Ok(());
                }
            }
            events = match self.wait()? {
                Woken::Paused if !self.pause()? => return Ok(()),
                Woken::Paused => Vec::new(),
                Woken::Readable => match self.read() {
                    Err(error) => {
                        let rest = self.input.give_up();
                        // The receiver may be closed.
                        for event in rest {
                            let _ = tell.blocking_send(Ok(event));
                        }
                        return Err(error);
                    }
                    events => events?,
                },
                Woken::Silent => self.input.give_up(),
            };
        }
    }

    /// Waits for bytes or a pause, after an escape only for a moment.
    fn wait(&self) -> io::Result<Woken> {
        let stdin = io::stdin();
        let limit = self.input.is_waiting().then_some(&ESCAPE_WAIT);
        loop {
            let mut sources =
                [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.wake_pipe, PollFlags::IN)];
            match poll(&mut sources, limit) {
                Ok(0) => return Ok(Woken::Silent),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [terminal, bell] = sources.map(|source| source.revents());
            // A pipe that was closed can still have bytes; reading finds its end.
            if bell.is_empty() && terminal.contains(PollFlags::IN) {
                return Ok(Woken::Readable);
            }
            if terminal.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            return Ok(if bell.is_empty() { Woken::Readable } else { Woken::Paused });
        }
    }

    fn read(&mut self) -> io::Result<Vec<TerminalEvent>> {
        let mut bytes = [0; PORTION];
        match rustix::io::read(io::stdin(), &mut bytes) {
            Ok(0) => Err(io::ErrorKind::BrokenPipe.into()),
            Ok(count) => Ok(self.input.take(&bytes[..count])),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// Pauses until resumed; false when the controlling side is gone.
    fn pause(&mut self) -> io::Result<bool> {
        if rustix::io::read(&self.wake_pipe, &mut [0; 1])? == 0 {
            return Ok(false);
        }
        self.pause_count += 1;
        Ok(self.paused.send(self.pause_count).is_ok() && self.resumed.recv().is_ok())
    }
}

/// What ended a wait.
enum Woken {
    /// A pause is wanted.
    Paused,
    /// There are bytes.
    Readable,
    /// Nothing came for a while.
    Silent,
}
