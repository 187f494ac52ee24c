//! The verdict: the environment judges an episode that has ended, within a time limit of its own.

use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::DriverError;
use super::link::Called;
use super::{Advance, Driver};
use crate::event::{Ending, Event};
use mageyard_domain::{Conclusion, Judgement, Question, Verdict, answer_to};

impl Driver {
    /// Has the environment judge the episode. What fails or takes too long is recorded, and the episode has no score; a stop
    /// leaves it to be judged when it is resumed.
    pub(super) async fn judge(
        &mut self,
        ending: Ending,
        stop: &CancellationToken,
    ) -> Result<Advance, DriverError> {
        self.begin_verdict();
        let answers = self.episode().answers().to_vec();
        let steps = self.episode().stored_steps();
        let conclusion = Conclusion { ending, last_reply: self.last_reply(), answers, steps };
        let environment = &mut self.participants.environment;
        let grace = environment.grace();
        let judging = environment.judge(&conclusion, &self.link.context);
        let judgement = match self.link.limit(judging, grace, stop).await {
            Called::Done(verdict) if !verdict.questions.is_empty() => {
                return self.ask_for_verdict(verdict, &conclusion);
            }
            Called::Done(verdict) => Judgement::Verdict(verdict),
            Called::Failed(error) => not_judged(&error),
            Called::Panicked(error) => {
                self.detach().await;
                not_judged(&error)
            }
            Called::Stopped => {
                self.detach().await;
                if stop.is_cancelled() {
                    return Ok(Advance::Stopped);
                }
                not_judged(&format!("the environment gave no verdict within {} s", self.verdict_limit()))
            }
        };
        self.record_judgement(judgement)
    }

    /// Asks what the environment needs to judge, unless it was told that before.
    fn ask_for_verdict(&mut self, verdict: Verdict, conclusion: &Conclusion) -> Result<Advance, DriverError> {
        let is_new = |question: &Question| answer_to(&conclusion.answers, question).is_none();
        let questions: Vec<Question> = verdict.questions.into_iter().filter(is_new).collect();
        if questions.is_empty() {
            return self.record_judgement(not_judged(&"the environment asks the same questions again"));
        }
        self.log.record(Event::Questioned(questions))?;
        Ok(Advance::Done)
    }

    /// Brings the environment of a resumed episode back to be judged. If that is not possible, the episode is not judged.
    pub(super) async fn attach_to_judge(&mut self, stop: &CancellationToken) -> Result<Advance, DriverError> {
        self.begin_verdict();
        let why = match self.come_back(stop).await {
            Err(lost) => lost.to_string(),
            Ok(Called::Stopped) => {
                self.detach().await;
                return Ok(Advance::Stopped);
            }
            Ok(Called::Failed(error) | Called::Panicked(error)) => {
                self.detach().await;
                error.to_string()
            }
            Ok(Called::Done(seen)) => {
                self.link.is_attached = true;
                let last = self.episode().steps().last();
                if last.is_some_and(|last| last.state == seen.observation.state()) {
                    return Ok(Advance::CameBack);
                }
                "the environment came back in another state".to_owned()
            }
        };
        self.record_judgement(not_judged(&why))
    }

    /// From now on calls are limited by the time of the verdict: that of the episode may be over.
    fn begin_verdict(&mut self) {
        self.link.renew();
        let limit = self.verdict_limit().duration();
        self.link.context.deadline = Some((Instant::now() + limit).into_std());
    }

    fn verdict_limit(&self) -> mageyard_domain::Seconds {
        self.episode().head().verdict_limit.unwrap_or_default()
    }

    fn last_reply(&self) -> Option<Arc<str>> {
        self.episode().steps().iter().rev().find_map(|step| step.output().cloned())
    }

    fn record_judgement(&mut self, judgement: Judgement) -> Result<Advance, DriverError> {
        self.log.record(Event::Judged(judgement.into()))?;
        Ok(Advance::Done)
    }
}

fn not_judged(why: &impl ToString) -> Judgement {
    Judgement::NotJudged(why.to_string().into())
}
