//! Makes the calls of one or more asks that are not made yet, several at once, and stores each as it comes back.

use crate::ask::state_at;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::agents::AskedModel;
use super::call::send;
use super::error::AskFileError;
use super::folder::{AskFolder, StoredAsk, stored_asks};
use super::order::{PlannedCall, ordered_calls};
use super::plan::AskPlan;
use super::record::{AskCall, AskRecord};
use super::state::{FrozenState, journal_digest};
use mageyard_agents::{AgentContext, CallAgents};
use mageyard_domain::{Digest, Policies};
use mageyard_lab::{AtStop, Lab, LabError, Queue, Task, run_pool};

/// So many calls in a row without a reply end an ask: more would fail too.
const MOST_FAILURES: usize = 5;

/// For so many variants the encoded request is kept between calls.
const MOST_KEPT: usize = 32;

/// Gets each call as it comes back: the index of its ask, the call, and the number of calls that are there.
pub type Arrived<'a> = dyn FnMut(usize, &AskCall, usize) + Send + 'a;

/// The end of an ask.
#[derive(Clone, Debug)]
pub struct AskOutcome {
    /// What is stored now.
    pub ask: StoredAsk,
    /// The digest of the state after the calls.
    pub state_after: Digest,
    /// Whether the journal has the bytes that it had before.
    pub is_journal_unchanged: bool,
    /// Why not all calls were made, if they were not.
    pub stopped: Option<AskStop>,
}

/// Why an ask ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskStop {
    /// It was cancelled, with so many calls under way, whose cost is unknown.
    Cancelled(usize),
    /// Calls kept failing; the last error.
    Failing(String),
}

/// Makes the calls that are missing, at most so many at once. `arrived` gets each as it comes back, with the number of
/// those that are there. Cancelling keeps what came back.
pub async fn run_ask(
    lab: &Lab,
    plan: &AskPlan,
    at_once: usize,
    stop: &CancellationToken,
    arrived: &mut (dyn FnMut(&AskCall, usize) + Send),
) -> Result<AskOutcome, LabError> {
    let mut of_one = |_: usize, call: &AskCall, done: usize| arrived(call, done);
    let outcomes = run_asks(lab, std::slice::from_ref(plan), at_once, stop, &mut of_one).await?;
    outcomes.into_iter().next().ok_or_else(|| LabError::failed("nothing was asked"))
}

/// Makes the calls that are missing in these asks, in one random order and at most so many at once. `arrived` also gets
/// the index of the ask.
pub async fn run_asks(
    lab: &Lab,
    plans: &[AskPlan],
    at_once: usize,
    stop: &CancellationToken,
    arrived: &mut Arrived<'_>,
) -> Result<Vec<AskOutcome>, LabError> {
    let mut folders = Vec::new();
    let mut known = Vec::new();
    for plan in plans {
        let (mut folder, mut calls) = AskFolder::open(plan)?;
        add_taken(&mut folder, &mut calls, plan)?;
        folders.push(folder);
        known.push(calls);
    }
    let is_there = |planned: &PlannedCall| {
        let same = |call: &&AskCall| (call.variant, call.sample) == (planned.variant, planned.sample);
        known[planned.ask].iter().find(same).is_some_and(|call| call.reply.is_some())
    };
    let records: Vec<&AskRecord> = plans.iter().map(|plan| &plan.record).collect();
    let mut left = ordered_calls(&records);
    left.retain(|planned| !is_there(planned));
    for ((folder, calls), record) in folders.iter_mut().zip(&mut known).zip(&records) {
        add_copies(folder, calls, record)?;
    }
    let done = known.iter().flatten().filter(|call| call.reply.is_some()).count();
    left.reverse();
    let stop = stop.child_token();
    let mut calls = Calls {
        lab,
        plans,
        folders,
        left,
        done,
        failures: 0,
        failing: None,
        agents: BTreeMap::new(),
        stop: stop.clone(),
        arrived,
    };
    let dropped = run_pool(&mut calls, at_once, &stop, AtStop::Drop).await;
    calls.folders.iter_mut().try_for_each(AskFolder::sync)?;
    let stopped = calls.stopped(dropped?);
    let folders: Vec<PathBuf> = calls.folders.iter().map(|folder| folder.path.clone()).collect();
    drop(calls);
    let mut outcomes = Vec::new();
    for (plan, folder) in plans.iter().zip(folders) {
        outcomes.push(ask_outcome(lab, plan, &folder, stopped.clone()).await?);
    }
    Ok(outcomes)
}

/// Stores the replies of other asks that the ask takes for the same requests.
fn add_taken(folder: &mut AskFolder, calls: &mut Vec<AskCall>, plan: &AskPlan) -> Result<(), LabError> {
    if !plan.takes_replies {
        return Ok(());
    }
    let stored = stored_asks(plan.journal(), plan.record.step)?;
    for call in plan.taken_replies(&stored, calls) {
        folder.append(&call)?;
        calls.retain(|known| (known.variant, known.sample) != (call.variant, call.sample));
        calls.push(call);
    }
    Ok(())
}

/// Stores the copies that are missing of calls that came back before: a kill can come between a call and its copies.
fn add_copies(
    folder: &mut AskFolder,
    calls: &mut Vec<AskCall>,
    record: &AskRecord,
) -> Result<(), AskFileError> {
    let is_there = |copy: &AskCall| {
        let of_same = |call: &AskCall| (call.variant, call.sample) == (copy.variant, copy.sample);
        calls.iter().any(|call| of_same(call) && call.reply.is_some())
    };
    let copies: Vec<AskCall> =
        calls.iter().flat_map(|call| record.copies(call)).filter(|copy| !is_there(copy)).collect();
    for copy in copies {
        folder.append(&copy)?;
        calls.push(copy);
    }
    Ok(())
}

