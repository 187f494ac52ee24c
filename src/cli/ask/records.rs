//! The objects of `ask`.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::episode_record::OddsRecord;
use crate::records::{CostRange, Record};
use mageyard_dialog::LeftOut;
use mageyard_domain::{Digest, Rating, Reply, Setting};
use mageyard_lab::{Bounds, Needs};
use mageyard_study::{AskCall, AskPlan, AskRecord, StruckVariant};

/// What is put to models at a recorded step (`ask`), before the calls. docs/asking.md describes it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AskedRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Digest of all that is asked; the name of its folder.
    #[schemars(with = "String")]
    ask: Digest,
    /// Number of the step.
    step: u32,
    /// Digest of its state.
    #[schemars(with = "String")]
    state: Digest,
    /// `online` or `global`.
    #[schemars(with = "String")]
    setting: Setting,
    /// Reader rules.
    reader: &'a str,
    /// Calls of each variant.
    samples: u32,
    /// Seed of the order and of the calls.
    seed: u64,
    /// Calls of all variants.
    calls: usize,
    /// What counts.
    target: Option<&'a str>,
    /// Answers that count; null also if all that can be read count.
    target_actions: Option<&'a BTreeSet<String>>,
    /// Text that each answer begins with.
    from_text: Option<&'a str>,
    /// Whether there is no target, so that nothing is tested.
    exploratory: bool,
    /// Action that was taken.
    taken: Option<&'a str>,
    /// Action of the solver.
    oracle: Option<&'a str>,
    /// Why there is none.
    oracle_missing: Option<&'a str>,
    /// Variants that are not possible.
    struck: Vec<StruckRecord<'a>>,
    #[serde(flatten)]
    needs: Option<CallNeeds<'a>>,
}

impl Record for AskedRecord<'_> {
    const TYPE: &'static str = "ask";
}

/// What the calls that are not made yet need.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CallNeeds<'a> {
    /// Calls that are not made yet.
    calls_left: u64,
    /// Estimated tokens of their requests.
    input_tokens: u64,
    /// Range of the tokens of their replies.
    output_tokens: Bounds,
    /// Their cost, by currency.
    costs: Vec<CostRange>,
    /// Models without a price.
    unpriced: &'a [String],
    /// What to know before the first call, as sentences.
    remarks: Vec<String>,
}

impl<'a> CallNeeds<'a> {
    pub(super) fn new(needs: &'a Needs, remarks: Vec<String>) -> Self {
        Self {
            calls_left: needs.calls.highest,
            input_tokens: needs.input.highest,
            output_tokens: needs.output,
            costs: CostRange::all(&needs.cost, |_| None),
            unpriced: &needs.cost.unpriced,
            remarks,
        }
    }
}

/// A variant that is not possible.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "struck_variant")]
pub(crate) struct StruckRecord<'a> {
    /// Prompt variant; null for all.
    prompt: Option<&'a str>,
    /// Action memory.
    am: u16,
    /// Observation memory.
    om: u16,
    /// `NAME` or `NAME@URL`; null for all.
    model: Option<String>,
    /// Part that was to be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LeftOutRecord")]
    left_out: Option<LeftOutRecord>,
    /// Why it is not possible.
    why: &'a str,
}

/// A part that a request does not have.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum LeftOutRecord {
    Row(u32),
    Frame(u32),
    /// A step and the next one.
    #[serde(rename = "row_pair")]
    RowPair([u32; 2]),
    /// A step and the next one.
    #[serde(rename = "frame_pair")]
    FramePair([u32; 2]),
    Segment(String),
}

impl From<LeftOut> for LeftOutRecord {
    fn from(part: LeftOut) -> Self {
        match part {
            LeftOut::Row(step) => Self::Row(step),
            LeftOut::Frame(step) => Self::Frame(step),
            LeftOut::RowPair(step) => Self::RowPair([step, step.saturating_add(1)]),
            LeftOut::FramePair(step) => Self::FramePair([step, step.saturating_add(1)]),
            LeftOut::Segment(segment) => Self::Segment(segment.to_string()),
        }
    }
}

