//! The replies to several states that are asked together: what is stored of them, and what comes back.

use std::collections::BTreeMap;
use std::sync::Mutex;

use tokio_util::sync::CancellationToken;

use crate::study::lock;
use crate::{
    AskCall, AskOutcome, AskPlan, StoredAsk, StudyEnd, StudyEvent, StudyReport, run_asks, stored_asks,
};
use mageyard_lab::{Lab, LabError, Needs};

/// What is known of the asks of some plans.
pub(crate) struct Replies {
    /// What the calls need that are missing.
    pub(crate) needs: Needs,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// One for each plan; empty once the outcomes are there.
    asks: Vec<StoredAsk>,
    outcomes: Option<Vec<AskOutcome>>,
}

impl Replies {
    /// What is stored for these plans.
    pub(crate) fn of(plans: &[AskPlan]) -> Result<Self, LabError> {
        let mut needs = Needs::default();
        let mut asks = Vec::new();
        for plan in plans {
            let stored = stored_asks(plan.journal(), plan.record.step)?;
            let known = stored.iter().find(|ask| ask.record.id() == plan.record.id()).cloned();
            let mut known = known.unwrap_or_else(|| nothing_made(plan));
            for call in plan.taken_replies(&stored, &known.calls) {
                add_call(&mut known.calls, &call);
            }
            needs = needs.plus(&plan.estimate(&plan.left(&known.calls)));
            asks.push(known);
        }
        needs.cost.unpriced.sort();
        Ok(Self { needs, known: Mutex::new(Known { asks, outcomes: None }) })
    }

    /// Makes the calls that are missing.
    pub(crate) async fn run(
        &self,
        lab: &Lab,
        plans: &[AskPlan],
        at_once: usize,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError> {
        let mut arrived = |index: usize, call: &AskCall, done: usize| {
            if let Some(ask) = lock(&self.known).asks.get_mut(index) {
                add_call(&mut ask.calls, call);
            }
            report(StudyEvent::Call(index, call), done);
        };
        let outcomes = run_asks(lab, plans, at_once, stop, &mut arrived).await?;
        let end = StudyEnd::of_asks(&outcomes);
        *lock(&self.known) = Known { asks: Vec::new(), outcomes: Some(outcomes) };
        Ok(end)
    }

    /// What the asks come to, and how they ended if their calls were made.
    pub(crate) fn with<T>(&self, of: impl FnOnce(Vec<&StoredAsk>, Option<&[AskOutcome]>) -> T) -> T {
        let known = lock(&self.known);
        match &known.outcomes {
            Some(outcomes) => of(outcomes.iter().map(|outcome| &outcome.ask).collect(), Some(outcomes)),
            None => of(known.asks.iter().collect(), None),
        }
    }

    /// The replies that are there.
    pub(crate) fn done(&self) -> usize {
        let replies = |ask: &&StoredAsk| ask.calls.iter().filter(|call| call.reply.is_some()).count();
        self.with(|asks, _| asks.iter().map(replies).sum())
    }
}

/// A planned ask of which no call was made.
fn nothing_made(plan: &AskPlan) -> StoredAsk {
    let record = plan.record.clone();
    StoredAsk { folder: plan.folder(), record, calls: Vec::new(), ratings: BTreeMap::new() }
}

/// Adds a call, in place of an earlier one that has failed.
fn add_call(calls: &mut Vec<AskCall>, call: &AskCall) {
    let same = |known: &AskCall| (known.variant, known.sample) == (call.variant, call.sample);
    match calls.iter().position(same) {
        Some(index) => {
            let spent = calls[index].spent.plus(call.spent);
            calls[index] = AskCall { spent, ..call.clone() };
        }
        None => calls.push(call.clone()),
    }
}
