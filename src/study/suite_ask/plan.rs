//! Plans an ask about a suite: an ask for each state, all with the same variants.

use super::state::JudgedState;
use crate::{AskPlan, AskRequest, Changes, OpenedState, Suite, Variant, judge_ask, open_suite, plan_ask};
use mageyard_config::{Config, Problem};
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, ModelAt, step_reference};
use mageyard_statistics::levels_that_show;

/// An ask about a suite before its first call.
pub struct SuitePlan {
    /// The states, in the order of the suite.
    pub states: Vec<JudgedState>,
    /// The ask of each state.
    pub plans: Vec<AskPlan>,
    /// How many states were played into the store for it.
    pub played: usize,
}

/// Opens the states of a suite and plans to ask about each of them. Nothing is sent.
pub async fn plan_suite(
    lab: &Lab,
    suite: &Suite,
    request: &AskRequest,
    store: &Store,
    config: &Config,
) -> Result<SuitePlan, LabError> {
    refuse_without_effect(request)?;
    let opened = open_suite(lab, suite, store, config).await?;
    let played = opened.iter().filter(|state| state.is_new).count();
    let mut states = Vec::new();
    let mut plans = Vec::new();
    for (index, place) in opened.iter().enumerate() {
        let OpenedState { journal, step, .. } = place;
        let own = AskRequest { step: *step, ..request.clone() };
        let mut plan = plan_ask(lab, journal, &own, config).await?;
        if let Some(first) = plans.first() {
            refuse_other_variants(suite, index, first, &plan)?;
        }
        judge_ask(lab, &mut plan, config).await?;
        let address = step_reference(&store.reference(journal), *step);
        let judged = (plan.record.verdicts.clone(), plan.record.taken.as_ref());
        let read = |action: &str| plan.written_action(action);
        let judge = plan.answer_judge();
        states.push(JudgedState::new((suite, index), (place, &address), judged, judge, &read)?);
        plans.push(plan);
    }
    Ok(SuitePlan { states, plans, played })
}

impl SuitePlan {
    /// The variants, which all states have.
    pub fn variants(&self) -> &[Variant] {
        self.plans.first().map_or(&[], |plan| &plan.record.variants)
    }

    /// The number of calls of all states.
    pub fn calls(&self) -> usize {
        self.plans.iter().map(|plan| plan.record.calls()).sum()
    }

    /// The number of replies of all states when all calls were made.
    pub fn replies(&self) -> usize {
        self.plans.iter().map(|plan| plan.record.replies()).sum()
    }

    /// What a person has to know before the first call: each remark once, with the number of states that it is about.
    pub fn remarks(&self) -> Vec<String> {
        distinct_remarks(&self.plans).into_iter().chain(self.what_states_show()).collect()
    }

    /// Says that so few states can show no difference between variants.
    fn what_states_show(&self) -> Option<String> {
        let variants = self.variants().len();
        let comparisons = variants * variants.saturating_sub(1) / 2;
        let needed = levels_that_show(comparisons);
        let states = self.plans.len();
        (comparisons > 0 && states < needed).then(|| {
            format!("with {comparisons} comparisons, {states} states can show no difference; at least {needed} are needed")
        })
    }
}

/// The remarks of the asks about several states: each once, with the number of states that it is about.
pub(crate) fn distinct_remarks(plans: &[AskPlan]) -> Vec<String> {
    let mut found: Vec<(String, String, usize)> = Vec::new();
    for remark in plans.iter().flat_map(|plan| &plan.remarks) {
        // Remarks name the step.
        let kind: String = remark.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        match found.iter_mut().find(|(other, ..)| *other == kind) {
            Some((.., count)) => *count += 1,
            None => found.push((kind, remark.clone(), 1)),
        }
    }
    let line = |(_, first, count): (String, String, usize)| match count {
        1 => first,
        count => format!("{first} (and so in {count} states)"),
    };
    found.into_iter().map(line).collect()
}

/// What makes two variants one, whatever the state.
pub(super) fn combination(variant: &Variant) -> (&str, u16, u16, &ModelAt, &Changes) {
    (&variant.prompt, variant.am, variant.om, &variant.model, &variant.changes)
}

/// The problem of what has no effect on a suite, by its name as a person has written it.
pub fn no_effect_on_suite(name: &str) -> Problem {
    Problem::new(format!("{name} has no effect on a suite")).with_help(
        "the suite, the solver or the recording says what is right in each state; ask at one step to use it",
    )
}

fn refuse_without_effect(request: &AskRequest) -> Result<(), Problem> {
    let refused = [
        ("target", request.target.is_some()),
        ("leave-out", !request.leave_out.is_empty()),
        ("from-text", request.from_text.is_some()),
    ];
    let given = refused.iter().find(|(_, is_given)| *is_given);
    given.map_or(Ok(()), |(name, _)| Err(no_effect_on_suite(name)))
}

fn refuse_other_variants(
    suite: &Suite,
    index: usize,
    first: &AskPlan,
    plan: &AskPlan,
) -> Result<(), Problem> {
    let combinations = |plan: &AskPlan| -> Vec<String> {
        let written = |variant: &Variant| {
            let (prompt, am, om, model, changes) = combination(variant);
            format!("{prompt} AM={am} OM={om} {} {changes}", model.label()).trim_end().to_owned()
        };
        plan.record.variants.iter().map(written).collect()
    };
    let one = combinations(first);
    let other = combinations(plan);
    if one == other {
        return Ok(());
    }
    let differs = other.iter().find(|name| !one.contains(name));
    let differs = differs.or_else(|| one.iter().find(|name| !other.contains(name)));
    let name = differs.map_or("", String::as_str);
    let what = format!("the variant {name} is not one of both this state and state 1");
    Err(suite
        .problem(index, what)
        .with_help("name --prompts, --am, --om, --views and --models that are possible in all states"))
}
