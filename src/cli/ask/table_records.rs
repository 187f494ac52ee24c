//! The objects of `ask` after the calls: variants, their comparison, and the end.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::records::LeftOutRecord;
use crate::records::{ComparisonFields, Record, ShareRecord, UsageFields, VariantFields};
use mageyard_domain::Digest;
use mageyard_study::{AskOutcome, AskRecord, AskStop, AskTable, ServerNote, StoredAsk, Variant, VariantRow};

/// What a variant of an ask has answered (`ask`).
///
/// If parts are left out, the complete request comes first and then what changes the answers most.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VariantRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Digest of the ask.
    #[schemars(with = "String")]
    ask: Digest,
    /// Number of the variant.
    variant: usize,
    #[serde(flatten)]
    settings: VariantFields<'a>,
    /// Part that the request lacks: `row` or `frame` with the number of the step, or `segment` with its name.
    left_out: Option<LeftOutRecord>,
    /// Digest of the turns of its request.
    #[schemars(with = "String")]
    request: Digest,
    /// Whether each call has a seed of its own.
    seeded: bool,
    /// Number of an earlier variant with the same request, model and settings, whose replies count for both.
    same_as: Option<usize>,
    /// Replies.
    replies: usize,
    /// Calls that failed.
    failed: usize,
    /// Shares of the answers, the most frequent first.
    answers: Vec<AnswerRecord<'a>>,
    /// Share that meets the target.
    target: Option<ShareRecord>,
    /// Share of the action that was taken.
    taken: Option<ShareRecord>,
    /// Share of the action of the solver.
    oracle: Option<ShareRecord>,
    /// Share that cannot be read.
    parse_errors: ShareRecord,
    /// Total variation distance from the answers to the complete request, from 0 to 1.
    distance: Option<f64>,
    /// Whether it differs from the complete request by the target (`ask_comparison`).
    different: Option<bool>,
    #[serde(flatten)]
    usage: UsageFields,
}

impl Record for VariantRecord<'_> {
    const TYPE: &'static str = "ask_variant";
}

/// The share of an answer.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "answer")]
struct AnswerRecord<'a> {
    /// Action; null for replies that cannot be read.
    action: Option<&'a str>,
    #[serde(flatten)]
    share: ShareRecord,
}

impl<'a> VariantRecord<'a> {
    /// The rows of the table.
    pub(super) fn all(run: &'a str, record: &'a AskRecord, table: &'a AskTable) -> Vec<Self> {
        let rows = table.shown(record);
        rows.map(|(index, variant, row)| Self {
            different: variant
                .left_out
                .and_then(|_| table.against_complete(index))
                .map(|comparison| comparison.test.is_different()),
            ..Self::new(run, record, index, variant, row)
        })
        .collect()
    }

    fn new(
        run: &'a str,
        record: &AskRecord,
        index: usize,
        variant: &'a Variant,
        row: &'a VariantRow,
    ) -> Self {
        let answers = row.answers.iter();
        let answers = answers
            .map(|answer| AnswerRecord { action: answer.action.as_deref(), share: answer.share.into() });
        Self {
            run,
            ask: record.id(),
            variant: index + 1,
            settings: variant.into(),
            left_out: variant.left_out.map(LeftOutRecord::from),
            request: variant.request,
            seeded: variant.seeded,
            same_as: variant.same_as.map(|other| other + 1),
            replies: row.replies,
            failed: row.failed,
            answers: answers.collect(),
            target: row.target.map(ShareRecord::from),
            taken: row.taken.map(ShareRecord::from),
            oracle: row.oracle.map(ShareRecord::from),
            parse_errors: row.errors.into(),
            distance: row.distance,
            different: None,
            usage: UsageFields::new(row.spent, &row.cost),
        }
    }
}

/// Two variants of an ask compared by the target (`ask`), the surest first.
///
/// All pairs; if parts are left out, each variant with the complete request, which is `first`. The test is Fisher's exact one.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ComparisonRecord<'a> {
    #[serde(flatten)]
    pub(super) fields: ComparisonFields<'a>,
}

impl Record for ComparisonRecord<'_> {
    const TYPE: &'static str = "ask_comparison";
}

/// The end of an ask (`ask`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ResultRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Digest of the ask.
    #[schemars(with = "String")]
    ask: Digest,
    /// Folder with its requests and calls.
    folder: &'a Path,
    /// Calls of all variants.
    calls: usize,
    /// Replies that are there.
    replies: usize,
    /// Whether all are.
    complete: bool,
    /// `cancelled` or `failing` if it ended early.
    stopped: Option<&'static str>,
    /// Calls dropped by the cancellation; their cost is unknown.
    calls_dropped: usize,
    /// Digest of the state when it was planned.
    #[schemars(with = "String")]
    state_before: Digest,
    /// Digest after the calls; null if nothing was asked now.
    #[schemars(with = "Option<String>")]
    state_after: Option<Digest>,
    /// Whether the journal has the same bytes; null if nothing was asked now.
    recording_unchanged: Option<bool>,
    /// What the replies show about the server.
    notes: Vec<NoteRecord>,
}

impl Record for ResultRecord<'_> {
    const TYPE: &'static str = "ask_result";
}

/// What replies show about a server.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "server_note")]
struct NoteRecord {
    /// What it is about.
    kind: &'static str,
    /// As a sentence.
    text: String,
}

impl<'a> ResultRecord<'a> {
    pub(super) fn new(
        run: &'a str,
        ask: &'a StoredAsk,
        table: &AskTable,
        notes: &[ServerNote],
        outcome: Option<&AskOutcome>,
    ) -> Self {
        let note = |note: &ServerNote| NoteRecord { kind: note.name(), text: note.to_string() };
        let (stopped, dropped) = match outcome.and_then(|outcome| outcome.stopped.as_ref()) {
            None => (None, 0),
            Some(AskStop::Cancelled(dropped)) => (Some("cancelled"), *dropped),
            Some(AskStop::Failing(_)) => (Some("failing"), 0),
        };
        Self {
            run,
            ask: ask.record.id(),
            folder: &ask.folder,
            calls: ask.record.calls(),
            replies: table.replies,
            complete: table.replies == ask.record.replies(),
            stopped,
            calls_dropped: dropped,
            state_before: ask.record.state,
            state_after: outcome.map(|outcome| outcome.state_after),
            recording_unchanged: outcome.map(|outcome| outcome.is_journal_unchanged),
            notes: notes.iter().map(note).collect(),
        }
    }
}
