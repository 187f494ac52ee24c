//! Episodes as data: one row each over sessions and sweeps, with what a report reads of it and nothing summed up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::condition::Conditioned;
use super::level_sets::level_digest;
use super::provenance::prompt_digest;
use super::{
    Condition, ConditionFields, EpisodeOfReport, JudgedEpisode, ReportOptions, address, read_episodes,
    sessions,
};
use mageyard_config::Config;
use mageyard_domain::{Cost, Digest, SideRole};
use mageyard_engine::{EpisodeSummary, Head, RoleTotals, Store};
use mageyard_lab::{EpisodeId, Lab, LabError};

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
    /// What its side requests cost, by role.
    pub role_costs: BTreeMap<SideRole, Cost>,
    /// Whether reports count it: it is finished, no person changed it, and no row before it has the same level, repeat, seed and
    /// settings.
    pub is_counted: bool,
}

impl EpisodeRow {
    /// The digest of what its level contains: levels with the same digest are equal, also under other names. Titles and comments
    /// do not count.
    pub fn level_digest(&self) -> Digest {
        level_digest(&self.head)
    }

    /// The digest of the texts of the prompt in its first request; `None` if none was sent.
    pub fn prompt_digest(&self) -> Option<Digest> {
        self.summary.prompt_version.as_ref().map(prompt_digest)
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
    let mut counted = BTreeSet::new();
    let journals = sessions::journals(store, references)?;
    for EpisodeOfReport { journal, episode, set } in read_episodes(lab, &journals, options, config).await? {
        let id = EpisodeId::of_journal(&journal);
        let session = id.session_name();
        let JudgedEpisode { head, summary, distances, level_group, level, .. } = episode;
        let of = Conditioned { head: &head, summary: &summary, level_set: &set, session: &session };
        let condition = Condition::of(lab, of, options.thresholds.is_none());
        let is_clean = summary.ending.is_some() && !summary.mixed;
        let key = (condition.identity(), level, head.repeat.unwrap_or_default(), head.seed);
        let cost = options.prices.episode_cost(head.model(), summary.spent, &summary.models);
        let role_cost = |(role, totals): (&SideRole, &RoleTotals)| (*role, totals.cost(options.prices));
        let role_costs = summary.roles.iter().map(role_cost).collect();
        rows.push(EpisodeRow {
            address: address(store, &journal),
            id,
            is_counted: is_clean && counted.insert(key),
            head,
            summary,
            has_distances: distances.is_some(),
            level_group,
            condition: condition.fields(),
            cost,
            role_costs,
            journal,
        });
    }
    Ok(rows)
}
