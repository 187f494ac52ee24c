//! An ask at one step as a study.

use std::path::Path;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::replies::Replies;
use super::text::{ask_table, brief, plan_lines};
use crate::{
    AskOutcome, AskPlan, AskRequest, Samples, StoredAsk, Study, StudyEnd, StudyReport, StudySort, StudyTable,
    plan_ask,
};
use mageyard_config::Config;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, Needs, step_reference};

/// An ask at one step.
pub struct AskStudy {
    /// The reference of the step.
    pub run: String,
    /// What is asked.
    pub plan: AskPlan,
    at_once: usize,
    replies: Replies,
}

impl AskStudy {
    /// Plans an ask at a step of the episode of this journal, with at most so many calls at once. Nothing is sent.
    pub async fn plan(
        lab: &Lab,
        journal: &Path,
        request: &AskRequest,
        config: &Config,
        at_once: Option<u16>,
    ) -> Result<Self, LabError> {
        let plan = plan_ask(lab, journal, request, config).await?;
        let replies = Replies::of(std::slice::from_ref(&plan))?;
        let run = step_reference(&Store::new(config.store_folder()).reference(journal), request.step);
        Ok(Self { run, at_once: at_once.map_or(plan.at_once(), usize::from), plan, replies })
    }

    /// What the calls need that are missing.
    pub fn needs(&self) -> &Needs {
        &self.replies.needs
    }

    /// What is there, and how the calls ended if they were made.
    pub fn with_ask<T>(&self, of: impl FnOnce(&StoredAsk, Option<&AskOutcome>) -> T) -> Option<T> {
        self.replies.with(|asks, outcomes| {
            let outcome = outcomes.and_then(<[_]>::first);
            asks.first().map(|ask| of(ask, outcome))
        })
    }
}

#[async_trait]
impl Study for AskStudy {
    fn sort(&self) -> StudySort {
        StudySort::Replies
    }

    fn plan_lines(&self) -> Vec<String> {
        plan_lines(&self.run, &self.plan, self.needs())
    }

    fn brief(&self) -> String {
        brief(&self.plan.record, self.needs())
    }

    fn targets(&self) -> Vec<&'static str> {
        self.plan.targets()
    }

    fn counts(&self) -> (usize, usize) {
        (self.replies.done(), self.plan.record.replies())
    }

    fn left(&self) -> u64 {
        self.needs().calls.highest
    }

    async fn run(
        &self,
        lab: &Lab,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError> {
        let plans = std::slice::from_ref(&self.plan);
        self.replies.run(lab, plans, self.at_once, stop, report).await
    }

    fn table(&self, samples: Samples) -> StudyTable {
        let table = |ask: &StoredAsk, outcome: Option<&AskOutcome>| {
            ask_table(&self.run, ask, self.plan.prices(), outcome, samples)
        };
        self.with_ask(table).unwrap_or_default()
    }
}
