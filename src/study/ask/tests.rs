//! Tests of the pure parts of an ask: the order, the table and the notes.

use std::collections::BTreeSet;

use super::*;
use crate::ask::order::ordered_calls;
use crate::ask::record::newest_calls;
use mageyard_dialog::LeftOut;
use mageyard_domain::{Digest, Prices, Reply, ReplyOrigin, Setting, TokenTotals};
use mageyard_statistics::{Share, Verdict};

fn variant(prompt: &str) -> Variant {
    let digest = Digest::of(prompt.as_bytes());
    Variant {
        prompt: prompt.to_owned(),
        am: 1,
        om: 1,
        model: "m".to_owned().into(),
        of_profile: None,
        left_out: None,
        changes: Changes::default(),
        request: digest,
        settings: digest,
        seeded: true,
        same_as: None,
    }
}

fn record(samples: u32, target: Option<&str>) -> AskRecord {
    let actions = |action: &str| Some([action.to_owned()].into());
    AskRecord {
        schema: 1,
        step: 1,
        state: Digest::of(b"state"),
        setting: Setting::Online,
        reader: "strict/1".to_owned(),
        reader_rules: Digest::of(b"rules"),
        samples,
        seed: 7,
        from_text: None,
        target: target.map(|action| AskTarget { written: action.to_owned(), actions: actions(action) }),
        variants: vec![variant("a"), variant("b")],
        struck: Vec::new(),
        taken: Some("Up".to_owned()),
        oracle: Err("none".to_owned()),
        journal: (0, Digest::of(b"")),
        verdicts: None,
    }
}

fn call(variant: usize, sample: u32, answer: Option<&str>) -> AskCall {
    let reply = Reply { text: format!("{answer:?}"), model: Some("m".to_owned()), ..Reply::default() };
    AskCall {
        variant,
        sample,
        seed: Some(sample),
        request: None,
        reply: Some(reply),
        origin: ReplyOrigin { id: Some(format!("{variant}-{sample}")), fingerprint: Some("fp".to_owned()) },
        actions: answer.map(str::to_owned).into_iter().collect(),
        odds: None,
        rule: answer.is_none().then(|| "action".to_owned()),
        error: None,
        spent: TokenTotals::of_request(None),
    }
}

#[test]
fn every_call_is_made_once_in_an_order_that_only_the_seed_decides() {
    let record = record(50, None);
    let calls = ordered_calls(&[&record]);
    assert_eq!(calls, ordered_calls(&[&record]));
    let places: BTreeSet<_> = calls.iter().map(|call| (call.variant, call.sample)).collect();
    let seeds: BTreeSet<_> = calls.iter().map(|call| call.seed).collect();
    assert_eq!((calls.len(), places.len(), seeds.len()), (100, 100, 100));
    assert!(seeds.iter().all(|seed| *seed < 1 << 31));
    assert!(!calls.iter().map(|call| call.variant).is_sorted());
    assert_ne!(calls, ordered_calls(&[&AskRecord { seed: 8, ..record }]));
}

#[test]
fn an_ask_is_another_one_if_anything_that_is_asked_differs() {
    let one = record(5, None);
    let later =
        AskRecord { taken: None, oracle: Ok("Up".to_owned()), journal: (9, Digest::of(b"9")), ..one.clone() };
    assert_eq!(one.id(), later.id(), "what becomes known later is no part of it");
    for other in [
        record(6, None),
        record(5, Some("Up")),
        AskRecord { seed: 8, ..one.clone() },
        AskRecord { step: 2, ..one.clone() },
        AskRecord { variants: vec![variant("a")], ..one.clone() },
    ] {
        assert_ne!(one.id(), other.id());
    }
    let text = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<AskRecord>(&text).unwrap(), one);
}

