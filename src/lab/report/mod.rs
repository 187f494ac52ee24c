//! Sums up recorded episodes: one group per combination of settings, with scores, errors, endings, distances and
//! costs.

mod condition;
mod distance_stats;
mod group_stats;
mod statistics;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub(crate) use self::condition::{AGENT, Comparison, Condition, ENVIRONMENT, LEVEL_SET, SETTING};
pub(crate) use self::distance_stats::DistanceStats;
pub(crate) use self::group_stats::{ENDINGS, GroupStats, StoppedBy};
use super::Lab;
use super::LabError;
use super::RecordedEpisode;
use super::RestoredEpisode;
use crate::config::Config;
use crate::domain::Prices;
use crate::domain::RepetitionThresholds;

/// The groups of a report by their condition.
pub(crate) type Groups = BTreeMap<Condition, GroupStats>;

/// How episodes are judged.
pub(crate) struct ReportOptions<'a> {
    /// The thresholds of repetition; `None` for those of each episode.
    pub(crate) thresholds: Option<RepetitionThresholds>,
    /// Whether distances are searched.
    pub(crate) distances: bool,
    /// What tokens cost.
    pub(crate) prices: &'a Prices,
}

/// A report over recorded episodes.
#[derive(Default)]
pub(crate) struct Report {
    /// The groups.
    pub(crate) groups: Groups,
    /// The journals of episodes that are not finished.
    pub(crate) unfinished: Vec<PathBuf>,
}

impl Lab {
    /// Sums up these episodes.
    pub(crate) async fn report(
        &self,
        recordings: impl Iterator<Item = Result<RecordedEpisode, LabError>>,
        options: &ReportOptions<'_>,
        config: &Config,
    ) -> Result<Report, LabError> {
        let mut report = Report::default();
        for recording in recordings {
            let recording = recording?;
            let restored = recording.restore().await?;
            if restored.episode.ending().is_none() {
                report.unfinished.push(recording.path().to_owned());
            }
            report.add(self, &restored, options, config).await;
        }
        Ok(report)
    }
}

impl Report {
    async fn add(
        &mut self,
        lab: &Lab,
        restored: &RestoredEpisode,
        options: &ReportOptions<'_>,
        config: &Config,
    ) {
        let RestoredEpisode { spec, episode, .. } = restored;
        let counted = episode.ending().is_some() && !episode.is_mixed();
        let distances = if options.distances && counted { restored.distances(config).await } else { None };
        let condition = Condition::of(lab, episode, options.thresholds.is_none());
        let stats = self.groups.entry(condition).or_default();
        stats.add(episode, *spec, options.thresholds, options.prices, distances.as_ref());
    }
}
