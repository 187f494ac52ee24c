//! Sums up recorded episodes: one group per combination of settings, with scores, intervals, differences from a
//! reference, errors with their first examples, endings, distances, costs, and what produced them. `docs/report.md` says
//! how each number is computed.
//!
//! Everything is computed once and nothing is formatted here: text, Markdown, HTML, CSV and JSON are written by `cli`.
//! Formulas are in `statistics`.
//!
//! Start with [`make_report`], then [`Condition`] (what makes two episodes one row) and [`GroupStats`] (what is counted).

mod agent_settings;
mod baselines;
mod comparisons;
mod condition;
mod distance_stats;
pub mod document;
mod effort;
mod error_examples;
mod group_stats;
mod growing;
mod idle;
mod level_sets;
mod main_effects;
mod measures;
mod provenance;
mod reference;
mod results;
mod role_stats;
mod rows;
mod rows_across;
mod sessions;
mod set_measures;
pub mod tables;
mod verdict_stats;
mod window_map;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mageyard_config::Config;
use mageyard_domain::{EnvironmentSpec, LevelStatistics, Prices, RepetitionThresholds};
use mageyard_engine::{Distances, EpisodeSummary, Head, Store, analyze};
use mageyard_lab::{EpisodeId, Lab, LabError, RecordedEpisode, recorded_episode};
use mageyard_statistics::{Correction, Interval};

pub use self::baselines::{Baseline, Baselines};
pub use self::comparisons::{ComparedRow, Comparison};
use self::comparisons::{comparisons, correct_all};
pub use self::condition::{
    AGENT, AM, Condition, ConditionFields, ENVIRONMENT, LEVEL_SET, NEVER_IGNORED, OM, RowDifferences, SETTING,
};
use self::condition::{Conditioned, set_name};
pub use self::distance_stats::{DistanceFields, DistanceStats, session_distances};
pub use self::effort::Rates;
pub use self::error_examples::{CountedErrors, ErrorExample};
use self::group_stats::JudgedEpisode;
pub use self::group_stats::{ENDINGS, GroupStats, StoppedBy, ending_name};
pub use self::growing::GrowingReport;
use self::idle::IdleLevels;
pub use self::idle::{IdleScore, IdleScores};
pub use self::level_sets::OwnReferences;
use self::level_sets::{LevelNames, LevelSetName, LevelSets, PlayedLevel, level_digest};
pub use self::main_effects::MainEffect;
use self::main_effects::main_effects;
pub use self::measures::{MEASURES, Measure, MeasureDifference};
pub use self::provenance::Provenance;
pub use self::reference::{NoReference, ReferenceQuery, SAME_LEVELS};
pub use self::results::LevelGroup;
use self::results::Results;
pub use self::results::StepScore;
pub use self::results::{Best, Difference};
pub use self::role_stats::RoleStats;
pub use self::rows::{EpisodeRow, episode_rows};
pub use self::rows_across::{RowAcross, RowsAcross};
pub use self::set_measures::{MeasuredSet, MeasuredValue};
pub use self::verdict_stats::{VerdictStats, ending_of};
pub use self::window_map::MapPlace;
pub use self::window_map::WindowMap;

/// The groups of a report by their condition.
pub type Groups = BTreeMap<Condition, GroupStats>;

/// How episodes are judged.
pub struct ReportOptions<'a> {
    /// The thresholds of repetition; `None` for those of each episode.
    pub thresholds: Option<RepetitionThresholds>,
    /// Whether distances are searched.
    pub distances: bool,
    /// What tokens cost.
    pub prices: &'a Prices,
    /// Which group the others are compared with.
    pub reference: &'a ReferenceQuery,
    /// A difference of scores for which the needed repeats are computed.
    pub difference: Option<f64>,
    /// How p values are corrected for the number of comparisons.
    pub correction: Correction,
    /// Whether doing nothing is played on the levels of the report.
    pub idle: bool,
    /// Whether episodes of agents that only stand in for a model are left out.
    pub without_simulated: bool,
    /// Recorded episodes whose scores are shown beside the others: references as of the report itself.
    pub baselines: &'a [BaselineReference],
    /// Settings that do not tell rows apart.
    pub ignore: &'a [String],
    /// What else tells rows apart: settings of transport, `seed`, `repeat`, `level`, `session`, `program`, `served_model`.
    pub by: &'a [String],
    /// The references of levels that are cells of their own, by the folder of the cell.
    pub own_references: &'a OwnReferences,
}