#[test]
fn the_table_counts_answers_and_compares_the_target() {
    let record = record(10, Some("Up"));
    let failed =
        AskCall { reply: None, actions: vec![], error: Some("down".to_owned()), ..call(1, 10, None) };
    let first = (1..=10).map(|sample| call(0, sample, if sample == 1 { None } else { Some("Up") }));
    let second = (1..=9).map(|sample| call(1, sample, Some(if sample < 3 { "Up" } else { "Left" })));
    let calls: Vec<AskCall> = first.chain(second).chain([failed]).collect();
    let table = AskTable::of(&record, &calls, &Prices::default());
    let [one, other] = table.rows.as_slice() else { panic!("two rows") };
    assert_eq!((one.replies, one.failed, other.replies, other.failed, table.replies), (10, 0, 9, 1, 19));
    let names: Vec<_> =
        one.answers.iter().map(|answer| (answer.action.as_deref(), answer.share.count)).collect();
    assert_eq!(names, [(Some("Up"), 9), (None, 1)]);
    assert_eq!((one.errors.count, one.target.unwrap().count, one.taken.unwrap().count), (1, 9, 9));
    assert!(one.oracle.is_none());
    let [pair] = table.comparisons.as_slice() else { panic!("one pair") };
    assert!((pair.difference - (2.0 / 9.0 - 0.9)).abs() < 1e-12, "the second minus the first");
    // The sum over all tables with 11 of 19 found, in whole numbers.
    assert!((pair.test.p - 0.005_477_494_641_581_329).abs() < 1e-9, "{}", pair.test.p);
    assert!(pair.test.is_different());
    assert!(
        AskTable::of(&AskRecord { target: None, ..record }, &calls, &Prices::default())
            .comparisons
            .is_empty()
    );
}

#[test]
fn what_so_few_replies_cannot_show_is_no_noise() {
    let compared = |counts: &[usize]| {
        super::table::comparisons(counts.iter().map(|count| Some(Share::of(*count, 5))), false)
    };
    // Of one pair 0 of 5 and 4 of 5 have p = 0.0476.
    let [pair] = compared(&[0, 2]).try_into().unwrap();
    assert_eq!((pair.test.verdict(), pair.test.smallest_visible), (Verdict::InsideNoise, Some(0.8)));
    // Of six pairs 0 and 5 of 5 have 6 · 0.0079 = 0.048, and what is no end has nothing.
    let six = compared(&[0, 5, 2, 0]);
    assert!(six.iter().any(|pair| pair.test.verdict() == Verdict::Different));
    // Of ten pairs nothing can be different.
    let ten = compared(&[0, 5, 2, 0, 5]);
    assert_eq!(ten.len(), 10);
    assert!(
        ten.iter().all(|pair| pair.test.verdict() == Verdict::TooFew && pair.test.smallest_visible.is_none()),
        "{ten:?}"
    );
}

/// The complete request and two without a row each.
fn leaving_out(target: Option<&str>) -> AskRecord {
    let without = |step| Variant { left_out: Some(LeftOut::Row(step)), ..variant("a") };
    AskRecord { variants: vec![variant("a"), without(2), without(3)], ..record(8, target) }
}

/// Eight calls of each variant: the second differs a little, and the third a lot.
fn calls_without_parts() -> Vec<AskCall> {
    let answer = |variant: usize, sample: u32| match (variant, sample) {
        (0, _) => Some("Up"),
        (1, 1) => None,
        (1, _) => Some("Up"),
        (_, 1) => Some("Up"),
        _ => Some("Left"),
    };
    let calls = (0..3).flat_map(|variant| (1..=8).map(move |sample| (variant, sample)));
    calls.map(|(variant, sample)| call(variant, sample, answer(variant, sample))).collect()
}

#[test]
fn variants_without_a_part_are_ordered_by_how_far_their_answers_are() {
    let calls = calls_without_parts();
    let shown = |record: &AskRecord| {
        let table = AskTable::of(record, &calls, &Prices::default());
        table.shown(record).map(|(index, _, row)| (index, row.distance)).collect::<Vec<_>>()
    };
    let expected = [(0, None), (2, Some(7.0 / 8.0)), (1, Some(1.0 / 8.0))];
    assert_eq!(shown(&leaving_out(None)), expected);
    // The second variant has one reply less that can be read, which is no sign of a difference.
    let readable = AskTarget { written: "readable".to_owned(), actions: None };
    let record = AskRecord { target: Some(readable), ..leaving_out(None) };
    assert_eq!(shown(&record).iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 2, 1]);
    // Without any, it differs by the target: that comes before the distance.
    let unread: Vec<AskCall> = (1..=8).map(|sample| call(1, sample, None)).collect();
    let calls: Vec<AskCall> = calls.iter().filter(|call| call.variant != 1).cloned().chain(unread).collect();
    let table = AskTable::of(&record, &calls, &Prices::default());
    assert_eq!(table.shown(&record).map(|(index, ..)| index).collect::<Vec<_>>(), [0, 1, 2]);
    let none: Vec<AskCall> = calls.into_iter().filter(|call| call.variant != 0).collect();
    let table = AskTable::of(&record, &none, &Prices::default());
    assert!(table.rows.iter().all(|row| row.distance.is_none()), "there is nothing to compare with");
    assert!(table.comparisons.is_empty());
}

