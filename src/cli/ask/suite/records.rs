//! The objects of an ask about a suite.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::answers_record::AnswersRecord;
use super::margin_record::MarginRecord;
use crate::ask::records::{CallNeeds, StruckRecord};
use crate::output::Output;
use crate::records::{Record, TestFields, UsageFields, VariantFields, ends};
use mageyard_lab::Needs;
use mageyard_statistics::Share;
use mageyard_study::{
    AskRecord, AskStop, AskedSuite, MeasuredShare, Suite, SuiteComparison, SuitePlan, SuiteRow, SuiteTable,
    Threshold, ThresholdResult, Variant,
};

/// What is asked about a suite (`ask SUITE`), before the calls. The calls are `ask_call` objects.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AskedRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// States that are asked.
    states: usize,
    /// States of the suite.
    states_in_suite: usize,
    /// Calls of all states.
    calls: usize,
    /// Calls of each variant in each state.
    samples: Option<u32>,
    /// Seed of the order and of the calls.
    seed: Option<u64>,
    /// Number of variants.
    variants: Option<usize>,
    /// Variants that are not possible.
    struck: Option<Vec<StruckRecord<'a>>>,
    #[serde(flatten)]
    needs: Option<SuiteNeeds<'a>>,
}

impl Record for AskedRecord<'_> {
    const TYPE: &'static str = "suite_ask";
}

/// What the missing calls need; not with `--show`.
#[derive(Serialize, JsonSchema)]
struct SuiteNeeds<'a> {
    #[serde(flatten)]
    calls: CallNeeds<'a>,
    /// States that were played into the store now.
    played: usize,
}

impl<'a> AskedRecord<'a> {
    /// What is asked, with what the missing calls need.
    pub(super) fn planned(suite: &'a Suite, plan: &'a SuitePlan, needs: &'a Needs) -> Self {
        let record = plan.plans.first().map(|plan| &plan.record);
        let needs = SuiteNeeds { calls: CallNeeds::new(needs, plan.remarks()), played: plan.played };
        Self { needs: Some(needs), ..Self::new(suite, plan.states.len(), plan.calls(), record) }
    }

    /// What was asked.
    pub(super) fn stored(of: &AskedSuite<'a>) -> Self {
        Self::new(of.suite, of.states.len(), of.calls(), of.asks.first().map(|ask| &ask.record))
    }

    fn new(suite: &'a Suite, states: usize, calls: usize, record: Option<&'a AskRecord>) -> Self {
        Self {
            suite: &suite.name,
            states,
            states_in_suite: suite.states.len(),
            calls,
            samples: record.map(|record| record.samples),
            seed: record.map(|record| record.seed),
            variants: record.map(|record| record.variants.len()),
            struck: record.map(|record| StruckRecord::all(&record.struck)),
            needs: None,
        }
    }
}

/// Prints the objects of the report.
pub(super) fn print_report(of: &AskedSuite<'_>, table: &SuiteTable, out: &mut Output) -> std::io::Result<()> {
    let name = &of.suite.name;
    for (number, (variant, row)) in (1..).zip(of.variants().iter().zip(&table.rows)) {
        out.record(&VariantRecord::new(name, number, variant, row))?;
    }
    for comparison in &table.comparisons {
        out.record(&ComparisonRecord::new(name, comparison))?;
    }
    if let Some(margin) = &of.suite.margin {
        // A base that is not asked was refused before the calls.
        for found in margin.results(of.variants(), table).unwrap_or_default() {
            out.record(&MarginRecord::new(name, margin, &found))?;
        }
    }
    for answers in &table.states {
        if let Some(state) = of.states.get(answers.state) {
            out.record(&AnswersRecord::new(name, state, answers))?;
        }
    }
    out.record(&ResultRecord::new(of, table))
}

/// A variant on all states (`ask SUITE`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct VariantRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Its number.
    variant: usize,
    #[serde(flatten)]
    settings: VariantFields<'a>,
    /// Replies.
    replies: usize,
    /// Calls without a reply.
    failed: usize,
    /// Shares over all states.
    shares: Vec<MeasuredShareRecord>,
    /// Share of accepted answers in each category.
    categories: Vec<CategoryRecord<'a>>,
    #[serde(flatten)]
    usage: UsageFields,
}

impl Record for VariantRecord<'_> {
    const TYPE: &'static str = "suite_variant";
}

/// A share of the replies to a suite, with its 95 % interval.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "measured_share")]
struct MeasuredShareRecord {
    /// What is measured.
    measure: &'static str,
    /// How many.
    count: usize,
    /// Out of how many.
    of: usize,
    /// States in which it can be judged.
    states: usize,
    /// From 0 to 1.
    share: Option<f64>,
    /// Lower end of the interval.
    low: Option<f64>,
    /// Upper end.
    high: Option<f64>,
}

impl From<MeasuredShare> for MeasuredShareRecord {
    fn from(found: MeasuredShare) -> Self {
        let MeasuredShare { measure, states, share } = found;
        let (low, high) = ends(share.interval);
        Self {
            measure: measure.name(),
            count: share.count,
            of: share.of,
            states,
            share: share.value(),
            low,
            high,
        }
    }
}

