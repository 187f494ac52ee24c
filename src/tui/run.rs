//! The loop: wait for one message, take all others already there, update, do what must be done,
//! and draw if something changed and a frame's time has passed.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::Instant;

use super::canvas::Canvas;
use super::canvas::Whom;
use super::copy;
use super::exit::Exit;
use super::exit::ScreenError;
use super::handed::Came;
use super::handed::Handed;
use super::inbox::Arrival;
use super::inbox::Inbox;
use super::inbox::Sign;
use super::keyboard::keyboard;
use super::look::House;
use super::look::Look;
use super::model::Model;
use super::model::Viewed;
use super::picture::Gallery;
use super::sheets::Subject;
use super::shot;
use super::terminal::Terminal;
use super::update::Effect;
use super::update::Msg;
use super::update::update;
use super::view;
use crate::config::Problem;
use crate::engine::Order;
use crate::engine::Session;
use crate::engine::Snapshot;

/// The shortest time between two drawings.
const FRAME: Duration = Duration::from_millis(10);
/// How long sessions may take to leave.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the screen opens on.
pub struct Sitting {
    /// The episodes, oldest first. At least one.
    pub sessions: Vec<Session>,
    /// The episode shown at first, from 0.
    pub first: usize,
    /// The step to look at, by its number; `None` follows the newest.
    pub step: Option<u32>,
}

impl Sitting {
    /// One session, followed.
    pub fn of(session: Session) -> Self {
        Self { sessions: vec![session], first: 0, step: None }
    }
}

/// Whether standard input and output are a terminal, so that there can be a screen.
pub fn is_terminal() -> bool {
    Terminal::is_there()
}

/// Takes the terminal and shows the sitting until somebody leaves. `changes` says that files that
/// people edit have changed. Every live session has been told to leave when this returns.
pub async fn run(
    house: &mut dyn House,
    sitting: Sitting,
    look: Look,
    changes: UnboundedReceiver<()>,
) -> Result<Exit, ScreenError> {
    if !Terminal::is_there() {
        return Err(ScreenError::NoTerminal);
    }
    // Signals first: one that comes while the terminal is being taken must not leave it taken.
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), changes);
    inbox.listen()?;
    let mut terminal = Terminal::take(look.settings.mouse)?;
    inbox.hear(keyboard()?);
    Screen::new(house, sitting, look, inbox, &mut terminal)?.run().await
}

/// The running screen. Generic over where it draws so that tests need no terminal.
pub(super) struct Screen<'a, C> {
    house: &'a mut dyn House,
    canvas: &'a mut C,
    inbox: Inbox,
    sessions: Vec<Session>,
    model: Model,
    gallery: Gallery,
    drawn: Option<Instant>,
    /// Whether the terminal is given back for now.
    suspended: bool,
    /// A text on its way to the person's own editor.
    handed: Option<Handed>,
}

impl<'a, C: Canvas> Screen<'a, C> {
    pub(super) fn new(
        house: &'a mut dyn House,
        sitting: Sitting,
        look: Look,
        inbox: Inbox,
        canvas: &'a mut C,
    ) -> Result<Self, ScreenError> {
        let model = Model::new(look, canvas.size()?, Vec::new());
        let gallery = Gallery::default();
        let mut this = Self {
            house,
            canvas,
            inbox,
            sessions: Vec::new(),
            model,
            gallery,
            drawn: None,
            suspended: false,
            handed: None,
        };
        this.model.levels = this.house.levels();
        this.model.themes = this.house.themes();
        for session in sitting.sessions {
            let live = session.orders.is_some();
            let snapshot = this.seat(session);
            this.model.episodes.push(Viewed::new(snapshot, live));
        }
        this.begin(sitting.first, sitting.step);
        Ok(this)
    }

    fn begin(&mut self, first: usize, step: Option<u32>) {
        self.model.at = first.min(self.model.episodes.len().saturating_sub(1));
        if let (Some(number), Some(viewed)) = (step, self.model.viewed_mut()) {
            viewed.cursor = viewed.snapshot.steps.iter().position(|step| step.number == number);
        }
    }

