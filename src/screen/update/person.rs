//! A person as the agent: actions, plans, and the form for arguments.

use std::sync::Arc;

use super::session_control::send;
use super::{Effect, navigation, real_time};
use crate::model::{ActionForm, FormPurpose, Modal, Model};
use mageyard_domain::{Action, ActionError, ActionSpec, Setting};
use mageyard_engine::{SessionCommand, Step, Waiting};

/// Plays an action as the human agent, so many times. `line` is the action as a person types it; where required
/// arguments or all code are missing, the form for them opens.
pub(super) fn play(model: &mut Model, line: &str, times: u32, effects: &mut Vec<Effect>) {
    let writes_code = written_spec(model, line).is_some_and(|spec| writes_code(&spec));
    let Some(step) = step_to_decide(model, writes_code) else { return };
    match step.space.parse_line(line) {
        // Without any code it would write nothing.
        Ok(action) if writes_code && action.args.is_empty() => open_form(model, &step, &action),
        Ok(action) => play_action(model, &action, times, effects),
        Err(error) => match step.space.parse_incomplete_line(line) {
            Some(given) => open_form(model, &step, &given),
            None => model.notify(error.to_string()),
        },
    }
}

/// Plays the action of a key, or opens the form for its arguments.
pub(super) fn play_spec(model: &mut Model, spec: &ActionSpec, times: u32, effects: &mut Vec<Effect>) {
    let action = Action::plain(&*spec.name);
    if spec.params.is_empty() {
        return play_action(model, &action, times, effects);
    }
    if let Some(step) = step_to_decide(model, writes_code(spec)) {
        open_form(model, &step, &action);
    }
}

/// Plays the action of a place on the picture, or opens the form for arguments that the place does not say.
pub(super) fn play_place(model: &mut Model, action: &Action, effects: &mut Vec<Effect>) {
    let step = model.episode().and_then(|viewed| viewed.step());
    let is_whole =
        step.is_none_or(|step| !matches!(step.space.check(action), Err(ActionError::Missing { .. })));
    if is_whole {
        return play_action(model, action, 1, effects);
    }
    if let Some(step) = step_to_decide(model, false) {
        open_form(model, &step, action);
    }
}

fn open_form(model: &mut Model, step: &Step, given: &Action) {
    if let Some(spec) = step.space.spec(&given.name) {
        // Code is edited from what is there, not written anew.
        let form = ActionForm::new(spec.clone(), given, FormPurpose::Play)
            .with_code(|name| model.present_code(name))
            .with_numbers(|name| model.named_numbers(name));
        model.modal = Some(Modal::Form(Box::new(form)));
    }
}

/// The form for the action that writes code, with the present texts, at a step where a person decides: what is edited is
/// written as the next action. `named` is the parameter to edit; without it the first one with a text.
pub(super) fn present_code_form(model: &Model, named: Option<&str>) -> Option<ActionForm> {
    let viewed = model.episode()?;
    let decides = viewed.is_human() && !viewed.has_plan() && viewed.snapshot.run.waiting == Waiting::Ask;
    let step = viewed.step().filter(|_| decides && !viewed.looks_back())?;
    let mut writing = step.space.specs().iter().filter(|spec| writes_code(spec));
    let (Some(spec), None) = (writing.next(), writing.next()) else { return None };
    let form = ActionForm::new(spec.clone(), &Action::plain(&*spec.name), FormPurpose::Play);
    let mut form = form.with_code(|name| model.present_code(name));
    (form.focus_code(named) || named.is_none()).then_some(form)
}

/// Plays an action, so many times.
pub(super) fn play_action(model: &mut Model, action: &Action, times: u32, effects: &mut Vec<Effect>) {
    let writes =
        model.episode().and_then(|viewed| viewed.step()?.space.spec(&action.name)).is_some_and(writes_code);
    let Some(step) = step_to_decide(model, writes) else { return };
    if let Err(error) = step.space.check(action) {
        return model.notify(error.to_string());
    }
    if real_time::keep(model, action) {
        return;
    }
    for _ in 0..times {
        send(model, SessionCommand::Play(vec![action.clone()]), effects);
    }
}

/// The action that a line names.
fn written_spec(model: &Model, line: &str) -> Option<ActionSpec> {
    let name = line.split(['(', ' ']).next()?;
    model.episode()?.step()?.space.spec(name).cloned()
}

/// Whether an action writes code. One such action can be a whole plan, because it does not fit into a line.
fn writes_code(spec: &ActionSpec) -> bool {
    spec.params.iter().any(|param| param.kind.is_code())
}

/// The step at which a person can play one action now; otherwise a notice says why not. In the Global setting it is
/// a plan of one action.
fn step_to_decide(model: &mut Model, can_be_plan: bool) -> Option<Arc<Step>> {
    let viewed = model.episode()?;
    if viewed.looks_back() {
        navigation::follow_newest(model);
        model.notify("back at the newest step; press again to act");
        return None;
    }
    if viewed.has_plan() {
        model.notify("a plan is in progress: Enter applies its next action, Space runs it");
        return None;
    }
    if viewed.snapshot.head.setting == Setting::Global && !can_be_plan {
        let example = viewed.plan_example();
        model.notify(format!("Global setting: enter the whole plan, such as :plan {example}"));
        return None;
    }
    let step = viewed.step().cloned();
    if step.is_none() {
        model.notify("the environment is still opening");
    }
    step
}

/// Plays a plan as the human agent: actions separated by commas, or by spaces if no name has one.
pub(super) fn plan(model: &mut Model, written: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let Some(step) = viewed.step() else { return model.notify("the environment is still opening") };
    let why = match step.space.parse_list(written) {
        _ if !viewed.is_human() => "you are not the agent of this episode: the agent makes the plan".into(),
        _ if viewed.snapshot.head.setting == Setting::Online => {
            "Online setting: one action at a time, with its key or :act NAME".into()
        }
        Ok(actions) if !actions.is_empty() => {
            send(model, SessionCommand::Play(actions), effects);
            return;
        }
        Ok(_) => format!("a plan has at least one action, such as :plan {}", viewed.plan_example()),
        Err(error) => error.to_string(),
    };
    model.notify(why);
}

/// Plays an action from the palette.
pub(crate) fn act(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    match model.episode() {
        Some(viewed) if !viewed.is_human() => model.notify("you are not the agent of this episode"),
        _ => play(model, line, 1, effects),
    }
}
