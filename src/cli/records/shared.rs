//! Parts that objects of several types have: requests, costs, shares, ranges, changes.

use schemars::JsonSchema;
use serde::Serialize;

use mageyard_domain::{Amount, Cost, TokenTotals, UnansweredRequests, Usage};
use mageyard_engine::Change;
use mageyard_lab::{Bounds, CostBounds, Needs};
use mageyard_statistics::{DifferenceTest, Interval, Share};
use mageyard_study::{Variant, VariantComparison};

/// Requests and tokens.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RequestFields {
    /// Requests sent; each try counts.
    requests: usize,
    /// Of these, refused before anything was generated; they cost nothing.
    requests_refused: usize,
    /// Of these, failed otherwise.
    requests_failed: usize,
    /// Of these, cancelled.
    requests_cancelled: usize,
    /// Of these, without a reply when the program ended.
    requests_lost: usize,
    /// Requests whose tokens the server did not report.
    unmetered: usize,
    /// Input tokens of the other requests.
    tokens_in: u64,
    /// Their output tokens.
    tokens_out: u64,
    /// Input tokens read from the server's cache.
    tokens_cached: u64,
    /// Input tokens written to it.
    tokens_cache_writes: u64,
    /// Estimated tokens of unmetered requests; null if the limits ignore them.
    tokens_estimated: Option<u64>,
}

impl From<TokenTotals> for RequestFields {
    fn from(spent: TokenTotals) -> Self {
        let UnansweredRequests { refused, failed, cancelled, lost } = spent.unanswered;
        Self {
            requests: spent.requests,
            requests_refused: refused,
            requests_failed: failed,
            requests_cancelled: cancelled,
            requests_lost: lost,
            unmetered: spent.unmetered,
            tokens_in: spent.usage.input,
            tokens_out: spent.usage.output,
            tokens_cached: spent.usage.cached,
            tokens_cache_writes: spent.usage.cache_writes,
            tokens_estimated: spent.estimated.map(Usage::total),
        }
    }
}

/// What the requests with known tokens cost; null if unknown or without requests.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CostFields {
    /// Known part of the cost, as a decimal.
    pub(crate) cost: Option<String>,
    /// Its currency.
    pub(crate) currency: Option<String>,
}

impl From<&Cost> for CostFields {
    fn from(cost: &Cost) -> Self {
        match cost {
            Cost::Known { amount, currency, .. } => Self::sum(*amount, currency),
            Cost::Unknown | Cost::NoRequests => Self { cost: None, currency: None },
        }
    }
}

impl CostFields {
    /// A known sum.
    pub(crate) fn sum(amount: Amount, currency: &str) -> Self {
        Self { cost: Some(amount.to_string()), currency: Some(currency.to_owned()) }
    }
}

/// Requests, tokens and their cost.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UsageFields {
    #[serde(flatten)]
    requests: RequestFields,
    #[serde(flatten)]
    cost: CostFields,
}

impl UsageFields {
    pub(crate) fn new(spent: TokenTotals, cost: &Cost) -> Self {
        Self { requests: spent.into(), cost: cost.into() }
    }

    /// With a cost that is a sum of several.
    pub(crate) fn with_sum(spent: TokenTotals, cost: CostFields) -> Self {
        Self { requests: spent.into(), cost }
    }
}

/// The lowest and the highest cost.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "cost_range")]
pub(crate) struct CostRange {
    /// As a decimal.
    lowest: String,
    /// As a decimal.
    highest: String,
    /// What is expected, as a decimal; null where only the range is computed.
    expected: Option<String>,
    /// Currency of all.
    currency: String,
}

impl CostRange {
    /// By currency, with what is expected in it.
    pub(crate) fn all(cost: &CostBounds, expected: impl Fn(&str) -> Option<Amount>) -> Vec<Self> {
        let range = |(currency, (lowest, highest)): (&String, &(Amount, Amount))| Self {
            lowest: lowest.to_string(),
            highest: highest.to_string(),
            expected: expected(currency).map(|amount| amount.to_string()),
            currency: currency.clone(),
        };
        cost.known.iter().map(range).collect()
    }
}

