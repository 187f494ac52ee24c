//! The event loop with a test canvas and test sources.

mod motion;
mod pictures;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use crossterm::event::Event;
use futures_util::StreamExt;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::*;
use crate::inbox::{InboxEvent, ScreenSignal};
use crate::model::EpisodeView;
use crate::requests::{Answer, LabLink, Opened, Request};
use crate::testing;
use crate::testing::key;
use mageyard_config::Problem;
use mageyard_engine::{Session, SessionCommand, Snapshot};
use mageyard_terminal::{Canvas, DrawFn, SuspendTarget, TerminalEvent};

const DEADLINE: Duration = Duration::from_secs(5);

/// A canvas that counts calls.
#[derive(Default)]
struct TestCanvas {
    drawn: usize,
    wiped: usize,
    suspended: Vec<SuspendTarget>,
    resumed: usize,
    released: bool,
    written: String,
    last: String,
}

impl Canvas for TestCanvas {
    fn size(&self) -> io::Result<Size> {
        Ok(Size::new(120, 40))
    }

    fn draw(&mut self, draw: DrawFn<'_>) -> io::Result<()> {
        let area = Rect::new(0, 0, 120, 40);
        let mut buffer = Buffer::empty(area);
        draw(area, &mut buffer);
        self.drawn += 1;
        self.last = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.wiped += 1;
        Ok(())
    }

    fn release(&mut self) {
        self.released = true;
    }

    fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()> {
        self.suspended.push(whom);
        Ok(())
    }

    fn resume(&mut self) -> io::Result<()> {
        self.resumed += 1;
        Ok(())
    }

    fn set_mouse(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn write_sequence(&mut self, sequence: &str) -> io::Result<()> {
        self.written.push_str(sequence);
        Ok(())
    }

    fn has_panicked(&self) -> bool {
        false
    }
}

/// A lab task that knows one level.
#[derive(Clone, Default)]
struct TestLab(Arc<Mutex<Given>>);

/// What the screen was given, and what it asked for.
#[derive(Default)]
struct Given {
    reloads: usize,
    orders: Vec<mpsc::UnboundedReceiver<SessionCommand>>,
    senders: Vec<watch::Sender<Arc<Snapshot>>>,
}

impl TestLab {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.0.lock().unwrap()
    }

    fn session(&self) -> Session {
        let (orders, received) = mpsc::unbounded_channel();
        let (sender, snapshots) = watch::channel(Arc::new(testing::sample_episode().snapshot()));
        self.given().orders.push(received);
        self.given().senders.push(sender);
        Session { commands: Some(orders), snapshots }
    }

    fn open(&self, reference: &str) -> Result<Session, Problem> {
        if reference == "sokoban/mini/8" {
            Ok(self.session())
        } else {
            Err(Problem::new("there is no such level"))
        }
    }

    /// Starts the task.
    fn start(&self) -> LabLink {
        let (link, mut requests, answers) = LabLink::new();
        let lab = self.clone();
        tokio::spawn(async move {
            while let Some(requested) = requests.recv().await {
                let (request, answers) = requested.split(&answers);
                match request {
                    Request::OpenLevel(reference) => answers.opened(Opened::Level(lab.open(&reference))),
                    Request::Reload => {
                        lab.given().reloads += 1;
                        let look = testing::appearance("light");
                        answers.send(Answer::Reloaded(Box::new(Ok(look))));
                    }
                    _ => {}
                }
            }
        });
        link
    }
}

struct Harness {
    keys: mpsc::UnboundedSender<Event>,
    files: mpsc::UnboundedSender<()>,
    inbox: Inbox,
    lab: TestLab,
    canvas: TestCanvas,
}

fn harness() -> Harness {
    let (keys, events) = mpsc::unbounded_channel();
    let (files, changes) = mpsc::unbounded_channel();
    let events = futures_util::stream::unfold(events, |mut events: mpsc::UnboundedReceiver<Event>| async {
        events.recv().await.map(|event| (Ok(TerminalEvent::Typed(event)), events))
    });
    let inbox = Inbox::new(events.boxed(), changes);
    Harness { keys, files, inbox, lab: TestLab::default(), canvas: TestCanvas::default() }
}

