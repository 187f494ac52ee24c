//! The right answer, and wrong ones that are near it.

use std::sync::atomic::AtomicBool;

use super::observation::{RIGHT, SPACE};
use mageyard_domain::{
    Action, ActionSpace, Arg, Mistakes, Number, Observation, ParamKind, Policy, PolicyError,
};

/// Answers what the record says.
pub(super) struct Oracle;

const REASON: &str = "The record has this answer.";

/// The right answer of the facts of an observation.
fn right(seen: &Observation) -> Option<Action> {
    serde_json::from_value(seen.facts()[RIGHT].clone()).ok()
}

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _: u32,
        seen: &Observation,
        _: &ActionSpace,
        _: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        Ok(right(seen).map(|action| (action, REASON.to_owned())))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _: &ActionSpace,
        _: u32,
        _: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        Ok((right(seen).into_iter().collect(), REASON.to_owned()))
    }
}

/// Makes wrong answers: another name, a place beside the element, a list that lacks or has one more.
pub(super) struct WrongAnswers;

impl Mistakes for WrongAnswers {
    fn make(&self, number: u64, seen: &Observation) -> Option<(Action, String)> {
        let right = right(seen)?;
        let space: ActionSpace = serde_json::from_value(seen.facts()[SPACE].clone()).ok()?;
        let numbers: Vec<_> = right.args.iter().filter(|(_, arg)| matches!(arg, Arg::Number(_))).collect();
        match (right.args.values().next(), numbers.as_slice()) {
            (None, _) => other_name(number, &right, &space),
            (Some(Arg::Text(text)), []) => Some(other_list(number, &right, text)),
            _ => moved(number, &right, &space),
        }
    }
}

fn other_name(number: u64, right: &Action, space: &ActionSpace) -> Option<(Action, String)> {
    let others: Vec<&str> = space.names().filter(|name| *name != right.name).collect();
    let index = number.checked_rem(others.len() as u64).and_then(|index| usize::try_from(index).ok())?;
    Some((Action::plain(*others.get(index)?), "I take another answer.".to_owned()))
}

fn other_list(number: u64, right: &Action, text: &str) -> (Action, String) {
    let mut letters: Vec<&str> = text.split(' ').collect();
    let reason = if number.is_multiple_of(2) && letters.len() > 1 {
        letters.pop();
        "I leave the last one out."
    } else {
        letters.push("A");
        "I add one at the end."
    };
    let name = right.args.keys().next().cloned().unwrap_or_default();
    (Action::plain(&*right.name).with(name, Arg::Text(letters.join(" "))), reason.to_owned())
}

/// The place in a corner of the picture, which no element covers.
fn moved(number: u64, right: &Action, space: &ActionSpace) -> Option<(Action, String)> {
    let spec = space.spec(&right.name)?;
    let mut wrong = right.clone();
    for (index, name) in ["x", "y"].into_iter().enumerate() {
        let ParamKind::Number { min, max, .. } = spec.param(name)?.kind else { return None };
        let end = if number >> index & 1 == 0 { min } else { max };
        wrong.args.insert(name.to_owned(), Arg::Number(Number::new(end)?));
    }
    Some((wrong, "I take a corner of the picture.".to_owned()))
}
