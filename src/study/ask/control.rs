//! Whether a server still answers as it did: the same requests in two asks, such as one of today and one of last month.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::folder::StoredAsk;
use super::record::{AskCall, Variant};
use mageyard_domain::count_noun;
use mageyard_statistics::{AnswerCounts, answers_test, holm, probability};

/// The level at which answers differ.
const LEVEL: f64 = 0.05;

/// A variant whose request is the same in two asks, with the answers to both.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerControl {
    /// The index of the variant in the first ask.
    pub variant: usize,
    /// Its prompt.
    pub prompt: String,
    /// The seeds of the two asks.
    pub seeds: (u64, u64),
    /// The states in which both have replies.
    pub states: usize,
    /// Their replies.
    pub replies: (usize, usize),
    /// The total variation distance of the answers, from 0 to 1, averaged over states.
    pub distance: f64,
    /// The distance of the shares that are averaged over states first, from 0 to 1.
    pub pooled: f64,
    /// The p value of a permutation test of both.
    pub p: f64,
    /// The same, corrected by Holm for the variants of the two asks.
    pub corrected: f64,
    /// The names of the model with its fingerprint, as the server gave them in each ask.
    pub answered_as: (BTreeSet<String>, BTreeSet<String>),
}

impl ServerControl {
    /// The variants that two asks have in common, as the states have them.
    pub fn all(one: &[&StoredAsk], other: &[&StoredAsk]) -> Vec<Self> {
        let variants = one.first().map_or(0, |ask| ask.record.variants.len());
        let mut found: Vec<Self> = (0..variants).filter_map(|variant| control(variant, one, other)).collect();
        let values: Vec<f64> = found.iter().map(|control| control.p).collect();
        for (control, corrected) in found.iter_mut().zip(holm(&values)) {
            control.corrected = corrected;
        }
        found
    }

    /// Whether the answers differ beyond chance.
    pub fn answers_differ(&self) -> bool {
        self.corrected < LEVEL
    }

    /// Whether the server gave other names or fingerprints in one of the asks.
    pub fn names_differ(&self) -> bool {
        self.answered_as.0 != self.answered_as.1
    }
}

/// The answers of one state with what the server called itself.
#[derive(Default)]
struct Answers<'a> {
    counts: BTreeMap<Option<&'a str>, usize>,
    names: BTreeSet<String>,
}

fn control(index: usize, one: &[&StoredAsk], other: &[&StoredAsk]) -> Option<ServerControl> {
    let pairs = one.iter().filter_map(|ask| {
        let variant = ask.record.variants.get(index).filter(|variant| variant.same_as.is_none())?;
        let found = other.iter().find_map(|other| Some((*other, same_variant(ask, variant, other)?)));
        let (other, place) = found?;
        Some((answers(ask, index), answers(other, place), (ask.record.seed, other.record.seed)))
    });
    let pairs: Vec<_> =
        pairs.filter(|(one, other, _)| !one.counts.is_empty() && !other.counts.is_empty()).collect();
    let sets = pairs.iter().flat_map(|(one, other, _)| [one, other]);
    let all: BTreeSet<Option<&str>> = sets.flat_map(|set| set.counts.keys().copied()).collect();
    let questions: Vec<AnswerCounts> =
        pairs.iter().map(|(one, other, _)| counted(&all, one, other)).collect();
    let test = answers_test(&questions)?;
    let sum = |of: fn(&AnswerCounts) -> &Vec<usize>| questions.iter().flat_map(of).sum();
    let names = |names: Vec<&BTreeSet<String>>| names.into_iter().flatten().cloned().collect();
    Some(ServerControl {
        variant: index,
        prompt: one.first()?.record.variants.get(index)?.prompt.clone(),
        seeds: pairs.first()?.2,
        states: pairs.len(),
        replies: (sum(|counts| &counts.one), sum(|counts| &counts.other)),
        distance: test.distance,
        pooled: test.pooled,
        p: test.p,
        corrected: test.p,
        answered_as: (
            names(pairs.iter().map(|(one, ..)| &one.names).collect()),
            names(pairs.iter().map(|(_, other, _)| &other.names).collect()),
        ),
    })
}

/// The index of the variant of another ask that sends the same request with the same settings to the same model.
fn same_variant(ask: &StoredAsk, variant: &Variant, other: &StoredAsk) -> Option<usize> {
    let is_other = other.record.id() != ask.record.id()
        && other.record.state == ask.record.state
        && other.record.from_text == ask.record.from_text
        && other.record.reader_rules == ask.record.reader_rules;
    let is_same = |found: &Variant| {
        found.same_as.is_none()
            && found.request == variant.request
            && found.settings == variant.settings
            && found.model == variant.model
    };
    other.record.variants.iter().position(is_same).filter(|_| is_other)
}

fn answers(ask: &StoredAsk, variant: usize) -> Answers<'_> {
    let mut found = Answers::default();
    for call in ask.calls.iter().filter(|call| call.variant == variant) {
        let Some(reply) = &call.reply else { continue };
        *found.counts.entry(call.answer()).or_default() += 1;
        found.names.extend(reply.model.as_deref().map(|model| named(model, call)));
    }
    found
}

/// `gpt-4o-2024-08-06 (fp_3f09)`.
fn named(model: &str, call: &AskCall) -> String {
    match &call.origin.fingerprint {
        Some(fingerprint) => format!("{model} ({fingerprint})"),
        None => model.to_owned(),
    }
}

/// How often each of all answers was given in both asks.
fn counted(all: &BTreeSet<Option<&str>>, one: &Answers<'_>, other: &Answers<'_>) -> AnswerCounts {
    let counts =
        |of: &Answers<'_>| all.iter().map(|answer| of.counts.get(answer).copied().unwrap_or(0)).collect();
    AnswerCounts { one: counts(one), other: counts(other) }
}

/// `control: variant 1 (0s-CoT) in the asks with the seeds 1 and 0, 1 state, 30 and 30 replies: …`.
impl fmt::Display for ServerControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = count_noun(self.states, "state", "states");
        let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
        write!(
            f,
            "control: variant {} ({}) in the asks with the seeds {} and {}, {states}, {} and {} replies: \
             distance {:.2} (of all states together {:.2}), p {}, corrected {}: ",
            self.variant + 1,
            self.prompt,
            self.seeds.0,
            self.seeds.1,
            self.replies.0,
            self.replies.1,
            self.distance,
            self.pooled,
            probability(self.p),
            probability(self.corrected)
        )?;
        f.write_str(if self.answers_differ() {
            "the server HAS MOVED"
        } else {
            "no sign in the answers that the server has moved"
        })?;
        if self.names_differ() {
            let [one, other] = [&self.answered_as.0, &self.answered_as.1].map(names);
            write!(f, "; it called itself {one}, and {other}")?;
        }
        Ok(())
    }
}
