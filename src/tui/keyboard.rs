//! Reads terminal events in a thread of its own, because the library's reader can block forever once
//! the terminal is gone. The thread can be paused while another program reads the terminal.

use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::Sender;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crossterm::event::Event;
use futures_util::Stream;
use futures_util::stream;
use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::event::poll;
use tokio::sync::mpsc;

/// Terminal events.
pub(super) type Events = Pin<Box<dyn Stream<Item = io::Result<Event>> + Send>>;

/// Maximum number of queued events.
const QUEUE_LENGTH: usize = 256;
/// How long the library may wait for more events. With no time at all it would not return events that
/// it has read already; an event ends the wait.
const POLL_TIME: Duration = Duration::from_millis(100);
/// How long the thread may take to pause.
const PAUSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Controls the reading thread.
pub(super) struct Keyboard {
    wake_pipe: OwnedFd,
    pause_count: u64,
    paused: Receiver<u64>,
    resume_sender: Sender<()>,
}

/// Starts the reading thread.
pub(super) fn spawn_keyboard() -> io::Result<(Events, Keyboard)> {
    let (ear, bell) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let (tell_stopped, stopped) = channel();
    let (go_on, going) = channel();
    let (tell, mut told) = mpsc::channel(QUEUE_LENGTH);
    thread::spawn(move || {
        let reader = KeyboardReader { wake_pipe: ear, paused: tell_stopped, resumed: going, pause_count: 0 };
        if let Err(error) = reader.run(&tell) {
            // The receiver may be closed.
            let _ = tell.blocking_send(Err(error));
        }
    });
    let events = Box::pin(stream::poll_fn(move |cx| told.poll_recv(cx)));
    Ok((events, Keyboard { wake_pipe: bell, pause_count: 0, paused: stopped, resume_sender: go_on }))
}

impl Keyboard {
    /// Waits until the thread has stopped reading. An error when it does not stop in time; it then continues.
    pub(super) fn pause(&mut self) -> io::Result<()> {
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
    pub(super) fn resume(&self) {
        // A thread that ended has sent its error.
        let _ = self.resume_sender.send(());
    }
}

struct KeyboardReader {
    wake_pipe: OwnedFd,
    paused: Sender<u64>,
    resumed: Receiver<()>,
    pause_count: u64,
}

impl KeyboardReader {
    /// Reads until the receiver is closed or the terminal is gone.
    fn run(mut self, tell: &mpsc::Sender<io::Result<Event>>) -> io::Result<()> {
        let stdin = io::stdin();
        loop {
            let mut sources =
                [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.wake_pipe, PollFlags::IN)];
            match poll(&mut sources, None) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [terminal, bell] = sources.map(|source| source.revents());
            if terminal.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if !bell.is_empty() {
                if !self.pause()? {
                    return Ok(());
                }
                continue;
            }
            while crossterm::event::poll(POLL_TIME)? {
                if tell.blocking_send(crossterm::event::read()).is_err() {
                    return Ok(());
                }
            }
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
