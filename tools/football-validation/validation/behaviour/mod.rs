//! Level 3: episodes of the baselines on the recorded scenes, simulated and recorded, compared by their statistics.

mod distributions;
mod means;
mod sample;
mod style;

use super::Check;
use super::observed::{Observed, Observer};
use crate::baseline::{Baseline, Episode, play};
use crate::recording::{EpisodeSummary, Trace, starting_scene};
use mageyard_football::GameEngine;
use mageyard_football::Scene;
use sample::{Sample, SampleSet};

/// What the recordings say about the behaviour of baselines.
#[derive(Clone, PartialEq, Debug)]
pub struct Behaviour {
    scenes: Vec<Scene>,
    /// In the order of [`Baseline::TABLE`].
    samples: Vec<SampleSet>,
}

/// An episode to simulate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Job<'a> {
    scene: usize,
    /// Where it begins.
    pub start: &'a Scene,
    /// Who plays.
    pub baseline: Baseline,
    /// Its seed.
    pub seed: u64,
}

/// A simulated episode.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulated {
    baseline: Baseline,
    scene: usize,
    /// How it went.
    pub episode: Episode,
    observed: Observed,
}

impl Behaviour {
    /// The episodes of baselines whose scenes have a recording with frames. Where a baseline has lists of episodes, they
    /// give the numbers and the recordings with frames only the style of play.
    pub fn new(traces: &[(String, Trace)], summaries: &[EpisodeSummary]) -> Self {
        let mut scenes: Vec<Scene> = Vec::new();
        for (_, trace) in traces {
            if !scenes.iter().any(|scene| scene.name == trace.summary.scenario) {
                scenes.push(starting_scene(&trace.summary.scenario, &trace.initial));
            }
        }
        let set = |baseline| recorded(baseline, &scenes, traces, summaries);
        let samples = Baseline::TABLE.map(set).into();
        Self { scenes, samples }
    }

    /// The episodes to simulate: this many seeds for each scene and baseline that has recordings.
    pub fn jobs(&self, seeds: u64) -> Vec<Job<'_>> {
        let recorded = self.samples.iter().filter(|set| !set.samples.is_empty()).map(|set| set.baseline);
        let scenes = self.scenes.iter().enumerate();
        let pairs = recorded.flat_map(|baseline| scenes.clone().map(move |scene| (baseline, scene)));
        let job =
            |(baseline, (scene, start))| (0..seeds).map(move |seed| Job { scene, start, baseline, seed });
        pairs.flat_map(job).collect()
    }

    /// The checks of these simulated episodes.
    pub fn checks(&self, simulated: &[Simulated]) -> Vec<Check> {
        let mut pairs = Vec::new();
        for recorded in self.samples.iter().filter(|set| !set.samples.is_empty()) {
            pairs.push((recorded, simulated_set(recorded.baseline, simulated)));
        }
        compare(&pairs, self.scenes.len())
    }
}

impl Job<'_> {
    /// Plays it on this game, which is at the start of the job's scene.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    pub fn play<E: GameEngine>(&self, mut game: E) -> Result<Simulated, E::Failure> {
        let mut observer = Observer::default();
        let episode =
            play(&mut game, self.baseline, self.seed, |action, after| observer.frame(action, after))?;
        Ok(Simulated { baseline: self.baseline, scene: self.scene, episode, observed: observer.finish() })
    }
}

/// The checks of recorded and simulated episodes of each baseline.
fn compare(pairs: &[(&SampleSet, SampleSet)], scenes: usize) -> Vec<Check> {
    let mut checks = means::checks(pairs);
    checks.extend(distributions::checks(pairs, scenes));
    checks.extend(pairs.iter().flat_map(|(recorded, simulated)| style::checks(recorded, simulated)));
    checks
}

fn recorded(
    baseline: Baseline,
    scenes: &[Scene],
    traces: &[(String, Trace)],
    summaries: &[EpisodeSummary],
) -> SampleSet {
    let own = |summary: &EpisodeSummary| Baseline::recorded(&summary.policy) == Some(baseline);
    let sample = |summary: &EpisodeSummary| {
        let scene = scenes.iter().position(|scene| scene.name == summary.scenario)?;
        own(summary).then(|| Sample::recorded(scene, summary))
    };
    let mut samples: Vec<Sample> = summaries.iter().filter_map(sample).collect();
    if samples.is_empty() {
        samples = traces.iter().filter_map(|(_, trace)| sample(&trace.summary)).collect();
    }
    let mut observed = Observed::default();
    for (_, trace) in traces.iter().filter(|(_, trace)| own(&trace.summary)) {
        let mut episode = Observer::default();
        trace.frames.iter().for_each(|frame| episode.frame(frame.action, &frame.state));
        observed.merge(&episode.finish());
    }
    SampleSet { baseline, samples, observed }
}

fn simulated_set(baseline: Baseline, simulated: &[Simulated]) -> SampleSet {
    let mut set = SampleSet { baseline, samples: Vec::new(), observed: Observed::default() };
    for one in simulated.iter().filter(|one| one.baseline == baseline) {
        set.samples.push(Sample::simulated(one.scene, &one.episode));
        set.observed.merge(&one.observed);
    }
    set
}

#[cfg(test)]
mod tests;
