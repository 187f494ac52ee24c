//! Everything that can wake the screen, in one place: keys, sessions, changed files, signals.
//! Without any of them it sleeps; there is no tick.

use std::future::Future;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;

use crossterm::event::Event;
use crossterm::event::MouseEventKind;
use futures_util::StreamExt;
use ratatui::layout::Size;
use tokio::signal::unix::Signal;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use super::keyboard::Events;
use super::keyboard::Keyboard;
use super::update::Msg;
use crate::engine::Snapshot;

type Snapshots = watch::Receiver<Arc<Snapshot>>;
type Changed = Pin<Box<dyn Future<Output = Option<Snapshots>> + Send>>;

/// Keys taken at a time: a flood of them still lets the screen be drawn.
const BATCH: usize = 256;

/// A signal that matters to a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Interrupt,
    Terminate,
    HangUp,
    Stop,
    Continue,
    /// The terminal has another size.
    Resize,
}

/// One thing that came in.
#[derive(Debug)]
pub(super) enum Arrival {
    Msg(Msg),
    Sign(Sign),
    /// The terminal has no more to say.
    Gone,
}

/// The sources.
pub(super) struct Inbox {
    events: Events,
    keyboard: Option<Keyboard>,
    signals: Vec<(Sign, Signal)>,
    files: Option<UnboundedReceiver<()>>,
    sessions: Vec<Option<Changed>>,
}

impl Inbox {
    /// An inbox of these events and changed files, and of no signals yet.
    pub(super) fn new(events: Events, files: UnboundedReceiver<()>) -> Self {
        Self { events, keyboard: None, signals: Vec::new(), files: Some(files), sessions: Vec::new() }
    }

    /// Listens to signals too, from now on.
    pub(super) fn listen(&mut self) -> io::Result<()> {
        let terminal_stop = SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw());
        let go_on = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
        for (sign, kind) in [
            (Sign::Interrupt, SignalKind::interrupt()),
            (Sign::Terminate, SignalKind::terminate()),
            (Sign::HangUp, SignalKind::hangup()),
            (Sign::Stop, terminal_stop),
            (Sign::Continue, go_on),
            (Sign::Resize, SignalKind::window_change()),
        ] {
            self.signals.push((sign, signal(kind)?));
        }
        Ok(())
    }

    /// Takes these events in place of those before.
    pub(super) fn hear(&mut self, (events, keyboard): (Events, Keyboard)) {
        self.events = events;
        self.keyboard = Some(keyboard);
    }

    /// Waits until nobody here reads the terminal any more, so that another program can.
    pub(super) fn stop_keys(&mut self) -> io::Result<()> {
        self.keyboard.as_mut().map_or(Ok(()), Keyboard::stop)
    }

    /// Reads the terminal again.
    pub(super) fn go_on_with_keys(&self) {
        self.keyboard.iter().for_each(Keyboard::go_on);
    }

    /// Waits for a signal, and for nothing else.
    pub(super) async fn sign(&mut self) -> Sign {
        poll_fn(|cx| {
            let ready = |(sign, signal): &mut (Sign, Signal)| {
                matches!(signal.poll_recv(cx), Poll::Ready(Some(()))).then_some(*sign)
            };
            self.signals.iter_mut().find_map(ready).map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Listens to a session; sessions are numbered in the order in which they come.
    pub(super) fn follow(&mut self, snapshots: Snapshots) {
        self.sessions.push(Some(change(snapshots)));
    }

    /// Waits until something has come in, and takes everything that is there.
    pub(super) async fn take(&mut self) -> Vec<Arrival> {
        poll_fn(|cx| {
            let mut arrivals = Vec::new();
            self.poll_signals(cx, &mut arrivals);
            self.poll_events(cx, &mut arrivals);
            self.poll_sessions(cx, &mut arrivals);
            self.poll_files(cx, &mut arrivals);
            if arrivals.is_empty() { Poll::Pending } else { Poll::Ready(arrivals) }
        })
        .await
    }

    fn poll_signals(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<Arrival>) {
        for (sign, signal) in &mut self.signals {
            while let Poll::Ready(Some(())) = signal.poll_recv(cx) {
                arrivals.push(Arrival::Sign(*sign));
            }
        }
    }

    fn poll_events(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<Arrival>) {
        while arrivals.len() < BATCH {
            match self.events.poll_next_unpin(cx) {
                Poll::Pending => return,
                Poll::Ready(Some(Ok(event))) => arrivals.extend(message(event).map(Arrival::Msg)),
                Poll::Ready(Some(Err(_)) | None) => return arrivals.push(Arrival::Gone),
            }
        }
    }

    /// One snapshot a session at a time: the newest is all that counts.
    fn poll_sessions(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<Arrival>) {
        for (number, session) in self.sessions.iter_mut().enumerate() {
            let Some(changed) = session else { continue };
            let Poll::Ready(answer) = changed.as_mut().poll(cx) else { continue };
            let newest = answer.map(|mut snapshots| {
                let newest = snapshots.borrow_and_update().clone();
                (newest, change(snapshots))
            });
            let (newest, next) = newest.unzip();
            *session = next;
            arrivals.push(Arrival::Msg(
                newest.map_or(Msg::Closed(number), |newest| Msg::Snapshot(number, newest)),
            ));
        }
    }

    /// However often files have changed, they are read again once.
    fn poll_files(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<Arrival>) {
        let mut changed = false;
        while let Some(files) = &mut self.files {
            match files.poll_recv(cx) {
                Poll::Pending => break,
                Poll::Ready(Some(())) => changed = true,
                Poll::Ready(None) => self.files = None,
            }
        }
        arrivals.extend(changed.then_some(Arrival::Msg(Msg::Files)));
    }
}

fn change(mut snapshots: Snapshots) -> Changed {
    Box::pin(async move { snapshots.changed().await.is_ok().then_some(snapshots) })
}

/// What an event says to the screen. A mouse that only moves says nothing.
fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(width, height) => Some(Msg::Resized(Size::new(width, height))),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Moved => None,
        Event::Mouse(mouse) => Some(Msg::Mouse(mouse)),
        Event::FocusGained | Event::FocusLost => None,
    }
}