/// Where a baseline is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineReference {
    /// A session, a folder of sessions, or a sweep of the store.
    pub name: String,
    /// Whether it is an error if it does not exist; that of a plan may be recorded later.
    pub is_required: bool,
}

/// A report over recorded episodes.
#[derive(Default)]
pub struct Report {
    /// The groups.
    pub groups: Groups,
    /// How p values are corrected for the number of comparisons.
    pub correction: Correction,
    /// What the differences of scores say together, for each reference.
    pub comparisons: Vec<Comparison>,
    /// What AM, OM, prompt and model change over all combinations of the others.
    pub main_effects: Vec<MainEffect>,
    /// The baselines that were recorded elsewhere.
    pub baselines: Baselines,
    /// The scores of doing nothing, if they are wanted.
    pub idle: IdleScores,
    /// The references of baselines that have no episode on a level of the report.
    pub empty_baselines: Vec<String>,
    /// The names of levels that stand for several contents, with how many.
    pub ambiguous_levels: Vec<(String, usize)>,
    /// The names in `ignore` and `by` that no episode has.
    pub unknown_settings: Vec<String>,
    /// The names in `ignore` and `by` that an episode has.
    known_settings: BTreeSet<String>,
    /// The levels of the groups.
    level_names: LevelNames,
    /// The journals of all episodes, in the order of sessions and episodes.
    pub journals: Vec<PathBuf>,
    /// The number of episodes that are left out, because their agent only stands in for a model.
    pub simulated: usize,
    /// The journals of episodes that are not finished.
    pub unfinished: Vec<PathBuf>,
    /// Whether a group has a reference, or is one.
    pub has_reference: bool,
    /// Why groups have no reference, each reason once.
    pub no_reference: Vec<NoReference>,
    /// The names of the wanted reference that no group has.
    pub unknown_names: Vec<String>,
}

impl Report {
    /// Whether it has a row.
    pub fn has_rows(&self) -> bool {
        !self.groups.is_empty() || !self.baselines.is_empty()
    }
}

/// Sums up the episodes of these references: sessions, folders of sessions, and sweeps of the store.
pub async fn make_report(
    lab: &Lab,
    store: &Store,
    references: &[String],
    options: &ReportOptions<'_>,
    config: &Config,
) -> Result<Report, LabError> {
    let mut report = Report::default();
    let journals = sessions::journals(store, references)?;
    let mut idle = IdleLevels::default();
    for EpisodeOfReport { journal, episode, set } in &read_episodes(lab, &journals, options, config).await? {
        if options.without_simulated && is_simulated(lab, &episode.head) {
            report.simulated += 1;
            continue;
        }
        let condition = report.add(lab, journal, &address(store, journal), episode, set, options);
        if options.idle {
            idle.add(&condition, journal, &episode.head, &episode.summary);
        }
    }
    report.add_baselines(lab, store, &journals, options)?;
    report.compute(lab, options);
    report.idle = idle.play(lab, config).await?;
    report.journals = journals;
    Ok(report)
}

/// Whether the agent of the episode only stands in for a model.
fn is_simulated(lab: &Lab, head: &Head) -> bool {
    lab.agent(&head.agent.name).is_some_and(|row| row.is_simulated)
}

/// A judged episode with the level set that tells its row from others.
struct EpisodeOfReport {
    journal: PathBuf,
    episode: JudgedEpisode,
    set: LevelSetName,
}

/// Judges the episodes of these journals, and tells their level sets apart by what they contain.
async fn read_episodes(
    lab: &Lab,
    journals: &[PathBuf],
    options: &ReportOptions<'_>,
    config: &Config,
) -> Result<Vec<EpisodeOfReport>, LabError> {
    let mut sets = LevelSets::default();
    let mut episodes = Vec::new();
    for journal in journals {
        let episode = options.judge(lab, &recorded_episode(lab, journal), config).await?;
        let session = EpisodeId::of_journal(journal).session;
        let own = options.own_references.get(&session);
        sets.add(&session, &PlayedLevel::of(&episode.head), &episode.set, own);
        episodes.push((journal, session, episode));
    }
    sets.resolve();
    let named = |(journal, session, episode): (&PathBuf, PathBuf, JudgedEpisode)| EpisodeOfReport {
        journal: journal.clone(),
        set: sets.name(&session, &PlayedLevel::of(&episode.head), &episode.set),
        episode,
    };
    Ok(episodes.into_iter().map(named).collect())
}