/// Ranges of what is sent to models, and of what comes back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct NeedFields {
    /// Requests to models.
    calls: Bounds,
    /// Images in them.
    images: Bounds,
    /// Tokens of requests.
    input_tokens: Bounds,
    /// Tokens of replies.
    output_tokens: Bounds,
}

impl From<&Needs> for NeedFields {
    fn from(needs: &Needs) -> Self {
        Self {
            calls: needs.calls,
            images: needs.images,
            input_tokens: needs.input,
            output_tokens: needs.output,
        }
    }
}

/// Part of a whole, with its 95 % interval.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "share")]
pub(crate) struct ShareRecord {
    /// How many.
    count: usize,
    /// Out of how many.
    of: usize,
    /// From 0 to 1; null if `of` is 0.
    share: Option<f64>,
    /// Lower end of the interval.
    low: Option<f64>,
    /// Upper end.
    high: Option<f64>,
}

impl From<Share> for ShareRecord {
    fn from(share: Share) -> Self {
        let (low, high) = ends(share.interval);
        Self { count: share.count, of: share.of, share: share.value(), low, high }
    }
}

/// The lower and the upper end of an interval, if there is one.
pub(crate) fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    interval.map(|interval| (interval.low, interval.high)).unzip()
}

/// Two variants compared by a share.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ComparisonFields<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Number of one variant.
    first: usize,
    /// Number of the other.
    second: usize,
    /// Share of the second minus that of the first.
    difference: f64,
    #[serde(flatten)]
    test: TestFields,
}

impl<'a> ComparisonFields<'a> {
    pub(crate) fn new(run: &'a str, comparison: &VariantComparison) -> Self {
        let VariantComparison { variants: (first, second), difference, test } = comparison;
        Self { run, first: first + 1, second: second + 1, difference: *difference, test: test.into() }
    }
}

/// The test of a difference between two variants.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TestFields {
    /// P value, two-sided.
    p: f64,
    /// The same, corrected by Holm for all comparisons.
    p_corrected: f64,
    /// Whether that is below 0.05.
    different: bool,
    /// The smallest difference that could be found; null if none could.
    smallest_visible: Option<f64>,
}

impl From<&DifferenceTest> for TestFields {
    fn from(test: &DifferenceTest) -> Self {
        Self {
            p: test.p,
            p_corrected: test.corrected,
            different: test.is_different(),
            smallest_visible: test.smallest_visible,
        }
    }
}

/// A setting that a branch changes.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "change_of_setting")]
pub(crate) struct ChangeRecord<'a> {
    /// Name of the setting; also `hint`, `state`, `frame`.
    name: &'a str,
    /// Old value.
    from: &'a str,
    /// New value.
    to: &'a str,
}

impl<'a> ChangeRecord<'a> {
    pub(crate) fn all(changes: &'a [Change]) -> Vec<Self> {
        let record = |Change { name, from, to }: &'a Change| Self { name, from, to };
        changes.iter().map(record).collect()
    }
}

/// A variant of a question: what is sent, and to which model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VariantFields<'a> {
    /// Prompt variant.
    prompt: &'a str,
    /// Action memory.
    am: u16,
    /// Observation memory.
    om: u16,
    /// Model that was asked.
    model: &'a str,
    /// Base URL of its server, if named with the model.
    server: Option<&'a str>,
    /// View of the states, if it is not that of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    view: Option<&'a str>,
    /// Keep rules, if they are not those of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    keep: Option<String>,
}

impl<'a> From<&'a Variant> for VariantFields<'a> {
    fn from(variant: &'a Variant) -> Self {
        Self {
            prompt: &variant.prompt,
            am: variant.am,
            om: variant.om,
            model: &variant.model.name,
            server: variant.model.server.as_deref(),
            view: variant.changes.view.as_deref(),
            keep: variant.changes.keep.map(|keep| keep.to_string()),
        }
    }
}