    /// Listens to a session and keeps the way to order it.
    fn seat(&mut self, mut session: Session) -> Arc<Snapshot> {
        let snapshot = session.snapshots.borrow_and_update().clone();
        self.inbox.follow(session.snapshots.clone());
        self.sessions.push(session);
        snapshot
    }

    /// Runs until somebody leaves.
    pub(super) async fn run(mut self) -> Result<Exit, ScreenError> {
        let exit = match self.turn_around().await {
            // Drawing can be told before the signal that the terminal has gone.
            Err(ScreenError::Terminal(error)) if has_gone(&error) => Ok(Exit::HungUp),
            exit => exit,
        };
        self.canvas.release();
        self.dismiss().await;
        exit
    }

    async fn turn_around(&mut self) -> Result<Exit, ScreenError> {
        loop {
            let due = self.draw_if_due()?;
            let arrivals = match due {
                Some(due) => tokio::time::timeout_at(due, self.inbox.take()).await.unwrap_or_default(),
                None => self.inbox.take().await,
            };
            for arrival in arrivals {
                if let Some(exit) = self.take(arrival)? {
                    return Ok(exit);
                }
                if let Some(exit) = self.hand_over().await? {
                    return Ok(exit);
                }
            }
            if self.canvas.is_broken() {
                return Err(ScreenError::Broken);
            }
        }
    }

    fn take(&mut self, arrival: Arrival) -> Result<Option<Exit>, ScreenError> {
        match arrival {
            Arrival::Msg(msg) => self.tell(msg),
            Arrival::Sign(Sign::Interrupt) => Ok(Some(Exit::Interrupted)),
            Arrival::Sign(Sign::Terminate) => Ok(Some(Exit::Terminated)),
            Arrival::Sign(Sign::HangUp) | Arrival::Gone => Ok(Some(Exit::HungUp)),
            Arrival::Sign(Sign::Stop) => self.suspend(Whom::Program).map(|()| None),
            Arrival::Sign(Sign::Continue) => self.resume().map(|()| None),
            Arrival::Sign(Sign::Resize) => {
                let size = self.canvas.size()?;
                self.tell(Msg::Resized(size))
            }
        }
    }

