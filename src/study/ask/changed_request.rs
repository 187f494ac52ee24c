//! Composes the request of a state with its changes: another view, keep rules, help, or a question about the state.

use std::cell::RefCell;

use super::changes::{Aid, Changes};
use super::request::AskRequest;
use super::state::FrozenState;
use super::variants::distinct;
use mageyard_config::Problem;
use mageyard_dialog::{Keep, LeftOut, Prompt, Request, RequestLayout, RequestSpec, compose_probe};
use mageyard_domain::{Observation, Options, Probe, Probes, StateWords, VIEW_OPTION, Window};
use mageyard_engine::{RequestView, compose_viewed_request};

/// The name of all kinds of questions.
pub(crate) const ALL_QUESTIONS: &str = "all";

/// What is changed in the variants of an ask: the product of views and keep rules, with each help, and the questions in each view.
pub(super) fn changes_of(request: &AskRequest, state: &FrozenState) -> Result<Vec<Changes>, Problem> {
    let views = views(&request.views, state)?;
    let keep: Vec<Option<Keep>> = match distinct(&request.keep) {
        keep if keep.is_empty() => vec![None],
        keep => keep.into_iter().map(Some).collect(),
    };
    let mut changes = Vec::new();
    for view in &views {
        for keep in keep.iter().filter(|_| !request.only_questions) {
            let plain = Changes { view: view.clone(), keep: *keep, ..Changes::default() };
            let aids = request.aids.iter().map(|aid| Changes { aid: Some(*aid), ..plain.clone() });
            changes.extend(std::iter::once(plain.clone()).chain(aids));
        }
    }
    for probe in questions(&request.questions, state, request.seed)? {
        let asked = |view: &Option<String>| Changes {
            view: view.clone(),
            probe: Some(probe.clone()),
            ..Changes::default()
        };
        changes.extend(views.iter().map(asked));
    }
    Ok(changes)
}

/// The views with these names; that of the step stands for an empty list.
fn views(names: &[String], state: &FrozenState) -> Result<Vec<Option<String>>, Problem> {
    let perception = &state.spec.capabilities().perception;
    let known = perception.views.iter().map(|view| view.name);
    let view = |name: &String| match perception.named(name) {
        Some(view) => Ok(Some(view.name.to_owned())),
        None if perception.views.is_empty() => {
            Err(Problem::new(format!("{} has one view only", state.spec.name())))
        }
        None => {
            let problem = Problem::new(format!("there is no view {name} of {}", state.spec.name()));
            Err(problem.with_suggestions(name, known.clone()))
        }
    };
    match distinct(names) {
        names if names.is_empty() => Ok(vec![None]),
        names => names.iter().map(view).collect(),
    }
}

/// The questions of these kinds about the state.
fn questions(kinds: &[String], state: &FrozenState, seed: u64) -> Result<Vec<Probe>, Problem> {
    let mut found = Vec::new();
    let all =
        || probes_of(state).map(|probes| probes.kinds().iter().map(|kind| kind.name.to_owned()).collect());
    let kinds = if kinds == [ALL_QUESTIONS] { all()? } else { distinct(kinds) };
    for kind in kinds {
        let probes = probes_of(state)?;
        let names = probes.kinds().iter().map(|kind| kind.name);
        if !names.clone().any(|name| name == kind) {
            let problem = Problem::new(format!("there is no question {kind} about {}", state.spec.name()));
            return Err(problem.with_suggestions(&kind, names));
        }
        found.extend(probes.probes(&state.step.observation, &kind, seed));
    }
    Ok(found)
}

fn probes_of(state: &FrozenState) -> Result<&'static dyn Probes, Problem> {
    let name = state.spec.name();
    let probes = state.spec.capabilities().perception.probes;
    probes.ok_or_else(|| Problem::new(format!("{name} has no questions about its states")))
}

