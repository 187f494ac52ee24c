//! The replies of other asks to the same request: the same turns, model, settings and reader. They are not paid twice.

use super::folder::StoredAsk;
use super::plan::AskPlan;
use super::record::{AskCall, AskRecord, Variant};
use mageyard_domain::TokenTotals;

/// The stored calls with a reply to the request of a variant of this record, one for each sample, in order. Where several asks
/// have the sample, the one that was paid counts, not its copies.
pub(super) fn same_replies(stored: &[StoredAsk], record: &AskRecord, variant: &Variant) -> Vec<AskCall> {
    let mut found: Vec<AskCall> = Vec::new();
    for ask in stored.iter().filter(|ask| reads_the_same(&ask.record, record)) {
        let same = ask.record.variants.iter().map(|other| is_same(other, variant)).collect::<Vec<_>>();
        let replies = ask.calls.iter().filter(|call| same.get(call.variant) == Some(&true));
        for call in replies.filter(|call| call.reply.is_some()) {
            match found.iter_mut().find(|other| other.sample == call.sample) {
                None => found.push(call.clone()),
                Some(copy) if copy.spent == TokenTotals::default() => *copy = call.clone(),
                Some(_) => {}
            }
        }
    }
    found.sort_by_key(|call| call.sample);
    found
}

fn reads_the_same(one: &AskRecord, other: &AskRecord) -> bool {
    (one.state, one.setting, one.reader_rules) == (other.state, other.setting, other.reader_rules)
        && one.from_text == other.from_text
}

fn is_same(one: &Variant, other: &Variant) -> bool {
    (one.request, one.settings) == (other.request, other.settings) && one.model == other.model
}

impl AskPlan {
    /// The replies of these asks at its step that it takes for calls that are not among `known`; they cost nothing.
    pub(super) fn taken_replies(&self, stored: &[StoredAsk], known: &[AskCall]) -> Vec<AskCall> {
        if !self.takes_replies {
            return Vec::new();
        }
        let is_there = |variant: usize, sample: u32| {
            known.iter().any(|call| (call.variant, call.sample) == (variant, sample) && call.reply.is_some())
        };
        let variants = self.record.variants.iter().enumerate();
        let taken = variants.flat_map(|(index, variant)| {
            let replies = same_replies(stored, &self.record, variant).into_iter();
            let wanted = replies.filter(|call| call.sample <= self.record.samples);
            wanted.map(move |call| AskCall { variant: index, spent: TokenTotals::default(), ..call })
        });
        taken.filter(|call| !is_there(call.variant, call.sample)).collect()
    }
}
