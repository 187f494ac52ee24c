//! Asks for the screen: planned, made and read beside it; the results reach it as events.

mod blame;
mod replies;
mod to_end;

use std::fs;
use std::future::Future;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::ask_view::view;
use crate::asking::blame::{Blame, Judged};
use crate::asking::replies::Replies;
use crate::asking::to_end::ToEnd;
use mageyard_cli::exit::Failure;
use mageyard_cli::planned_calls::{PlannedCalls, Signals};
use mageyard_config::{Config, Problem, Sources, load_prices};
use mageyard_engine::Store;
use mageyard_lab::{AnswerReference, Lab, LabError, WrittenArgs, read_written_args, step_reference};
use mageyard_screen::{
    Answer, Answers, AskAnswer, AskOrder, LeftOutMark, PlannedAsk, PlannedBlame, PlannedWords, RatedReply,
};
use mageyard_study::{AskArgs, PartMark, ask_spending, part_marks, rate_answer, stored_asks};

/// The shortest time between two reports of what has come back.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// The ask in progress, which stops when it is dropped.
#[derive(Default)]
pub(crate) struct Asking(PlannedCalls);

/// What asks need.
pub(crate) struct Asker {
    pub(crate) lab: Lab,
    pub(crate) sources: Sources,
    pub(crate) answers: Answers,
}

/// What is planned and can be made.
enum Ready {
    Replies(Box<Replies>),
    ToEnd(Box<ToEnd>),
    Blame(Box<Blame>),
}

impl Ready {
    fn planned(&self) -> PlannedAsk {
        match self {
            Self::Replies(replies) => replies.planned(),
            Self::ToEnd(branches) => branches.planned(),
            Self::Blame(blame) => blame.planned(),
        }
    }

    async fn make(&self, asker: &Asker, number: u64, stop: &CancellationToken) -> Result<(), Problem> {
        match self {
            Self::Replies(replies) => replies.make(asker, number, stop).await,
            Self::ToEnd(branches) => branches.make(asker, number, stop).await,
            Self::Blame(blame) => blame.make(asker, number, stop).await,
        }
    }
}

impl Asking {
    /// Does what a person wants.
    pub(crate) fn take(&mut self, order: AskOrder, asker: Asker) {
        match order {
            AskOrder::Plan(planned) => {
                *self = Self::begin(planned.number, |signals| asker.ask(planned, signals));
            }
            AskOrder::Blame(planned) => {
                *self = Self::begin(planned.number, |signals| asker.blame(planned, signals));
            }
            AskOrder::Make(number) => self.0.make(number),
            AskOrder::Stop => *self = Self::default(),
            AskOrder::List(journal, step) => {
                tokio::task::spawn_blocking(move || {
                    let listed = asker.listed(&journal, step).map_err(problem);
                    asker.send(AskAnswer::Listed(journal, step, listed));
                });
            }
            AskOrder::ReadRequest(folder, variant) => {
                tokio::task::spawn_blocking(move || {
                    let request = read_request(&folder, variant);
                    asker.send(AskAnswer::Request(folder, variant, request));
                });
            }
            AskOrder::Rate(rated) => {
                tokio::task::spawn_blocking(move || {
                    let answer = rate(&rated).map_err(problem);
                    asker.send(AskAnswer::Rated(rated, answer));
                });
            }
            AskOrder::ReadAsks(journal) => {
                tokio::task::spawn_blocking(move || {
                    // Damaged asks are reported where they are listed.
                    let marks = part_marks(&journal).unwrap_or_default().iter().map(mark).collect();
                    let spent = ask_spending(&journal).unwrap_or_default();
                    asker.send(AskAnswer::Asks { journal, spent, marks });
                });
            }
        }
    }

    /// Starts a task that plans, and makes what it planned once it is let.
    fn begin<T: Future<Output = ()> + Send + 'static>(number: u64, task: impl FnOnce(Signals) -> T) -> Self {
        let (calls, signals) = PlannedCalls::new(number);
        tokio::spawn(task(signals));
        Self(calls)
    }
}

impl Asker {
    fn send(&self, answer: AskAnswer) {
        self.answers.send(Answer::Asked(answer));
    }

