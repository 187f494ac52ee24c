//! The driver: meets what an episode needs, writes what happened to the journal, then tells the episode.
//!
//! Writing comes first. An event that could not be written waits in the driver, and nothing else happens
//! until it is written; so a full disk loses nothing and an environment never acts twice.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use super::asking::request;
use super::edit::Edit;
use super::edit::EditError;
use super::edit::Spot;
use super::episode::Episode;
use super::episode::Need;
use super::episode::OutOfTurn;
use super::event::Asking;
use super::event::Event;
use super::hearing::Heard;
use super::hearing::Hearing;
use super::journal::Journal;
use super::journal::JournalError;
use super::snapshot::Snapshot;
use super::step::Attempt;
use crate::dialog::Prompt;
use crate::dialog::read;
use crate::domain::Action;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;
use crate::domain::Environment;
use crate::domain::EnvironmentError;
use crate::domain::Form;
use crate::domain::Kind;
use crate::domain::Message;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::Setting;
use crate::domain::Spent;
use crate::domain::Wanted;
use crate::domain::Window;

/// Why the driver stands still. The episode is as it was, and the same can be tried again.
#[derive(Debug, Error)]
pub enum DriveError {
    /// The journal could not be written.
    #[error("the journal cannot be written, so nothing goes on: {0}. Make room, then go on: nothing is lost")]
    Journal(#[from] JournalError),
    /// The agent gave no answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The environment did not act.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// There is a budget, and the server does not say what it takes.
    #[error("the budget cannot be kept: the server gave no count of tokens for {0} of the replies")]
    Unmetered(usize),
    /// There is no prompt variant of this name.
    #[error("there is no prompt {name:?}; there are: {there}")]
    NoPrompt {
        /// What was asked for.
        name: String,
        /// The names there are.
        there: String,
    },
    /// What a person put in the place of what was pending cannot stand there.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The episode refused an event: a mistake of this program.
    #[error(transparent)]
    Order(#[from] OutOfTurn),
}

/// Where events are written before they count.
pub trait Log: Send {
    /// Writes one event; when it fails, nothing of it is left.
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError>;
    /// Called when the episode is over.
    fn finish(&mut self) -> Result<(), JournalError>;
    /// The file, where there is one.
    fn path(&self) -> Option<&Path> {
        None
    }
}

impl Log for Journal {
    fn append(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        Journal::append(self, at, event)
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        self.sync()
    }

    fn path(&self) -> Option<&Path> {
        Some(Journal::path(self))
    }
}

/// Who and what takes part in an episode.
pub struct Cast {
    /// The environment, where the episode stands in it.
    pub environment: Box<dyn Environment>,
    /// Who decides.
    pub agent: Box<dyn Agent>,
    /// The environment's own form of a reply.
    pub form: Form,
    /// The prompt variants there are.
    pub prompts: Arc<[Prompt]>,
    /// Finds the best that can be reached, for an episode that is still to be opened.
    pub reference: Option<Search>,
}

/// A search that may take long, on a thread of its own; it looks at the flag whether to stop.
pub type Search = Box<dyn FnOnce(&AtomicBool) -> Option<Reference> + Send>;

/// Searches until it is found or the future is dropped. A search that breaks down finds nothing.
async fn deliberate(search: Search) -> Option<Reference> {
    let wanted = Wanted::default();
    let stop = wanted.flag();
    tokio::task::spawn_blocking(move || search(&stop)).await.ok().flatten()
}

/// An episode with everything it takes to go on.
pub struct Driver {
    episode: Episode,
    cast: Cast,
    hearing: Arc<Hearing>,
    /// Whether the agent was asked and nothing has come of it yet.
    asked: bool,
    log: Box<dyn Log>,
    /// Events that happened and are still to be written, oldest first.
    unwritten: VecDeque<Event>,
    began: Instant,
    earlier: Duration,
}

impl Driver {
    /// A driver for an episode that is new, or was restored together with its environment. The reading rules
    /// of the head say what becomes of the environment's form. `earlier` is the episode's own time so far.
    pub fn new(episode: Episode, cast: Cast, log: Box<dyn Log>, earlier: Duration) -> Self {
        let (hearing, unwritten) = (Arc::default(), VecDeque::new());
        let form = episode.head().rules.form(&cast.form);
        let cast = Cast { form, ..cast };
        Self { episode, cast, hearing, asked: false, log, unwritten, began: Instant::now(), earlier }
    }

    /// The episode as it stands.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The episode's own time so far.
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.began.elapsed()
    }

    /// Meets the present need, or writes what waits to be written. Dropping the future while the level
    /// opens or the agent is asked is a cancel (then call [`Driver::cut`]); while the environment acts it
    /// must not be dropped.
    pub async fn meet(&mut self) -> Result<(), DriveError> {
        if !self.unwritten.is_empty() {
            return self.write();
        }
        if self.expired() {
            return self.happen(Event::Expired);
        }
        match self.episode.need().clone() {
            Need::Open => self.open().await,
            Need::Decide { step, attempt } => {
                self.ask()?;
                self.think(step, attempt).await
            }
            Need::Read(reply) => self.read(&reply),
            Need::Pass => self.happen(Event::Passed),
            Need::Act(action) => self.act(action).await,
            Need::Nothing(_) => Ok(()),
        }
    }

    /// Writes what waits to be written: the last thing to do before an episode is left.
    pub fn settle(&mut self) -> Result<(), DriveError> {
        self.write()
    }

    /// Meets needs until the episode is over.
    pub async fn finish(&mut self) -> Result<(), DriveError> {
        while self.episode.ending().is_none() {
            self.meet().await?;
        }
        Ok(())
    }

    /// The thought under way, if there was one, was dropped; what had come of it is kept.
    pub fn cut(&mut self) -> Result<(), DriveError> {
        self.write()?;
        if self.asked { self.happen_cut() } else { Ok(()) }
    }

    /// Changes the prompt variant for the next request.
    pub fn prompt(&mut self, name: &str) -> Result<(), DriveError> {
        self.write()?;
        self.variant(name)?;
        self.happen(Event::Prompted(name.to_owned()))
    }

    /// Adds a prompt variant that was written since, and takes it for the next request. One of the same name
    /// is replaced.
    pub fn write_prompt(&mut self, prompt: Prompt) -> Result<(), DriveError> {
        let name = prompt.name.clone();
        let others = self.cast.prompts.iter().filter(|other| other.name != name).cloned();
        self.cast.prompts = others.chain([prompt]).collect();
        self.prompt(&name)
    }

    /// Puts what a person wrote in the place of what is pending; a reply is then read. What was made for
    /// another spot is refused.
    pub fn edit(&mut self, meant: Spot, edit: Edit) -> Result<(), DriveError> {
        self.write()?;
        let now = self.episode.steps().last().map_or(Spot { step: 0, replies: 0 }, |step| Spot::of(step));
        if meant != now {
            return Err(EditError::Moved { meant, now }.into());
        }
        self.episode.can_edit(&edit)?;
        self.happen(Event::Edited(edit))?;
        match self.episode.need().clone() {
            Need::Read(reply) => self.read(&reply),
            _ => Ok(()),
        }
    }

    /// Changes the memory window for the next request.
    pub fn set(&mut self, window: Window) -> Result<(), DriveError> {
        self.write()?;
        self.happen(Event::Set(window))
    }

    /// Ends the episode because a person gives it up.
    pub fn abandon(&mut self) -> Result<(), DriveError> {
        self.write()?;
        self.happen(Event::Abandoned)
    }

    /// What has been heard of the thought under way.
    pub(super) fn hearing(&self) -> Arc<Hearing> {
        self.hearing.clone()
    }

    /// The episode as it stands, with what it takes to look at requests.
    pub fn snapshot(&self, kind: &dyn Kind, folder: &Path) -> Snapshot {
        Snapshot {
            prompts: self.cast.prompts.clone(),
            form: Some(self.cast.form.clone()),
            packing: self.cast.agent.packing(),
            journal: self.log.path().map(Path::to_owned),
            ..Snapshot::of(&self.episode, kind, folder)
        }
    }

    /// Gives back what the environment holds.
    pub async fn close(&mut self) {
        self.cast.environment.close().await;
    }

    async fn open(&mut self) -> Result<(), DriveError> {
        let opening = self.cast.environment.open().await?;
        let reference = match self.cast.reference.take() {
            Some(search) => deliberate(search).await,
            None => None,
        };
        self.happen(Event::Opened(opening, reference))
    }

    /// The first part of a decision: the asking itself, in writing.
    pub(super) fn ask(&mut self) -> Result<(), DriveError> {
        self.write()?;
        if self.is_spent()? {
            return self.happen(Event::Exhausted);
        }
        let due = self.request()?;
        self.happen(Event::Asked)?;
        self.asked = true;
        self.hearing.begin(due);
        Ok(())
    }

    /// Whether the budget is used up. A reply without a count of tokens leaves that open, so nothing more is
    /// asked; what was cut is another matter: nobody knows what it took.
    fn is_spent(&self) -> Result<bool, DriveError> {
        let budget = &self.episode.head().budget;
        if budget.is_open() {
            return Ok(false);
        }
        let attempts = self.episode.steps().iter().flat_map(|step| &step.attempts);
        let whole = attempts.filter(|attempt| !attempt.cut);
        match whole.map(Attempt::spent).sum::<Spent>().unmetered {
            0 => Ok(budget.is_spent(self.episode.spent())),
            count => Err(DriveError::Unmetered(count)),
        }
    }

    /// The second part of a decision: the agent thinks.
    pub(super) async fn think(&mut self, step: u32, attempt: u32) -> Result<(), DriveError> {
        let now = self.episode.steps().last().cloned();
        let Some(now) = now.filter(|_| self.episode.ending().is_none()) else { return Ok(()) };
        let request = self.hearing.due();
        let deadline = self.time_left().map(|left| Instant::now() + left);
        let ask = Ask {
            step,
            attempt,
            setting: self.episode.head().setting,
            form: &self.cast.form,
            observation: &now.seen,
            space: &now.space,
            steps_left: self.episode.head().max_steps.saturating_sub(step - 1),
            request: &request,
            line: &*self.hearing,
        };
        let answer = match deadline {
            None => self.cast.agent.decide(ask).await,
            Some(at) => {
                let Ok(answer) = tokio::time::timeout_at(at, self.cast.agent.decide(ask)).await else {
                    self.happen_cut()?;
                    return self.happen(Event::Expired);
                };
                answer
            }
        };
        self.answered(answer)
    }

    fn answered(&mut self, answer: Result<Answer, AgentError>) -> Result<(), DriveError> {
        self.asked = false;
        match answer {
            Ok(Answer::Said(reply)) => {
                self.happen_sent();
                self.happen(Event::Replied(reply))
            }
            Ok(Answer::Stood) => self.happen(Event::Stood),
            // What came before it failed is worth seeing.
            Err(error) if self.hearing.heard().sent.is_some() => {
                self.happen_cut()?;
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The turns that ask for the present step; none for an agent that reads no requests.
    fn request(&self) -> Result<Arc<[Message]>, DriveError> {
        if !self.cast.agent.reads() {
            return Ok(Arc::default());
        }
        let episode = &self.episode;
        let prompt = self.variant(episode.prompt())?;
        let request = request(episode.head(), episode.steps(), episode.window(), prompt, &self.cast.form);
        Ok(request.map(|request| request.messages.into()).unwrap_or_default())
    }

    fn variant(&self, name: &str) -> Result<&Prompt, DriveError> {
        let found = self.cast.prompts.iter().find(|prompt| prompt.name == name);
        found.ok_or_else(|| DriveError::NoPrompt {
            name: name.to_owned(),
            there: self.cast.prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// The request that was heard of goes into the journal before whatever came of it.
    fn happen_sent(&mut self) -> Heard {
        let heard = self.hearing.take();
        if let (Some(sent), Ok(prompt)) = (&heard.sent, self.variant(self.episode.prompt())) {
            let segments = prompt.digests(self.episode.head().setting).into_iter().collect();
            let asking = Asking { prompt: prompt.name.clone(), segments };
            self.unwritten.push_back(Event::Sent(sent.clone(), asking));
        }
        heard
    }

    fn happen_cut(&mut self) -> Result<(), DriveError> {
        self.asked = false;
        let heard = self.happen_sent();
        self.happen(Event::Cut(Reply { text: heard.text, usage: heard.usage, ..Reply::default() }))
    }

    fn read(&mut self, reply: &str) -> Result<(), DriveError> {
        let Some(now) = self.episode.steps().last() else { return Ok(()) };
        let head = self.episode.head();
        let reading = read(&head.rules, &self.cast.form, reply, &now.space);
        let event = match (reading.verdict, head.setting) {
            (Err(failure), _) => Event::Refused(failure, reading.marks),
            (Ok(actions), Setting::Global) => Event::Planned(actions, reading.marks),
            (Ok(mut actions), Setting::Online) => Event::Accepted(actions.swap_remove(0), reading.marks),
        };
        self.happen(event)
    }

    async fn act(&mut self, action: Action) -> Result<(), DriveError> {
        let outcome = self.cast.environment.act(&action).await?;
        self.happen(Event::Acted(action, outcome))
    }

    /// What cannot happen now is refused before it is written: a journal holds nothing that does not
    /// lead back to its episode.
    fn happen(&mut self, event: Event) -> Result<(), DriveError> {
        self.episode.fits(&event)?;
        self.unwritten.push_back(event);
        self.write()
    }

    /// Writes the events that wait, and only then lets each count.
    fn write(&mut self) -> Result<(), DriveError> {
        let at = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        while let Some(event) = self.unwritten.front() {
            self.log.append(at, event)?;
            if let Some(event) = self.unwritten.pop_front() {
                self.episode.apply(event)?;
            }
            if self.episode.ending().is_some() {
                self.log.finish()?;
            }
        }
        Ok(())
    }

    fn time_left(&self) -> Option<Duration> {
        let limit = Duration::from_secs(self.episode.head().max_time?);
        Some(limit.saturating_sub(self.elapsed()))
    }

    fn expired(&self) -> bool {
        let under_way = self.episode.ending().is_none() && *self.episode.need() != Need::Open;
        under_way && self.time_left().is_some_and(|left| left.is_zero())
    }
}