/// The request of a state that a prompt makes with a window and these changes, or why it is not possible.
pub(super) fn composed(
    state: &FrozenState,
    (prompt, window): (&Prompt, Window),
    counts_stable: bool,
    left_out: Option<LeftOut>,
    changes: &Changes,
) -> Result<Request, String> {
    let capabilities = state.spec.capabilities();
    let head = &state.head;
    let options = with_view(&head.options, changes.view.as_deref());
    let view = capabilities.perception.view(&options);
    if let Some(view) = view.filter(|view| changes.probe.is_none() && !prompt.allows_view(view)) {
        return Err(format!(
            "the prompt {} does not say what the state is given as; write {{view}} there to ask it with the view {}",
            prompt.name, view.name
        ));
    }
    let failed = RefCell::new(None);
    let show = |seen: &Observation| {
        let Some(view) = &changes.view else { return seen.clone() };
        (capabilities.perception.show)(seen, &options).unwrap_or_else(|why| {
            *failed.borrow_mut() = Some(format!("it cannot be shown in the view {view}: {why}"));
            seen.clone()
        })
    };
    let name = options.get(VIEW_OPTION).and_then(|name| name.as_str());
    let shown = RequestView { name, show: &show };
    let words = capabilities.state_words(&options);
    let request = if let Some(probe) = &changes.probe {
        question(state, probe, &words, shown)
    } else {
        let prompt = match changes.view {
            Some(_) => &prompt.clone().with_state_words(&words),
            None => prompt,
        };
        let layout = RequestLayout { keep: changes.keep.unwrap_or(head.layout.keep), ..head.layout };
        let (setting, reply_format) = (head.setting, &state.form);
        let spec = RequestSpec { prompt, setting, reply_format, window, layout, counts_stable, left_out };
        let steps = state.episode.steps();
        let index = steps.len().saturating_sub(1);
        compose_viewed_request(head, steps, index, &spec, shown).unwrap_or_default()
    };
    if let Some(why) = failed.into_inner() {
        return Err(why);
    }
    match changes.aid {
        Some(aid) => Ok(request.with_hint(&aid_text(state, aid)?)),
        None => Ok(request),
    }
}

/// The request that asks a question about the state.
fn question(state: &FrozenState, probe: &Probe, words: &StateWords, shown: RequestView<'_>) -> Request {
    let seen = (shown.show)(&state.step.observation);
    let of_step = (state.step.number, &seen);
    let system_role = state.head.layout.system_role;
    compose_probe(state.spec.summary(), words, of_step, probe, system_role).in_view(shown.name)
}

/// The state as this view shows it; `None` for the view of the step.
pub(super) fn shown_in(state: &FrozenState, view: Option<&str>) -> Result<Observation, String> {
    let seen = &state.step.observation;
    let Some(view) = view else { return Ok(seen.clone()) };
    (state.spec.capabilities().perception.show)(seen, &with_view(&state.head.options, Some(view)))
}

fn with_view(options: &Options, view: Option<&str>) -> Options {
    let mut options = options.clone();
    if let Some(view) = view {
        options.insert(VIEW_OPTION.to_owned(), view.into());
    }
    options
}

/// The text of a help in this state.
fn aid_text(state: &FrozenState, aid: Aid) -> Result<String, String> {
    match aid {
        Aid::Words => {
            let probes = probes_of(state).map_err(|problem| problem.to_string())?;
            let words = probes.in_words(&state.step.observation).ok_or("the state has no words")?;
            Ok(format!("The present state in words, which are right:\n{words}"))
        }
        Aid::Plan => {
            let hint = state.plan_hint.get_or_init(|| plan_hint(state)).clone()?;
            Ok(format!("A hint, which is right: {hint}"))
        }
    }
}

/// The next part of a right plan: what the environment says of it, or else the reason of its solver.
fn plan_hint(state: &FrozenState) -> Result<String, String> {
    let capabilities = state.spec.capabilities();
    let seen = state.step.observation.for_one_use();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let own = capabilities.perception.probes.and_then(|probes| probes.subgoal(&seen, &stop));
    if let Some(own) = own {
        return Ok(own);
    }
    let oracle = capabilities.policies.create_oracle();
    let mut oracle = oracle.ok_or("the environment has no solver that knows a plan")?;
    let said = oracle.next_action(state.step.number, &seen, &state.step.space, &stop);
    let (_, reason) = said.map_err(|error| error.to_string())?.ok_or("the solver would stop here")?;
    Ok(reason)
}