    /// Plans an ask, and makes it once a person wants that.
    async fn ask(self, planned: PlannedWords, Signals { wanted, stop }: Signals) {
        let number = planned.number;
        match unless_stopped(&stop, Box::pin(self.planned(&planned))).await {
            Some(Ok(ready)) => self.make(number, ready, wanted, &stop).await,
            Some(Err(refused)) => self.send(AskAnswer::Planned(number, Err(refused))),
            None => {}
        }
    }

    /// Asks the solver which step lost an episode, or plans to play it on, and does that once a person wants it.
    async fn blame(self, planned: PlannedBlame, Signals { wanted, stop }: Signals) {
        let number = planned.number;
        match unless_stopped(&stop, Box::pin(Blame::plan(&self, &planned))).await {
            Some(Ok(Judged::Planned(blame))) => self.make(number, Ready::Blame(blame), wanted, &stop).await,
            Some(Ok(Judged::Verdict(verdict))) => self.send(AskAnswer::Judged(number, Ok(verdict))),
            Some(Err(refused)) => self.send(AskAnswer::Judged(number, Err(refused))),
            None => {}
        }
    }

    async fn make(&self, number: u64, ready: Ready, wanted: oneshot::Receiver<()>, stop: &CancellationToken) {
        self.send(AskAnswer::Planned(number, Ok(ready.planned())));
        if wanted.await.is_ok() {
            let ended = ready.make(self, number, stop).await;
            self.send(AskAnswer::Ended(number, ended));
        }
    }

    async fn planned(&self, planned: &PlannedWords) -> Result<Ready, Problem> {
        let written: WrittenArgs<AskArgs> = read_written_args(&self.lab, &planned.words)?;
        let names = written.given_names();
        let WrittenArgs { args, given } = written;
        let mut sources = self.sources.clone();
        sources.overrides.extend(given);
        let config = sources.read()?;
        let at_once = args.concurrency.map(usize::from);
        if let Some(request) = args.continuation(planned.step, names.clone()) {
            let branches = ToEnd::plan(self, planned, (&request, config, at_once)).await?;
            return Ok(Ready::ToEnd(branches.into()));
        }
        let request = args.request(planned.step, names);
        let replies = Replies::plan(self, planned, (&request, &config, at_once)).await?;
        Ok(Ready::Replies(replies.into()))
    }

    fn listed(&self, journal: &Path, step: u32) -> Result<Vec<Arc<mageyard_screen::AskView>>, LabError> {
        let config = self.sources.read()?;
        let prices = load_prices(config.folders())?;
        let run = reference(&config, journal, step);
        let asks = stored_asks(journal, step)?;
        Ok(asks.iter().map(|ask| Arc::new(view(&run, ask, &prices, None))).collect())
    }
}

/// What work comes to, unless it is stopped before.
async fn unless_stopped<T>(stop: &CancellationToken, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        () = stop.cancelled() => None,
        done = work => Some(done),
    }
}

/// Awaits work; meanwhile `report` is called at intervals.
async fn with_reports<T>(mut work: impl Future<Output = T> + Unpin, mut report: impl FnMut()) -> T {
    let mut clock = tokio::time::interval(REPORT_INTERVAL);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = clock.tick() => report(),
        }
    }
}

pub(crate) fn lock<T>(shown: &Mutex<T>) -> MutexGuard<'_, T> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reference(config: &Config, journal: &Path, step: u32) -> String {
    step_reference(&Store::new(config.store_folder()).reference(journal), step)
}

/// The body of a request as it was stored, one field a line.
fn read_request(folder: &Path, variant: usize) -> Result<String, Problem> {
    let path = folder.join("requests").join(format!("{variant}.json"));
    let text = fs::read_to_string(&path).map_err(|error| {
        Problem::new(format!("{}: the sent request cannot be read: {error}", path.display()))
    })?;
    let body: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    Ok(body.and_then(|body| serde_json::to_string_pretty(&body).ok()).unwrap_or(text))
}

fn rate(rated: &RatedReply) -> Result<(), LabError> {
    let RatedReply { journal, step, ask, variant, sample, rating } = rated;
    let answer = AnswerReference { ask: ask.clone(), variant: *variant, sample: *sample };
    rate_answer(journal, *step, &answer, *rating)
}

fn mark(mark: &PartMark) -> LeftOutMark {
    let PartMark { step, part, distance, is_different, .. } = *mark;
    LeftOutMark { step, part, distance, is_different }
}

pub(crate) fn problem(error: LabError) -> Problem {
    Failure::from(error).into_problem()
}
