//! Baselines that were recorded elsewhere, such as people who played on the screen. Only episodes on the levels of the
//! report count, by what the levels contain: a person may have played them under another name.
//!
//! They are no rows of the report: as rows they would add all settings of their agents to the columns that differ,
//! and would be compared with the reference although a person has no repeats.

use mageyard_lab::recorded_episode;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::results::Results;
use super::{
    BaselineReference, Condition, Conditioned, GroupStats, Report, ReportOptions, address, is_simulated,
    judged, score_range, sessions,
};
use mageyard_engine::{Store, StoreError};
use mageyard_lab::{EpisodeId, Lab};

/// Baselines by their condition.
pub type Baselines = BTreeMap<Condition, Baseline>;

/// The episodes of a baseline on the levels of a report.
#[derive(Debug, Default)]
pub struct Baseline {
    /// The counts and scores of these episodes.
    pub stats: GroupStats,
    /// The levels of the set in the report that no counted episode has, by name.
    pub missing: Vec<String>,
    /// The number of levels of the set in the report.
    pub of: usize,
}

impl Report {
    /// Adds the baselines of the options. Episodes that are in the report itself are not counted again.
    pub(super) fn add_baselines(
        &mut self,
        lab: &Lab,
        store: &Store,
        own: &[PathBuf],
        options: &ReportOptions<'_>,
    ) -> Result<(), StoreError> {
        for BaselineReference { name, is_required } in options.baselines {
            let found = match sessions::journals(store, std::slice::from_ref(name)) {
                Err(StoreError::NotFound { .. } | StoreError::NoJournal { .. }) if !is_required => Vec::new(),
                found => found?,
            };
            let others: Vec<&PathBuf> = found.iter().filter(|journal| !own.contains(journal)).collect();
            let counts = others.iter().map(|journal| self.add_baseline(lab, store, journal, options));
            if counts.filter(|counted| *counted).count() == 0 {
                self.empty_baselines.push(name.clone());
            }
        }
        self.compute_baselines(lab);
        Ok(())
    }

    /// Reads the baselines again: the levels of the report may be more than before.
    pub(super) fn renew_baselines(
        &mut self,
        lab: &Lab,
        store: &Store,
        options: &ReportOptions<'_>,
    ) -> Result<(), StoreError> {
        self.baselines.clear();
        self.empty_baselines.clear();
        self.add_baselines(lab, store, &[], options)
    }

    /// Adds an episode if it is finished, no person changed it, who played it saw only frames, and it is on a level of the
    /// report; says whether.
    fn add_baseline(
        &mut self,
        lab: &Lab,
        store: &Store,
        journal: &Path,
        options: &ReportOptions<'_>,
    ) -> bool {
        let recording = recorded_episode(lab, journal);
        let summary = recording.summary().filter(|summary| summary.ending.is_some() && !summary.mixed);
        let head = recording.head().ok().filter(|head| !head.solver_visible);
        let Some((summary, head)) = summary.zip(head) else { return false };
        if options.without_simulated && is_simulated(lab, &head) {
            self.simulated += 1;
            return false;
        }
        let sets = self.level_names.sets(&head).to_vec();
        let session = EpisodeId::of_journal(journal).session_name();
        let episode = judged(lab, Arc::new(head), summary, None);
        for set in &sets {
            let of = Conditioned {
                head: &episode.head,
                summary: &episode.summary,
                level_set: set,
                session: &session,
            };
            let condition = Condition::of(lab, of, options.thresholds.is_none());
            let identity = condition.identity();
            let baseline = self.baselines.entry(condition).or_default();
            baseline.stats.add(&episode, identity, &address(store, journal), options.prices);
        }
        !sets.is_empty()
    }

    /// Computes what needs all episodes of the baselines.
    fn compute_baselines(&mut self, lab: &Lab) {
        for (condition, baseline) in &mut self.baselines {
            let stats = &mut baseline.stats;
            let results = Results::of(&stats.scores, &stats.solved, score_range(lab, condition));
            stats.results = Results { set_measures: stats.measured.values(), ..results };
            let alike = self.groups.iter().filter(|(of, _)| of.has_same_levels(condition));
            let levels: BTreeSet<&String> = alike.flat_map(|(_, stats)| &stats.levels).collect();
            baseline.of = levels.len();
            let missing = levels.into_iter().filter(|level| !stats.levels.contains(*level));
            baseline.missing = missing.map(|level| self.level_names.name(level)).collect();
        }
        // What another engine has played has nothing to be compared with.
        self.baselines.retain(|_, baseline| baseline.of > 0);
    }
}
