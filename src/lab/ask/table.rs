//! The table of an ask: how often each variant gave which answer, and how sure the differences are. It is made from what is
//! stored, so it is the same for an ask that has just ended and for one that is printed again.

use std::collections::BTreeMap;

use super::record::AskCall;
use super::record::AskRecord;
use super::record::Variant;
use crate::domain::Cost;
use crate::domain::Prices;
use crate::domain::TokenTotals;
use crate::lab::statistics::CONFIDENCE;
use crate::lab::statistics::Interval;
use crate::lab::statistics::fisher_exact;
use crate::lab::statistics::holm;
use crate::lab::statistics::wilson_interval;

/// A share of the replies with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// How many there are.
    pub count: usize,
    /// Of how many replies.
    pub of: usize,
    /// The interval of Wilson; `None` if there are no replies.
    pub interval: Option<Interval>,
}

impl Share {
    fn of(count: usize, of: usize) -> Self {
        Self { count, of, interval: wilson_interval(number(count), number(of)) }
    }

    /// The share from 0 to 1; `None` if there are no replies.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| number(self.count) / number(self.of))
    }
}

/// An answer and its share.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerShare {
    /// The action; `None` for replies that cannot be read.
    pub action: Option<String>,
    /// Its share.
    pub share: Share,
}

/// What a variant has answered.
#[derive(Clone, Debug)]
pub struct VariantRow {
    /// The replies.
    pub replies: usize,
    /// The calls without a reply.
    pub failed: usize,
    /// The answers, the most frequent first; replies that cannot be read are the last.
    pub answers: Vec<AnswerShare>,
    /// The share that meets the target, if there is one.
    pub target: Option<Share>,
    /// The share of the action that was taken, if one was.
    pub taken: Option<Share>,
    /// The share of the action of the solver, if there is one.
    pub oracle: Option<Share>,
    /// The share that cannot be read.
    pub errors: Share,
    /// The tokens.
    pub spent: TokenTotals,
    /// Their cost.
    pub cost: Cost,
}

/// Two variants compared by the share that meets the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The indices of the variants.
    pub variants: (usize, usize),
    /// The share of the second one minus that of the first one.
    pub difference: f64,
    /// The p value of Fisher's exact test, two-sided.
    pub p: f64,
    /// The same corrected for the number of comparisons (Holm).
    pub corrected: f64,
}

impl Comparison {
    /// Whether the difference is more than chance, at the level of all comparisons together.
    pub fn is_different(&self) -> bool {
        self.corrected < 1.0 - CONFIDENCE
    }
}

/// The table of an ask.
#[derive(Clone, Debug)]
pub struct AskTable {
    /// A row for each variant, in their order.
    pub rows: Vec<VariantRow>,
    /// All pairs of variants, the surest first; empty without a target.
    pub comparisons: Vec<Comparison>,
    /// The replies of all variants.
    pub replies: usize,
}

impl AskTable {
    /// The table of these calls.
    pub fn of(record: &AskRecord, calls: &[AskCall], prices: &Prices) -> Self {
        let row = |(index, variant): (usize, &Variant)| {
            let own: Vec<&AskCall> = calls.iter().filter(|call| call.variant == index).collect();
            variant_row(record, &own, &variant.model, prices)
        };
        let rows: Vec<VariantRow> = record.variants.iter().enumerate().map(row).collect();
        let replies = rows.iter().map(|row| row.replies).sum();
        Self { comparisons: comparisons(&rows), rows, replies }
    }
}

fn variant_row(record: &AskRecord, calls: &[&AskCall], model: &str, prices: &Prices) -> VariantRow {
    let replies: Vec<&AskCall> = calls.iter().copied().filter(|call| call.reply.is_some()).collect();
    let share = |is: &dyn Fn(Option<&str>) -> bool| {
        Share::of(replies.iter().filter(|call| is(call.answer())).count(), replies.len())
    };
    let action = |action: &str| share(&|answer| answer == Some(action));
    let spent = calls.iter().map(|call| call.spent).fold(TokenTotals::default(), TokenTotals::plus);
    VariantRow {
        replies: replies.len(),
        failed: calls.len() - replies.len(),
        answers: answers(&replies),
        target: record.target.as_ref().map(|target| share(&|answer| target.is_met(answer))),
        taken: record.taken.as_deref().map(action),
        oracle: record.oracle.as_deref().ok().map(action),
        errors: share(&|answer| answer.is_none()),
        cost: prices.cost(Some(model), spent),
        spent,
    }
}

fn answers(replies: &[&AskCall]) -> Vec<AnswerShare> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in replies.iter().filter_map(|call| call.answer()) {
        *counts.entry(answer).or_default() += 1;
    }
    let unread = replies.iter().filter(|call| call.answer().is_none()).count();
    let share = |count| Share::of(count, replies.len());
    let named =
        |(action, count): (&str, usize)| AnswerShare { action: Some(action.to_owned()), share: share(count) };
    let mut answers: Vec<AnswerShare> = counts.into_iter().map(named).collect();
    answers.sort_by_key(|answer| std::cmp::Reverse(answer.share.count));
    answers.extend((unread > 0).then(|| AnswerShare { action: None, share: share(unread) }));
    answers
}

/// All pairs by the share that meets the target. A variant without replies is compared with none.
fn comparisons(rows: &[VariantRow]) -> Vec<Comparison> {
    let shares = rows.iter().enumerate().filter_map(|(index, row)| Some((index, row.target?)));
    let shares: Vec<(usize, Share)> = shares.filter(|(_, share)| share.of > 0).collect();
    let pairs = shares
        .iter()
        .enumerate()
        .flat_map(|(at, one)| shares[at + 1..].iter().map(move |other| (one, other)));
    let compare = |((first, one), (second, other)): (&(usize, Share), &(usize, Share))| Comparison {
        variants: (*first, *second),
        difference: other.value().unwrap_or_default() - one.value().unwrap_or_default(),
        p: fisher_exact((one.count, one.of), (other.count, other.of)),
        corrected: 1.0,
    };
    let mut all: Vec<Comparison> = pairs.map(compare).collect();
    let corrected = holm(&all.iter().map(|comparison| comparison.p).collect::<Vec<_>>());
    all.iter_mut().zip(corrected).for_each(|(comparison, corrected)| comparison.corrected = corrected);
    all.sort_by(|one, other| one.p.total_cmp(&other.p));
    all
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
