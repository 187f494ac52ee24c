//! Episodes of one baseline, recorded or simulated.

use crate::baseline::{Baseline, Episode};
use crate::recording::{EpisodeSummary, RecordedEnd};
use crate::validation::observed::Observed;

/// The episodes of one baseline.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SampleSet {
    pub(super) baseline: Baseline,
    pub(super) samples: Vec<Sample>,
    pub(super) observed: Observed,
}

/// One episode.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sample {
    /// The index of its scene.
    pub(super) scene: usize,
    pub(super) terms: [f64; 6],
    pub(super) reward: f64,
    pub(super) frames: f64,
    pub(super) end: RecordedEnd,
}

impl Sample {
    pub(super) fn recorded(scene: usize, summary: &EpisodeSummary) -> Self {
        let end = if summary.end == RecordedEnd::Time { RecordedEnd::Limit } else { summary.end };
        Self { scene, terms: summary.terms, reward: summary.reward, frames: summary.frames.into(), end }
    }

    pub(super) fn simulated(scene: usize, episode: &Episode) -> Self {
        Self {
            scene,
            terms: episode.terms,
            reward: episode.reward(),
            frames: episode.frames.into(),
            end: episode.ending.into(),
        }
    }
}

impl SampleSet {
    /// A value of each episode, grouped by scene; scenes without episodes are left out.
    pub(super) fn by_scene<T>(&self, value: impl Fn(&Sample) -> T) -> Vec<(usize, Vec<T>)> {
        let mut groups: Vec<(usize, Vec<T>)> = Vec::new();
        for sample in &self.samples {
            match groups.iter_mut().find(|group| group.0 == sample.scene) {
                Some(group) => group.1.push(value(sample)),
                None => groups.push((sample.scene, vec![value(sample)])),
            }
        }
        groups.sort_by_key(|group| group.0);
        groups
    }

    /// The mean over scenes of a value and its standard error within scenes.
    pub(super) fn mean(&self, value: impl Fn(&Sample) -> f64) -> Option<(f64, f64)> {
        let groups: Vec<Vec<f64>> = self.by_scene(value).into_iter().map(|group| group.1).collect();
        crate::statistics::grouped_mean(&groups)
    }

    /// A value of every episode.
    pub(super) fn values<T>(&self, value: impl Fn(&Sample) -> T) -> Vec<T> {
        self.samples.iter().map(value).collect()
    }
}
