//! Tests of the pure parts of an ask: the order, the table and the notes.

use std::collections::BTreeSet;

use super::*;
use crate::domain::Digest;
use crate::domain::Prices;
use crate::domain::Reply;
use crate::domain::ReplyOrigin;
use crate::domain::Setting;
use crate::domain::TokenTotals;
use crate::lab::ask::order::ordered_calls;
use crate::lab::ask::record::newest_calls;

fn variant(prompt: &str) -> Variant {
    let digest = Digest::of(prompt.as_bytes());
    Variant {
        prompt: prompt.to_owned(),
        am: 1,
        om: 1,
        model: "m".to_owned(),
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
        target: target.map(|action| Target { written: action.to_owned(), actions: actions(action) }),
        variants: vec![variant("a"), variant("b")],
        struck: Vec::new(),
        taken: Some("Up".to_owned()),
        oracle: Err("none".to_owned()),
        journal: (0, Digest::of(b"")),
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
        rule: answer.is_none().then(|| "action".to_owned()),
        error: None,
        spent: TokenTotals::of_request(None),
    }
}

#[test]
fn every_call_is_made_once_in_an_order_that_only_the_seed_decides() {
    let record = record(50, None);
    let calls = ordered_calls(&record);
    assert_eq!(calls, ordered_calls(&record));
    let places: BTreeSet<_> = calls.iter().map(|call| (call.variant, call.sample)).collect();
    let seeds: BTreeSet<_> = calls.iter().map(|call| call.seed).collect();
    assert_eq!((calls.len(), places.len(), seeds.len()), (100, 100, 100));
    assert!(seeds.iter().all(|seed| *seed < 1 << 31));
    assert!(!calls.iter().map(|call| call.variant).is_sorted());
    assert_ne!(calls, ordered_calls(&AskRecord { seed: 8, ..record }));
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
    assert!((pair.p - 0.005_477_494_641_581_329).abs() < 1e-9, "{}", pair.p);
    assert!(pair.is_different());
    assert!(
        AskTable::of(&AskRecord { target: None, ..record }, &calls, &Prices::default())
            .comparisons
            .is_empty()
    );
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
