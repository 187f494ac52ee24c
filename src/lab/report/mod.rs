//! Sums up recorded episodes: one group per combination of settings, with scores, errors, endings, distances and
//! costs.

mod condition;
mod distance_stats;
mod group_stats;
mod statistics;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use self::condition::{AGENT, Comparison, Condition, ENVIRONMENT, LEVEL_SET, SETTING};
pub(crate) use self::distance_stats::DistanceStats;
pub(crate) use self::group_stats::{ENDINGS, GroupStats, StoppedBy};
use super::Lab;
use super::LabError;
use super::RecordedEpisode;
use crate::config::Config;
use crate::domain::Prices;
use crate::domain::RepetitionThresholds;
use crate::engine::Distances;
use crate::engine::EpisodeSummary;
use crate::engine::Head;
use crate::engine::analyze;

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
            let (head, summary, distances) = options.judge(&recording, config).await?;
            if summary.ending.is_none() {
                report.unfinished.push(recording.path().to_owned());
            }
            let condition = Condition::of(self, &head, &summary, options.thresholds.is_none());
            let stats = report.groups.entry(condition).or_default();
            stats.add(&head, &summary, options.prices, distances.as_ref());
        }
        Ok(report)
    }
}

impl ReportOptions<'_> {
    /// The head and summary of an episode with these thresholds, and its distances if they are searched. It is
    /// restored only if its stored summary does not tell that.
    async fn judge(
        &self,
        recording: &RecordedEpisode,
        config: &Config,
    ) -> Result<(Arc<Head>, EpisodeSummary, Option<Distances>), LabError> {
        let stored = recording.summary().filter(|summary| !self.distances && self.fits(summary));
        if let Some(summary) = stored {
            return Ok((recording.head()?.into(), summary, None));
        }
        let restored = recording.restore().await?;
        let (episode, mut summary) = (&restored.episode, restored.summary());
        let searched = self.distances && summary.ending.is_some() && !summary.mixed;
        let distances = if searched { restored.distances(config).await } else { None };
        let thresholds = self.thresholds.unwrap_or(summary.thresholds);
        let errors = analyze(episode, restored.spec, thresholds);
        summary.judge(
            thresholds,
            &match &distances {
                Some(distances) => errors.with_distances(distances),
                None => errors,
            },
        );
        Ok((episode.head().clone(), summary, distances))
    }

    fn fits(&self, summary: &EpisodeSummary) -> bool {
        self.thresholds.is_none_or(|thresholds| thresholds == summary.thresholds)
    }
}
