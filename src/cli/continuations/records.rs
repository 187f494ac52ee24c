//! The objects of `ask --to-end`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::ask::records::StruckRecord;
use crate::records::{ChangeRecord, ComparisonFields, Record, ShareRecord, UsageFields, ends};
use mageyard_domain::Digest;
use mageyard_engine::{Restored, Store};
use mageyard_statistics::Interval;
use mageyard_study::{
    ContinuationPlan, ContinuationRow, ContinuationVariant, EndedContinuation, StoredContinuation,
};

/// What is played on from a step (`ask --to-end`), before the first branch is played. docs/asking.md describes it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlanRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Number of the step.
    step: u32,
    /// Digest of its state.
    #[schemars(with = "String")]
    state: Digest,
    /// How the environment comes back: `exact`, `replayed` or `unsafe`.
    #[schemars(with = "String")]
    restored: Restored,
    /// Branches of each variant.
    samples: u32,
    /// Seed of the order and of random choices.
    seed: u64,
    /// Variants that are played.
    variants: Vec<VariantSettings<'a>>,
    /// Variants that are not possible.
    struck: Vec<StruckRecord<'a>>,
    /// Branches of all variants.
    branches: usize,
    /// Those that are over already.
    over: usize,
    /// Steps that the others can take together.
    most_steps: u64,
    /// Mean input tokens of a recorded request.
    tokens_in_per_request: Option<u64>,
    /// Mean output tokens of one.
    tokens_out_per_request: Option<u64>,
}

impl Record for PlanRecord<'_> {
    const TYPE: &'static str = "continuation_plan";
}

/// How the branches of a variant are played.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "variant_settings")]
struct VariantSettings<'a> {
    /// Number of the variant.
    variant: usize,
    /// Prompt variant.
    prompt: &'a str,
    /// Action memory.
    am: u16,
    /// Observation memory.
    om: u16,
    /// Who plays: the model, or the name of the agent.
    agent: &'a str,
    /// Model; null for other agents.
    model: Option<&'a str>,
    /// Base URL of its server, if named with the model.
    server: Option<&'a str>,
    /// What differs from the recording.
    changes: Vec<ChangeRecord<'a>>,
    /// Steps that a branch may take.
    steps_left: u32,
}

impl<'a> VariantSettings<'a> {
    fn new(index: usize, variant: &'a ContinuationVariant) -> Self {
        Self {
            variant: index + 1,
            prompt: &variant.prompt,
            am: variant.window.am(),
            om: variant.window.om(),
            agent: &variant.agent,
            model: variant.model.as_deref(),
            server: variant.server.as_deref(),
            changes: ChangeRecord::all(&variant.changes),
            steps_left: variant.steps_left,
        }
    }
}

impl<'a> PlanRecord<'a> {
    pub(super) fn new(run: &'a str, plan: &'a ContinuationPlan, stored: &[StoredContinuation]) -> Self {
        let variants = plan.variants.iter().enumerate();
        Self {
            run,
            step: plan.request.step,
            state: plan.state,
            restored: plan.restored,
            samples: plan.request.samples,
            seed: plan.request.seed,
            variants: variants.map(|(index, variant)| VariantSettings::new(index, variant)).collect(),
            struck: StruckRecord::all(&plan.struck),
            branches: plan.count(),
            over: stored.iter().filter(|one| one.summary.is_some()).count(),
            most_steps: plan.most_steps(stored),
            tokens_in_per_request: plan.per_request.map(|usage| usage.input),
            tokens_out_per_request: plan.per_request.map(|usage| usage.output),
        }
    }
}

/// A branch that was played on (`ask --to-end`), as it ends.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EndedRecord<'a> {
    /// Reference of the branch.
    run: String,
    /// Step that it begins with.
    step: u32,
    /// Number of the variant.
    variant: usize,
    /// Number among the branches of the variant.
    sample: u32,
    /// Prompt variant.
    prompt: Option<&'a str>,
    /// Why it is not over; null also if the agent found no action.
    error: Option<&'a str>,
}

impl Record for EndedRecord<'_> {
    const TYPE: &'static str = "continuation";
}

impl<'a> EndedRecord<'a> {
    pub(super) fn new(store: &Store, plan: &'a ContinuationPlan, one: &'a EndedContinuation) -> Self {
        let branch = &one.branch;
        let variant = plan.variants.get(branch.variant);
        Self {
            run: store.reference(&branch.journal),
            step: plan.request.step,
            variant: branch.variant + 1,
            sample: branch.sample,
            prompt: variant.map(|variant| variant.prompt.as_str()),
            error: one.failure.as_deref(),
        }
    }
}

/// What the branches of a variant led to (`ask --to-end`); the usage is that of their own requests.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VariantRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    #[serde(flatten)]
    settings: VariantSettings<'a>,
    #[serde(flatten)]
    row: RowFields<'a>,
}

impl Record for VariantRecord<'_> {
    const TYPE: &'static str = "continuation_variant";
}

impl<'a> VariantRecord<'a> {
    pub(super) fn new(
        run: &'a str,
        index: usize,
        variant: &'a ContinuationVariant,
        row: &'a ContinuationRow,
    ) -> Self {
        Self { run, settings: VariantSettings::new(index, variant), row: RowFields::new(row) }
    }
}

/// The figures of several branches.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RowFields<'a> {
    /// Branches that are over.
    over: usize,
    /// Branches that are not.
    unfinished: usize,
    /// Share that reached the goal.
    goal_reached: ShareRecord,
    /// Mean score.
    score: Option<MeanRecord>,
    /// Mean number of steps after the branch began; null if none is over.
    steps: Option<MeanRecord>,
    /// How many ended in which way.
    endings: &'a BTreeMap<String, usize>,
    #[serde(flatten)]
    usage: UsageFields,
}

/// A mean with its 95 % interval, which is null for fewer than two values.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "mean_interval")]
struct MeanRecord {
    /// Mean.
    mean: f64,
    /// Lower end.
    low: Option<f64>,
    /// Upper end.
    high: Option<f64>,
}

impl From<(f64, Option<Interval>)> for MeanRecord {
    fn from((mean, interval): (f64, Option<Interval>)) -> Self {
        let (low, high) = ends(interval);
        Self { mean, low, high }
    }
}

impl<'a> RowFields<'a> {
    pub(crate) fn new(row: &'a ContinuationRow) -> Self {
        Self {
            over: row.over,
            unfinished: row.unfinished,
            goal_reached: row.won.into(),
            score: row.score.map(MeanRecord::from),
            steps: row.steps.map(MeanRecord::from),
            endings: &row.endings,
            usage: UsageFields::new(row.spent, &row.cost),
        }
    }
}

/// Two variants compared by the share that reached the goal (`ask --to-end`), the surest first.
///
/// The test is Fisher's exact one.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ComparisonRecord<'a> {
    #[serde(flatten)]
    pub(super) fields: ComparisonFields<'a>,
}

impl Record for ComparisonRecord<'_> {
    const TYPE: &'static str = "continuation_comparison";
}
