//! An ask to the end on the screen: planned, then its branches played.

use mageyard_study::{plan_continuations, run_continuations};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::asking::{Asker, lock, problem, reference, with_reports};
use crate::continuation_view::view;
use mageyard_cli::continuations::plan_lines;
use mageyard_config::{Config, Problem};
use mageyard_screen::{AskAnswer, AskSort, PlannedAsk, PlannedWords};
use mageyard_study::{ContinuationPlan, ContinuationRequest, EndedContinuation, StoredContinuation};

/// Planned branches.
pub(crate) struct ToEnd {
    /// The reference of the step.
    run: String,
    plan: ContinuationPlan,
    /// The branches that are there.
    stored: Vec<StoredContinuation>,
    config: Config,
    /// The episodes at once.
    jobs: usize,
}

impl ToEnd {
    pub(crate) async fn plan(
        asker: &Asker,
        planned: &PlannedWords,
        (request, config, at_once): (&ContinuationRequest, Config, Option<usize>),
    ) -> Result<Self, Problem> {
        let plan =
            plan_continuations(&asker.lab, &planned.journal, request, &config).await.map_err(problem)?;
        let stored = plan.stored().map_err(problem)?;
        let jobs = at_once.unwrap_or(config.settings().run.jobs);
        Ok(Self { run: reference(&config, &planned.journal, planned.step), plan, stored, config, jobs })
    }

    pub(crate) fn planned(&self) -> PlannedAsk {
        let over = self.stored.iter().filter(|one| one.summary.is_some()).count();
        PlannedAsk {
            sort: AskSort::ToEnd,
            lines: plan_lines(&self.run, &self.plan, &self.stored),
            calls_left: self.plan.count().saturating_sub(over) as u64,
        }
    }

    /// Plays on and reports how branches ended, several at a time.
    pub(crate) async fn make(
        &self,
        asker: &Asker,
        number: u64,
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let report = |stored: &[StoredContinuation]| {
            let view = view(&self.run, &self.plan, stored);
            asker.send(AskAnswer::Arrived(number, Arc::new(view)));
        };
        let shown = Mutex::new((self.stored.clone(), true));
        let mut ended = |one: &EndedContinuation| {
            let (stored, is_new) = &mut *lock(&shown);
            one.branch.clone().replace_in(stored);
            *is_new = true;
        };
        let playing = run_continuations(&asker.lab, &self.plan, &self.config, self.jobs, stop, &mut ended);
        let outcome = with_reports(Box::pin(playing), || {
            let (stored, is_new) = &mut *lock(&shown);
            if std::mem::take(is_new) {
                report(stored);
            }
        });
        let outcome = outcome.await.map_err(problem)?;
        report(&outcome.stored);
        outcome.failures.into_iter().next().map_or(Ok(()), |why| Err(unfinished(&why)))
    }
}

/// Not all branches came to their end.
pub(crate) fn unfinished(why: &str) -> Problem {
    Problem::new(format!("not every branch came to its end: {why}"))
        .with_help("the same words play on those that are not over")
}
