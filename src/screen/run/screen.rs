//! The running screen: its start, its event loop and its end.

use std::io;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio::time::Instant;

use super::frame_clock::FrameClock;
use super::sessions::SessionSlot;
use super::spec::ScreenSpec;
use crate::appearance::{Appearance, DisplaySettings};
use crate::external_editor::ExternalEdit;
use crate::inbox::{Inbox, InboxEvent, PictureNews, ScreenSignal};
use crate::model::{EpisodeList, Modal, Model, Stack, View};
use crate::requests::{LabLink, Request, Requests, SuiteOrder};
use crate::sweep::Dashboard;
use crate::update::{Msg, start_lesson};
use mageyard_agents::request_reader;
use mageyard_terminal::{
    ANSWER_TIME, Canvas, FrameCache, Link, LinkProbe, ScreenError, ScreenExit, SuspendTarget, TerminalReport,
    Traffic,
};

/// The time between two drawings of a reply that arrives, with reduced motion.
const TEXT_INTERVAL: Duration = Duration::from_secs(1);

/// The running screen, generic over the canvas so that tests need no terminal.
pub(super) struct Screen<'a, C> {
    pub(super) requests: Requests,
    pub(super) canvas: &'a mut C,
    pub(super) inbox: Inbox,
    pub(super) sessions: Vec<SessionSlot>,
    pub(super) model: Model,
    pub(super) frame_cache: FrameCache,
    /// Where pictures that are made beside the event loop are announced; `None` if they are made in it.
    pub(super) picture_news: Option<UnboundedSender<PictureNews>>,
    pub(super) last_drawn: Option<Instant>,
    /// Whether the terminal is released for now.
    pub(super) suspended: bool,
    /// Where the cell is said whose episodes the dashboard lists.
    pub(super) open_cell: Option<watch::Sender<Option<usize>>>,
    /// A text waiting for the user's editor.
    pub(super) external_edit: Option<ExternalEdit>,
    /// When the playback of a recording shows its next step.
    pub(super) playback_due: Option<Instant>,
    /// The clock of a film, or of a person who plays in real time.
    pub(super) frame_clock: FrameClock,
    /// How many commands were sent to sessions.
    pub(super) commands_sent: u64,
    /// What the terminal has answered by now.
    pub(super) late_report: TerminalReport,
    /// Until when answers to the questions of the start are waited for before the terminal is given to another program.
    pub(super) answers_until: Option<Instant>,
    /// The link to the terminal.
    pub(super) link: Link,
    /// The bytes written to it.
    pub(super) traffic: Traffic,
}

impl<'a, C: Canvas> Screen<'a, C> {
    pub(super) fn new(
        lab: LabLink,
        spec: ScreenSpec,
        look: Appearance,
        inbox: Inbox,
        canvas: &'a mut C,
    ) -> Result<Self, ScreenError> {
        let model = Model::new(look, request_reader(), canvas.size()?, Vec::new());
        let gallery = FrameCache::default();
        let DisplaySettings { link, remote, .. } = model.appearance.settings;
        let mut this = Self {
            requests: Requests::new(lab),
            canvas,
            inbox,
            sessions: Vec::new(),
            model,
            frame_cache: gallery,
            picture_news: None,
            last_drawn: None,
            suspended: false,
            open_cell: None,
            external_edit: None,
            playback_due: None,
            frame_clock: FrameClock::default(),
            commands_sent: 0,
            late_report: TerminalReport::default(),
            answers_until: None,
            link: Link::new(link, remote, false, LinkProbe::default()),
            traffic: Traffic::default(),
        };
        // For completions.
        this.requests.send(Request::ListNames);
        this.requests.send(Request::Suite(SuiteOrder::List));
        let live = spec.episodes.read.first().is_some_and(|session| session.commands.is_some());
        let opened = this.add_recordings(spec.episodes);
        let numbers: Vec<usize> = opened.read.iter().map(|(number, _)| *number).collect();
        this.model.add_recordings(opened, live);
        (this.model.follow, this.model.following) = (spec.follow, spec.follow);
        if spec.home {
            this.model.stack = Stack::begin(View::Home);
            this.model.home = Some(Box::default());
            this.requests.send(Request::ListHome);
        }
        if let Some(sources) = spec.sweep {
            this.model.stack = Stack::begin(View::Sweep);
            this.model.sweep = Some(Dashboard::new(this.watch_sweep(sources)).into());
        }
        let first = if spec.follow { numbers.last() } else { numbers.first() };
        this.show_first(first.copied().unwrap_or_default(), spec.step);
        if let Some(lesson) = spec.lesson {
            // Its episode is the first one.
            start_lesson(&mut this.model, 0, lesson);
        }
        if spec.list {
            this.model.modal = Some(Modal::Episodes(EpisodeList::at(&this.model, this.model.current)));
            this.requests.send(Request::ListSessions);
        }
        Ok(this)
    }

    /// Sets what the terminal has answered, if it was asked just now.
    pub(super) fn set_report(&mut self, report: TerminalReport) {
        let settings = self.model.appearance.settings;
        let DisplaySettings { link, remote, can_ask, .. } = settings;
        self.link = Link::new(link, remote, can_ask, report.link);
        self.late_report = report.clone();
        let is_due = can_ask && !report.is_finished(settings.surroundings());
        self.answers_until = is_due.then(|| Instant::now() + ANSWER_TIME);
        self.model.set_terminal(report);
    }

