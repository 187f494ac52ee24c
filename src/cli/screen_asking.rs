//! Asks for the screen: planned, made and read beside it; the results reach it as events.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::sync::DropGuard;

use super::ask::plan_lines;
use super::ask::view;
use super::exit::Failure;
use crate::config::Config;
use crate::config::Problem;
use crate::config::Sources;
use crate::config::load_prices;
use crate::engine::Store;
use crate::lab::AnswerReference;
use crate::lab::AskCall;
use crate::lab::AskOutcome;
use crate::lab::AskPlan;
use crate::lab::AskStop;
use crate::lab::Lab;
use crate::lab::LabError;
use crate::lab::PartMark;
use crate::lab::StoredAsk;
use crate::lab::WrittenAsk;
use crate::lab::part_marks;
use crate::lab::rate_answer;
use crate::lab::step_reference;
use crate::lab::stored_asks;
use crate::tui::AskAnswer;
use crate::tui::AskOrder;
use crate::tui::HostEvent;
use crate::tui::LeftOutMark;
use crate::tui::PlannedAsk;
use crate::tui::PlannedWords;
use crate::tui::RatedReply;

/// The shortest time between two reports of what has come back.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// The ask in progress, which stops when it is dropped.
#[derive(Default)]
pub(super) struct Asking(Option<Running>);

struct Running {
    number: u64,
    /// Lets the planned calls begin, once.
    make: Option<oneshot::Sender<()>>,
    _stop: DropGuard,
}

/// What asks need.
pub(super) struct Asker {
    pub(super) lab: Lab,
    pub(super) sources: Sources,
    pub(super) events: UnboundedSender<HostEvent>,
}

impl Asking {
    /// Does what a person wants.
    pub(super) fn take(&mut self, order: AskOrder, asker: Asker) {
        match order {
            AskOrder::Plan(planned) => *self = Self::plan(planned, asker),
            AskOrder::Make(number) => self.make(number),
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
            AskOrder::ReadParts(journal) => {
                tokio::task::spawn_blocking(move || {
                    // Damaged asks are reported where they are listed.
                    let marks = part_marks(&journal).unwrap_or_default();
                    asker.send(AskAnswer::Parts(journal, marks.iter().map(mark).collect()));
                });
            }
        }
    }

    fn plan(planned: PlannedWords, asker: Asker) -> Self {
        let (make, wanted) = oneshot::channel();
        let stop = CancellationToken::new();
        let running = Running { number: planned.number, make: Some(make), _stop: stop.clone().drop_guard() };
        tokio::spawn(async move { asker.ask(planned, wanted, stop).await });
        Self(Some(running))
    }

    fn make(&mut self, number: u64) {
        let running = self.0.as_mut().filter(|running| running.number == number);
        if let Some(make) = running.and_then(|running| running.make.take()) {
            // The plan was refused.
            let _ = make.send(());
        }
    }
}

impl Asker {
    fn send(&self, answer: AskAnswer) {
        // The screen may be closed.
        let _ = self.events.send(HostEvent::Asked(answer));
    }

    /// Plans an ask, and makes its calls once a person wants them.
    async fn ask(self, planned: PlannedWords, wanted: oneshot::Receiver<()>, stop: CancellationToken) {
        let number = planned.number;
        let ready = match self.planned(&planned).await {
            Ok(ready) => ready,
            Err(refused) => return self.send(AskAnswer::Planned(number, Err(refused))),
        };
        let left = ready.left.iter().sum();
        let lines = plan_lines(&ready.run, &ready.plan, &ready.plan.estimate(&ready.left));
        self.send(AskAnswer::Planned(number, Ok(PlannedAsk { lines, calls_left: left })));
        if wanted.await.is_ok() {
            let ended = self.make(number, &ready, &stop).await;
            self.send(AskAnswer::Ended(number, ended));
        }
    }

    async fn planned(&self, planned: &PlannedWords) -> Result<Ready, Problem> {
        let PlannedWords { journal, step, words, .. } = planned;
        let WrittenAsk { given, request, at_once } = self.lab.read_ask(words, *step)?;
        let mut sources = self.sources.clone();
        sources.overrides.extend(given);
        let config = sources.read()?;
        let plan = self.lab.plan_ask(journal, &request, &config).await.map_err(problem)?;
        let left = self.lab.calls_left(&plan).map_err(problem)?;
        let known = stored_asks(journal, *step).map_err(problem)?;
        let known = known.into_iter().find(|ask| ask.record.id() == plan.record.id());
        let at_once = at_once.unwrap_or(usize::MAX).min(plan.at_once());
        Ok(Ready { run: reference(&config, journal, *step), plan, left, known, at_once })
    }