impl<'a> StruckRecord<'a> {
    pub(crate) fn all(struck: &'a [StruckVariant]) -> Vec<Self> {
        let record = |one: &'a StruckVariant| Self {
            prompt: one.prompt.as_deref(),
            am: one.am,
            om: one.om,
            model: one.model.as_ref().map(ToString::to_string),
            left_out: one.left_out.map(LeftOutRecord::from),
            why: &one.why,
        };
        struck.iter().map(record).collect()
    }
}

impl<'a> AskedRecord<'a> {
    /// What was asked.
    pub(super) fn stored(run: &'a str, record: &'a AskRecord) -> Self {
        let target = record.target.as_ref();
        Self {
            run,
            ask: record.id(),
            step: record.step,
            state: record.state,
            setting: record.setting,
            reader: &record.reader,
            samples: record.samples,
            seed: record.seed,
            calls: record.calls(),
            target: target.map(|target| target.written.as_str()),
            target_actions: target.and_then(|target| target.actions.as_ref()),
            from_text: record.from_text.as_deref(),
            exploratory: target.is_none(),
            taken: record.taken.as_deref(),
            oracle: record.oracle.as_deref().ok(),
            oracle_missing: record.oracle.as_ref().err().map(String::as_str),
            struck: StruckRecord::all(&record.struck),
            needs: None,
        }
    }

    /// What is asked, with what the missing calls need.
    pub(super) fn planned(run: &'a str, plan: &'a AskPlan, needs: &'a Needs) -> Self {
        let needs = CallNeeds::new(needs, plan.remarks.clone());
        Self { needs: Some(needs), ..Self::stored(run, &plan.record) }
    }
}

/// A call of an ask (`ask`), as it comes back; with `--show` as it is stored.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CallRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Digest of the ask.
    #[schemars(with = "String")]
    ask: Digest,
    /// Number of the variant.
    variant: usize,
    /// Number of the sample.
    sample: u32,
    /// Seed that was sent.
    call_seed: Option<u32>,
    /// Digest of the turns that were sent.
    #[schemars(with = "Option<String>")]
    request: Option<Digest>,
    /// Reply with its thoughts; null if the call failed.
    reply: Option<String>,
    /// First action.
    answer: Option<&'a str>,
    /// All actions.
    actions: &'a [String],
    /// Odds of the action, if the server sent them.
    odds: Option<OddsRecord>,
    /// Rating of a person: `good` or `bad`.
    #[schemars(with = "Option<String>")]
    rating: Option<Rating>,
    /// Rule of the reader that failed.
    rule: Option<&'a str>,
    /// Why the call failed.
    error: Option<&'a str>,
    /// Milliseconds from the last sending to the complete reply.
    latency_ms: Option<u32>,
    /// Name of the model as the server reports it.
    answered_by: Option<&'a str>,
    /// Identifier of the response.
    response: Option<&'a str>,
    /// Fingerprint of the model and its configuration.
    fingerprint: Option<&'a str>,
    /// Tries of the call.
    requests: usize,
    /// Tries whose tokens are unknown.
    unmetered: usize,
    /// Input tokens.
    tokens_in: u64,
    /// Output tokens.
    tokens_out: u64,
    /// Input tokens read from the server's cache.
    tokens_cached: u64,
}

impl Record for CallRecord<'_> {
    const TYPE: &'static str = "ask_call";
}

impl<'a> CallRecord<'a> {
    pub(super) fn new(run: &'a str, record: &AskRecord, call: &'a AskCall, rating: Option<Rating>) -> Self {
        let reply = call.reply.as_ref();
        let usage = call.spent.usage;
        Self {
            run,
            ask: record.id(),
            variant: call.variant + 1,
            sample: call.sample,
            call_seed: call.seed,
            request: call.request,
            reply: reply.map(Reply::content),
            answer: call.answer(),
            actions: &call.actions,
            odds: call.odds.as_ref().map(OddsRecord::from),
            rating,
            rule: call.rule.as_deref(),
            error: call.error.as_deref(),
            latency_ms: reply.and_then(|reply| reply.latency_ms),
            answered_by: reply.and_then(|reply| reply.model.as_deref()),
            response: call.origin.id.as_deref(),
            fingerprint: call.origin.fingerprint.as_deref(),
            requests: call.spent.requests,
            unmetered: call.spent.unmetered,
            tokens_in: usage.input,
            tokens_out: usage.output,
            tokens_cached: usage.cached,
        }
    }
}
