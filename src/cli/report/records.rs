//! The object `report`: a row of a report.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::computed_fields::{ComputedFields, ends};
use crate::records::{Record, RequestFields};
use mageyard_domain::{Amount, RepetitionThresholds};
use mageyard_engine::Mark;
use mageyard_report::{
    Baseline, Condition, ConditionFields, DistanceFields, GroupStats, IdleScore, RoleStats, VerdictStats,
};

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
    /// Finished episodes that are left out: one with the same level, repeat, seed and settings is counted.
    left_out: usize,
    /// Records of the level file that could not be played and were left out.
    left_out_records: usize,
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
    /// Mean score of doing nothing on the levels of the level set; null without `--paper`, and in a live environment.
    idle_score: Option<f64>,
    /// Mean score relative to published optima.
    published_score: Option<f64>,
    /// Episodes with such a score.
    published_scored: usize,
    /// Mean share of the score that was lost, in percent, by loss.
    losses: Option<BTreeMap<&'a str, f64>>,
    /// Mean of what each term of the reward earned, by term; null where the environment names none.
    reward_terms: Option<BTreeMap<&'a str, f64>>,
    /// Mean scores after each step; null where only the last counts.
    score_by_step: Option<Vec<f64>>,
    /// Their 95 % intervals, each null for fewer than two episodes.
    score_by_step_intervals: Option<Vec<Option<[f64; 2]>>>,
    /// % of episodes with an action whose result cannot be shown (Ren).
    ren: Option<f64>,
    /// % of episodes with a failed interaction (Act).
    act: Option<f64>,
    /// Replies with a parse error, truncated and refused ones included.
    parse_errors: usize,
    /// List members that are not actions, and code blocks with an unknown label, that were ignored in replies.
    dropped_members: usize,
    /// Replies by ending, without complete ones; unfinished episodes included.
    reply_endings: &'a BTreeMap<String, usize>,
    /// Actions that did not change the state.
    ineffective: usize,
    /// % of episodes with a parse error.
    parse: Option<f64>,
    /// % of episodes with dropped members.
    dropped: Option<f64>,
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
    /// How environments judged the episodes; null if they do not.
    verdicts: Option<VerdictsRecord>,
    /// Repetition thresholds.
    thresholds: Vec<ThresholdsRecord>,
    /// Known part of the costs by currency.
    #[schemars(with = "Option<BTreeMap<String, String>>")]
    costs: Option<&'a BTreeMap<String, Amount>>,
    /// Episodes of whose cost no part is known.
    uncosted: usize,
    /// Requests whose cost is unknown.
    uncosted_requests: usize,
    /// Side requests by role, whose requests, tokens and costs are part of the others.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    roles: BTreeMap<&'static str, ReportRoleRecord<'a>>,
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

impl<'a> ReportRecord<'a> {
    /// The object of a row; `differs` are the properties in which the rows differ.
    pub(super) fn new(condition: &Condition, sum: &'a GroupStats, differs: &'a [String]) -> Self {
        let losses = sum.losses();
        let terms = sum.reward_terms();
        let by_step = &sum.results.by_step;
        let searched = !sum.distances.is_empty();
        Self {
            condition: condition.fields(),
            differs,
            episodes: sum.episodes,
            levels: sum.levels(),
            mixed: sum.mixed,
            unfinished: sum.unfinished,
            left_out: sum.left_out,
            left_out_records: sum.left_out_records,
            score: sum.score(),
            score_se: sum.score_error(),
            scored: sum.scores.len(),
            success_rate: sum.success_rate(),
            success_rate_se: sum.success_error(),
            steps: sum.steps,
            idle_score: None,
            published_score: sum.published(),
            published_scored: sum.published.len(),
            losses: (!losses.is_empty()).then_some(losses),
            reward_terms: (!terms.is_empty()).then_some(terms),
            score_by_step: (!by_step.is_empty()).then(|| by_step.iter().map(|step| step.mean).collect()),
            score_by_step_intervals: (!by_step.is_empty())
                .then(|| by_step.iter().map(|step| step.interval.map(ends)).collect()),
            ren: sum.marked(Mark::NotRendered),
            act: sum.marked(Mark::FailedInteraction),
            parse_errors: sum.parse_errors,
            dropped_members: sum.dropped,
            reply_endings: &sum.reply_endings,
            ineffective: sum.ineffective,
            parse: sum.marked(Mark::ParseError),
            dropped: sum.marked(Mark::Dropped),
            ia: sum.marked(Mark::InvalidAction),
            ra: sum.marked(Mark::RepeatedAction),
            same: sum.marked(Mark::Unchanged),
            dead: sum.marked(Mark::Dead),
            off_path: sum.marked(Mark::OffPath).filter(|_| searched),
            endings: &sum.endings,
            verdicts: (!sum.verdicts.is_empty()).then(|| sum.verdicts.into()),
            thresholds: sum.thresholds.iter().map(ThresholdsRecord::from).collect(),
            costs: (sum.unknown_costs == 0 || !sum.costs.is_empty()).then_some(&sum.costs),
            uncosted: sum.unknown_costs,
            uncosted_requests: sum.unknown_requests,
            roles: sum.roles.iter().map(|(role, stats)| (role.name(), stats.into())).collect(),
            tokens_repeated: sum.repeated,
            cache_costs: cache_costs(sum),
            distance: searched.then(|| sum.distances.fields()),
            requests: sum.spent.into(),
            computed: ComputedFields::new(sum),
            baseline: None,
        }
    }

    /// The object with the score of doing nothing.
    pub(super) fn with_idle(self, idle: Option<&IdleScore>) -> Self {
        Self { idle_score: idle.map(|found| found.mean), ..self }
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

/// What the side requests of a role came to.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "role_stats")]
struct ReportRoleRecord<'a> {
    /// Side requests; the tries of one count once.
    side_requests: usize,
    /// Replies, those that could not be read included.
    replies: u64,
    /// Answers to equal requests that were used again.
    reused: usize,
    /// Replies that could not be read.
    unread: usize,
    /// Known part of the costs by currency.
    #[schemars(with = "BTreeMap<String, String>")]
    costs: &'a BTreeMap<String, Amount>,
    /// Requests whose cost is unknown.
    uncosted_requests: usize,
    #[serde(flatten)]
    requests: RequestFields,
}

impl<'a> From<&'a RoleStats> for ReportRoleRecord<'a> {
    fn from(stats: &'a RoleStats) -> Self {
        Self {
            side_requests: stats.requests,
            replies: stats.replies,
            reused: stats.reused,
            unread: stats.unread,
            costs: &stats.costs,
            uncosted_requests: stats.unknown_requests,
            requests: stats.spent.into(),
        }
    }
}

/// How environments judged the episodes of a row.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "verdicts")]
struct VerdictsRecord {
    /// Episodes with a verdict.
    judged: usize,
    /// Those that are done in full.
    successes: usize,
    /// Episodes that should have been judged and were not.
    not_judged: usize,
    /// Episodes that the agent ended itself.
    active_finishes: usize,
    /// Those of them whose verdict is below full.
    false_finishes: usize,
}

impl From<VerdictStats> for VerdictsRecord {
    fn from(stats: VerdictStats) -> Self {
        let VerdictStats { judged, successes, not_judged, active_finishes, false_finishes } = stats;
        Self { judged, successes, not_judged, active_finishes, false_finishes }
    }
}
