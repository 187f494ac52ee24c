//! An ask about a suite as a study.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::asked::AskedSuite;
use super::text::{plan_lines, suite_table};
use crate::ask::Replies;
use crate::{
    AskPlan, AskRequest, Samples, Study, StudyEnd, StudyReport, StudySort, StudyTable, Suite, SuitePlan,
    plan_suite,
};
use mageyard_config::{Config, load_prices};
use mageyard_domain::Prices;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, Needs};

/// An ask about a suite.
pub struct SuiteStudy {
    /// The suite.
    pub suite: Suite,
    /// What is asked.
    pub plan: SuitePlan,
    /// The prices of the models.
    pub prices: Prices,
    /// How to plan the episodes that confirm the result.
    confirm: String,
    at_once: usize,
    replies: Replies,
}

impl SuiteStudy {
    /// Plans an ask about all states of a suite, with at most so many calls at once. Nothing is sent. `confirm` is said to plan
    /// the episodes that confirm the result.
    pub async fn plan(
        lab: &Lab,
        suite: Suite,
        (request, at_once): (&AskRequest, Option<u16>),
        config: &Config,
        confirm: String,
    ) -> Result<Self, LabError> {
        let store = Store::new(config.store_folder());
        let plan = plan_suite(lab, &suite, request, &store, config).await?;
        let replies = Replies::of(&plan.plans)?;
        let own = plan.plans.first().map_or(1, AskPlan::at_once);
        let at_once = at_once.map_or(own, usize::from);
        Ok(Self { suite, plan, prices: load_prices(config)?, confirm, at_once, replies })
    }

    /// What the calls need that are missing.
    pub fn needs(&self) -> &Needs {
        &self.replies.needs
    }

    /// What is there.
    pub fn with_asked<T>(&self, of: impl FnOnce(&AskedSuite<'_>) -> T) -> T {
        let Self { suite, plan, .. } = self;
        self.replies.with(|asks, outcomes| of(&AskedSuite { suite, states: &plan.states, asks, outcomes }))
    }
}

#[async_trait]
impl Study for SuiteStudy {
    fn sort(&self) -> StudySort {
        StudySort::Suite
    }

    fn plan_lines(&self) -> Vec<String> {
        plan_lines(&self.suite, &self.plan, self.needs())
    }

    fn counts(&self) -> (usize, usize) {
        (self.replies.done(), self.plan.replies())
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
        self.replies.run(lab, &self.plan.plans, self.at_once, stop, report).await
    }

    fn table(&self, samples: Samples) -> StudyTable {
        self.with_asked(|asked| suite_table(asked, &self.prices, &self.confirm, samples))
    }
}
