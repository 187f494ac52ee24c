//! The table of baselines: a row for each policy over scenes and seeds.

use serde::Serialize;

use super::{Baseline, Episode};
use crate::recording::RecordedEnd;
use crate::statistics::grouped_mean;

/// Standard errors on each side of a 95 % interval.
const INTERVAL: f64 = 1.96;

/// How a policy did. Means weigh every scene alike; errors come from the spread within the scenes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BaselineRow {
    /// The name of the policy.
    pub policy: &'static str,
    /// How many scenes were played.
    pub scenes: usize,
    /// How many episodes.
    pub episodes: usize,
    /// The mean reward.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
    /// The means of the six terms.
    pub terms: [f64; 6],
    /// The mean number of frames.
    pub frames: f64,
    /// The mean number of decisions.
    pub decisions: f64,
    /// How many episodes ended how, the most frequent first.
    pub ends: Vec<EndCount>,
}

/// How many episodes ended so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EndCount {
    /// The name of the end, as in recordings.
    pub end: String,
    /// How many.
    pub episodes: usize,
}

impl BaselineRow {
    /// The row of these episodes, a list for each scene; none without episodes.
    pub fn new(baseline: Baseline, scenes: &[Vec<Episode>]) -> Option<Self> {
        let of = |value: &dyn Fn(&Episode) -> f64| {
            let groups: Vec<Vec<f64>> =
                scenes.iter().map(|scene| scene.iter().map(value).collect()).collect();
            grouped_mean(&groups)
        };
        let (mean, error) = of(&Episode::reward)?;
        let average = |value: &dyn Fn(&Episode) -> f64| of(value).map_or(0.0, |row| row.0);
        Some(Self {
            policy: baseline.name(),
            scenes: scenes.len(),
            episodes: scenes.iter().map(Vec::len).sum(),
            mean,
            error,
            interval: [mean - INTERVAL * error, mean + INTERVAL * error],
            terms: [0, 1, 2, 3, 4, 5].map(|index| average(&|episode| episode.terms[index])),
            frames: average(&|episode| episode.frames.into()),
            decisions: average(&|episode| episode.decisions.into()),
            ends: ends(scenes.iter().flatten()),
        })
    }
}

fn ends<'a>(episodes: impl Iterator<Item = &'a Episode>) -> Vec<EndCount> {
    let mut counts: Vec<EndCount> = Vec::new();
    for episode in episodes {
        let end = RecordedEnd::from(episode.ending).name();
        match counts.iter_mut().find(|known| known.end == end) {
            Some(known) => known.episodes += 1,
            None => counts.push(EndCount { end, episodes: 1 }),
        }
    }
    counts.sort_by_key(|known| std::cmp::Reverse(known.episodes));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_football::GameEnding;

    #[test]
    fn a_row_weighs_every_scene_alike() {
        let episode = |reward, ending| Episode {
            terms: [reward, 0.0, 0.0, 0.0, 0.0, 0.0],
            frames: 9,
            decisions: 3,
            ending,
        };
        let lost = episode(1.0, GameEnding::Possession);
        let scenes = [vec![lost, episode(3.0, GameEnding::Goal)], vec![lost; 4]];
        let row = BaselineRow::new(Baseline::Sprint, &scenes).unwrap();
        assert_eq!((row.policy, row.scenes, row.episodes), ("sprint", 2, 6));
        assert_eq!((row.mean, row.error, row.frames, row.decisions), (1.5, 0.5, 9.0, 3.0));
        assert_eq!(row.interval, [1.5 - 0.98, 1.5 + 0.98]);
        assert_eq!((row.ends[0].end.as_str(), row.ends[0].episodes), ("possession", 5));
        assert_eq!(BaselineRow::new(Baseline::Idle, &[]), None);
    }
}