#[test]
fn variants_without_a_part_are_compared_with_the_complete_request_only() {
    let record = leaving_out(Some("Up"));
    let table = AskTable::of(&record, &calls_without_parts(), &Prices::default());
    let pairs: Vec<_> = table.comparisons.iter().map(|comparison| comparison.variants).collect();
    assert_eq!(pairs, [(0, 2), (0, 1)]);
    let different = |variant| table.against_complete(variant).map(|found| found.test.is_different());
    assert_eq!([different(0), different(1), different(2)], [None, Some(false), Some(true)]);
    let comparison = table.against_complete(2).unwrap();
    // 8 of 8 against 1 of 8: 16 of the 11,440 tables are as rare, and Holm counts two comparisons.
    assert!((comparison.test.p - 16.0 / 11_440.0).abs() < 1e-9, "{}", comparison.test.p);
    assert!((comparison.test.corrected - 2.0 * comparison.test.p).abs() < 1e-12);
    let other = AskRecord { variants: record.variants[..2].to_vec(), ..record.clone() };
    assert_ne!(record.id(), other.id());
    let frame = Variant { left_out: Some(LeftOut::Frame(2)), ..record.variants[1].clone() };
    let frames = AskRecord { variants: vec![record.variants[0].clone(), frame], ..other.clone() };
    assert_ne!(frames.id(), other.id(), "the part identifies the ask");
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<AskRecord>(&text).unwrap(), record);
}

#[test]
fn a_failed_call_counts_until_it_is_made_again_and_its_tokens_stay() {
    let failed = AskCall { reply: None, error: Some("down".to_owned()), ..call(0, 1, None) };
    let newest = newest_calls(vec![failed, call(0, 2, Some("Up")), call(0, 1, Some("Up"))]);
    assert_eq!(newest.len(), 2);
    assert!(newest.iter().all(|call| call.reply.is_some()));
    assert_eq!((newest[0].spent.requests, newest[1].spent.requests), (2, 1));
}

#[test]
fn replies_that_were_not_generated_anew_are_noticed() {
    let record = record(4, None);
    let own: Vec<AskCall> = (1..=4).map(|sample| call(0, sample, Some("Up"))).collect();
    assert_eq!(ServerNote::all(&record, &own), [], "equal texts with identifiers of their own");
    let with = |id: Option<&str>, fingerprint: &str, text: &str, sample: u32| {
        let made = call(0, sample, Some("Up"));
        let origin = ReplyOrigin { id: id.map(str::to_owned), fingerprint: Some(fingerprint.to_owned()) };
        let reply = Reply { text: text.to_owned(), ..made.reply.clone().unwrap() };
        AskCall { origin, reply: Some(reply), ..made }
    };
    let kinds =
        |calls: &[AskCall]| ServerNote::all(&record, calls).iter().map(ServerNote::name).collect::<Vec<_>>();
    let stored = [with(Some("1"), "f", "x", 1), with(Some("1"), "f", "x", 2), with(Some("2"), "f", "x", 3)];
    assert_eq!(kinds(&stored), ["stored_replies"]);
    let constant = [with(Some("1"), "f", "x", 1), with(Some("1"), "f", "y", 2), with(Some("1"), "f", "z", 3)];
    assert_eq!(kinds(&constant), [""; 0], "one identifier for all texts is none");
    let anonymous = [with(None, "f", "x", 1), with(None, "f", "x", 2), with(None, "f", "x", 3)];
    assert_eq!(kinds(&anonymous), ["equal_replies"]);
    let changed = [with(None, "f", "x", 1), with(None, "g", "y", 2)];
    assert_eq!(kinds(&changed), ["fingerprint_changed"]);
    let other = |sample: u32, name: &str| {
        let made = call(0, sample, Some("Up"));
        let reply = Reply { model: Some(name.to_owned()), ..made.reply.clone().unwrap() };
        AskCall { reply: Some(reply), ..made }
    };
    assert_eq!(kinds(&[other(1, "m-2024"), other(2, "m-2024")]), ["other_name"]);
    assert_eq!(kinds(&[other(1, "m"), other(2, "n")]), ["model_changed"]);
}