    /// Makes the calls and reports what has come back, several calls at a time.
    async fn make(&self, number: u64, ready: &Ready, stop: &CancellationToken) -> Result<(), Problem> {
        let shown = Mutex::new(Shown::of(ready));
        self.report(number, ready, &shown);
        let mut arrived = |call: &AskCall, _| lock(&shown).take(call);
        let mut asked = pin!(self.lab.run_ask(&ready.plan, ready.at_once, stop, &mut arrived));
        let mut clock = tokio::time::interval(REPORT_INTERVAL);
        let outcome = loop {
            tokio::select! {
                biased;
                outcome = &mut asked => break outcome,
                _ = clock.tick() => self.report(number, ready, &shown),
            }
        };
        let outcome = outcome.map_err(problem)?;
        let whole = view(&ready.run, &outcome.ask, ready.plan.prices(), Some(&outcome));
        self.send(AskAnswer::Arrived(number, Arc::new(whole)));
        failure(&outcome)
    }

    /// Reports what has come back, if that is new.
    fn report(&self, number: u64, ready: &Ready, shown: &Mutex<Shown>) {
        let mut shown = lock(shown);
        if std::mem::take(&mut shown.is_new) {
            let view = view(&ready.run, &shown.ask, ready.plan.prices(), None);
            self.send(AskAnswer::Arrived(number, Arc::new(view)));
        }
    }

    fn listed(&self, journal: &Path, step: u32) -> Result<Vec<Arc<crate::tui::AskView>>, LabError> {
        let config = self.sources.read()?;
        let prices = load_prices(config.folders())?;
        let run = reference(&config, journal, step);
        let asks = stored_asks(journal, step)?;
        Ok(asks.iter().map(|ask| Arc::new(view(&run, ask, &prices, None))).collect())
    }
}

/// A planned ask.
struct Ready {
    /// The reference of the step.
    run: String,
    plan: AskPlan,
    /// The calls of each variant that are missing.
    left: Vec<u64>,
    /// What is stored of it.
    known: Option<StoredAsk>,
    at_once: usize,
}

/// What has come back, and whether some of it was not reported.
struct Shown {
    ask: StoredAsk,
    is_new: bool,
}

impl Shown {
    fn of(ready: &Ready) -> Self {
        let record = ready.plan.record.clone();
        let empty =
            || StoredAsk { folder: ready.plan.folder(), record, calls: Vec::new(), ratings: BTreeMap::new() };
        Self { ask: ready.known.clone().unwrap_or_else(empty), is_new: true }
    }

    fn take(&mut self, call: &AskCall) {
        let calls = &mut self.ask.calls;
        let same = |known: &AskCall| (known.variant, known.sample) == (call.variant, call.sample);
        match calls.iter().position(same) {
            Some(index) => {
                let spent = calls[index].spent.plus(call.spent);
                calls[index] = AskCall { spent, ..call.clone() };
            }
            None => calls.push(call.clone()),
        }
        self.is_new = true;
    }
}

fn lock(shown: &Mutex<Shown>) -> std::sync::MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why the calls ended, if they failed.
fn failure(outcome: &AskOutcome) -> Result<(), Problem> {
    match &outcome.stopped {
        Some(AskStop::Failing(why)) => Err(Problem::new(format!("calls keep failing: {why}"))
            .with_help("the same ask makes the calls that are missing")),
        Some(AskStop::Cancelled(_)) | None => Ok(()),
    }
}

fn reference(config: &Config, journal: &Path, step: u32) -> String {
    step_reference(&Store::new(config.store_folder()).reference(journal), step)
}

/// The body of a request as it was stored, one field a line.
fn read_request(folder: &Path, variant: usize) -> Result<String, Problem> {
    let path = folder.join("requests").join(format!("{variant}.json"));
    let text =
        fs::read_to_string(&path).map_err(|error| Problem::new(format!("{}: {error}", path.display())))?;
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

fn problem(error: LabError) -> Problem {
    Failure::from(error).into_problem()
}