/// The address of an episode for `view` and `replay`: session and number, or sweep, cell and number in the store, or else
/// its folder.
fn address(store: &Store, journal: &Path) -> String {
    let reference = store.reference(journal);
    let is_sweep = || reference.split('/').next().is_some_and(|name| store.sweep(name).is_some());
    let folder = journal.parent().unwrap_or(journal);
    match Path::new(&reference).components().count() {
        2 => reference,
        3 if is_sweep() => reference,
        _ => folder.display().to_string(),
    }
}

/// The range of the scores of these episodes, if their environment has one.
fn score_range(lab: &Lab, condition: &Condition) -> Option<Interval> {
    let spec = lab.environment(condition.shown(ENVIRONMENT))?;
    spec.capabilities().scoring.score_range().map(|[low, high]| Interval { low, high })
}

impl Report {
    /// Adds an episode. What needs all episodes is not computed yet.
    fn add(
        &mut self,
        lab: &Lab,
        journal: &Path,
        address: &str,
        episode: &JudgedEpisode,
        set: &LevelSetName,
        options: &ReportOptions<'_>,
    ) -> Condition {
        if episode.summary.ending.is_none() {
            self.unfinished.push(journal.to_owned());
        }
        self.level_names.add(&episode.head, set);
        let session = EpisodeId::of_journal(journal).session_name();
        let of =
            Conditioned { head: &episode.head, summary: &episode.summary, level_set: set, session: &session };
        let (condition, identity) = options.condition(lab, of, &mut self.known_settings);
        let stats = self.groups.entry(condition.clone()).or_default();
        stats.add(episode, identity, address, options.prices);
        condition
    }

    /// Computes what needs all episodes.
    fn compute(&mut self, lab: &Lab, options: &ReportOptions<'_>) {
        for (condition, stats) in &mut self.groups {
            let range = score_range(lab, condition);
            let groups = stats.level_groups(lab.environment(condition.shown(ENVIRONMENT)), range);
            let by_step = stats.scores_by_step.iter();
            let by_step = by_step.filter_map(|scores| StepScore::of(scores, range)).collect();
            let mut results = Results::of(&stats.scores, &stats.solved, range);
            for split in &mut results.repeated.split {
                split.level = self.level_names.name(&split.level);
            }
            let set_measures = stats.measured.values();
            stats.results = Results { level_groups: groups, by_step, set_measures, ..results };
        }
        let all: Vec<&Condition> = self.groups.keys().collect();
        self.unknown_names = options.reference.unknown_names(&all).into_iter().map(str::to_owned).collect();
        let shares_levels = |one: &Condition, other: &Condition| {
            let levels = |of: &Condition| self.groups.get(of).map(|stats| &stats.levels);
            levels(one).zip(levels(other)).is_some_and(|(one, other)| !one.is_disjoint(other))
        };
        let find = |of: &&Condition| options.reference.find(of, &all, &shares_levels).cloned();
        let references: Vec<_> = all.iter().map(find).collect();
        self.ambiguous_levels = self.level_names.ambiguous();
        let names = options.ignore.iter().chain(options.by);
        let unknown = names.filter(|name| !self.known_settings.contains(*name));
        self.unknown_settings = unknown.cloned().collect();
        self.compare(lab, &references, options);
        self.correction = options.correction;
        self.comparisons = comparisons(&mut self.groups, options.correction, options.difference);
        let range = |condition: &Condition| score_range(lab, condition);
        self.main_effects = main_effects(&self.groups, options.correction, range);
    }

    /// Computes the differences of the groups from their references, which are in the same order.
    fn compare(
        &mut self,
        lab: &Lab,
        references: &[Result<Condition, NoReference>],
        options: &ReportOptions<'_>,
    ) {
        let pairs = self.groups.iter().zip(references);
        let mut differences: Vec<_> = pairs.map(|pair| self.difference(lab, pair, options)).collect();
        correct_all(&mut differences, options.correction);
        let wanted: BTreeSet<Condition> =
            differences.iter().flatten().map(|found| found.reference.clone()).collect();
        for ((condition, stats), difference) in self.groups.iter_mut().zip(differences) {
            stats.results.is_reference = wanted.contains(condition);
            stats.results.difference = difference;
        }
        self.has_reference = references.iter().any(Result::is_ok);
        for reason in references.iter().filter_map(|reference| reference.as_ref().err()) {
            if !self.no_reference.contains(reason) {
                self.no_reference.push(reason.clone());
            }
        }
    }

