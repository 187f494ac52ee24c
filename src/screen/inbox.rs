//! All sources of events of the screen: keys, sessions, changed files, signals. The screen sleeps
//! until one of them has an event; there is no tick, except for the seconds of a wait that is shown.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crossterm::event::{Event, MouseEventKind};
use futures_util::StreamExt;
use ratatui::layout::Size;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use super::model::DecodedFrame;
use super::requests::{Answered, Requests};
use super::sweep::DashboardSources;
use super::update::Msg;
use mageyard_engine::Snapshot;
use mageyard_terminal::{Events, Keyboard, TerminalAnswer, TerminalEvent};

type Snapshots = watch::Receiver<Arc<Snapshot>>;
type ChangedSweep = Pin<Box<dyn Future<Output = DashboardSources> + Send>>;
type NextSnapshot = Pin<Box<dyn Future<Output = Option<Snapshots>> + Send>>;

/// Maximum number of events in one batch, so that the screen is drawn even under constant input.
const MAX_BATCH: usize = 256;

/// A signal that the screen handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScreenSignal {
    Interrupt,
    Terminate,
    HangUp,
    Stop,
    Continue,
    /// The terminal was resized.
    Resize,
}

/// An event from one of the sources.
#[derive(Debug)]
pub(super) enum InboxEvent {
    Msg(Msg),
    /// A line of the linear mode.
    Line(String),
    Signal(ScreenSignal),
    /// The lab has answered.
    Answered(Answered),
    Picture(PictureNews),
    /// The terminal has carried out what was sent before the last question.
    TerminalReady,
    /// An answer to a question of the start.
    LateAnswer(TerminalAnswer),
    /// The terminal sends no more events.
    TerminalClosed,
}

/// A picture that was made beside the event loop.
#[derive(Debug)]
pub(super) enum PictureNews {
    /// One was scaled or encoded.
    Encoded,
    /// The frame as sent was decoded.
    Decoded(Box<DecodedFrame>),
}

/// The sources of events.
pub(super) struct Inbox {
    events: Events,
    keyboard: Option<Keyboard>,
    signals: Vec<(ScreenSignal, Signal)>,
    files: Option<UnboundedReceiver<()>>,
    sessions: Vec<Option<NextSnapshot>>,
    /// The sweep that is shown, once it has changed.
    sweep: Option<ChangedSweep>,
    pictures: Option<UnboundedReceiver<PictureNews>>,
}

impl Inbox {
    /// An inbox with these sources, without signals.
    pub(super) fn new(events: Events, files: UnboundedReceiver<()>) -> Self {
        let signals = Vec::new();
        let sessions = Vec::new();
        Self { events, keyboard: None, signals, files: Some(files), sessions, sweep: None, pictures: None }
    }

    /// Sets the source of pictures that are made beside the event loop.
    pub(super) fn set_picture_news(&mut self, news: UnboundedReceiver<PictureNews>) {
        self.pictures = Some(news);
    }

