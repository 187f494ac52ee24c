//! The fields of `report` that are computed from all episodes: intervals, differences, errors, effort.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::repeats::{BestRecord, PassHatRecord, RepeatedLevelsRecord, VarianceRecord};
use crate::episode_record::ServedChangeRecord;
use mageyard_report::{
    ConditionFields, CountedErrors, Difference, ErrorExample, GroupStats, LevelGroup, MeasureDifference,
    MeasuredValue, Provenance, Rates,
};
use mageyard_statistics::{BestOf, Interval, PairedDifference, RepeatsNeeded};

/// What is computed from all episodes.
#[derive(Serialize, JsonSchema)]
pub(super) struct ComputedFields<'a> {
    /// 95 % interval of the mean score: low, high; null for fewer than two values.
    score_interval: Option<[f64; 2]>,
    /// 95 % interval of the success rate, in percent.
    success_interval: Option<[f64; 2]>,
    /// Whether other objects are compared with this one.
    reference: bool,
    /// Paired difference of the score from the reference.
    difference: Option<DifferenceRecord<'a>>,
    /// Expected best score of `n` repeats; empty with one repeat.
    best_of: Vec<BestOfRecord>,
    /// Probability of being the best of the objects that are compared with each other; null if this one is not.
    best: Option<BestRecord>,
    /// Levels with two repeats or more; null without any.
    repeated_levels: Option<RepeatedLevelsRecord<'a>>,
    /// Variance of scores within and between levels; null without two levels and a level with two repeats.
    variance: Option<VarianceRecord>,
    /// Probability that `k` repeats of a level are all solved, up to the fewest repeats of a level; empty with one repeat.
    pass_hat: Vec<PassHatRecord>,
    /// Scores of groups of levels.
    level_groups: Vec<LevelGroupRecord<'a>>,
    /// Measures of the set, by name; null where the environment names none.
    set_measures: Option<BTreeMap<&'a str, SetMeasureRecord>>,
    /// Errors by kind.
    errors: Vec<ErrorRecord<'a>>,
    /// What a step took.
    per_step: Option<RatesRecord>,
    /// The same for each time that a level was solved.
    per_solved_level: Option<RatesRecord>,
    /// What produced the episodes.
    produced_by: ProvenanceRecord<'a>,
}

/// A measure of a set of episodes: a quotient of sums.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "set_measure")]
struct SetMeasureRecord {
    /// Its value, in percent if it is a share; null if it is undefined.
    value: Option<f64>,
    /// Its 95 % interval; levels are resampled first.
    interval: Option<[f64; 2]>,
    /// Episodes that count.
    episodes: usize,
}

/// A mean difference over pairs of episodes.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PairedFields {
    /// Mean difference.
    difference: Option<f64>,
    /// Its standard error, clustered by level.
    difference_se: Option<f64>,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
    /// P value, two-sided: the signs of whole levels are flipped.
    p: f64,
    /// The same, corrected by Holm for all such differences in the report; with `--correction none` the same value.
    p_corrected: f64,
    /// `inside noise`, `different` or `too few pairs`, by the corrected value.
    verdict: &'static str,
    /// The smallest difference that is found with a probability of 0.8.
    smallest_visible: Option<f64>,
    /// Number of pairs.
    pairs: usize,
}

impl From<&PairedDifference> for PairedFields {
    fn from(paired: &PairedDifference) -> Self {
        let test = &paired.test;
        Self {
            difference: paired.mean,
            difference_se: paired.error,
            interval: paired.interval.map(ends),
            p: test.p,
            p_corrected: test.corrected,
            verdict: test.verdict().text(),
            smallest_visible: test.smallest_visible,
            pairs: paired.pairs.len(),
        }
    }
}

