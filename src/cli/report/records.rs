//! The object `report`: a row of a report.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::{Record, RequestFields};
use mageyard_domain::{Amount, RepetitionThresholds};
use mageyard_engine::Mark;
use mageyard_report::{
    Baseline, Condition, ConditionFields, Difference, DistanceFields, ErrorExample, GroupStats, LevelGroup,
    Provenance, Rates,
};
use mageyard_statistics::{BestOf, Interval, RepeatsNeeded};

/// A combination of settings (`report`), with counts over its episodes.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReportRecord<'a> {
    #[serde(flatten)]
    condition: ConditionFields,
    /// Names of the settings that differ between objects.
    differs: &'a [String],
    /// Finished episodes without intervention.
    episodes: usize,
    /// Different levels.
    levels: usize,
    /// Episodes in which a person intervened.
    mixed: usize,
    /// Unfinished episodes.
    unfinished: usize,
    /// Mean score.
    score: Option<f64>,
    /// Its standard error; null for fewer than two values.
    score_se: Option<f64>,
    /// Episodes with a score.
    scored: usize,
    /// % of solved episodes.
    success_rate: Option<f64>,
    /// Its standard error; null for fewer than two values.
    success_rate_se: Option<f64>,
    /// Number of steps.
    steps: u64,
    /// Mean score relative to published optima.
    published_score: Option<f64>,
    /// Episodes with such a score.
    published_scored: usize,
    /// Mean share of the score that was lost, in percent, by loss.
    losses: Option<BTreeMap<&'a str, f64>>,
    /// Mean scores after each step; null where only the last counts.
    score_by_step: Option<Vec<f64>>,
    /// % of episodes with an action whose result cannot be shown (Ren).
    ren: Option<f64>,
    /// % of episodes with a failed interaction (Act).
    act: Option<f64>,
    /// Replies with a parse error, truncated and refused ones included.
    parse_errors: usize,
    /// Replies by ending, without complete ones; unfinished episodes included.
    reply_endings: &'a BTreeMap<String, usize>,
    /// Actions that did not change the state.
    ineffective: usize,
    /// % of episodes with a parse error.
    parse: Option<f64>,
    /// % of episodes with IA.
    ia: Option<f64>,
    /// % of episodes with RA.
    ra: Option<f64>,
    /// % of episodes with an ineffective action.
    same: Option<f64>,
    /// % of episodes with a dead state.
    dead: Option<f64>,
    /// % of episodes with extra moves; null without `--distance`.
    off_path: Option<f64>,
    /// Episodes by ending.
    endings: &'a BTreeMap<&'static str, usize>,
    /// Repetition thresholds.
    thresholds: Vec<ThresholdsRecord>,
    /// Known part of the costs by currency.
    #[schemars(with = "Option<BTreeMap<String, String>>")]
    costs: Option<&'a BTreeMap<String, Amount>>,
    /// Episodes of whose cost no part is known.
    uncosted: usize,
    /// Requests whose cost is unknown.
    uncosted_requests: usize,
    /// Estimated input tokens that requests share with the beginning of the one before.
    tokens_repeated: u64,
    /// Estimated cost of the known requests by currency; null without a price of cached tokens.
    cache_costs: Option<BTreeMap<&'a str, CacheCost>>,
    /// Extra moves and dead states; null without `--distance`.
    distance: Option<DistanceFields>,
    #[serde(flatten)]
    requests: RequestFields,
    #[serde(flatten)]
    computed: ComputedFields<'a>,
    /// Recorded baseline that this is; null for rows of the report.
    baseline: Option<BaselineRecord<'a>>,
}

impl Record for ReportRecord<'_> {
    const TYPE: &'static str = "report";
}

/// Repetitions that count as repeating.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "thresholds")]
struct ThresholdsRecord {
    /// Identical actions without effect in a row.
    unchanged: usize,
    /// Identical actions in a row.
    same: usize,
}

impl From<&RepetitionThresholds> for ThresholdsRecord {
    fn from(RepetitionThresholds { unchanged, same }: &RepetitionThresholds) -> Self {
        Self { unchanged: *unchanged, same: *same }
    }
}

/// What the known requests would cost, with and without a cache.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "cache_cost")]
struct CacheCost {
    /// If the server reads repeated tokens from a cache.
    #[schemars(with = "String")]
    with: Amount,
    /// If it caches nothing.
    #[schemars(with = "String")]
    without: Amount,
}

/// How much of a recorded baseline there is.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "baseline")]
struct BaselineRecord<'a> {
    /// Levels of the report's level set.
    levels: usize,
    /// Names of those that are missing.
    missing: &'a [String],
}

/// What is computed from all episodes.
#[derive(Serialize, JsonSchema)]
struct ComputedFields<'a> {
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
    /// Scores of groups of levels.
    level_groups: Vec<LevelGroupRecord<'a>>,
    /// Errors by kind.
    errors: Vec<ErrorRecord<'a>>,
    /// What a step took.
    per_step: Option<RatesRecord>,
    /// The same for each time that a level was solved.
    per_solved_level: Option<RatesRecord>,
    /// What produced the episodes.
    produced_by: ProvenanceRecord<'a>,
}

