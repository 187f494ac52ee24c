//! Blame by playing on: from the start of several steps, by bisection, an agent plays to the end several times. A step is to
//! blame if the goal is reached often enough from its start and not from that of the next one.

use crate::{plan_continuations, run_continuations};
use mageyard_lab::recorded_episode;
use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::{ContinuationPlan, ContinuationRequest, ContinuationRow, EndedContinuation, StoredContinuation};
use mageyard_config::{Config, Problem};
use mageyard_domain::Setting;
use mageyard_engine::Episode;
use mageyard_lab::{Lab, LabError};
use mageyard_statistics::fisher_exact;

/// What playing on from a step led to.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The step, from 1.
    pub step: u32,
    /// The result.
    pub row: ContinuationRow,
}

/// Which step is to blame.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayedVerdict {
    /// The goal was reached in the recording.
    Won,
    /// It was reached from no start of the episode.
    NeverWon,
    /// It was reached often enough from the start of this step, and not from that of the next one.
    Step {
        /// The step, from 1.
        step: u32,
        /// The two-sided p value of Fisher's exact test between the two starts; `None` for the last step, after which only
        /// the recording is known.
        p: Option<f64>,
    },
    /// Not all continuations came to their end.
    Unfinished {
        /// Why, as far as it is known.
        why: String,
    },
}

/// The result of playing on.
#[derive(Clone, Debug)]
pub struct PlayedBlame {
    /// The probes, in the order of their steps.
    pub probes: Vec<Probe>,
    /// The verdict.
    pub verdict: PlayedVerdict,
}

/// What happens to the branches of a step that is tried.
#[derive(Clone, Copy, Debug)]
pub enum ProbeEvent<'a> {
    /// They are played on; these are there already.
    Began(&'a [StoredContinuation]),
    /// One has ended.
    Ended(&'a EndedContinuation),
}

/// Gets what happens, with the plan of the branches of the step.
pub type ProbeReport<'a> = dyn FnMut(&Arc<ContinuationPlan>, ProbeEvent<'_>) + Send + 'a;

/// The search between two steps of a list: from the start of the step at `low` the goal is still reached, from that at `high`
/// not any more. The end of the list is the end of the episode.
struct Bisection {
    low: usize,
    high: usize,
}

impl Bisection {
    /// The index of the step that has to be known next.
    fn next(&self) -> Option<usize> {
        (self.high - self.low > 1).then(|| usize::midpoint(self.low, self.high))
    }
}

/// The number of steps that a search over so many has to know at most.
fn most_probes(steps: usize) -> u32 {
    1 + steps.checked_next_power_of_two().map_or(usize::BITS, usize::trailing_zeros)
}

/// The steps from which an episode can be played on, and the most of them that will be.
pub async fn blame_steps(lab: &Lab, journal: &Path) -> Result<(Vec<u32>, u32), LabError> {
    let recorded = recorded_episode(lab, journal).restore().await?;
    let steps = decided_steps(&recorded.episode);
    if steps.is_empty() {
        return Err(Problem::new(format!("{}: no step was decided", journal.display())).into());
    }
    let most = most_probes(steps.len());
    Ok((steps, most))
}

/// The plan of the continuations from a step.
pub async fn plan_probe(
    lab: &Lab,
    journal: &Path,
    step: u32,
    request: &ContinuationRequest,
    config: &Config,
) -> Result<ContinuationPlan, LabError> {
    let request = ContinuationRequest { step, ..request.clone() };
    plan_continuations(lab, journal, &request, config).await
}

/// Plays on from steps of an episode until the one is found that is to blame. What is stored is not played again.
pub async fn blame_by_playing(
    lab: &Lab,
    journal: &Path,
    request: &ContinuationRequest,
    (config, jobs): (&Config, usize),
    stop: &CancellationToken,
    report: &mut ProbeReport<'_>,
) -> Result<PlayedBlame, LabError> {
    let recorded = recorded_episode(lab, journal).restore().await?;
    if recorded.episode.is_solved() {
        return Ok(PlayedBlame { probes: Vec::new(), verdict: PlayedVerdict::Won });
    }
    let steps = decided_steps(&recorded.episode);
    let mut playing = Playing { lab, journal, request, config, jobs, stop, probes: Vec::new() };
    let verdict = playing.verdict(&steps, report).await?;
    let mut probes = playing.probes;
    probes.sort_by_key(|probe| probe.step);
    Ok(PlayedBlame { probes, verdict })
}