fn screen<'a>(lab: &TestLab, inbox: Inbox, canvas: &'a mut TestCanvas) -> Screen<'a, TestCanvas> {
    let spec = ScreenSpec::single(lab.session());
    Screen::new(lab.start(), spec, testing::appearance("dark"), inbox, canvas).unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_idle_screen_draws_once() {
    let Harness { keys, files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    // The paused clock advances only while every task waits.
    let idle = timeout(Duration::from_secs(1000), screen.event_loop()).await;
    assert!(idle.is_err());
    drop(screen);
    assert_eq!(canvas.drawn, 1);
    drop((keys, files));
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_keys_is_drawn_once() {
    let Harness { keys, files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    for _ in 0..50 {
        keys.send(Event::Key(key("h"))).unwrap();
    }
    assert!(timeout(Duration::from_secs(1), screen.event_loop()).await.is_err());
    assert_eq!(screen.model.episodes[0].index(), 0);
    drop(screen);
    assert_eq!(canvas.drawn, 2, "once at the start and once for all keys");
    drop(files);
}

#[tokio::test]
async fn quitting_ends_the_sessions_and_releases_the_terminal() {
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let screen = screen(&lab, inbox, &mut canvas);
    keys.send(Event::Key(key("enter"))).unwrap();
    keys.send(Event::Key(key("q"))).unwrap();
    let exit = timeout(DEADLINE, Box::pin(screen.run())).await.unwrap().unwrap();
    assert_eq!(exit, ScreenExit::Quit);
    assert!(canvas.released);
    let mut received = lab.given().orders.remove(0);
    assert_eq!(received.try_recv().unwrap(), SessionCommand::Step);
    assert_eq!(received.try_recv().unwrap(), SessionCommand::Leave);
}

#[tokio::test]
async fn an_opened_level_receives_the_commands() {
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    for event in [
        Event::Key(key(":")),
        Event::Paste("open sokoban/mini/8".into()),
        Event::Key(key("enter")),
        Event::Key(key("enter")),
    ] {
        keys.send(event).unwrap();
    }
    assert!(timeout(Duration::from_millis(200), screen.event_loop()).await.is_err());
    assert_eq!(screen.model.episodes.len(), 2);
    let received = |number: usize| lab.given().orders[number].try_recv();
    assert!(received(0).is_err() && received(1).is_err(), "a key before the level is shown is for none");
    keys.send(Event::Key(key("enter"))).unwrap();
    assert!(timeout(Duration::from_millis(200), screen.event_loop()).await.is_err());
    assert_eq!(received(1).unwrap(), SessionCommand::Step);
    assert!(received(0).is_err());
}

#[tokio::test]
async fn a_session_that_ends_is_marked_as_closed() {
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    // The sender is inside the lab task, so another session is ended.
    let (sender, snapshots) = watch::channel(Arc::new(testing::planned_episode().snapshot()));
    screen.inbox.watch_session(snapshots);
    screen.model.episodes.push(EpisodeView::new(Arc::new(testing::planned_episode().snapshot()), true));
    drop(sender);
    assert!(timeout(Duration::from_millis(100), screen.event_loop()).await.is_err());
    assert!(!screen.model.episodes[1].live && screen.model.episodes[0].live);
    drop(keys);
}

#[tokio::test]
async fn many_file_changes_are_one_reload() {
    let Harness { keys, files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    for _ in 0..20 {
        files.send(()).unwrap();
    }
    assert!(timeout(Duration::from_millis(100), screen.event_loop()).await.is_err());
    assert_eq!(screen.model.look.theme.name(), "light");
    drop(screen);
    assert_eq!(lab.given().reloads, 1);
    drop(keys);
}

#[tokio::test]
async fn a_suspended_screen_draws_nothing_until_it_is_resumed() {
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    keys.send(Event::Key(key("ctrl-z"))).unwrap();
    keys.send(Event::Key(key("h"))).unwrap();
    assert!(timeout(Duration::from_millis(100), screen.event_loop()).await.is_err());
    let drawn = screen.canvas.drawn;
    assert_eq!(screen.canvas.suspended, [SuspendTarget::Job]);
    screen.handle(InboxEvent::Signal(ScreenSignal::Continue)).unwrap();
    assert!(timeout(Duration::from_millis(100), screen.event_loop()).await.is_err());
    assert_eq!((screen.canvas.resumed, screen.canvas.drawn), (1, drawn + 1));
}

#[tokio::test]
async fn signals_and_a_closed_terminal_end_the_screen() {
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    for (arrival, exit) in [
        (InboxEvent::Signal(ScreenSignal::Interrupt), ScreenExit::Interrupted),
        (InboxEvent::Signal(ScreenSignal::Terminate), ScreenExit::Terminated),
        (InboxEvent::Signal(ScreenSignal::HangUp), ScreenExit::HungUp),
        (InboxEvent::TerminalClosed, ScreenExit::HungUp),
    ] {
        assert_eq!(screen.handle(arrival).unwrap(), Some(exit));
    }
    drop(keys);
    let exit = timeout(DEADLINE, screen.event_loop()).await.unwrap().unwrap();
    assert_eq!(exit, ScreenExit::HungUp, "there are no more events");
}
