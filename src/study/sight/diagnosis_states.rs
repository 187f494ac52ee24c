//! The states of a diagnosis beside each other: what is wrong in each view, and the replies that this is made of.

use std::sync::Arc;

use super::judged::{StateDiagnosis, is_of, is_optimal};
use super::states::AskedState;
use crate::ask::{faults, sample, samples_of};
use crate::{
    Aid, AskCall, Changes, ComparedState, Finding, RULE, Sample, Samples, StoredAsk, StudyRow, Variant,
    VariantAnswers, percent,
};
use mageyard_statistics::Share;

/// What is said of a right answer to a question.
const RIGHT: &str = "right";

/// A model and a view in which all states are asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedView {
    model: String,
    view: Option<String>,
}

impl AskedView {
    pub(super) fn of(one: &StateDiagnosis) -> Self {
        Self { model: one.model.clone(), view: one.view.clone() }
    }

    fn of_variant(variant: &Variant) -> Self {
        Self { model: variant.model.label(), view: variant.changes.view.clone() }
    }
}

/// The views of some diagnoses, each once, in the order in which they were asked.
pub(super) fn asked_views(found: &[StateDiagnosis]) -> Vec<AskedView> {
    distinct(found.iter().map(AskedView::of))
}

/// The views in which questions were asked.
pub(super) fn question_views(asks: &[&StoredAsk]) -> Vec<AskedView> {
    distinct(asks.iter().flat_map(|ask| &ask.record.variants).map(AskedView::of_variant))
}

fn distinct(all: impl Iterator<Item = AskedView>) -> Vec<AskedView> {
    let mut views = Vec::new();
    for view in all {
        if !views.contains(&view) {
            views.push(view);
        }
    }
    views
}

/// A row for each view; a model is named where there are several.
pub(super) fn view_rows(views: &[AskedView]) -> Vec<StudyRow> {
    let several = views.iter().any(|view| view.model != views[0].model);
    let name = |view: &AskedView| {
        let shown = view.view.as_deref().unwrap_or("own view");
        if several { format!("{shown}, {}", view.model) } else { shown.to_owned() }
    };
    let row = |(number, view)| StudyRow { number, name: name(view), ..StudyRow::default() };
    (1..).zip(views).map(row).collect()
}

/// A state with what was found in each view.
pub(super) fn compared_state(
    number: usize,
    (state, ask): (&AskedState, &StoredAsk),
    found: &[StateDiagnosis],
    views: &[AskedView],
) -> ComparedState {
    let own: Vec<&StateDiagnosis> = found.iter().filter(|one| one.address == state.address).collect();
    let answers = |view: &AskedView| VariantAnswers {
        summary: own.iter().find(|one| AskedView::of(one) == *view).map(|one| cell(one)).unwrap_or_default(),
        samples: samples(ask, view).into_iter().map(Arc::new).collect(),
    };
    let facts = facts(state, ask, &own);
    let variants = views.iter().map(answers).collect();
    ComparedState { facts, variants, ..named_state(number, state) }
}

/// A state with how the questions about it were answered in each view.
pub(super) fn questioned_state(
    number: usize,
    (state, ask): (&AskedState, &StoredAsk),
    views: &[AskedView],
) -> ComparedState {
    let answers = |view: &AskedView| {
        let parts = questions(ask, view);
        let share = |part: &Part| right_share(&part_samples(ask, std::slice::from_ref(part)));
        let shares: Vec<f64> = parts.iter().filter_map(share).collect();
        let samples = part_samples(ask, &parts);
        let sign = if shares.iter().all(|share| *share >= RULE.answered) { '✓' } else { '✗' };
        let summary = match right_share(&samples) {
            None => "…".to_owned(),
            share => format!("{sign} {} right", percent(share)),
        };
        VariantAnswers { summary, samples: samples.into_iter().map(Arc::new).collect() }
    };
    let facts = state.kind.iter().cloned().collect();
    let variants = views.iter().map(answers).collect();
    ComparedState { facts, variants, ..named_state(number, state) }
}

