//! What the replies to the requests of one state come to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::claims::{ReplyClaims, claims_of};
use super::rule::{Evidence, Finding, RULE};
use super::states::AskedState;
use crate::{ActionVerdict, Aid, AskCall, AskPlan, AskRecord, Changes, StoredAsk, Variant};
use mageyard_dialog::{announced_action, parse_reply};
use mageyard_statistics::Share;

/// What was found out about a state with one model in one view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateDiagnosis {
    /// The address of its step.
    pub address: String,
    /// The reference of its level.
    pub level: String,
    /// What sort of state it is, if states are sorted.
    pub kind: Option<String>,
    /// The view; `None` for that of the step.
    pub view: Option<String>,
    /// The model.
    pub model: String,
    /// The replies to the request of the agent.
    pub replies: usize,
    /// The action that was taken.
    pub taken: Option<String>,
    /// What is known.
    pub evidence: Evidence,
    /// Which questions are answered wrongly, by the rule.
    pub wrong_questions: Vec<String>,
    /// What the analyses of the own replies say of the state.
    pub claims: ReplyClaims,
    /// What is wrong.
    pub finding: Finding,
    /// What is wrong by the settings of a simulated model; `None` for real ones.
    pub known_fault: Option<Finding>,
}

/// What was found out about a state, for each model and view.
pub(super) fn diagnoses(state: &AskedState, plan: &AskPlan, ask: &StoredAsk) -> Vec<StateDiagnosis> {
    let mut found = Vec::new();
    for (index, variant) in ask.record.variants.iter().enumerate() {
        if variant.changes.aid.is_none() && variant.changes.probe.is_none() {
            found.push(diagnosis(state, plan, ask, (index, variant)));
        }
    }
    found
}

fn diagnosis(
    state: &AskedState,
    plan: &AskPlan,
    ask: &StoredAsk,
    (index, own): (usize, &Variant),
) -> StateDiagnosis {
    let with_aid = |aid| {
        let wanted = Changes { aid: Some(aid), ..own.changes.clone() };
        let found = ask.record.variants.iter().position(|one| is_of(one, own) && one.changes == wanted);
        found.and_then(|index| optimal_share(ask, index))
    };
    let questions = questions(ask, own);
    let answered = questions.iter().filter(|(_, share)| **share >= RULE.answered).count();
    let evidence = Evidence {
        own: optimal_share(ask, index),
        with_words: with_aid(Aid::Words),
        with_plan: with_aid(Aid::Plan),
        questions: Share::of(answered, questions.len()).value(),
        contradicted: contradicted(plan, ask, index),
    };
    let wrong = questions.iter().filter(|(_, share)| **share < RULE.answered);
    StateDiagnosis {
        address: state.address.clone(),
        level: state.level.clone(),
        kind: state.kind.clone(),
        view: own.changes.view.clone(),
        model: own.model.label(),
        replies: replies(ask, index).count(),
        taken: ask.record.taken.clone(),
        evidence,
        wrong_questions: wrong.map(|(name, _)| name.clone()).collect(),
        claims: claims_of(plan, ask, index),
        finding: RULE.finding(&evidence),
        known_fault: plan.known_fault(index),
    }
}

/// Whether a variant is of the same model and prompt as another one.
pub(super) fn is_of(one: &Variant, other: &Variant) -> bool {
    (&one.model, &one.prompt, one.settings) == (&other.model, &other.prompt, other.settings)
}

pub(super) fn replies(ask: &StoredAsk, variant: usize) -> impl Iterator<Item = &AskCall> {
    ask.calls.iter().filter(move |call| call.variant == variant && call.reply.is_some())
}

/// The share of replies with an optimal action: by the solver, or else with that of the oracle.
fn optimal_share(ask: &StoredAsk, variant: usize) -> Option<f64> {
    let all = replies(ask, variant).count();
    let optimal = replies(ask, variant).filter(|call| is_optimal(&ask.record, call.answer())).count();
    Share::of(optimal, all).value()
}

/// Whether an action is optimal in the state of an ask.
pub(super) fn is_optimal(record: &AskRecord, action: Option<&str>) -> bool {
    let Some(action) = action else { return false };
    match &record.verdicts {
        Some(verdicts) => verdicts.get(action) == Some(&ActionVerdict::Optimal),
        None => record.oracle.as_deref().ok() == Some(action),
    }
}

/// The share of right answers to each question in the view of a variant, unreadable ones counted as wrong.
fn questions(ask: &StoredAsk, own: &Variant) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    for (index, variant) in ask.record.variants.iter().enumerate() {
        let Some(probe) = variant.changes.probe.as_ref().filter(|_| is_asked_of(variant, own)) else {
            continue;
        };
        let all = replies(ask, index).count();
        let right = replies(ask, index).filter(|call| call.answer() == Some(&probe.right)).count();
        if let Some(share) = Share::of(right, all).value() {
            let name = format!("{} {}", probe.kind, probe.about);
            shares.insert(name.trim_end().to_owned(), share);
        }
    }
    shares
}

/// Whether a question is asked of the model and in the view of a variant.
fn is_asked_of(question: &Variant, own: &Variant) -> bool {
    is_of(question, own) && question.changes.view == own.changes.view
}

/// Of the replies that are not optimal, the share that announces an optimal action; `None` if all are optimal.
fn contradicted(plan: &AskPlan, ask: &StoredAsk, variant: usize) -> Option<f64> {
    let wrong: Vec<&AskCall> =
        replies(ask, variant).filter(|call| !is_optimal(&ask.record, call.answer())).collect();
    let announces = |call: &&&AskCall| {
        let announced = analysis(plan, call).and_then(|text| announced_action(&text, plan.action_space()));
        announced.is_some_and(|action| {
            call.answer() != Some(action.as_str()) && is_optimal(&ask.record, Some(&action))
        })
    };
    Share::of(wrong.iter().filter(announces).count(), wrong.len()).value()
}

/// The analysis of a reply.
pub(super) fn analysis(plan: &AskPlan, call: &AskCall) -> Option<String> {
    let text = &call.reply.as_ref()?.text;
    let (rules, form) = plan.reading();
    let spans = parse_reply(rules, form, text, plan.action_space()).spans;
    spans.analysis.and_then(|at| text.get(at)).map(str::to_owned)
}

/// Whether the action that was taken in the state of an ask is optimal; `None` where no action is known to be: the goal is out of reach,
/// or the solver cannot say how far away it is.
pub(super) fn is_taken_optimal(record: &AskRecord) -> Option<bool> {
    let is_known = match &record.verdicts {
        Some(verdicts) => verdicts.values().any(|verdict| *verdict == ActionVerdict::Optimal),
        None => record.oracle.is_ok(),
    };
    is_known.then(|| is_optimal(record, record.taken.as_deref()))
}
