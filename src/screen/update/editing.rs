//! Editing of the pending action or reply, and of the prompt. A notice says why something cannot be edited.

use crate::requests::Request;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, code_form, person, session_control, state_edit, typing};
use crate::command::CommandId;
use crate::grid;
use crate::modals::{edit_preview, editor_width};
use crate::model::{EditModal, EditSubject, EpisodeView, Modal, Model, parse_actions};
use crate::readers;
use crate::workshop;
use mageyard_config::Problem;
use mageyard_dialog::Prompt;
use mageyard_engine::{Edit, EditTarget, SessionCommand, Waiting};
use mageyard_lab::{PromptText, WrittenPrompt};
use mageyard_terminal::TextEditor;

/// Opens the editor on the named subject, or on what is pending.
pub(super) fn open(model: &mut Model, named: Option<&str>, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    if let Some(why) = session_control::refusal(viewed) {
        return model.notify(why);
    }
    let form = code_form::pending(viewed, named).or_else(|| person::present_code_form(model, named));
    if let Some(form) = form {
        return code_form::open(model, form, named.is_some_and(|named| named != "action"), effects);
    }
    let editor = match named {
        Some("prompt") => return request_prompt_text(model, effects),
        Some("hint") => return hint(model, "", effects),
        Some("state") => return state_edit::open(model),
        Some("reply") => reply(viewed),
        Some("action") => action(viewed),
        Some(other) => Err(format!(
            "cannot edit {other:?}; :edit takes reply, action, prompt, hint or state, or the name of a text that the action writes"
        )),
        None if viewed.looks_back() => Err(format!(
            "this step is complete and only a pending step can be edited; {} shows the newest step",
            model.key_or_name(CommandId::Newest)
        )),
        None => pending(viewed),
    };
    match editor {
        Ok(editor) => open_editor(model, editor, effects),
        Err(why) => model.notify(why),
    }
}

/// Whether the newest step has a reply and its action has not begun.
fn has_pending_reply(viewed: &EpisodeView) -> bool {
    let replied = viewed.snapshot.steps.last().is_some_and(|step| step.last_reply().is_some());
    replied && (viewed.snapshot.run.waiting == Waiting::Ask || viewed.has_action())
}

/// Asks the agent again at the newest step.
pub(super) fn ask_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    let why = session_control::refusal(viewed).or_else(|| busy(viewed).err());
    if let Some(why) = why {
        return model.notify(why);
    }
    if session_control::send(model, SessionCommand::AskAgain, effects) {
        model.notify("the agent is asked again; its replies before stay in the agent pane and do not count");
    }
}

/// Sets the hint of the next requests, removes it with `none`, or opens the editor on it.
pub(super) fn hint(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    if let Some(why) = session_control::refusal(viewed) {
        return model.notify(why);
    }
    let now = viewed.snapshot.hint.as_deref().unwrap_or_default().to_owned();
    let (hint, said) = match text {
        "" => return open_editor(model, EditModal::new(EditSubject::Hint, now, None), effects),
        "none" => (None, "the hint is removed"),
        text => (Some(text.to_owned()), "the hint is a text of its own in requests from the next one on"),
    };
    if session_control::send(model, SessionCommand::SetHint(hint), effects) {
        model.notify(said);
    }
}

/// Opens the editor on the shown reply of the shown step; the cursor says where the agent is to go on.
pub(super) fn answer_start(model: &mut Model) {
    let shown = model.agent.shown_reply.unwrap_or(usize::MAX);
    let reply = model.episode().and_then(EpisodeView::step).and_then(|step| {
        let attempt = step.attempts.get(shown.min(step.attempts.len().checked_sub(1)?))?;
        Some((step.number, attempt.original().reply.to_string()))
    });
    let Some((step, text)) = reply else { return model.notify("the shown step has no reply") };
    let editor = EditModal::new(EditSubject::AnswerStart(step), text, None);
    model.modal = Some(Modal::Edit(Box::new(editor)));
}