    /// The difference of a group from its reference; `None` if it is the reference.
    fn difference(
        &self,
        lab: &Lab,
        ((condition, stats), reference): ((&Condition, &GroupStats), &Result<Condition, NoReference>),
        options: &ReportOptions<'_>,
    ) -> Option<Difference> {
        let reference = reference.as_ref().ok().filter(|reference| *reference != condition)?;
        let (reference, other) = self.groups.get_key_value(reference)?;
        let range = score_range(lab, condition);
        let mut found = Difference::of(stats, (reference, other), range, options.difference);
        let unpaired = found.paired.unpaired.iter().map(|level| self.level_names.name(level));
        found.paired.unpaired = unpaired.collect();
        Some(found)
    }
}

impl GroupStats {
    /// The scores of groups of levels, in the order of the environment.
    fn level_groups(
        &self,
        spec: Option<&'static dyn EnvironmentSpec>,
        range: Option<Interval>,
    ) -> Vec<LevelGroup> {
        let order = spec.and_then(|spec| spec.capabilities().tools.statistics).map(LevelStatistics::groups);
        let place =
            |name: &str| order.as_ref().and_then(|order| order.iter().position(|known| *known == name));
        let mut groups: Vec<_> = self.scores_by_level_group.iter().collect();
        groups.sort_by_key(|(name, _)| (place(name).unwrap_or(usize::MAX), *name));
        groups.into_iter().filter_map(|(name, scores)| LevelGroup::of(name, scores, range)).collect()
    }
}

impl ReportOptions<'_> {
    /// The condition of an episode as its row has it, and the identity of its settings; adds the names of `ignore` and `by`
    /// that it has.
    fn condition(
        &self,
        lab: &Lab,
        of: Conditioned<'_>,
        known: &mut BTreeSet<String>,
    ) -> (Condition, mageyard_domain::Digest) {
        let whole = Condition::of(lab, of, self.thresholds.is_none());
        let identity = whole.identity();
        if self.ignore.is_empty() && self.by.is_empty() {
            return (whole, identity);
        }
        let has = |condition: &Condition, name: &str| {
            condition.has(reference::property(name)) || condition.has(name)
        };
        known.extend(self.ignore.iter().filter(|name| has(&whole, name)).cloned());
        let condition = whole.arranged(lab, of, self.ignore, self.by);
        known.extend(self.by.iter().filter(|name| has(&condition, name)).cloned());
        (condition, identity)
    }

    /// Judges an episode with these thresholds, and searches its distances if they are wanted. It is restored only if
    /// its stored summary does not have all of that.
    async fn judge(
        &self,
        lab: &Lab,
        recording: &RecordedEpisode,
        config: &Config,
    ) -> Result<JudgedEpisode, LabError> {
        let stored = recording.summary().filter(|summary| !self.distances && self.fits(summary));
        if let Some(summary) = stored {
            return Ok(judged(lab, recording.head()?.into(), summary, None));
        }
        let restored = recording.restore().await?;
        let episode = &restored.episode;
        let mut summary = restored.summary();
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
        Ok(judged(lab, episode.head().clone(), summary, distances))
    }

    fn fits(&self, summary: &EpisodeSummary) -> bool {
        self.thresholds.is_none_or(|thresholds| thresholds == summary.thresholds)
    }
}

fn judged(
    lab: &Lab,
    head: std::sync::Arc<Head>,
    summary: EpisodeSummary,
    distances: Option<Distances>,
) -> JudgedEpisode {
    let scoring = lab.environment(&head.environment).map(|spec| spec.capabilities().scoring);
    let of_level = head.to_level();
    let level_group = scoring.and_then(|scoring| scoring.level_group(&of_level));
    let level_properties = scoring.map(|scoring| scoring.level_properties(&of_level)).unwrap_or_default();
    let measures = scoring.map_or(&[][..], |scoring| scoring.set_measures());
    let set = set_name(lab, &head);
    let level = level_digest(&head).to_string();
    JudgedEpisode { head, summary, distances, level_group, level_properties, measures, set, level }
}
