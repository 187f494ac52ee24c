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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use super::*;
    use crate::Changes;
    use mageyard_dialog::LeftOut;
    use mageyard_domain::{Digest, Reply, ReplyOrigin, Setting, Usage};

    fn variant(request: &str, settings: &str) -> Variant {
        Variant {
            prompt: "p".to_owned(),
            am: 1,
            om: 1,
            model: "m".to_owned().into(),
            of_profile: None,
            left_out: None,
            changes: Changes::default(),
            request: Digest::of(request.as_bytes()),
            settings: Digest::of(settings.as_bytes()),
            seeded: true,
            same_as: None,
        }
    }

    fn record(seed: u64, variants: Vec<Variant>) -> AskRecord {
        AskRecord {
            schema: 1,
            step: 1,
            state: Digest::of(b"state"),
            setting: Setting::Online,
            reader: "strict/1".to_owned(),
            reader_rules: Digest::of(b"rules"),
            samples: 2,
            seed,
            from_text: None,
            target: None,
            variants,
            struck: Vec::new(),
            taken: None,
            oracle: Err("none".to_owned()),
            journal: (0, Digest::of(b"")),
            verdicts: None,
        }
    }

    fn call(variant: usize, sample: u32, answer: Option<&str>, paid: u64) -> AskCall {
        let usage = Usage { input: paid, ..Usage::default() };
        AskCall {
            variant,
            sample,
            seed: None,
            request: None,
            reply: answer.map(|text| Reply { text: text.to_owned(), ..Reply::default() }),
            origin: ReplyOrigin::default(),
            actions: answer.map(str::to_owned).into_iter().collect(),
            odds: None,
            rule: None,
            error: None,
            spent: TokenTotals { requests: usize::from(paid > 0), usage, ..TokenTotals::default() },
        }
    }

    fn stored(record: AskRecord, calls: Vec<AskCall>) -> StoredAsk {
        StoredAsk { folder: PathBuf::new(), record, calls, ratings: BTreeMap::new() }
    }

    #[test]
    fn replies_to_the_same_request_are_found_in_other_asks_and_the_paid_one_counts() {
        let wanted = variant("request", "settings");
        let own = record(9, vec![wanted.clone()]);
        let copy = stored(record(1, vec![wanted.clone()]), vec![call(0, 1, Some("Up"), 0)]);
        let others = vec![variant("another", "settings"), wanted.clone()];
        let calls = vec![call(0, 1, Some("Left"), 5), call(1, 1, Some("Up"), 7), call(1, 2, None, 7)];
        let paid = stored(record(2, others), calls);
        let found = same_replies(&[copy, paid], &own, &wanted);
        assert_eq!(found.len(), 1, "a call that failed is no reply");
        assert_eq!((found[0].answer(), found[0].spent.usage.input), (Some("Up"), 7));
    }

    #[test]
    fn another_setting_state_reader_or_beginning_is_another_request() {
        let wanted = variant("request", "settings");
        let own = record(1, vec![wanted.clone()]);
        let of = |change: &dyn Fn(&mut AskRecord)| {
            let mut other = own.clone();
            change(&mut other);
            same_replies(&[stored(other, vec![call(0, 1, Some("Up"), 1)])], &own, &wanted).len()
        };
        assert_eq!(of(&|record| record.samples = 40), 1);
        assert_eq!(of(&|record| record.variants[0].prompt = "another name".to_owned()), 1);
        assert_eq!(of(&|record| record.variants[0].left_out = Some(LeftOut::Frame(1))), 1, "equal turns");
        assert_eq!(of(&|record| record.variants[0].settings = Digest::of(b"hot")), 0);
        assert_eq!(of(&|record| record.variants[0].model = "n".to_owned().into()), 0);
        assert_eq!(of(&|record| record.state = Digest::of(b"later")), 0);
        assert_eq!(of(&|record| record.reader_rules = Digest::of(b"lenient")), 0);
        assert_eq!(of(&|record| record.from_text = Some("# a".to_owned())), 0);
    }
}