    /// Starts to receive signals.
    pub(super) fn listen_to_signals(&mut self) -> io::Result<()> {
        let terminal_stop = SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw());
        let go_on = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
        for (sign, kind) in [
            (ScreenSignal::Interrupt, SignalKind::interrupt()),
            (ScreenSignal::Terminate, SignalKind::terminate()),
            (ScreenSignal::HangUp, SignalKind::hangup()),
            (ScreenSignal::Stop, terminal_stop),
            (ScreenSignal::Continue, go_on),
            (ScreenSignal::Resize, SignalKind::window_change()),
        ] {
            self.signals.push((sign, signal(kind)?));
        }
        Ok(())
    }

    /// Replaces the source of terminal events.
    pub(super) fn set_terminal_events(&mut self, (events, keyboard): (Events, Keyboard)) {
        self.events = events;
        self.keyboard = Some(keyboard);
    }

    /// Waits until the terminal is no longer read, so that another program can read it.
    pub(super) fn pause_keyboard(&mut self) -> io::Result<()> {
        self.keyboard.as_mut().map_or(Ok(()), Keyboard::pause)
    }

    /// Resumes reading the terminal.
    pub(super) fn resume_keyboard(&self) {
        if let Some(keyboard) = &self.keyboard {
            keyboard.resume();
        }
    }

    /// Waits for a signal only.
    pub(super) async fn next_signal(&mut self) -> ScreenSignal {
        poll_fn(|cx| {
            let ready = |(sign, signal): &mut (ScreenSignal, Signal)| {
                matches!(signal.poll_recv(cx), Poll::Ready(Some(()))).then_some(*sign)
            };
            self.signals.iter_mut().find_map(ready).map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Adds a session; sessions are numbered in the order in which they are added.
    pub(super) fn watch_session(&mut self, snapshots: Snapshots) {
        self.sessions.push(Some(next_snapshot(snapshots)));
    }

    /// Keeps a number for a session that is added later.
    pub(super) fn reserve_session(&mut self) {
        self.sessions.push(None);
    }

    /// Adds the session with a number that was kept for it.
    pub(super) fn watch_reserved(&mut self, number: usize, snapshots: Snapshots) {
        if let Some(session) = self.sessions.get_mut(number) {
            *session = Some(next_snapshot(snapshots));
        }
    }

    /// Reports newer content of this sweep, or of none any more.
    pub(super) fn watch_sweep(&mut self, sources: Option<DashboardSources>) {
        self.sweep = sources.map(changed_sweep);
    }

    /// Waits for an event and returns all events that are ready, with the answers to these requests.
    pub(super) async fn next_batch(&mut self, requests: &mut Requests) -> Vec<InboxEvent> {
        poll_fn(|cx| {
            let mut arrivals = Vec::new();
            self.poll_signals(cx, &mut arrivals);
            self.poll_events(cx, &mut arrivals);
            self.poll_sessions(cx, &mut arrivals);
            self.poll_sweep(cx, &mut arrivals);
            self.poll_files(cx, &mut arrivals);
            while let Poll::Ready(answered) = requests.poll(cx) {
                arrivals.push(InboxEvent::Answered(answered));
            }
            self.poll_pictures(cx, &mut arrivals);
            if arrivals.is_empty() { Poll::Pending } else { Poll::Ready(arrivals) }
        })
        .await
    }

    fn poll_signals(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<InboxEvent>) {
        for (sign, signal) in &mut self.signals {
            while let Poll::Ready(Some(())) = signal.poll_recv(cx) {
                arrivals.push(InboxEvent::Signal(*sign));
            }
        }
    }

    fn poll_events(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<InboxEvent>) {
        while arrivals.len() < MAX_BATCH {
            match self.events.poll_next_unpin(cx) {
                Poll::Pending => return,
                Poll::Ready(Some(Ok(TerminalEvent::Answer(TerminalAnswer::Ready)))) => {
                    arrivals.push(InboxEvent::TerminalReady);
                }
                Poll::Ready(Some(Ok(TerminalEvent::Answer(answer)))) => {
                    arrivals.push(InboxEvent::LateAnswer(answer));
                }
                Poll::Ready(Some(Ok(TerminalEvent::Typed(event)))) => {
                    arrivals.extend(to_msg(event).map(InboxEvent::Msg));
                }
                Poll::Ready(Some(Ok(TerminalEvent::Line(line)))) => arrivals.push(InboxEvent::Line(line)),
                Poll::Ready(Some(Err(_)) | None) => {
                    self.events = Box::pin(futures_util::stream::pending());
                    return arrivals.push(InboxEvent::TerminalClosed);
                }
            }
        }
    }

    /// At most one snapshot per session: only the newest matters.
    fn poll_sessions(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<InboxEvent>) {
        for (number, session) in self.sessions.iter_mut().enumerate() {
            let Some(changed) = session else { continue };
            let Poll::Ready(answer) = changed.as_mut().poll(cx) else { continue };
            let newest = answer.map(|mut snapshots| {
                let newest = snapshots.borrow_and_update().clone();
                (newest, next_snapshot(snapshots))
            });
            let (newest, next) = newest.unzip();
            *session = next;
            arrivals.push(InboxEvent::Msg(
                newest.map_or(Msg::SessionClosed(number), |newest| Msg::Snapshot(number, newest)),
            ));
        }
    }

    fn poll_sweep(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<InboxEvent>) {
        let Some(Poll::Ready(mut sources)) = self.sweep.as_mut().map(|next| next.as_mut().poll(cx)) else {
            return;
        };
        arrivals.push(InboxEvent::Msg(Msg::SweepChanged(sources.newest())));
        self.watch_sweep(Some(sources));
    }

    fn poll_pictures(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<InboxEvent>) {
        while let Some(pictures) = &mut self.pictures {
            match pictures.poll_recv(cx) {
                Poll::Pending => return,
                Poll::Ready(Some(news)) => arrivals.push(InboxEvent::Picture(news)),
                Poll::Ready(None) => self.pictures = None,
            }
        }
    }

    /// Any number of file changes is one message.
    fn poll_files(&mut self, cx: &mut Context<'_>, arrivals: &mut Vec<InboxEvent>) {
        let mut changed = false;
        while let Some(files) = &mut self.files {
            match files.poll_recv(cx) {
                Poll::Pending => break,
                Poll::Ready(Some(())) => changed = true,
                Poll::Ready(None) => self.files = None,
            }
        }
        arrivals.extend(changed.then_some(InboxEvent::Msg(Msg::FilesChanged)));
    }
}

fn changed_sweep(mut sources: DashboardSources) -> ChangedSweep {
    Box::pin(async move {
        sources.changed().await;
        sources
    })
}

fn next_snapshot(mut snapshots: Snapshots) -> NextSnapshot {
    Box::pin(async move { snapshots.changed().await.is_ok().then_some(snapshots) })
}

/// The message for a terminal event, if it has one. Mouse motion has none.
fn to_msg(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(width, height) => Some(Msg::Resized(Size::new(width, height))),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Moved => None,
        Event::Mouse(mouse) => Some(Msg::Mouse(mouse)),
        Event::FocusGained | Event::FocusLost => None,
    }
}
