//! A decision: the agent is asked in writing, thinks, and what came of it is kept, also when the thought
//! was cut short.

use std::sync::Arc;

use tokio::time::Instant;

use super::Driver;
use super::error::DriveError;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;
use crate::domain::Message;
use crate::domain::Reply;
use crate::domain::Spent;
use crate::engine::asking;
use crate::engine::event::Event;
use crate::engine::hearing::Heard;
use crate::engine::step::Asking;
use crate::engine::step::Attempt;

impl Driver {
    /// The first part of a decision: the asking itself, in writing.
    pub(in crate::engine) fn ask(&mut self) -> Result<(), DriveError> {
        self.journaled.write()?;
        if self.is_spent()? {
            return self.journaled.happen(Event::Exhausted);
        }
        let due = self.request()?;
        self.journaled.happen(Event::Asked)?;
        self.asked = true;
        self.hearing.begin(due);
        Ok(())
    }

    /// Whether the budget is used up. A reply without a count of tokens leaves that open, so nothing more is
    /// asked; what was cut is another matter: nobody knows what it took.
    fn is_spent(&self) -> Result<bool, DriveError> {
        let budget = &self.episode().head().budget;
        if budget.is_open() {
            return Ok(false);
        }
        let attempts = self.episode().steps().iter().flat_map(|step| &step.attempts);
        let whole = attempts.filter(|attempt| !attempt.cut);
        match whole.map(Attempt::spent).sum::<Spent>().unmetered {
            0 => Ok(budget.is_spent(self.episode().spent())),
            count => Err(DriveError::Unmetered(count)),
        }
    }

    /// The second part of a decision: the agent thinks.
    pub(in crate::engine) async fn think(&mut self, step: u32, attempt: u32) -> Result<(), DriveError> {
        let now = self.episode().steps().last().cloned();
        let Some(now) = now.filter(|_| self.episode().ending().is_none()) else { return Ok(()) };
        let request = self.hearing.due();
        let deadline = self.journaled.time_left().map(|left| Instant::now() + left);
        let ask = Ask {
            step,
            attempt,
            setting: self.journaled.episode().head().setting,
            form: &self.cast.form,
            observation: &now.seen,
            space: &now.space,
            steps_left: self.journaled.episode().head().max_steps.saturating_sub(step - 1),
            request: &request,
            line: &*self.hearing,
        };
        let answer = match deadline {
            None => self.cast.agent.decide(ask).await,
            Some(at) => {
                let Ok(answer) = tokio::time::timeout_at(at, self.cast.agent.decide(ask)).await else {
                    self.happen_cut()?;
                    return self.journaled.happen(Event::Expired);
                };
                answer
            }
        };
        // A step that somebody holds is copied when it changes.
        drop(now);
        self.answered(answer)
    }

    /// The thought under way, if there was one, was dropped; what had come of it is kept.
    pub fn cut(&mut self) -> Result<(), DriveError> {
        self.journaled.write()?;
        if self.asked { self.happen_cut() } else { Ok(()) }
    }

    fn answered(&mut self, answer: Result<Answer, AgentError>) -> Result<(), DriveError> {
        self.asked = false;
        match answer {
            Ok(Answer::Said(reply)) => {
                self.happen_sent();
                self.journaled.happen(Event::Replied(reply))
            }
            Ok(Answer::Stood) => self.journaled.happen(Event::Stood),
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
        let episode = self.episode();
        let prompt = self.cast.prompt(episode.prompt())?;
        let request =
            asking::request(episode.head(), episode.steps(), episode.window(), prompt, &self.cast.form);
        Ok(request.map(|request| request.messages.into()).unwrap_or_default())
    }

    /// The request that was heard of goes into the journal before whatever came of it.
    fn happen_sent(&mut self) -> Heard {
        let heard = self.hearing.take();
        if let (Some(sent), Ok(prompt)) = (&heard.sent, self.cast.prompt(self.episode().prompt())) {
            let segments = prompt.digests(self.episode().head().setting).into_iter().collect();
            let asking = Asking { prompt: prompt.name.clone(), segments };
            self.journaled.precede(Event::Sent(sent.clone(), asking));
        }
        heard
    }

    fn happen_cut(&mut self) -> Result<(), DriveError> {
        self.asked = false;
        let heard = self.happen_sent();
        self.journaled.happen(Event::Cut(Reply { text: heard.text, usage: heard.usage, ..Reply::default() }))
    }
}