/// The share of right answers among replies; `None` without any.
fn right_share(samples: &[Sample]) -> Option<f64> {
    let read = samples.iter().filter(|sample| sample.text.is_some()).count();
    let right = samples.iter().filter(|sample| sample.facts.iter().any(|fact| fact == RIGHT)).count();
    Share::of(right, read).value()
}

/// A state by its level and step.
fn named_state(number: usize, state: &AskedState) -> ComparedState {
    ComparedState {
        number,
        title: format!("{} step {}", short(&state.level), state.step),
        address: state.address.clone(),
        journal: state.journal.clone(),
        step: state.step,
        ..ComparedState::default()
    }
}

/// A level without its environment, which all have.
fn short(level: &str) -> &str {
    level.split_once('/').map_or(level, |(_, rest)| rest)
}

/// `◎ seen wrong, 25 % right`.
fn cell(one: &StateDiagnosis) -> String {
    let right = one.evidence.own.map(|own| format!(", {} right", percent(Some(own)))).unwrap_or_default();
    format!("{} {}{right}", sign(one.finding), one.finding.name())
}

/// The sign of a finding, which no other one has.
fn sign(finding: Finding) -> char {
    match finding {
        Finding::Right => '✓',
        Finding::Seen => '◎',
        Finding::Planned => '↗',
        Finding::Written => '✎',
        Finding::Mixed => '±',
        Finding::Undecided => '…',
    }
}

/// What sort of state it is, what was done in it and what is right there; then a line for what is known in each view.
fn facts(state: &AskedState, ask: &StoredAsk, own: &[&StateDiagnosis]) -> Vec<String> {
    let taken = ask.record.taken.as_ref().map(|action| format!("taken: {action}"));
    let actions = ask.record.verdicts.iter().flatten().map(|(action, _)| action.as_str());
    let right: Vec<&str> = actions.filter(|action| is_optimal(&ask.record, Some(action))).collect();
    let optimal = (!right.is_empty()).then(|| format!("optimal: {}", right.join(", ")));
    let about: Vec<String> = state.kind.iter().cloned().chain(taken).chain(optimal).collect();
    let first = (!about.is_empty()).then(|| about.join(" · "));
    first.into_iter().chain(own.iter().map(|one| view_facts(one, own.len() > 1))).collect()
}

/// The shares of right replies in a view, the wrong claims, and the known fault of a simulated model.
fn view_facts(one: &StateDiagnosis, several: bool) -> String {
    let evidence = &one.evidence;
    let shares = [
        ("right as asked", evidence.own),
        ("in words", evidence.with_words),
        ("with a hint", evidence.with_plan),
        ("questions", evidence.questions),
        ("wrong replies that announce an optimal action", evidence.contradicted.filter(|share| *share > 0.0)),
    ];
    let share = |(words, share): (&str, Option<f64>)| Some(format!("{words} {}", percent(Some(share?))));
    let shares: Vec<String> = shares.into_iter().filter_map(share).collect();
    let shares = if shares.is_empty() { "no reply yet".to_owned() } else { shares.join(", ") };
    let wrong = one.claims.wrong.iter().map(|(says, count)| format!("claimed wrongly {count}×: {says}"));
    let known = one.known_fault.map(|fault| match fault {
        Finding::Right => "no known fault".to_owned(),
        fault => format!("known fault: {}", fault.name()),
    });
    let facts: Vec<String> = std::iter::once(shares).chain(wrong).chain(known).collect();
    let name =
        if several { format!("{}: ", one.view.as_deref().unwrap_or("own view")) } else { String::new() };
    format!("{name}{}", facts.join("; "))
}

/// Whether a variant is the request of the agent, perhaps in another view.
fn is_own(variant: &Variant) -> bool {
    variant.changes.aid.is_none() && variant.changes.probe.is_none()
}

