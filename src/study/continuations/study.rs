//! Continuations of a step as a study.

use std::path::Path;
use std::sync::Mutex;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::text::{plan_lines, table};
use crate::study::lock;
use crate::{
    ContinuationPlan, ContinuationRequest, EndedContinuation, Samples, StoredContinuation, Study, StudyEnd,
    StudyEvent, StudyReport, StudySort, StudyTable, plan_continuations, run_continuations,
};
use mageyard_config::Config;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, step_reference};

/// Variants of a step that are played to their end.
pub struct ContinuationStudy {
    /// The reference of the step.
    pub run: String,
    /// What is played.
    pub plan: ContinuationPlan,
    /// Where the branches are.
    pub store: Store,
    config: Config,
    /// The episodes at once.
    jobs: usize,
    stored: Mutex<Vec<StoredContinuation>>,
}

impl ContinuationStudy {
    /// Plans to play on from a step of the episode of this journal, with at most so many episodes at once.
    pub async fn plan(
        lab: &Lab,
        journal: &Path,
        request: &ContinuationRequest,
        config: &Config,
        at_once: Option<u16>,
    ) -> Result<Self, LabError> {
        let plan = plan_continuations(lab, journal, request, config).await?;
        let stored = Mutex::new(plan.stored()?);
        let store = Store::new(config.store_folder());
        let run = step_reference(&store.reference(journal), request.step);
        let jobs = at_once.map_or(config.settings().run.jobs, usize::from);
        Ok(Self { run, plan, store, config: config.clone(), jobs, stored })
    }

    /// The branches that are there.
    pub fn stored(&self) -> Vec<StoredContinuation> {
        lock(&self.stored).clone()
    }
}

#[async_trait]
impl Study for ContinuationStudy {
    fn sort(&self) -> StudySort {
        StudySort::ToEnd
    }

    fn plan_lines(&self) -> Vec<String> {
        plan_lines(&self.run, &self.plan, &lock(&self.stored))
    }

    fn counts(&self) -> (usize, usize) {
        (lock(&self.stored).iter().filter(|one| one.is_over()).count(), self.plan.count())
    }

    fn left(&self) -> u64 {
        let (over, all) = self.counts();
        all.saturating_sub(over) as u64
    }

    async fn run(
        &self,
        lab: &Lab,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError> {
        let mut ended = |one: &EndedContinuation| {
            one.branch.clone().replace_in(&mut lock(&self.stored));
            report(StudyEvent::Branch(one), self.counts().0);
        };
        let playing = run_continuations(lab, &self.plan, &self.config, self.jobs, stop, &mut ended);
        let outcome = playing.await?;
        let is_over = outcome.stored.iter().all(StoredContinuation::is_over);
        *lock(&self.stored) = outcome.stored;
        Ok(match outcome.failures.into_iter().next() {
            Some(why) => StudyEnd::Unfinished(why),
            None if stop.is_cancelled() => StudyEnd::Cancelled,
            None if !is_over => StudyEnd::Partial,
            None => StudyEnd::Complete,
        })
    }

    fn table(&self, samples: Samples) -> StudyTable {
        table(&self.run, &self.plan, &lock(&self.stored), samples)
    }
}