#[test]
fn replies_that_count_for_two_variants_are_not_said_to_be_stored() {
    let mut record = record(2, None);
    record.variants[1].same_as = Some(0);
    let own = [call(0, 1, Some("Up")), call(0, 2, Some("Left"))];
    let shared = own.clone().map(|call| AskCall { variant: 1, ..call });
    let all = [own, shared].concat();
    assert_eq!(ServerNote::all(&record, &all), []);
    record.variants[1].same_as = None;
    let names: Vec<_> = ServerNote::all(&record, &all).iter().map(ServerNote::name).collect();
    assert_eq!(names, ["stored_replies"], "the same of a variant with a request of its own");
}

/// A stored ask with this seed and these answers to variant 1, from a server with this fingerprint.
fn stored(seed: u64, answers: &[&str], fingerprint: &str) -> StoredAsk {
    let answered = |(sample, answer): (u32, &&str)| {
        let origin = ReplyOrigin { id: None, fingerprint: Some(fingerprint.to_owned()) };
        AskCall { origin, ..call(0, sample, Some(answer)) }
    };
    StoredAsk {
        folder: "/s/asks/1".into(),
        record: AskRecord { seed, ..record(10, None) },
        calls: (1..).zip(answers).map(answered).collect(),
        ratings: std::collections::BTreeMap::new(),
    }
}

#[test]
fn the_same_request_in_two_asks_shows_whether_the_server_has_moved() {
    let before = stored(0, &["Up"; 10], "fp_1");
    let now = stored(1, &["Down"; 10], "fp_2");
    let found = ServerControl::all(&[&now], &[&before]);
    let [found] = found.as_slice() else { panic!("variant b has no replies: {found:?}") };
    assert_eq!((found.variant, found.seeds, found.states, found.replies), (0, (1, 0), 1, (10, 10)));
    assert!((found.distance - 1.0).abs() < 1e-12 && found.answers_differ() && found.names_differ());
    let said = found.to_string();
    assert!(
        said.contains("variant 1 (a) in the asks with the seeds 1 and 0, 1 state, 10 and 10 replies"),
        "{said}"
    );
    assert!(said.ends_with("the server HAS MOVED; it called itself m (fp_2), and m (fp_1)"), "{said}");
    let alike = &ServerControl::all(&[&stored(1, &["Up"; 10], "fp_1")], &[&before])[0];
    assert!(!alike.answers_differ() && !alike.names_differ());
    assert!(alike.to_string().ends_with("no sign in the answers that the server has moved"), "{alike}");
}

#[test]
fn asks_with_other_requests_settings_or_states_are_no_control() {
    let before = stored(0, &["Up"; 10], "fp");
    let controls = |change: &dyn Fn(&mut AskRecord)| {
        let mut other = stored(1, &["Up"; 10], "fp");
        change(&mut other.record);
        ServerControl::all(&[&other], &[&before]).len()
    };
    let other = Digest::of(b"other");
    assert_eq!(controls(&|_| ()), 1);
    assert_eq!(controls(&|record| record.seed = 0), 0, "it is the same ask");
    assert_eq!(controls(&|record| record.variants[0].request = other), 0);
    assert_eq!(controls(&|record| record.variants[0].settings = other), 0);
    assert_eq!(controls(&|record| record.variants[0].model = "n".to_owned().into()), 0);
    assert_eq!(controls(&|record| record.state = other), 0);
    assert_eq!(controls(&|record| record.reader_rules = other), 0);
    assert_eq!(controls(&|record| record.from_text = Some("x".to_owned())), 0);
}
