//! What is compared: the product of prompt variants, windows and models, without what is not possible.

use super::changes::Changes;
use super::record::StruckVariant;
use super::state::FrozenState;
use mageyard_config::Problem;
use mageyard_dialog::Prompt;
use mageyard_domain::Window;

/// The windows of these values of AM and OM; those of the step stand for an empty list. Those that are not possible come
/// with the reason.
pub(super) fn windows(am: &[u16], om: &[u16], state: &FrozenState) -> (Vec<Window>, Vec<StruckVariant>) {
    possible_windows(state.head.window, state.spec.capabilities().episodes.fixed_window, am, om)
}

/// The same for a step with this window in an environment that may fix it.
pub(crate) fn possible_windows(
    own: Window,
    fixed: Option<Window>,
    am: &[u16],
    om: &[u16],
) -> (Vec<Window>, Vec<StruckVariant>) {
    let or_own = |given: &[u16], own: u16| if given.is_empty() { vec![own] } else { distinct(given) };
    let mut legal = Vec::new();
    let mut struck = Vec::new();
    for am in or_own(am, own.am()) {
        for om in or_own(om, own.om()) {
            match window(am, om, fixed) {
                Ok(window) => legal.push(window),
                Err(why) => {
                    struck.push(StruckVariant {
                        prompt: None,
                        am,
                        om,
                        model: None,
                        left_out: None,
                        changes: Changes::default(),
                        why,
                    });
                }
            }
        }
    }
    (legal, struck)
}

fn window(am: u16, om: u16, fixed: Option<Window>) -> Result<Window, String> {
    let window = Window::new(am, om).map_err(|error| error.to_string())?;
    match fixed.filter(|fixed| *fixed != window) {
        None => Ok(window),
        Some(fixed) => {
            let am = fixed.am();
            let om = fixed.om();
            Err(format!(
                "requests of this environment have no history; the window is fixed at AM={am}, OM={om}"
            ))
        }
    }
}

/// The prompts with these names; that of the step stands for an empty list.
pub(super) fn chosen_prompts<'a>(
    names: &[String],
    state: &'a FrozenState,
) -> Result<Vec<&'a Prompt>, Problem> {
    let own = [state.head.prompt.clone()];
    if names.is_empty() && own[0].is_empty() {
        let problem = Problem::new("no prompt was recorded for the step, and none is named");
        return Err(problem.with_help("name one or more: --prompts NAME,NAME"));
    }
    let names = if names.is_empty() { own.to_vec() } else { distinct(names) };
    let known = state.prompts.iter().map(|prompt| prompt.name.as_str());
    let find = |name: &String| {
        let found = state.prompts.iter().find(|prompt| prompt.name == *name);
        found.ok_or_else(|| {
            let problem = Problem::new(format!("there is no prompt {name} for {}", state.spec.name()));
            problem.with_suggestions(name, known.clone())
        })
    };
    names.iter().map(find).collect()
}

/// The values, each once, in their order.
pub(crate) fn distinct<T: Clone + PartialEq>(values: &[T]) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for value in values {
        if !kept.contains(value) {
            kept.push(value.clone());
        }
    }
    kept
}
