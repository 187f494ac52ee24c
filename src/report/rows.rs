//! Episodes as data: one row each over sessions and sweeps, with what a report reads of it and nothing summed up.

use std::path::PathBuf;
use std::sync::Arc;

use super::provenance::prompt_digest;
use super::{Condition, ConditionFields, JudgedEpisode, ReportOptions, address, sessions};
use mageyard_config::Config;
use mageyard_domain::{Cost, Digest};
use mageyard_engine::{EpisodeSummary, Head, Store};
use mageyard_lab::{EpisodeId, Lab, LabError, recorded_episode};

/// An episode of a report.
pub struct EpisodeRow {
    /// Its journal.
    pub journal: PathBuf,
    /// Its address for `view` and `replay`.
    pub address: String,
    /// Its session and number.
    pub id: EpisodeId,
    /// The settings that it was started with.
    pub head: Arc<Head>,
    /// How it went, judged as the options say.
    pub summary: EpisodeSummary,
    /// Whether its distances were searched, so that all marks are known.
    pub has_distances: bool,
    /// The group of its level, if the environment has groups.
    pub level_group: Option<String>,
    /// The settings that make it part of a row of the report.
    pub condition: ConditionFields,
    /// What its requests cost.
    pub cost: Cost,
}

impl EpisodeRow {
    /// The digest of what its level contains: levels with the same digest are equal, also under other names. Titles and comments
    /// do not count.
    pub fn level_digest(&self) -> Digest {
        Digest::of(self.head.level.identity().as_bytes())
    }

    /// The digest of the texts of the prompt in its first request; `None` if none was sent.
    pub fn prompt_digest(&self) -> Option<Digest> {
        self.summary.prompt_version.as_ref().map(prompt_digest)
    }

    /// Whether reports count it: it is finished, and no person changed it.
    pub fn is_counted(&self) -> bool {
        self.summary.ending.is_some() && !self.summary.mixed
    }
}

/// The episodes of these references, in the order of sessions and episodes: sessions, folders of sessions, and sweeps of
/// the store.
pub async fn episode_rows(
    lab: &Lab,
    store: &Store,
    references: &[String],
    options: &ReportOptions<'_>,
    config: &Config,
) -> Result<Vec<EpisodeRow>, LabError> {
    let mut rows = Vec::new();
    for journal in sessions::journals(store, references)? {
        let episode = options.judge(lab, &recorded_episode(lab, &journal), config).await?;
        let JudgedEpisode { head, summary, distances, level_group } = episode;
        let condition = Condition::of(lab, &head, &summary, options.thresholds.is_none());
        let cost = options.prices.episode_cost(head.model(), summary.spent, &summary.models);
        rows.push(EpisodeRow {
            address: address(store, &journal),
            id: EpisodeId::of_journal(&journal),
            head,
            summary,
            has_distances: distances.is_some(),
            level_group,
            condition: condition.fields(),
            cost,
            journal,
        });
    }
    Ok(rows)
}