/// What is there after the calls.
async fn ask_outcome(
    lab: &Lab,
    plan: &AskPlan,
    folder: &Path,
    stopped: Option<AskStop>,
) -> Result<AskOutcome, LabError> {
    let journal = &plan.state.journal;
    let (length, digest) = plan.record.journal;
    let asks = stored_asks(journal, plan.record.step)?;
    let ask = asks.into_iter().find(|ask| ask.folder == folder);
    Ok(AskOutcome {
        ask: ask.ok_or_else(|| LabError::failed(format!("{} is gone", folder.display())))?,
        state_after: state_at(lab, journal, plan.record.step).await?,
        is_journal_unchanged: journal_digest(journal, Some(length))? == (length, digest),
        stopped,
    })
}

/// The calls that are being made.
struct Calls<'a, 'b> {
    lab: &'a Lab,
    plans: &'a [AskPlan],
    /// One for each plan.
    folders: Vec<AskFolder>,
    /// Those that have not begun, the next one last.
    left: Vec<PlannedCall>,
    /// Those that have a reply.
    done: usize,
    /// How many failed in a row.
    failures: usize,
    /// The last error, once so many have failed that the others are not made.
    failing: Option<String>,
    /// What makes the agents, by ask and variant.
    agents: BTreeMap<(usize, usize), Arc<dyn CallAgents>>,
    stop: CancellationToken,
    arrived: &'a mut Arrived<'b>,
}

impl Queue for Calls<'_, '_> {
    type Done = (usize, AskCall);

    async fn next(&mut self) -> Result<Option<Task<Self::Done>>, LabError> {
        let Some(planned) = self.left.pop() else { return Ok(None) };
        self.begin(planned).map(Some)
    }

    async fn done(&mut self, (ask, call): Self::Done) -> Result<(), LabError> {
        self.take(ask, &call)?;
        if self.failures >= MOST_FAILURES && self.failing.is_none() {
            self.failing = call.error;
            self.stop.cancel();
        }
        Ok(())
    }
}

impl Calls<'_, '_> {
    /// Why not all calls were made, if a stop has dropped so many.
    fn stopped(&mut self, dropped: usize) -> Option<AskStop> {
        let is_cancelled = dropped > 0 || !self.left.is_empty();
        let failing = self.failing.take().map(AskStop::Failing);
        failing.or_else(|| is_cancelled.then_some(AskStop::Cancelled(dropped)))
    }

    /// A call, which starts when it is polled.
    fn begin(&mut self, planned: PlannedCall) -> Result<Task<(usize, AskCall)>, LabError> {
        let missing = || LabError::failed("no such ask");
        let plan = self.plans.get(planned.ask).ok_or_else(missing)?;
        let prepared = plan.requests.get(planned.variant).ok_or_else(missing)?;
        let (agent, is_seeded) = self.agents(planned, &plan.state, &prepared.model)?.agent(planned.seed);
        let seed = is_seeded.then_some(planned.seed);
        let probe =
            plan.record.variants.get(planned.variant).and_then(|variant| variant.changes.probe.clone());
        let call = send(agent, plan.state.clone(), prepared.request.clone(), (planned, seed), probe);
        Ok(Box::pin(async move { (planned.ask, call.await) }))
    }

    /// What makes the agents of a variant. It is kept for some of them: what it shares is as large as a request.
    fn agents(
        &mut self,
        planned: PlannedCall,
        state: &FrozenState,
        model: &AskedModel,
    ) -> Result<Arc<dyn CallAgents>, LabError> {
        let key = (planned.ask, planned.variant);
        if let Some(agents) = self.agents.get(&key) {
            return Ok(agents.clone());
        }
        let agents = call_agents(self.lab, state, model)?;
        if self.agents.len() < MOST_KEPT {
            self.agents.insert(key, agents.clone());
        }
        Ok(agents)
    }

    /// Stores a call that came back.
    fn take(&mut self, ask: usize, call: &AskCall) -> Result<(), AskFileError> {
        let plan = self.plans.get(ask);
        let copies: Vec<AskCall> = plan.into_iter().flat_map(|plan| plan.record.copies(call)).collect();
        for call in std::iter::once(call).chain(&copies) {
            if let Some(folder) = self.folders.get_mut(ask) {
                folder.append(call)?;
            }
            self.done += usize::from(call.reply.is_some());
            (self.arrived)(ask, call, self.done);
        }
        self.failures = if call.reply.is_some() { 0 } else { self.failures + 1 };
        Ok(())
    }
}

fn call_agents(lab: &Lab, state: &FrozenState, model: &AskedModel) -> Result<Arc<dyn CallAgents>, LabError> {
    let key_lookup = lab.key_lookup.clone();
    let pool = lab.models.clone();
    let options = model.options.clone();
    let requests = model.row.requests.ok_or_else(|| LabError::failed("the agent sends no requests"))?;
    let salt = state.head.level.identity().into_owned();
    let Policies { oracle, mistakes, .. } = state.spec.capabilities().policies;
    let probes = state.spec.capabilities().perception.probes;
    let context =
        AgentContext { salt, oracle, mistakes, probes, options, key_lookup, pool, ..AgentContext::default() };
    (requests.calls)(context).map_err(LabError::failed)
}