/// What replies answer, and the index of its variant.
type Part = (String, usize);

/// The replies in a view: to the own request, with each help, and to each question.
fn samples(ask: &StoredAsk, view: &AskedView) -> Vec<Sample> {
    let variants = &ask.record.variants;
    let is_asked = |variant: &Variant| is_own(variant) && AskedView::of_variant(variant) == *view;
    let Some((index, own)) = variants.iter().enumerate().find(|(_, variant)| is_asked(variant)) else {
        return Vec::new();
    };
    let mut parts = vec![("as asked".to_owned(), index)];
    for (aid, words) in [(Aid::Words, "with the state in words"), (Aid::Plan, "with a hint of the plan")] {
        let wanted = Changes { aid: Some(aid), ..own.changes.clone() };
        let found = variants.iter().position(|one| is_of(one, own) && one.changes == wanted);
        parts.extend(found.map(|index| (words.to_owned(), index)));
    }
    parts.extend(questions(ask, view));
    part_samples(ask, &parts)
}

/// The questions that are asked in a view.
fn questions(ask: &StoredAsk, view: &AskedView) -> Vec<Part> {
    let variants = ask.record.variants.iter().enumerate();
    let question = |(index, variant): (usize, &Variant)| {
        let probe = variant.changes.probe.as_ref().filter(|_| AskedView::of_variant(variant) == *view)?;
        let about = format!("{} {}", probe.kind, probe.about);
        Some((format!("question {}: {}", about.trim_end(), probe.question), index))
    };
    variants.filter_map(question).collect()
}

/// The replies to these requests, numbered from 1.
fn part_samples(ask: &StoredAsk, parts: &[Part]) -> Vec<Sample> {
    let calls = parts.iter().flat_map(|(name, index)| {
        samples_of(ask, *index, Samples::All).map(move |call| (name, *index, call))
    });
    (1..)
        .zip(calls)
        .map(|(number, (name, index, call))| part_sample(ask, index, call, (number, name)))
        .collect()
}

/// A reply with what it answers and whether it is right.
fn part_sample(ask: &StoredAsk, index: usize, call: &AskCall, (number, name): (u32, &str)) -> Sample {
    let probe = ask.record.variants.get(index).and_then(|variant| variant.changes.probe.as_ref());
    let verdict = match probe {
        _ if call.reply.is_none() => None,
        Some(probe) if call.answer() == Some(&probe.right) => Some(RIGHT.to_owned()),
        Some(probe) => Some(format!("wrong, right is {}", probe.right)),
        None if is_optimal(&ask.record, call.answer()) => Some("optimal".to_owned()),
        None => Some("not optimal".to_owned()),
    };
    let facts = std::iter::once(name.to_owned()).chain(verdict).chain(faults(call)).collect();
    Sample { number, facts, ..sample(ask, call) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_finding_has_a_sign_of_its_own() {
        let signs: BTreeSet<char> = Finding::ALL.into_iter().map(sign).collect();
        assert_eq!(signs.len(), Finding::ALL.len());
    }

    #[test]
    fn a_reply_without_text_is_not_counted_among_answers() {
        let reply = |text: Option<&str>, verdict: &str| Sample {
            text: text.map(str::to_owned),
            facts: vec!["question player".to_owned(), verdict.to_owned()],
            ..Sample::default()
        };
        let failed = reply(None, "failed: no server");
        assert_eq!(right_share(std::slice::from_ref(&failed)), None);
        let all = [reply(Some("a"), RIGHT), failed, reply(Some("b"), "wrong, right is (1, 1)")];
        assert_eq!(right_share(&all), Some(0.5));
    }

    #[test]
    fn levels_are_named_without_their_environment() {
        assert_eq!(["sokoban/first/6", "room.xsb"].map(short), ["first/6", "room.xsb"]);
    }
}
