//! The driver: does what an episode needs, writes each event to the journal, and then applies it.

mod commands;
mod decision;
mod decision_observer;
mod environment_calls;
mod episode_clock;
mod error;
mod link;
mod participants;
mod person;
mod roles;
mod seats;
mod side;
mod trace;
mod verdict;
mod write_ahead;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

pub use self::error::DriverError;
use self::link::EnvironmentLink;
pub use self::participants::{Participants, ReferenceSearch};
pub use self::roles::{RoleSeat, RoleSeats};
pub(super) use self::seats::NewlySeated;
pub use self::write_ahead::EventSink;
use self::write_ahead::WriteAhead;
use super::episode::{Episode, Need};
use super::event::Event;
use super::live_reply::LiveReply;
use super::recorded_agent::RecordedAgent;
use super::reply_reader::ReplyReader;
use super::services::EpisodeServices;
use super::side::Purpose;
use super::snapshot::RequestContext;
use super::summary::EpisodeSummary;
use mageyard_domain::{EnvironmentContext, Recovery, ReplyEnding, Setting, SharedResources};

/// An episode with everything that is needed to continue it.
pub struct Driver {
    log: WriteAhead,
    participants: Participants,
    live_reply: Arc<LiveReply>,
    link: EnvironmentLink,
    /// A token that is never cancelled.
    never: CancellationToken,
    /// Whether the agent asks its server to cache what the next request repeats.
    asks_for_caching: bool,
    /// Who the agent is.
    seated: RecordedAgent,
    /// What the program does for the episode; `None` if the seat is not changed, or only as a recording says.
    services: Option<Arc<dyn EpisodeServices>>,
    /// The agent of the last change of seat, until it is taken note of.
    newly_seated: Option<NewlySeated>,
    span: Span,
}

/// How a driver advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// It did what the episode needed.
    Done,
    /// It was stopped. What had happened until then is recorded, and the episode can be continued.
    Stopped,
    /// The environment is in the state of the episode again, which continues at the next advance.
    CameBack,
}

/// What a driver waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// The environment, which opens the level.
    Open,
    /// The environment of a resumed episode, which comes back.
    ComeBack,
    /// The agent, at this step and attempt.
    Reply { step: u32, attempt: u32 },
    /// The environment, which carries out an action, or is looked at after an interrupted one.
    Act,
    /// The agent of a role, which answers a question for this.
    Ask(Purpose),
    /// The environment, which settles the last outcome.
    Settle,
    /// The environment, which judges the episode.
    Judge,
}

impl Driver {
    /// A driver for a new episode, or for one restored together with its environment. The reading rules of the head
    /// adapt the environment's reply format. `earlier` is the episode's own time so far. The environment of a restored
    /// episode comes back at the first [`Driver::advance`], unless [`super::restore`] has replayed it.
    pub fn new(episode: Episode, cast: Participants, log: Box<dyn EventSink>, earlier: Duration) -> Self {
        let form = episode.head().rules.reply_format(&cast.form);
        let participants = Participants { form, ..cast };
        let asks_for_caching = participants.asks_for_caching();
        let seated = episode.agent().clone();
        let log = WriteAhead::new(episode, log, earlier);
        let context = EnvironmentContext {
            cancel: CancellationToken::new(),
            deadline: log.deadline().map(Instant::into_std),
            blobs: log.blobs(),
            resources: SharedResources::default(),
        };
        let opened = !log.episode().steps().is_empty();
        let is_attached = opened && participants.environment.recovery() == Recovery::Replay;
        let link = EnvironmentLink::new(context, is_attached);
        let span = trace::episode(log.episode().head(), log.path());
        let live_reply = Arc::default();
        let never = CancellationToken::new();
        Self {
            log,
            participants,
            live_reply,
            link,
            never,
            asks_for_caching,
            seated,
            services: None,
            newly_seated: None,
            span,
        }
    }

    /// The driver, whose environment shares these resources with others.
    #[must_use]
    pub fn sharing(mut self, resources: SharedResources) -> Self {
        self.link.context.resources = resources;
        self
    }

    /// The episode.
    pub fn episode(&self) -> &Episode {
        self.log.episode()
    }

    /// Takes the summary that was made when the episode ended, if one was.
    pub(super) fn take_summary(&mut self) -> Option<EpisodeSummary> {
        self.log.take_summary()
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.log.elapsed()
    }

    /// Does what the episode needs next, or writes pending events. Only the limits of the episode end a wait.
    pub async fn advance(&mut self) -> Result<(), DriverError> {
        let never = self.never.clone();
        self.advance_until(&never).await.map(drop)
    }

    /// Does what the episode needs next, or writes pending events. When `stop` is cancelled, a request ends at once and
    /// a call to the environment within its grace time; await the future to its end, so that this is recorded.
    pub async fn advance_until(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        let advance = loop {
            match self.begin() {
                Ok(Some(work)) => match self.work(work, stop).await {
                    Ok(Advance::CameBack) => {}
                    advance => break advance,
                },
                Ok(None) => break Ok(Advance::Done),
                Err(error) => break Err(error),
            }
        };
        self.flush_after(advance)
    }

    /// Writes pending events after this, whose error is the first one.
    pub(super) fn flush_after<T>(&mut self, done: Result<T, DriverError>) -> Result<T, DriverError> {
        let flushed = self.log.flush();
        done.and_then(|done| flushed.map(|()| done))
    }

    /// Does what needs no wait, or says what must be waited for. Events may be held back: the caller calls
    /// [`Driver::flush`] before it waits for anything else.
    pub(super) fn begin(&mut self) -> Result<Option<Work>, DriverError> {
        self.log.start_clock();
        let work = self.begin_on_clock();
        self.log.stop_clock();
        work
    }

