//! A row of the table of an ask: how often a variant gave which answer.

use std::collections::BTreeMap;

use super::record::{AskCall, AskRecord};
use mageyard_domain::{Cost, Prices, TokenTotals};
use mageyard_statistics::Share;

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
    /// How far the answers are from those of the complete request: the total variation distance of the shares, from 0 to 1.
    /// `None` for the complete request, and if one of them has no replies.
    pub distance: Option<f64>,
    /// The tokens.
    pub spent: TokenTotals,
    /// Their cost.
    pub cost: Cost,
}

/// The row of a variant that asked this model, from its calls.
pub(super) fn variant_row(
    record: &AskRecord,
    calls: &[&AskCall],
    model: &str,
    prices: &Prices,
) -> VariantRow {
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
        distance: None,
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