/// Opens the editor and pauses a run.
fn open_editor(model: &mut Model, editor: EditModal, effects: &mut Vec<Effect>) {
    if model.episode().is_some_and(EpisodeView::is_running) {
        session_control::send(model, SessionCommand::Pause, effects);
    }
    model.modal = Some(Modal::Edit(Box::new(editor)));
}

fn pending(viewed: &EpisodeView) -> Result<EditModal, String> {
    if viewed.has_action() { action(viewed) } else { reply(viewed) }
}

fn busy(viewed: &EpisodeView) -> Result<(), String> {
    match viewed.snapshot.run.waiting {
        Waiting::Opening => Err("the environment is still opening".into()),
        Waiting::Reply => Err("a request is in progress: wait for the reply, or cancel it with Esc".into()),
        Waiting::Environment => Err("the environment is acting: wait, or interrupt it with Esc".into()),
        Waiting::Look => Err("the action was interrupted: press Enter to look at the environment".into()),
        Waiting::Settle => {
            Err("what the last action came to is not known yet: press Enter to ask for it".into())
        }
        Waiting::Verdict => {
            Err("the episode has ended and is not judged yet: press Enter for the verdict".into())
        }
        Waiting::Person if !viewed.confirms() => {
            Err("a question waits for you: press Enter to answer it".into())
        }
        Waiting::Person | Waiting::Ask | Waiting::Apply | Waiting::Ended(_) => Ok(()),
    }
}

fn reply(viewed: &EpisodeView) -> Result<EditModal, String> {
    busy(viewed)?;
    let step = viewed.snapshot.steps.last().ok_or("the environment is still opening")?;
    let attempt = step.last_reply().ok_or_else(|| match viewed.snapshot.run.waiting {
        Waiting::Apply => "the reply with the plan belongs to the first step, which is complete; :edit action edits the rest of the plan".into(),
        _ => format!("nothing is pending at step {}: press Enter to ask the agent first; :edit prompt edits the prompt", step.number),
    })?;
    Ok(EditModal::new(EditSubject::Reply, attempt.reply.to_string(), Some(EditTarget::of(step))))
}

fn action(viewed: &EpisodeView) -> Result<EditModal, String> {
    busy(viewed)?;
    let snapshot = &viewed.snapshot;
    let pending = snapshot.steps.last().filter(|_| viewed.has_action());
    let step = pending.ok_or("no action is pending: press Enter to ask the agent first")?;
    let names = step.action.iter().chain(snapshot.plan.iter()).map(ToString::to_string);
    let text = names.collect::<Vec<_>>().join(", ");
    Ok(EditModal::new(EditSubject::Action, text, Some(EditTarget::of(step))))
}

fn request_prompt_text(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    if viewed.snapshot.requests.prompts.is_empty() {
        return model.notify("this environment has no prompts");
    }
    let environment = viewed.snapshot.head.environment.clone();
    let name = viewed.snapshot.prompt.clone();
    effects.push(Effect::Request(Request::PromptText { environment, name }));
}

/// The file of a prompt was read, or could not be.
pub(super) fn prompt_text_ready(
    model: &mut Model,
    (environment, name): (String, &str),
    answer: Result<PromptText, Problem>,
    effects: &mut Vec<Effect>,
) {
    match answer {
        // A text that is typed meanwhile is not lost.
        Ok(_) if model.modal.as_ref().is_some_and(Modal::takes_text) => {
            model.notify(format!("the editor for {name} was not opened over this dialog"));
        }
        Ok(PromptText { name, text, origin }) => {
            let subject = EditSubject::Prompt { environment, name, origin };
            open_editor(model, EditModal::new(subject, text, None), effects);
        }
        Err(problem) => model.notify(problem.to_string()),
    }
}

/// This text was saved as a prompt; on an error, or if more was typed since, the editor stays open.
pub(super) fn prompt_saved(
    model: &mut Model,
    text: &str,
    answer: Result<WrittenPrompt, Problem>,
    effects: &mut Vec<Effect>,
) {
    match answer {
        Err(problem) => {
            if let Some(Modal::Edit(editor)) = &mut model.modal {
                editor.problem = Some(problem);
            }
        }
        Ok(saved) => {
            model
                .modal
                .take_if(|modal| matches!(modal, Modal::Edit(editor) if editor.text_editor.text() == text));
            model.notify(saved.summary());
            use_prompt(model, saved.prompt, effects);
        }
    }
}

