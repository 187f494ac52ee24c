//! Makes the branches that are missing and plays all that are not over, several at once.

use mageyard_lab::{make_fork, plan_fork, run_episodes};
use std::collections::BTreeMap;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tokio_util::sync::CancellationToken;

use super::plan::{ContinuationPlan, ContinuationVariant, fork_request};
use super::stored::StoredContinuation;
use mageyard_config::Config;
use mageyard_domain::{AgentError, Digest};
use mageyard_engine::{Breakpoints, Continuation, DriverError, RecordedAgent, Store};
use mageyard_lab::{ForkRequest, Lab, LabError, PlannedEpisode, RunEvent, RunOptions};

/// A continuation whose playing has ended.
#[derive(Clone, Debug)]
pub struct EndedContinuation {
    /// The branch, as it is now.
    pub branch: StoredContinuation,
    /// Why it is not over, if it is not.
    pub failure: Option<String>,
}

/// What playing on has led to.
#[derive(Clone, Debug)]
pub struct ContinuationOutcome {
    /// All branches, in the order of their variants and samples.
    pub stored: Vec<StoredContinuation>,
    /// Why some are not over, each once.
    pub failures: Vec<String>,
}

/// Makes the branches that are missing, and plays those that are not over, at most `jobs` at once. `ended` gets each
/// as it ends. Cancelling leaves the others in a state in which the same call goes on with them.
pub async fn run_continuations(
    lab: &Lab,
    plan: &ContinuationPlan,
    config: &Config,
    jobs: usize,
    stop: &CancellationToken,
    ended: &mut (dyn FnMut(&EndedContinuation) + Send),
) -> Result<ContinuationOutcome, LabError> {
    make_missing(lab, plan, stop).await?;
    let mut waiting: Vec<StoredContinuation> =
        plan.stored()?.into_iter().filter(|stored| stored.summary.is_none()).collect();
    shuffle(&mut waiting, plan.request.seed);
    let planned = waiting.iter().map(|stored| PlannedEpisode { journal: stored.journal.clone(), head: None });
    let options = RunOptions {
        config: Arc::new(config.clone()),
        store: Store::new(config.store_folder()),
        breakpoints: Breakpoints::default(),
        jobs,
        failure_limit: config.settings().run.failure_limit,
        spending: None,
        has_person: false,
    };
    let mut failures = Vec::new();
    let mut stuck = BTreeMap::new();
    let mut run = run_episodes(lab, planned.collect(), options, stop);
    while let Some(event) = run.next().await {
        let (Some(stored), true) = (waiting.get(event.index), event.event.is_end()) else { continue };
        let branch = StoredContinuation { stuck: no_action(&event.event), ..stored.read_again() };
        if let Some(why) = branch.stuck.clone() {
            stuck.insert((stored.variant, stored.sample), why);
        }
        let failure = failure(&event.event);
        ended(&EndedContinuation { branch, failure: failure.clone() });
        failures.extend(failure.filter(|failure| !failures.contains(failure)));
    }
    let mut stored = plan.stored()?;
    for one in &mut stored {
        one.stuck = stuck.remove(&(one.variant, one.sample));
    }
    Ok(ContinuationOutcome { stored, failures })
}

async fn make_missing(lab: &Lab, plan: &ContinuationPlan, stop: &CancellationToken) -> Result<(), LabError> {
    let stored = plan.stored()?;
    for sample in 1..=plan.request.samples {
        for (index, variant) in plan.variants.iter().enumerate() {
            let is_there = stored.iter().any(|other| (other.variant, other.sample) == (index, sample));
            if !is_there && !stop.is_cancelled() {
                make_one(lab, plan, variant, sample).await?;
                // A pure environment never waits, and others have to be served.
                tokio::task::yield_now().await;
            }
        }
    }
    Ok(())
}

async fn make_one(
    lab: &Lab,
    plan: &ContinuationPlan,
    variant: &ContinuationVariant,
    sample: u32,
) -> Result<(), LabError> {
    let why = format!("continuation {sample} of {}", plan.request.samples);
    let request = ForkRequest { why: Some(why), ..fork_request(&plan.request, &variant.given) };
    let fork = plan_fork(lab, &plan.journal, &request, &variant.config).await?;
    let agent = agent_drawing(lab, fork.agent().clone(), draw(variant.id, sample));
    let fork = fork.continuing(Continuation { variant: variant.id, sample }, agent);
    let mut fork = make_fork(lab, fork, &variant.config).await?;
    fork.episode.driver.flush().map_err(LabError::failed)
}

/// The agent with random choices of its own: by a seed for each request where the protocol has one.
fn agent_drawing(lab: &Lab, agent: RecordedAgent, draw: u32) -> RecordedAgent {
    let requests = lab.agent(&agent.name).and_then(|row| row.requests);
    let seeded = requests.and_then(|requests| (requests.seeded)(&agent.options, draw));
    match requests {
        Some(_) => RecordedAgent { options: seeded.unwrap_or_else(|| agent.options.clone()), ..agent },
        None => RecordedAgent { draw, ..agent },
    }
}

/// The number of a sample's random choices, from 1; servers take 31 bits.
fn draw(variant: Digest, sample: u32) -> u32 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(variant.to_string().as_bytes()).update(&sample.to_le_bytes());
    let bytes = hasher.finalize();
    let first = bytes.as_bytes().first_chunk::<4>().copied().unwrap_or_default();
    (u32::from_le_bytes(first) & (u32::MAX >> 1)).max(1)
}

/// A random order, so that a server that changes meanwhile favours no variant.
fn shuffle(waiting: &mut [StoredContinuation], seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    waiting.sort_by_cached_key(|_| random.next_u64());
}

/// Why an agent found no action, if that is how the episode stopped.
fn no_action(event: &RunEvent) -> Option<String> {
    match event {
        RunEvent::Failed(_, DriverError::Agent(error @ AgentError::NoAction { .. })) => {
            Some(error.to_string())
        }
        _ => None,
    }
}

/// Why an episode that stopped so is not over.
fn failure(event: &RunEvent) -> Option<String> {
    match event {
        RunEvent::Failed(_, DriverError::Agent(AgentError::NoAction { .. })) => None,
        RunEvent::Failed(_, error) => Some(error.to_string()),
        RunEvent::Refused(error) => Some(error.to_string()),
        RunEvent::Crashed => Some("a bug in this program stopped the episode".to_owned()),
        RunEvent::Parked(_, parking) => Some(parking.to_string()),
        RunEvent::Finished(_)
        | RunEvent::Stopped
        | RunEvent::Note(_)
        | RunEvent::Step(..)
        | RunEvent::Asks(_) => None,
    }
}
