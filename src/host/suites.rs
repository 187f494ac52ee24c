//! Suites for the screen: listed, extended, and asked about beside it; the results reach it as events.

use mageyard_study::{add_to_suite, estimate_suite, plan_suite, run_asks, stored_suite_asks};
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::asking::{Asker, lock, problem};
use crate::suite_view::view as suite_view;
use mageyard_cli::ask::{AskedSuite, suite_plan_lines};
use mageyard_cli::output::count_noun;
use mageyard_cli::planned_calls::{PlannedCalls, Signals, add_call, failure, nothing_made};
use mageyard_cli::suite::added_line;
use mageyard_config::{Catalog, CatalogEntry, Problem, load_prices};
use mageyard_domain::Prices;
use mageyard_engine::Store;
use mageyard_lab::{WrittenArgs, known_environment, prompt_catalog, read_written_args, step_reference};
use mageyard_screen::{
    AddedStep, Answer, AskSort, PlannedAsk, SuiteAnswer, SuiteDetails, SuiteEntry, SuiteOrder, SuiteWords,
};
use mageyard_study::{
    AskArgs, AskCall, AskPlan, StoredAsk, Suite, SuitePlan, SuiteStep, no_effect_on_suite, parse_suite,
    stored_asks, suite_catalog, suite_file,
};

/// The shortest time between two reports of what has come back.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// A report may take this part of the time at most, as it has statistics over all states.
const REPORT_SHARE: u32 = 5;

/// The ask about a suite in progress, which stops when it is dropped.
#[derive(Default)]
pub(crate) struct SuiteAsking(PlannedCalls);

impl SuiteAsking {
    /// Does what a person wants.
    pub(crate) fn take(&mut self, order: SuiteOrder, asker: Asker) {
        match order {
            SuiteOrder::Plan(words) => {
                let (calls, signals) = PlannedCalls::new(words.number);
                self.0 = calls;
                tokio::spawn(async move { asker.ask_suite(words, signals).await });
            }
            SuiteOrder::Make(number) => self.0.make(number),
            SuiteOrder::Stop => *self = Self::default(),
            SuiteOrder::List => {
                tokio::task::spawn_blocking(move || asker.list_suites());
            }
            SuiteOrder::Add(step) => {
                tokio::spawn(async move {
                    let added = asker.add_to_suite(step).await;
                    asker.say(SuiteAnswer::Added(added));
                    // So that completions know a new one.
                    asker.list_suites();
                });
            }
            SuiteOrder::Read(name) => {
                tokio::spawn(async move {
                    let details = asker.suite_details(&name).await;
                    asker.say(SuiteAnswer::Read(name, details));
                });
            }
        }
    }
}

impl Asker {
    fn say(&self, answer: SuiteAnswer) {
        // The screen may be closed.
        self.answers.send(Answer::Suite(answer));
    }

    fn list_suites(&self) {
        let catalog = suite_catalog(&self.sources.folders);
        let rows = catalog.entries().iter().map(|entry| row(&catalog, entry)).collect();
        self.say(SuiteAnswer::Listed(rows));
    }

    async fn add_to_suite(&self, added: AddedStep) -> Result<String, Problem> {
        let AddedStep { suite, journal, step, why } = added;
        let config = self.sources.read()?;
        let address = step_reference(&Store::new(config.store_folder()).reference(&journal), step);
        let steps = [SuiteStep::named(journal, address, step, why.as_deref())];
        let extended = add_to_suite(&self.lab, &suite, None, &steps, &config).await.map_err(problem)?;
        Ok(added_line(&extended))
    }

    /// What is known of a suite. Nothing is played or written.
    async fn suite_details(&self, name: &str) -> Result<SuiteDetails, Problem> {
        let config = self.sources.read()?;
        let suite = parse_suite(&suite_file(config.folders(), name)?)?;
        let spec = known_environment(&self.lab, &suite.environment)?;
        let store = Store::new(config.store_folder());
        let prices = load_prices(config.folders())?;
        let stored = stored_suite_asks(&self.lab, &suite, &store, &config).await.map_err(problem)?;
        let view = |stored: &mageyard_study::StoredSuiteAsk| {
            let asks = stored.asks.iter().collect();
            Arc::new(suite_view(
                &AskedSuite { suite: &suite, states: &stored.states, asks, outcomes: None },
                &prices,
            ))
        };
        Ok(SuiteDetails {
            prompts: prompt_catalog(spec, config.folders())
                .entries()
                .into_iter()
                .map(|entry| entry.name)
                .collect(),
            stored: stored.iter().map(view).collect(),
        })
    }

    /// Plans an ask about a suite, and makes its calls once a person wants them.
    async fn ask_suite(self, words: SuiteWords, Signals { wanted, stop }: Signals) {
        let number = words.number;
        let planned = tokio::select! {
            planned = self.planned_suite(&words) => planned,
            () = stop.cancelled() => return,
        };
        let ready = match planned {
            Ok((ready, planned)) => {
                self.say(SuiteAnswer::Planned(number, Ok(planned)));
                ready
            }
            Err(refused) => return self.say(SuiteAnswer::Planned(number, Err(refused))),
        };
        if wanted.await.is_ok() {
            let ended = self.make_suite_calls(number, &ready, &stop).await;
            self.say(SuiteAnswer::Ended(number, ended));
        }
    }

