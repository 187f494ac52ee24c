//! An ask for replies on the screen: planned, then its calls made.

use mageyard_study::{calls_left, plan_ask, run_ask};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::ask_view::view;
use crate::asking::{Asker, lock, problem, reference, with_reports};
use mageyard_cli::ask::plan_lines;
use mageyard_cli::planned_calls::{add_call, failure, nothing_made};
use mageyard_config::{Config, Problem};
use mageyard_screen::{AskAnswer, AskSort, PlannedAsk, PlannedWords};
use mageyard_study::{AskCall, AskPlan, AskRequest, StoredAsk, stored_asks};

/// A planned ask.
pub(crate) struct Replies {
    /// The reference of the step.
    run: String,
    plan: AskPlan,
    /// The calls of each variant that are missing.
    left: Vec<u64>,
    /// What is stored of it.
    known: Option<StoredAsk>,
    at_once: usize,
}

impl Replies {
    pub(crate) async fn plan(
        asker: &Asker,
        planned: &PlannedWords,
        (request, config, at_once): (&AskRequest, &Config, Option<usize>),
    ) -> Result<Self, Problem> {
        let PlannedWords { journal, step, .. } = planned;
        let plan = plan_ask(&asker.lab, journal, request, config).await.map_err(problem)?;
        let left = calls_left(&asker.lab, &plan).map_err(problem)?;
        let known = stored_asks(journal, *step).map_err(problem)?;
        let known = known.into_iter().find(|ask| ask.record.id() == plan.record.id());
        let at_once = at_once.unwrap_or(usize::MAX).min(plan.at_once());
        Ok(Self { run: reference(config, journal, *step), plan, left, known, at_once })
    }

    pub(crate) fn planned(&self) -> PlannedAsk {
        let lines = plan_lines(&self.run, &self.plan, &self.plan.estimate(&self.left));
        PlannedAsk { sort: AskSort::Replies, lines, calls_left: self.left.iter().sum() }
    }

    /// Makes the calls and reports what has come back, several calls at a time.
    pub(crate) async fn make(
        &self,
        asker: &Asker,
        number: u64,
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let shown = Mutex::new(Shown::of(self));
        let mut arrived = |call: &AskCall, _| lock(&shown).take(call);
        let calls = Box::pin(run_ask(&asker.lab, &self.plan, self.at_once, stop, &mut arrived));
        let outcome = with_reports(calls, || self.report(asker, number, &shown)).await.map_err(problem)?;
        let whole = view(&self.run, &outcome.ask, self.plan.prices(), Some(&outcome));
        asker.send(AskAnswer::Arrived(number, Arc::new(whole)));
        failure(&outcome)
    }

    /// Reports what has come back, if that is new.
    fn report(&self, asker: &Asker, number: u64, shown: &Mutex<Shown>) {
        let mut shown = lock(shown);
        if std::mem::take(&mut shown.is_new) {
            let view = view(&self.run, &shown.ask, self.plan.prices(), None);
            asker.send(AskAnswer::Arrived(number, Arc::new(view)));
        }
    }
}

/// What has come back, and whether some of it was not reported.
struct Shown {
    ask: StoredAsk,
    is_new: bool,
}

impl Shown {
    fn of(ready: &Replies) -> Self {
        Self { ask: ready.known.clone().unwrap_or_else(|| nothing_made(&ready.plan)), is_new: true }
    }

    fn take(&mut self, call: &AskCall) {
        add_call(&mut self.ask.calls, call);
        self.is_new = true;
    }
}