/// A paired difference of scores.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "difference")]
struct DifferenceRecord<'a> {
    /// Settings of the reference.
    reference: ConditionFields,
    #[serde(flatten)]
    paired: PairedFields,
    /// Their levels.
    levels: usize,
    /// Levels that only one side has.
    unpaired_levels: &'a BTreeSet<String>,
    /// With `--difference`: repeats that show it.
    repeats_needed: Option<u32>,
    /// With `--difference`: levels that show it.
    levels_needed: Option<usize>,
    /// Whether the variation is assumed.
    assumed_variation: Option<bool>,
    /// Differences by success, errors and cost.
    measures: Vec<MeasureRecord<'a>>,
}

/// A paired difference by another measure than the score.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "measure_difference")]
struct MeasureRecord<'a> {
    /// `success_rate`, `ia`, `ra`, `parse` or `cost`.
    name: &'static str,
    /// `%`, or the currency.
    unit: &'a str,
    #[serde(flatten)]
    paired: PairedFields,
}

/// An expected best score.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "best_of")]
struct BestOfRecord {
    /// Number of repeats.
    n: usize,
    /// Expected best score.
    score: f64,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
}

/// The scores of a group of levels.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "level_group")]
struct LevelGroupRecord<'a> {
    /// Name of the group.
    name: &'a str,
    /// Its levels.
    levels: usize,
    /// Episodes with a score.
    scored: usize,
    /// Mean score.
    score: f64,
    /// Its standard error.
    score_se: Option<f64>,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
}

/// Errors of a kind.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "error")]
struct ErrorRecord<'a> {
    /// A mark, `rule NAME` of the reader, or `reply ENDING`.
    name: &'a str,
    /// How many, in `unit`.
    count: usize,
    /// `steps` or `replies`.
    unit: &'static str,
    /// Episodes that have one.
    episodes: usize,
    /// Address of the first example.
    first: &'a str,
}

/// What a step or a solved level took; null parts are unknown.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "effort")]
struct RatesRecord {
    /// Time.
    seconds: f64,
    /// Input tokens.
    tokens_in: Option<f64>,
    /// Output tokens.
    tokens_out: Option<f64>,
    /// Costs by currency.
    costs: Option<BTreeMap<String, f64>>,
}

/// What produced some episodes.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "provenance")]
struct ProvenanceRecord<'a> {
    /// Programs with their versions.
    programs: &'a BTreeSet<String>,
    /// Names of the models as servers returned them.
    served_models: &'a BTreeSet<String>,
    /// Fingerprints of the models as servers returned them.
    fingerprints: &'a BTreeSet<String>,
    /// Episodes during which the model changed its name or fingerprint.
    served_changes: Vec<ServedChangesRecord<'a>>,
    /// Addresses of the servers that were asked.
    servers: &'a BTreeSet<String>,
    /// Digests of the texts by prompt variant.
    prompts: BTreeMap<&'a str, Vec<String>>,
    /// Random seeds.
    seeds: &'a BTreeSet<u64>,
    /// Repeats of levels.
    repeats: &'a BTreeSet<u32>,
    /// First and last start in seconds since 1970-01-01 UTC.
    started: Option<(u64, u64)>,
}

/// The changes of the model during an episode.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "served_changes")]
struct ServedChangesRecord<'a> {
    /// Address of the episode.
    episode: &'a str,
    /// Changes, oldest first.
    changes: Vec<ServedChangeRecord<'a>>,
}

impl<'a> ComputedFields<'a> {
    pub(super) fn new(sum: &'a GroupStats) -> Self {
        let results = &sum.results;
        let errors = sum.errors.rows();
        Self {
            score_interval: results.score.map(ends),
            success_interval: results.success.map(ends),
            reference: results.is_reference,
            difference: results.difference.as_ref().map(DifferenceRecord::from),
            best_of: results.best_of.iter().map(BestOfRecord::from).collect(),
            best: results.best.map(BestRecord::from),
            repeated_levels: RepeatedLevelsRecord::of(&results.repeated),
            variance: results.variance.map(VarianceRecord::from),
            pass_hat: results.pass_hat.iter().map(PassHatRecord::from).collect(),
            level_groups: results.level_groups.iter().map(LevelGroupRecord::from).collect(),
            set_measures: set_measures(&results.set_measures),
            errors: errors.map(|(_, name, found)| ErrorRecord::new(name, found)).collect(),
            per_step: sum.effort.per_step().map(RatesRecord::from),
            per_solved_level: sum.effort.per_solved_level().map(RatesRecord::from),
            produced_by: (&sum.provenance).into(),
        }
    }
}