/// Has the shown episode use a prompt that was saved from its next request on; a pending reply was one to the old text.
fn use_prompt(model: &mut Model, prompt: Prompt, effects: &mut Vec<Effect>) {
    let name = prompt.name.clone();
    let replied = model.episode().is_some_and(has_pending_reply);
    if session_control::send(model, SessionCommand::AddPrompt(Box::new(prompt)), effects) {
        if replied {
            ask_again(model, effects);
        } else {
            model.notify(format!("{name} is used from the next request on"));
        }
    }
}

/// Has the shown episode use a prompt that was saved in the workshop from its next request on, if it is one of this environment
/// that is played; true then. What is pending stays.
pub(crate) fn use_saved_prompt(
    model: &mut Model,
    environment: &str,
    prompt: Prompt,
    effects: &mut Vec<Effect>,
) -> bool {
    let uses = |viewed: &EpisodeView| {
        viewed.snapshot.head.environment == environment && session_control::refusal(viewed).is_none()
    };
    model.episode().is_some_and(uses)
        && session_control::send(model, SessionCommand::AddPrompt(Box::new(prompt)), effects)
}

/// The user's editor returned the text; on an error the text is unchanged.
pub(super) fn editor_returned(model: &mut Model, answer: Result<String, String>, effects: &mut Vec<Effect>) {
    match (answer, &mut model.modal) {
        (Ok(text), Some(Modal::Edit(editor))) => {
            editor.text_editor = TextEditor::new(text);
            editor.problem = None;
            editor.warned = false;
        }
        (Ok(text), Some(Modal::Form(form))) => form.set_text(text),
        (Ok(text), Some(Modal::Readers(sheet))) => readers::editor_returned(sheet, text, effects),
        (Ok(text), Some(Modal::Workshop(sheet))) => workshop::editor_returned(sheet, text, effects),
        (Ok(_), _) => {}
        (Err(why), _) => model.notify(why),
    }
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut editor: Box<EditModal>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let warned = std::mem::take(&mut editor.warned);
    match key.code {
        KeyCode::Esc if editor.has_changed() && !warned => {
            editor.warned = true;
            model.notify("Esc again discards the change");
        }
        KeyCode::Esc => return,
        KeyCode::Char('d') if control => return submit(model, editor, warned, effects),
        KeyCode::Enter if editor.subject == EditSubject::Action => {
            return submit(model, editor, warned, effects);
        }
        KeyCode::Char('e') if control => {
            effects.push(Effect::ExternalEditor(editor.text_editor.text().to_owned(), editor.extension()));
        }
        KeyCode::Char('r') if control => return toggle_subject(model, editor, warned),
        KeyCode::Tab if editor.subject == EditSubject::Action => complete(model, &mut editor),
        _ => type_key(model, &mut editor, key, control),
    }
    model.modal = Some(Modal::Edit(editor));
}

fn complete(model: &Model, editor: &mut EditModal) {
    if let Some(step) = model.episode().and_then(|viewed| viewed.snapshot.steps.last()) {
        editor.complete(&step.space);
    }
}

/// Switches between the action and its reply.
fn toggle_subject(model: &mut Model, mut editor: Box<EditModal>, warned: bool) {
    if editor.has_changed() && !warned {
        editor.warned = true;
        model.notify("Ctrl-R again discards the change");
        model.modal = Some(Modal::Edit(editor));
        return;
    }
    let other = model.episode().map(|viewed| match editor.subject {
        EditSubject::Reply => action(viewed),
        EditSubject::Action => reply(viewed),
        EditSubject::Prompt { .. } | EditSubject::Hint | EditSubject::AnswerStart(_) => {
            Err("this text has no reply or action to switch to".into())
        }
    });
    match other {
        Some(Ok(other)) => model.modal = Some(Modal::Edit(Box::new(other))),
        Some(Err(why)) => {
            model.notify(why);
            model.modal = Some(Modal::Edit(editor));
        }
        None => {}
    }
}

