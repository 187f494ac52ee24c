//! Agents without a model: the recorded workflow, mistakes, and what is worth choosing at random.

use std::sync::atomic::AtomicBool;

use mageyard_domain::{
    Action, ActionSpace, ActionSpec, Arg, Mistakes, Number, Observation, ParamKind, Policy, PolicyError,
};

use crate::actions::{
    CLICK, FILL_FORM, FINAL_ANSWER, GO_BACK, GOOGLE_SEARCH, GOTO, HOVER, ID, OPTION, SCROLL_DOWN, SCROLL_UP,
    SELECT_OPTION, SWITCH_TAB, TAB, TEXT, URL, on_element,
};
use crate::observation::{ELEMENTS, NEXT};

/// Plays the recorded workflow of a task.
pub(crate) struct Oracle;

impl Policy for Oracle {
    fn next_action(
        &mut self,
        _: u32,
        seen: &Observation,
        _: &ActionSpace,
        _: &AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        let next: Option<Action> = serde_json::from_value(seen.facts()[NEXT].clone()).unwrap_or_default();
        Ok(next.map(|action| (action, "The recorded workflow does this next.".to_owned())))
    }

    fn plan(
        &mut self,
        _: &Observation,
        _: &ActionSpace,
        _: u32,
        _: &AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        Err(PolicyError::GaveUp("pages that were not seen cannot be planned".to_owned()))
    }
}

/// The largest number of an observation.
fn elements(seen: &Observation) -> f64 {
    seen.facts()[ELEMENTS].as_f64().unwrap_or_default()
}

/// What is worth choosing at random: a listed element, and moves on the page; on a page without elements, a search.
pub(crate) fn narrowed(seen: &Observation, space: &ActionSpace) -> ActionSpace {
    let last = elements(seen);
    let names: &[&str] =
        if last < 1.0 { &[GOOGLE_SEARCH] } else { &[CLICK, HOVER, GO_BACK, SCROLL_DOWN, SCROLL_UP] };
    let worth = |spec: &&ActionSpec| names.contains(&spec.name.as_str());
    let limited = |spec: &ActionSpec| {
        let mut spec = spec.clone();
        for param in spec.params.iter_mut().filter(|param| param.name == ID) {
            param.kind = ParamKind::Number { min: 1.0, max: last, integer: true };
        }
        spec
    };
    space.specs().iter().filter(worth).map(limited).collect()
}

/// Makes each act that is refused or fails.
pub(crate) struct WrongActs;

impl Mistakes for WrongActs {
    fn make(&self, number: u64, seen: &Observation) -> Option<(Action, String)> {
        let last = elements(seen);
        let beyond = |name: &str| element(name, last + 1.0);
        let text = |action: Option<Action>, name: &str, text: &str| {
            action.map(|action| action.with(name, Arg::Text(text.to_owned())))
        };
        let (action, reason) = match number % 8 {
            0 => (beyond(CLICK), "I click on an element that is not there."),
            1 => (beyond(HOVER), "I move onto an element that is not there."),
            2 => (text(beyond(FILL_FORM), TEXT, "text"), "I fill a field that is not there."),
            3 => {
                let heading = (last >= 1.0).then(|| on_element(SELECT_OPTION, 1));
                (text(heading, OPTION, "none"), "I choose an option of an element that has none.")
            }
            4 => (
                Number::new(20.0).map(|tab| Action::plain(SWITCH_TAB).with(TAB, Arg::Number(tab))),
                "I switch to a tab that is not open.",
            ),
            5 => {
                (text(Some(Action::plain(GOTO)), URL, "file:///etc/hosts"), "I open a file of this machine.")
            }
            6 => (text(Some(Action::plain(GOTO)), URL, "http://127.0.0.1:1/"), "I open a private address."),
            _ => (text(Some(Action::plain(FINAL_ANSWER)), TEXT, "unknown"), "I end before the task is done."),
        };
        Some((action?, reason.to_owned()))
    }
}

fn element(name: &str, number: f64) -> Option<Action> {
    Some(Action::plain(name).with(ID, Arg::Number(Number::new(number)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action_space;
    use serde_json::json;

    fn seen(elements: u32) -> Observation {
        Observation::from_parts(Vec::new(), "", json!({ELEMENTS: elements}))
    }

    #[test]
    fn every_mistake_is_an_allowed_action() {
        for number in 0..16 {
            for elements in [0, 5] {
                if let Some((action, _)) = WrongActs.make(number, &seen(elements)) {
                    assert!(action_space().allows(&action), "{action}");
                }
            }
        }
    }

    #[test]
    fn random_choices_name_listed_elements() {
        let space = narrowed(&seen(7), &action_space());
        assert_eq!(space.names().collect::<Vec<_>>(), [CLICK, HOVER, GO_BACK, SCROLL_DOWN, SCROLL_UP]);
        assert!(space.allows(&on_element(CLICK, 7)) && !space.allows(&on_element(CLICK, 8)));
        assert_eq!(narrowed(&seen(0), &action_space()).names().collect::<Vec<_>>(), [GOOGLE_SEARCH]);
    }
}
