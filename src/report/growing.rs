//! A report that grows while its episodes are played: each finished episode is read once, and nothing is replayed.

use mageyard_lab::recorded_episode;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use super::{Condition, LevelSetName, Report, ReportOptions, address, judged};
use mageyard_engine::Store;
use mageyard_lab::{EpisodeId, Lab, LabError};

/// The report over the finished episodes so far.
#[derive(Default)]
pub struct GrowingReport {
    report: Report,
    /// The journals that are in it.
    known: HashSet<PathBuf>,
    /// The condition of each session, which is that of its first finished episode.
    conditions: BTreeMap<String, Condition>,
}

impl GrowingReport {
    /// Adds those of these journals that have finished since the last time, each with the name of its session. Returns
    /// whether there are any; then the statistics are computed again.
    pub fn add(
        &mut self,
        journals: impl Iterator<Item = (String, PathBuf)>,
        store: &Store,
        lab: &Lab,
        options: &ReportOptions<'_>,
    ) -> Result<bool, LabError> {
        let before = self.known.len();
        for (session, journal) in journals {
            if self.known.contains(&journal) {
                continue;
            }
            let recording = recorded_episode(lab, &journal);
            let Some(summary) = recording.summary().filter(|summary| summary.ending.is_some()) else {
                continue;
            };
            let episode = judged(lab, recording.head()?.into(), summary, None);
            let own = options.own_references.get(&EpisodeId::of_journal(&journal).session);
            let set = LevelSetName::only(own.unwrap_or(&episode.set));
            let condition =
                self.report.add(lab, &journal, &address(store, &journal), &episode, &set, options);
            self.conditions.entry(session).or_insert(condition);
            self.known.insert(journal);
        }
        let has_grown = self.known.len() > before;
        if has_grown {
            self.report.renew_baselines(lab, store, options)?;
            self.report.compute(lab, options);
        }
        Ok(has_grown)
    }

    /// The report.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The condition of the episodes of a session; `None` if none is finished.
    pub fn condition(&self, session: &str) -> Option<&Condition> {
        self.conditions.get(session)
    }
}