    fn show_first(&mut self, first: usize, step: Option<u32>) {
        self.model.current = first.min(self.model.episodes.len().saturating_sub(1));
        if let (Some(number), Some(viewed)) = (step, self.model.episode_mut()) {
            viewed.cursor = viewed.snapshot.steps.iter().position(|step| step.number == number);
        }
    }

    /// Runs until the user quits.
    pub(super) async fn run(mut self) -> Result<ScreenExit, ScreenError> {
        let exit = self.event_loop().await;
        Box::pin(self.leave(exit)).await
    }

    /// Gives the terminal back and ends the sessions.
    pub(super) async fn leave(
        mut self,
        exit: Result<ScreenExit, ScreenError>,
    ) -> Result<ScreenExit, ScreenError> {
        let exit = match exit {
            // Drawing can fail before SIGHUP arrives.
            Err(ScreenError::Terminal(error)) if terminal_is_gone(&error) => Ok(ScreenExit::HungUp),
            exit => exit,
        };
        if !matches!(exit, Ok(ScreenExit::HungUp)) {
            self.take_waiting_answers();
            self.await_answers();
        }
        let freed = self.frame_cache.leave();
        // The terminal may be gone.
        let _ = self.canvas.write_sequence(&freed);
        self.canvas.release();
        self.end_sessions().await;
        exit
    }

    pub(super) async fn event_loop(&mut self) -> Result<ScreenExit, ScreenError> {
        loop {
            let text = self.draw_text_later();
            let second = self.next_second().filter(|_| !self.model.has_reduced_motion());
            let drawing = self.draw_if_due()?;
            for arrival in self.next_batch([drawing, second, text].into_iter().flatten().min()).await {
                if let Some(exit) = self.handle(arrival)? {
                    return Ok(exit);
                }
                if let Some(exit) = self.run_external_editor().await? {
                    return Ok(exit);
                }
            }
            self.model.dirty |= second.is_some_and(|due| due <= Instant::now());
            if let Some(exit) = self.pass_time()? {
                return Ok(exit);
            }
            if self.canvas.has_panicked() {
                return Err(ScreenError::Panicked);
            }
        }
    }

    /// With reduced motion, more of a reply is drawn once a second at most: when that is due.
    fn draw_text_later(&mut self) -> Option<Instant> {
        let due = self.last_drawn.filter(|_| self.model.text_waits && !self.suspended)? + TEXT_INTERVAL;
        let is_due = due <= Instant::now();
        self.model.dirty |= is_due;
        self.model.text_waits &= !is_due;
        (!is_due).then_some(due)
    }

    /// Waits for events until the clock of a playback, a film or this time is due.
    pub(super) async fn next_batch(&mut self, due: Option<Instant>) -> Vec<InboxEvent> {
        match [due, self.playback_due, self.frame_clock.due()].into_iter().flatten().min() {
            Some(due) => {
                let batch = self.inbox.next_batch(&mut self.requests);
                tokio::time::timeout_at(due, batch).await.unwrap_or_default()
            }
            None => self.inbox.next_batch(&mut self.requests).await,
        }
    }

    /// Performs what is due by the clocks of a playback and of a film.
    pub(super) fn pass_time(&mut self) -> Result<Option<ScreenExit>, ScreenError> {
        if self.playback_due.take_if(|due| *due <= Instant::now()).is_some()
            && let Some(exit) = self.handle_msg(Msg::PlaybackTick)?
        {
            return Ok(Some(exit));
        }
        match self.frame_clock.passed(Instant::now()) {
            Some(intervals) => self.handle_msg(Msg::FrameTick(intervals)),
            None => Ok(None),
        }
    }

    pub(super) fn handle(&mut self, arrival: InboxEvent) -> Result<Option<ScreenExit>, ScreenError> {
        match arrival {
            InboxEvent::Msg(msg) => self.handle_msg(msg),
            // Only the linear mode reads lines.
            InboxEvent::Line(line) => self.handle_msg(Msg::Line(line)),
            InboxEvent::Answered(answered) => self.handle_answer(answered),
            InboxEvent::Picture(news) => self.take_picture(news),
            InboxEvent::LateAnswer(answer) => {
                self.take_late_answer(answer);
                Ok(None)
            }
            InboxEvent::TerminalReady => {
                self.link.answered(Instant::now());
                Ok(None)
            }
            InboxEvent::Signal(ScreenSignal::Interrupt) => Ok(Some(ScreenExit::Interrupted)),
            InboxEvent::Signal(ScreenSignal::Terminate) => Ok(Some(ScreenExit::Terminated)),
            InboxEvent::Signal(ScreenSignal::HangUp) | InboxEvent::TerminalClosed => {
                Ok(Some(ScreenExit::HungUp))
            }
            InboxEvent::Signal(ScreenSignal::Stop) => self.suspend(SuspendTarget::Process).map(|()| None),
            InboxEvent::Signal(ScreenSignal::Continue) => self.resume().map(|()| None),
            InboxEvent::Signal(ScreenSignal::Resize) => {
                let size = self.canvas.size()?;
                self.handle_msg(Msg::Resized(size))
            }
        }
    }
}

fn terminal_is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error())
}