/// A search under way.
struct Playing<'a> {
    lab: &'a Lab,
    journal: &'a Path,
    request: &'a ContinuationRequest,
    config: &'a Config,
    jobs: usize,
    stop: &'a CancellationToken,
    /// What is known, in the order in which it was played.
    probes: Vec<Probe>,
}

impl Playing<'_> {
    async fn verdict(
        &mut self,
        steps: &[u32],
        report: &mut ProbeReport<'_>,
    ) -> Result<PlayedVerdict, LabError> {
        let mut search = Bisection { low: 0, high: steps.len() };
        let mut next = Some(0);
        while let Some((index, step)) = next.and_then(|index| Some((index, *steps.get(index)?))) {
            if let Err(why) = self.probe(step, report).await? {
                return Ok(PlayedVerdict::Unfinished { why });
            }
            match (self.is_still_reached(), index) {
                (false, 0) => return Ok(PlayedVerdict::NeverWon),
                (true, _) => search.low = index,
                (false, _) => search.high = index,
            }
            next = search.next();
        }
        let shares = self.share(steps.get(search.low)).zip(self.share(steps.get(search.high)));
        let p = shares.map(|(one, other)| fisher_exact(one, other));
        Ok(PlayedVerdict::Step { step: steps.get(search.low).copied().unwrap_or_default(), p })
    }

    /// Plays on from a step; the inner error says why not all came to their end.
    async fn probe(
        &mut self,
        step: u32,
        report: &mut ProbeReport<'_>,
    ) -> Result<Result<(), String>, LabError> {
        let plan = Arc::new(plan_probe(self.lab, self.journal, step, self.request, self.config).await?);
        report(&plan, ProbeEvent::Began(&plan.stored()?));
        let mut ended = |one: &EndedContinuation| report(&plan, ProbeEvent::Ended(one));
        let outcome =
            run_continuations(self.lab, &plan, self.config, self.jobs, self.stop, &mut ended).await?;
        let row = plan.rows(&outcome.stored).pop();
        let whole = row.filter(|row| row.over == self.request.samples as usize);
        let Some(row) = whole else {
            let why = outcome.failures.into_iter().next();
            return Ok(Err(why.unwrap_or_else(|| "it was stopped".to_owned())));
        };
        self.probes.push(Probe { step, row });
        Ok(Ok(()))
    }

    /// Whether the goal is reached from the newest step, at least half as often as from the first one.
    fn is_still_reached(&self) -> bool {
        let Some((first, newest)) = self.probes.first().zip(self.probes.last()) else { return false };
        newest.row.won.count > 0 && 2 * newest.row.won.count >= first.row.won.count
    }

    fn share(&self, step: Option<&u32>) -> Option<(usize, usize)> {
        let probe = self.probes.iter().find(|probe| Some(&probe.step) == step)?;
        Some((probe.row.won.count, probe.row.won.of))
    }
}

/// The finished steps at which the agent was asked.
fn decided_steps(episode: &Episode) -> Vec<u32> {
    let done = episode.steps().iter().filter(|step| step.is_done());
    let is_online = episode.head().setting == Setting::Online;
    done.filter(|step| is_online || step.number == 1).map(|step| step.number).collect()
}

#[cfg(test)]
mod bisection_tests {
    use super::*;

    #[test]
    fn every_step_is_found_with_the_promised_number_of_probes() {
        for steps in 1..70 {
            for guilty in 0..steps {
                let mut search = Bisection { low: 0, high: steps };
                let mut probes = 1;
                while let Some(index) = search.next() {
                    probes += 1;
                    if index <= guilty { search.low = index } else { search.high = index }
                }
                assert_eq!(search.low, guilty);
                assert!(probes <= most_probes(steps), "{probes} for {steps}");
            }
        }
    }
}