/// The measures by their names.
fn set_measures<'a>(values: &[MeasuredValue]) -> Option<BTreeMap<&'a str, SetMeasureRecord>> {
    let record = |found: &MeasuredValue| SetMeasureRecord {
        value: found.ratio.map(|ratio| ratio.value),
        interval: found.ratio.and_then(|ratio| ratio.interval).map(ends),
        episodes: found.episodes,
    };
    let records = values.iter().map(|found| (found.measure.name, record(found)));
    (!values.is_empty()).then(|| records.collect())
}

/// The low and the high end.
pub(super) fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

impl<'a> From<&'a Difference> for DifferenceRecord<'a> {
    fn from(found: &'a Difference) -> Self {
        let paired = &found.paired;
        let (repeats_needed, levels_needed) = match found.needed.map(|(needed, _)| needed) {
            Some(RepeatsNeeded::Repeats(repeats)) => (Some(repeats), None),
            Some(RepeatsNeeded::Levels(levels)) => (None, Some(levels)),
            Some(RepeatsNeeded::OutOfReach) | None => (None, None),
        };
        Self {
            reference: found.reference.fields(),
            paired: PairedFields::from(paired),
            levels: paired.levels(),
            unpaired_levels: &paired.unpaired,
            repeats_needed,
            levels_needed,
            assumed_variation: found.needed.map(|(_, variation)| variation.assumed),
            measures: found.measures.iter().map(MeasureRecord::from).collect(),
        }
    }
}

impl<'a> From<&'a MeasureDifference> for MeasureRecord<'a> {
    fn from(found: &'a MeasureDifference) -> Self {
        Self { name: found.measure.name(), unit: &found.unit, paired: PairedFields::from(&found.paired) }
    }
}

impl From<&BestOf> for BestOfRecord {
    fn from(point: &BestOf) -> Self {
        Self { n: point.n, score: point.mean, interval: point.band.map(ends) }
    }
}

impl<'a> From<&'a LevelGroup> for LevelGroupRecord<'a> {
    fn from(group: &'a LevelGroup) -> Self {
        Self {
            name: &group.name,
            levels: group.levels,
            scored: group.episodes,
            score: group.mean,
            score_se: group.error,
            interval: group.interval.map(ends),
        }
    }
}

impl<'a> ErrorRecord<'a> {
    fn new(name: &'a str, found: &'a ErrorExample) -> Self {
        Self {
            name,
            count: found.count,
            unit: CountedErrors::of(name).name(),
            episodes: found.episodes,
            first: &found.first,
        }
    }
}

impl From<Rates> for RatesRecord {
    fn from(Rates { seconds, tokens_in, tokens_out, costs }: Rates) -> Self {
        Self { seconds, tokens_in, tokens_out, costs }
    }
}

impl<'a> From<&'a Provenance> for ProvenanceRecord<'a> {
    fn from(found: &'a Provenance) -> Self {
        let prompts = found
            .prompts
            .iter()
            .map(|(name, digests)| (name.as_str(), digests.iter().map(ToString::to_string).collect()));
        let changes = found.served_changes.iter();
        let changes = changes.map(|(episode, changes)| ServedChangesRecord {
            episode,
            changes: changes.iter().map(ServedChangeRecord::from).collect(),
        });
        Self {
            programs: &found.programs,
            served_models: &found.served_models,
            fingerprints: &found.fingerprints,
            served_changes: changes.collect(),
            servers: &found.servers,
            prompts: prompts.collect(),
            seeds: &found.seeds,
            repeats: &found.repeats,
            started: found.started,
        }
    }
}
