//! The score of doing nothing on the levels of a report, which published scores are compared with: it can be
//! far above 0.
//! It is played at once, without recordings, where the environment is pure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::condition::Condition;
use super::{SAME_LEVELS, score_range};
use mageyard_config::Config;
use mageyard_domain::{Digest, Reference};
use mageyard_engine::{EpisodeSummary, Head};
use mageyard_lab::{Lab, LabError, open_idle};
use mageyard_statistics::{Interval, LevelSample, Repeat, mean_interval, sample_mean};

/// The environment, engine and level set.
type Place = [String; 3];

/// The score of doing nothing on the levels of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct IdleScore {
    /// The mean over the levels.
    pub mean: f64,
    /// Its interval.
    pub interval: Option<Interval>,
    /// The levels.
    pub levels: usize,
}

/// The scores by environment, engine and level set.
#[derive(Debug, Default)]
pub struct IdleScores(BTreeMap<Place, IdleScore>);

impl IdleScores {
    /// The score on the levels of a condition; `None` if it was not computed.
    pub fn find(&self, condition: &Condition) -> Option<&IdleScore> {
        self.0.get(&place(condition))
    }
}

fn place(condition: &Condition) -> Place {
    SAME_LEVELS.map(|name| condition.shown(name).to_owned())
}

/// A level, by an episode that was played on it.
#[derive(Debug)]
struct IdleLevel {
    condition: Condition,
    journal: PathBuf,
    head: Head,
    reference: Option<Reference>,
}

/// The levels of a report, each with an episode that says how it is opened.
#[derive(Debug, Default)]
pub(super) struct IdleLevels {
    known: BTreeSet<(Place, Digest)>,
    levels: Vec<IdleLevel>,
}

impl IdleLevels {
    /// Adds the level of an episode, unless it is there.
    pub(super) fn add(
        &mut self,
        condition: &Condition,
        journal: &Path,
        head: &Head,
        summary: &EpisodeSummary,
    ) {
        let content = Digest::of(head.level.identity().as_bytes());
        if summary.ending.is_some() && self.known.insert((place(condition), content)) {
            self.levels.push(IdleLevel {
                condition: condition.clone(),
                journal: journal.to_owned(),
                head: head.clone(),
                reference: summary.reference.clone(),
            });
        }
    }

    /// Plays all of them.
    pub(super) async fn play(&self, lab: &Lab, config: &Config) -> Result<IdleScores, LabError> {
        let mut samples: BTreeMap<Place, (Option<Interval>, Vec<LevelSample>)> = BTreeMap::new();
        for (number, level) in self.levels.iter().enumerate() {
            let Some(score) = score(lab, level, config).await? else { continue };
            let condition = &level.condition;
            let sample = LevelSample { level: number.to_string(), repeat: Repeat::default(), value: score };
            let range = score_range(lab, condition);
            samples.entry(place(condition)).or_insert((range, Vec::new())).1.push(sample);
        }
        let score = |(range, samples): (Option<Interval>, Vec<LevelSample>)| {
            let mean = sample_mean(&samples)?;
            Some(IdleScore { mean, interval: mean_interval(&samples, range), levels: samples.len() })
        };
        let scores = samples.into_iter().filter_map(|(place, found)| Some((place, score(found)?)));
        Ok(IdleScores(scores.collect()))
    }
}

/// The score of doing nothing on a level; `None` in a live environment.
async fn score(
    lab: &Lab,
    IdleLevel { journal, head, reference, .. }: &IdleLevel,
    config: &Config,
) -> Result<Option<f64>, LabError> {
    let Some(mut driver) = open_idle(lab, head, journal, config)? else { return Ok(None) };
    driver.run_to_end().await.map_err(LabError::failed)?;
    let spec = lab.environment(&head.environment);
    Ok(spec.and_then(|spec| spec.score(driver.episode().returns(), reference.as_ref())))
}