    /// Updates, and performs effects until none is left; their answers are messages again.
    fn tell(&mut self, msg: Msg) -> Result<Option<Exit>, ScreenError> {
        let mut due = vec![msg];
        while let Some(msg) = due.pop() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Leave => return Ok(Some(Exit::Left)),
                    effect => due.extend(self.perform(effect)?),
                }
            }
        }
        Ok(None)
    }

    fn perform(&mut self, effect: Effect) -> Result<Option<Msg>, ScreenError> {
        match effect {
            Effect::Order(number, order) => return Ok(self.order(number, order)),
            Effect::Open(reference) => return Ok(Some(Msg::Opened(self.open(&reference)))),
            Effect::Reload => {
                let answer = self.house.reload();
                if let Ok(look) = &answer {
                    self.canvas.set_mouse(look.settings.mouse)?;
                }
                self.model.levels = self.house.levels();
                self.model.themes = self.house.themes();
                return Ok(Some(Msg::Reloaded(Box::new(answer))));
            }
            Effect::Theme(name) => return Ok(Some(Msg::Themed(Box::new(self.house.theme(&name))))),
            Effect::Develop => return Ok(Some(Msg::Developed(shot::develop(&self.model).map(Box::new)))),
            Effect::Copy(what, to) => {
                let copied = copy::copy(&self.model, what, to);
                if let Some(sequence) = copied.sequence {
                    self.canvas.tell(&sequence)?;
                }
                return Ok(Some(Msg::Copied(copied.said)));
            }
            Effect::Draft { environment, from } => {
                let answer = self.house.draft(&environment, &from);
                return Ok(Some(Msg::Drafted(Subject::Prompt { environment, from }, answer)));
            }
            Effect::Keep { environment, text } => {
                return Ok(Some(Msg::Kept(Box::new(self.house.keep(&environment, &text)))));
            }
            Effect::Hand(text, extension) => {
                match Handed::new(self.house.editor().as_deref(), &text, extension) {
                    Ok(handed) => self.handed = Some(handed),
                    Err(why) => return Ok(Some(Msg::Returned(Err(why)))),
                }
            }
            Effect::Suspend => self.suspend(Whom::Job)?,
            Effect::Redraw => self.canvas.clear()?,
            Effect::Leave => {}
        }
        Ok(None)
    }

    /// An order to a session that has ended by itself closes it.
    fn order(&mut self, number: usize, order: Order) -> Option<Msg> {
        let sender = self.sessions.get(number)?.orders.as_ref()?;
        sender.send(order).is_err().then_some(Msg::Closed(number))
    }

    fn open(&mut self, reference: &str) -> Result<Arc<Snapshot>, Problem> {
        let session = self.house.open(reference)?;
        Ok(self.seat(session))
    }

    /// Gives the terminal to the person's own editor, if a text is meant for it, until it ends.
    async fn hand_over(&mut self) -> Result<Option<Exit>, ScreenError> {
        let Some(handed) = self.handed.take() else { return Ok(None) };
        if self.inbox.stop_keys().is_err() {
            let why = "the keyboard is still being read, so no editor can have it: try again";
            return self.tell(Msg::Returned(Err(why.into())));
        }
        self.canvas.release();
        let came = handed.edit(&mut self.inbox).await;
        let text = match came {
            Came::Out(exit) => return Ok(Some(exit)),
            Came::Back(text) => text,
        };
        self.resume()?;
        self.inbox.go_on_with_keys();
        self.tell(Msg::Returned(text))
    }

    fn suspend(&mut self, whom: Whom) -> Result<(), ScreenError> {
        if !self.suspended {
            self.suspended = true;
            self.canvas.suspend(whom)?;
        }
        Ok(())
    }

    /// After the continue signal, whoever stopped us: the terminal may be in any state.
    fn resume(&mut self) -> Result<(), ScreenError> {
        self.canvas.resume()?;
        self.suspended = false;
        self.model.size = self.canvas.size()?;
        self.model.stale = true;
        Ok(())
    }

    /// Draws if it is time; otherwise says when it will be, if something is to be drawn at all.
    fn draw_if_due(&mut self) -> Result<Option<Instant>, ScreenError> {
        if !self.model.stale || self.suspended {
            return Ok(None);
        }
        let now = Instant::now();
        match self.drawn.map(|drawn| drawn + FRAME).filter(|due| *due > now) {
            Some(due) => Ok(Some(due)),
            None => self.draw(now).map(|()| None),
        }
    }

    fn draw(&mut self, now: Instant) -> Result<(), ScreenError> {
        self.model.size = self.canvas.size()?;
        let Self { model, gallery, canvas, .. } = self;
        gallery.prepare(model, Rect::new(0, 0, model.size.width, model.size.height));
        canvas.draw(&mut |area, buffer| view::draw(model, gallery, area, buffer))?;
        self.model.stale = false;
        self.drawn = Some(now);
        Ok(())
    }

    /// Tells every live session to leave, all at once, and waits a while for them.
    async fn dismiss(self) {
        for orders in self.sessions.iter().filter_map(|session| session.orders.as_ref()) {
            // One that has ended by itself is gone already.
            let _ = orders.send(Order::Leave);
        }
        let live = self.sessions.into_iter().filter(|session| session.orders.is_some());
        let all = live.map(|session| ended(session.snapshots));
        // What is not done by then is picked up from the journal, which is whole at every event.
        let _ = tokio::time::timeout(PATIENCE, futures_util::future::join_all(all)).await;
    }
}

/// Waits until nobody makes snapshots any more: the session has ended.
async fn ended(mut snapshots: watch::Receiver<Arc<Snapshot>>) {
    while snapshots.changed().await.is_ok() {}
}

fn has_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error())
}

#[cfg(test)]
mod tests;