    async fn planned_suite(&self, words: &SuiteWords) -> Result<(ReadySuite, PlannedAsk), Problem> {
        let written: WrittenArgs<AskArgs> = read_written_args(&self.lab, &words.words)?;
        let request = written.args.request(1, written.given_names());
        let WrittenArgs { args, given } = written;
        if args.to_end.is_some() {
            return Err(no_effect_on_suite("to-end"));
        }
        let mut sources = self.sources.clone();
        sources.overrides.extend(given);
        let config = sources.read()?;
        let suite = parse_suite(&suite_file(config.folders(), &words.suite)?)?;
        let store = Store::new(config.store_folder());
        let plan = plan_suite(&self.lab, &suite, &request, &store, &config).await.map_err(problem)?;
        let estimate = estimate_suite(&self.lab, &plan).map_err(problem)?;
        let asks = plan.plans.iter().zip(&plan.states).map(|(plan, state)| {
            let known = stored_asks(&state.journal, state.step).map_err(problem)?;
            let known = known.into_iter().find(|ask| ask.record.id() == plan.record.id());
            Ok(known.unwrap_or_else(|| nothing_made(plan)))
        });
        let asks = asks.collect::<Result<Vec<StoredAsk>, Problem>>()?;
        let own = plan.plans.first().map_or(1, AskPlan::at_once);
        let planned = PlannedAsk {
            lines: suite_plan_lines(&suite, &plan, &estimate),
            calls_left: estimate.calls,
            sort: AskSort::Replies,
        };
        let at_once = args.concurrency.map_or(own, usize::from);
        let prices = load_prices(config.folders())?;
        Ok((ReadySuite { suite, plan, asks, at_once, prices }, planned))
    }

    /// Makes the calls and reports what has come back, several calls at a time.
    async fn make_suite_calls(
        &self,
        number: u64,
        ready: &ReadySuite,
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let asks = Mutex::new((ready.asks.clone(), true));
        let mut arrived = |ask: usize, call: &AskCall, _: usize| {
            let (asks, is_new) = &mut *lock(&asks);
            if let Some(ask) = asks.get_mut(ask) {
                add_call(&mut ask.calls, call);
            }
            *is_new = true;
        };
        let mut asked = pin!(run_asks(&self.lab, &ready.plan.plans, ready.at_once, stop, &mut arrived));
        let mut pause = Duration::ZERO;
        let outcomes = loop {
            tokio::select! {
                biased;
                outcomes = &mut asked => break outcomes,
                () = tokio::time::sleep(pause) => pause = self.report_suite(number, ready, &asks),
            }
        };
        let outcomes = outcomes.map_err(problem)?;
        let asks = outcomes.iter().map(|outcome| &outcome.ask).collect();
        let asked =
            AskedSuite { suite: &ready.suite, states: &ready.plan.states, asks, outcomes: Some(&outcomes) };
        self.say(SuiteAnswer::Arrived(number, Arc::new(suite_view(&asked, &ready.prices))));
        outcomes.iter().try_for_each(failure)
    }

    /// Reports what has come back, if that is new. The result is how long to wait for the next report.
    fn report_suite(
        &self,
        number: u64,
        ready: &ReadySuite,
        asks: &Mutex<(Vec<StoredAsk>, bool)>,
    ) -> Duration {
        let begun = Instant::now();
        let (asks, is_new) = &mut *lock(asks);
        if std::mem::take(is_new) {
            let asks = asks.iter().collect();
            let asked = AskedSuite { suite: &ready.suite, states: &ready.plan.states, asks, outcomes: None };
            self.say(SuiteAnswer::Arrived(number, Arc::new(suite_view(&asked, &ready.prices))));
        }
        REPORT_INTERVAL.max(begun.elapsed() * REPORT_SHARE)
    }
}

/// A planned ask about a suite.
struct ReadySuite {
    suite: Suite,
    plan: SuitePlan,
    /// What is stored for each state.
    asks: Vec<StoredAsk>,
    at_once: usize,
    prices: Prices,
}

/// A suite in the list. A file that cannot be read does not hide the others.
fn row(catalog: &Catalog, entry: &CatalogEntry) -> SuiteEntry {
    let read = catalog.read(entry).and_then(|file| parse_suite(&file));
    SuiteEntry {
        name: entry.name.clone(),
        is_own: entry.path.is_some(),
        broken: read.as_ref().err().map(ToString::to_string),
        facts: read.as_ref().map(facts).unwrap_or_default(),
    }
}

/// How many states a suite has, their categories, and what it is for.
fn facts(suite: &Suite) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for category in suite.states.iter().filter_map(|state| state.category.as_deref()) {
        *counts.entry(category).or_default() += 1;
    }
    let states = count_noun(suite.states.len(), "state", "states");
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let facts = [format!("{states} of {}", suite.environment), counts.join(", "), suite.about.clone()];
    facts.into_iter().filter(|fact| !fact.is_empty()).collect()
}