/// A share in the states of a category.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "category_share")]
struct CategoryRecord<'a> {
    /// Sort of the states.
    category: &'a str,
    #[serde(flatten)]
    share: MeasuredShareRecord,
}

impl<'a> VariantRecord<'a> {
    fn new(suite: &'a str, number: usize, variant: &'a Variant, row: &'a SuiteRow) -> Self {
        let category = |(category, found): &'a (String, MeasuredShare)| CategoryRecord {
            category,
            share: (*found).into(),
        };
        Self {
            suite,
            variant: number,
            settings: variant.into(),
            replies: row.replies,
            failed: row.failed,
            shares: row.shares.iter().copied().map(MeasuredShareRecord::from).collect(),
            categories: row.categories.iter().map(category).collect(),
            usage: UsageFields::new(row.spent, &row.cost),
        }
    }
}

/// Two variants compared by accepted answers on the same states (`ask SUITE`), the surest first.
///
/// The test flips the signs of whole states. The smallest visible difference is found with a probability of 0.8; it is null if
/// fewer than six states differ.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ComparisonRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Number of one variant.
    first: usize,
    /// Number of the other.
    second: usize,
    /// Share of the second minus that of the first.
    difference: f64,
    /// Lower end of its 95 % interval.
    low: Option<f64>,
    /// Upper end.
    high: Option<f64>,
    /// States that count.
    states: usize,
    #[serde(flatten)]
    test: TestFields,
    /// Pairs of whole episodes that would show a difference of as many points of score.
    episode_pairs: Option<usize>,
}

impl Record for ComparisonRecord<'_> {
    const TYPE: &'static str = "suite_comparison";
}

impl<'a> ComparisonRecord<'a> {
    fn new(suite: &'a str, one: &SuiteComparison) -> Self {
        let (low, high) = ends(one.interval);
        let pair = &one.pair;
        Self {
            suite,
            first: pair.variants.0 + 1,
            second: pair.variants.1 + 1,
            difference: pair.difference,
            low,
            high,
            states: one.states,
            test: TestFields::from(&pair.test),
            episode_pairs: one.episode_pairs,
        }
    }
}

/// The end of an ask about a suite (`ask SUITE`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ResultRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Calls of all states.
    calls: usize,
    /// Replies that are there.
    replies: usize,
    /// Whether all are.
    complete: bool,
    /// `cancelled` or `failing` if it ended early.
    stopped: Option<&'static str>,
    /// Whether the journals have the same bytes; null if nothing was asked now.
    recordings_unchanged: Option<bool>,
    /// Whether the states are the same; null if nothing was asked now.
    states_unchanged: Option<bool>,
}

impl Record for ResultRecord<'_> {
    const TYPE: &'static str = "suite_result";
}

impl<'a> ResultRecord<'a> {
    fn new(of: &AskedSuite<'a>, table: &SuiteTable) -> Self {
        let replies: usize = table.rows.iter().map(|row| row.replies).sum();
        let outcomes = of.outcomes.unwrap_or_default();
        let stops = outcomes.iter().find_map(|outcome| outcome.stopped.as_ref());
        let same = outcomes.iter().all(|outcome| outcome.is_journal_unchanged);
        let states = outcomes.iter().all(|outcome| outcome.state_after == outcome.ask.record.state);
        Self {
            suite: &of.suite.name,
            calls: of.calls(),
            replies,
            complete: replies == of.replies(),
            stopped: stops.map(|stop| match stop {
                AskStop::Cancelled(_) => "cancelled",
                AskStop::Failing(_) => "failing",
            }),
            recordings_unchanged: of.outcomes.map(|_| same),
            states_unchanged: of.outcomes.map(|_| states),
        }
    }
}

/// A variant compared with a threshold (`ask SUITE --threshold`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ThresholdRecord<'a> {
    /// Name of the suite.
    suite: &'a str,
    /// Threshold as written.
    threshold: String,
    /// Number of the variant.
    variant: usize,
    /// Its share; null without replies that can be judged.
    share: Option<f64>,
    /// Lower end of its 95 % interval.
    low: Option<f64>,
    /// Upper end.
    high: Option<f64>,
    /// Whether it is met.
    met: bool,
}

impl Record for ThresholdRecord<'_> {
    const TYPE: &'static str = "suite_threshold";
}

impl<'a> ThresholdRecord<'a> {
    pub(super) fn new(suite: &'a Suite, threshold: &Threshold, result: &ThresholdResult) -> Self {
        let found = result.share;
        let (low, high) = ends(found.and_then(|share| share.interval));
        Self {
            suite: &suite.name,
            threshold: threshold.to_string(),
            variant: result.variant + 1,
            share: found.and_then(Share::value),
            low,
            high,
            met: result.is_met,
        }
    }
}

/// The sweep that confirms the result with whole episodes (`ask SUITE --confirm`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ConfirmRecord<'a> {
    /// Name of the suite.
    pub(super) suite: &'a str,
    /// Text of the sweep file.
    pub(super) sweep: &'a str,
    /// File that was written.
    pub(super) path: Option<&'a Path>,
}

impl Record for ConfirmRecord<'_> {
    const TYPE: &'static str = "suite_confirm";
}