fn type_key(model: &mut Model, editor: &mut EditModal, key: KeyEvent, control: bool) {
    let width = editor_width(model);
    let Some(whole) = typing::type_into(&mut editor.text_editor, key, control, width) else { return };
    editor.problem = None;
    if !whole {
        model.notify(typing::TOO_LONG);
    }
}

/// Inserts a paste as text; it is not interpreted as keys.
pub(super) fn paste(model: &mut Model, text: &str) {
    let Some(Modal::Edit(editor)) = &mut model.modal else { return };
    editor.warned = false;
    editor.problem = None;
    if !editor.text_editor.insert(text) {
        model.notify("not pasted: the text would exceed 1 MiB");
    }
}

/// Submits the text; if it is invalid the editor stays open.
fn submit(model: &mut Model, mut editor: Box<EditModal>, warned: bool, effects: &mut Vec<Effect>) {
    if let EditSubject::AnswerStart(_) = editor.subject {
        return ask_from_cursor(model, editor, effects);
    }
    let meant = match submission(model, &editor, warned) {
        Ok(meant) => meant,
        Err(why) => {
            // An unreadable reply may be intended: the second time it is submitted.
            editor.warned = editor.subject == EditSubject::Reply;
            model.notify(why);
            model.modal = Some(Modal::Edit(editor));
            return;
        }
    };
    match meant {
        None => model.notify("nothing was changed"),
        Some(Submission::Command(order)) => {
            session_control::send(model, order, effects);
        }
        Some(Submission::Prompt(environment, edited)) => {
            effects.push(Effect::Request(Request::SavePrompt {
                environment,
                edited,
                text: editor.text_editor.text().to_owned(),
            }));
            model.modal = Some(Modal::Edit(editor));
        }
    }
}

/// Plans an ask whose answers begin with the text before the cursor.
fn ask_from_cursor(model: &mut Model, editor: Box<EditModal>, effects: &mut Vec<Effect>) {
    let text = editor.text_editor.text_to_cursor();
    if text.is_empty() {
        model.notify("move the cursor behind the text that the answers begin with");
        return model.modal = Some(Modal::Edit(editor));
    }
    let quoted = serde_json::Value::from(text).to_string();
    grid::open(model, &format!("from-text={quoted}"), effects);
}

enum Submission {
    Command(SessionCommand),
    /// The environment and the name of the prompt that is edited.
    Prompt(String, String),
}

/// What to submit; `None` if nothing was changed.
fn submission(model: &Model, editor: &EditModal, warned: bool) -> Result<Option<Submission>, String> {
    let Some(viewed) = model.episode() else { return Ok(None) };
    if let EditSubject::Prompt { environment, name, .. } = &editor.subject {
        return Ok(Some(Submission::Prompt(environment.clone(), name.clone())));
    }
    if !editor.has_changed() {
        return Ok(None);
    }
    if editor.subject == EditSubject::Hint {
        return Ok(Some(Submission::Command(SessionCommand::SetHint(Some(
            editor.text_editor.text().to_owned(),
        )))));
    }
    let step = viewed.snapshot.steps.last().filter(|step| Some(EditTarget::of(step)) == editor.target);
    let (Some(step), Some(spot)) = (step, editor.target) else {
        return Err("the episode has moved on, so this can no longer be edited; Esc closes the editor".into());
    };
    let text = editor.text_editor.text();
    let edit = match editor.subject {
        EditSubject::Action => {
            let actions = parse_actions(text, &step.space, viewed.snapshot.head.setting)?;
            if step.action.iter().chain(viewed.snapshot.plan.iter()).eq(&actions) {
                return Ok(None);
            }
            Edit::Actions(actions)
        }
        _ if !warned && !edit_preview(viewed, editor).is_valid => {
            return Err("this reply cannot be parsed; Ctrl-D again submits it anyway".into());
        }
        _ => Edit::Reply(text.to_owned()),
    };
    Ok(Some(Submission::Command(SessionCommand::Edit(spot, edit))))
}