    fn begin_on_clock(&mut self) -> Result<Option<Work>, DriverError> {
        if self.log.has_unwritten() {
            return self.log.flush().map(|()| None);
        }
        if self.log.is_expired() {
            return self.log.record(Event::Expired).map(|()| None);
        }
        if self.is_detached() {
            return Ok(Some(Work::ComeBack));
        }
        match self.episode().need() {
            Need::Open => return Ok(Some(Work::Open)),
            &Need::Decide { step, attempt } => {
                self.follow_seats()?;
                self.ask()?;
                let is_over = self.episode().ending().is_some();
                return Ok((!is_over).then_some(Work::Reply { step, attempt }));
            }
            Need::Read(reply) => {
                let reply = reply.clone();
                self.read(&reply)?;
            }
            Need::Skip => self.log.record(Event::Skipped)?,
            Need::Ask(inquiry) if inquiry.by_person => {}
            Need::Ask(inquiry) => {
                let inquiry = inquiry.clone();
                let work = Work::Ask(inquiry.purpose);
                return Ok(self.begin_side(&inquiry)?.then_some(work));
            }
            Need::Settle => return Ok(Some(Work::Settle)),
            Need::Act(_) | Need::Finish(_) | Need::Look => return Ok(Some(Work::Act)),
            Need::Judge(_) => return Ok(Some(Work::Judge)),
            Need::Person(_) | Need::Nothing(_) => {}
        }
        Ok(None)
    }

    /// Does the work that [`Driver::begin`] has returned, until `stop` is cancelled. Events may be held back as there.
    pub(super) async fn work(
        &mut self,
        work: Work,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        let span = self.span.clone();
        if self.is_played(work) {
            self.log.start_clock();
        }
        self.link.context.deadline = self.log.deadline().map(Instant::into_std);
        let advance = self.work_within_span(work, stop).instrument(span).await;
        self.log.stop_clock();
        let advance = advance?;
        self.follow_seats().map(|()| advance)
    }

    /// Whether the time of this work counts: not that of a person, of a verdict, nor that until the environment is open.
    fn is_played(&self, work: Work) -> bool {
        match work {
            Work::Open | Work::ComeBack | Work::Settle | Work::Judge => false,
            Work::Ask(purpose) => purpose.is_of_module(),
            Work::Reply { .. } => !self.participants.agent.is_person(),
            Work::Act => true,
        }
    }

    async fn work_within_span(
        &mut self,
        work: Work,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        match (work, self.episode().need().clone()) {
            (Work::Open, _) => self.open(stop).await,
            (Work::ComeBack, _) => self.attach(stop).await,
            (Work::Reply { step, attempt }, _) => self.await_reply(step, attempt, stop).await,
            (Work::Judge, Need::Judge(ending)) => self.judge(ending, stop).await,
            (Work::Ask(_), Need::Ask(inquiry)) => self.await_side(inquiry, stop).await,
            (Work::Settle, Need::Settle) => self.settle(stop).await,
            (Work::Act, Need::Act(action)) => self.act(action, stop).await,
            (Work::Act, Need::Finish(action)) => self.finish(action, stop).await,
            (Work::Act, _) => self.look(stop).await,
            (Work::Ask(_) | Work::Settle | Work::Judge, _) => Ok(Advance::Done),
        }
    }

    /// Writes events that are pending or held back: the last thing to do before the episode is closed.
    pub fn flush(&mut self) -> Result<(), DriverError> {
        self.log.flush()
    }

    /// Advances until the episode is over or asks a person.
    pub async fn run_to_end(&mut self) -> Result<(), DriverError> {
        let waits = |driver: &Self| driver.episode().asks_person() && !driver.is_detached();
        while self.episode().ending().is_none() && !waits(self) {
            self.advance().await?;
        }
        Ok(())
    }

    /// The reply that is being received.
    pub(super) fn live_reply(&self) -> Arc<LiveReply> {
        self.live_reply.clone()
    }

    /// What is needed to compose requests.
    pub(super) fn request_context(&self) -> RequestContext {
        RequestContext {
            prompts: self.participants.prompts.clone(),
            form: Some(self.participants.form.clone()),
            encoder: self.participants.agent.request_encoder(),
            side_encoders: self.participants.roles.encoders(),
        }
    }

    /// The journal, if the episode is recorded.
    pub fn journal_path(&self) -> Option<&Path> {
        self.log.path()
    }

    fn read(&mut self, reply: &str) -> Result<(), DriverError> {
        let Some(now) = self.episode().steps().last() else { return Ok(()) };
        let head = self.episode().head();
        let ending = now.last_reply().map_or(ReplyEnding::Complete, |attempt| attempt.ending.clone());
        let format = &self.participants.form;
        let reader = ReplyReader { rules: &head.rules, format, policy: head.conduct };
        let reading = reader.read(reply, &ending, &now.space);
        let event = match (reading.result, head.setting) {
            (Err(failure), _) => Event::Refused(failure, reading.spans),
            (Ok(actions), Setting::Global) => Event::Planned(actions, reading.spans),
            (Ok(mut actions), Setting::Online) => Event::Accepted(actions.swap_remove(0), reading.spans),
        };
        let due = match &event {
            Event::Accepted(action, _) => Some(action),
            Event::Planned(actions, _) => actions.first(),
            _ => None,
        };
        match due {
            // An action that cannot be repeated is announced before it is carried out.
            Some(action) if !self.episode().refuses(action) => self.log.hold(event),
            _ => self.log.record(event),
        }
    }
}