/// A paired difference of scores.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "difference")]
struct DifferenceRecord<'a> {
    /// Settings of the reference.
    reference: ConditionFields,
    /// Mean difference.
    difference: Option<f64>,
    /// Its standard error.
    difference_se: Option<f64>,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
    /// `inside noise`, `different` or `too few pairs`.
    verdict: &'static str,
    /// Number of pairs.
    pairs: usize,
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
    /// How many.
    count: usize,
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
    /// Digests of the texts by prompt variant.
    prompts: BTreeMap<&'a str, Vec<String>>,
    /// Random seeds.
    seeds: &'a BTreeSet<u64>,
    /// Repeats of levels.
    repeats: &'a BTreeSet<u32>,
    /// First and last start in seconds since 1970-01-01 UTC.
    started: Option<(u64, u64)>,
}

impl<'a> ReportRecord<'a> {
    /// The object of a row; `differs` are the properties in which the rows differ.
    pub(super) fn new(condition: &Condition, sum: &'a GroupStats, differs: &'a [String]) -> Self {
        let losses = sum.losses();
        let by_step = sum.scores_by_step();
        let searched = !sum.distances.is_empty();
        Self {
            condition: condition.fields(),
            differs,
            episodes: sum.episodes,
            levels: sum.levels(),
            mixed: sum.mixed,
            unfinished: sum.unfinished,
            score: sum.score(),
            score_se: sum.score_error(),
            scored: sum.scores.len(),
            success_rate: sum.success_rate(),
            success_rate_se: sum.success_error(),
            steps: sum.steps,
            published_score: sum.published(),
            published_scored: sum.published.len(),
            losses: (!losses.is_empty()).then_some(losses),
            score_by_step: (!by_step.is_empty()).then(|| by_step.iter().map(|row| row.0).collect()),
            ren: sum.marked(Mark::NotRendered),
            act: sum.marked(Mark::FailedInteraction),
            parse_errors: sum.parse_errors,
            reply_endings: &sum.reply_endings,
            ineffective: sum.ineffective,
            parse: sum.marked(Mark::ParseError),
            ia: sum.marked(Mark::InvalidAction),
            ra: sum.marked(Mark::RepeatedAction),
            same: sum.marked(Mark::Unchanged),
            dead: sum.marked(Mark::Dead),
            off_path: sum.marked(Mark::OffPath).filter(|_| searched),
            endings: &sum.endings,
            thresholds: sum.thresholds.iter().map(ThresholdsRecord::from).collect(),
            costs: (sum.unknown_costs == 0 || !sum.costs.is_empty()).then_some(&sum.costs),
            uncosted: sum.unknown_costs,
            uncosted_requests: sum.unknown_requests,
            tokens_repeated: sum.repeated,
            cache_costs: cache_costs(sum),
            distance: searched.then(|| sum.distances.fields()),
            requests: sum.spent.into(),
            computed: ComputedFields::new(sum),
            baseline: None,
        }
    }

    /// The object of a baseline that was recorded elsewhere.
    pub(super) fn of_baseline(condition: &Condition, baseline: &'a Baseline, differs: &'a [String]) -> Self {
        let record = BaselineRecord { levels: baseline.of, missing: &baseline.missing };
        Self { baseline: Some(record), ..Self::new(condition, &baseline.stats, differs) }
    }
}

/// By currency, what the known requests cost with a cache and without one; `None` if that is unknown.
fn cache_costs(sum: &GroupStats) -> Option<BTreeMap<&str, CacheCost>> {
    let costs = sum
        .cache_costs
        .iter()
        .map(|(currency, (with, without))| (currency.as_str(), CacheCost { with: *with, without: *without }));
    (!sum.cache_costs.is_empty()).then(|| costs.collect())
}

impl<'a> ComputedFields<'a> {
    fn new(sum: &'a GroupStats) -> Self {
        let results = &sum.results;
        let errors = sum.errors.rows();
        Self {
            score_interval: results.score.map(ends),
            success_interval: results.success.map(ends),
            reference: results.is_reference,
            difference: results.difference.as_ref().map(DifferenceRecord::from),
            best_of: results.best_of.iter().map(BestOfRecord::from).collect(),
            level_groups: results.level_groups.iter().map(LevelGroupRecord::from).collect(),
            errors: errors.map(|(_, name, found)| ErrorRecord::new(name, found)).collect(),
            per_step: sum.effort.per_step().map(RatesRecord::from),
            per_solved_level: sum.effort.per_solved_level().map(RatesRecord::from),
            produced_by: (&sum.provenance).into(),
        }
    }
}

fn ends(interval: Interval) -> [f64; 2] {
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
            difference: paired.mean,
            difference_se: paired.error,
            interval: paired.interval.map(ends),
            verdict: paired.verdict().text(),
            pairs: paired.pairs.len(),
            levels: paired.levels(),
            unpaired_levels: &paired.unpaired,
            repeats_needed,
            levels_needed,
            assumed_variation: found.needed.map(|(_, variation)| variation.assumed),
        }
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
        Self { name, count: found.count, episodes: found.episodes, first: &found.first }
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
        Self {
            programs: &found.programs,
            served_models: &found.served_models,
            prompts: prompts.collect(),
            seeds: &found.seeds,
            repeats: &found.repeats,
            started: found.started,
        }
    }
}
