//! Editing of the texts that an action writes: in the form for its arguments, or in the user's editor.

use super::{Effect, session_control};
use crate::model::{ActionForm, EpisodeView, FormPurpose, Modal, Model};
use mageyard_domain::{Action, ParamKind};
use mageyard_engine::{Edit, EditTarget, SessionCommand};

/// The form for the pending action, if it is one that writes code: its texts are edited, not its written form. `named`
/// is `action`, or the parameter to edit.
pub(super) fn pending(viewed: &EpisodeView, named: Option<&str>) -> Option<ActionForm> {
    let snapshot = &viewed.snapshot;
    let is_pending = viewed.has_action() && snapshot.plan.iter().next().is_none();
    let step = snapshot.steps.last().filter(|_| is_pending && !(viewed.looks_back() && named.is_none()))?;
    let action = step.action.as_ref()?;
    let spec = step.space.spec(&action.name)?.clone();
    let mut form = ActionForm::new(spec, action, FormPurpose::Edit(EditTarget::of(step)));
    form.focus_code(named.filter(|named| *named != "action")).then_some(form)
}

/// Opens the form and pauses a run; at once in the user's editor if the text was named.
pub(super) fn open(model: &mut Model, mut form: ActionForm, at_once: bool, effects: &mut Vec<Effect>) {
    if model.episode().is_some_and(EpisodeView::is_running) {
        session_control::send(model, SessionCommand::Pause, effects);
    }
    effects.extend(at_once.then(|| external_editor(&mut form)).flatten());
    model.modal = Some(Modal::Form(Box::new(form)));
}

/// Puts an action in place of the pending one.
pub(super) fn submit(model: &mut Model, target: EditTarget, action: Action, effects: &mut Vec<Effect>) {
    let pending = model.episode().and_then(|viewed| viewed.snapshot.steps.last());
    if pending.is_some_and(|step| step.action.as_ref() == Some(&action)) {
        return model.notify("nothing was changed");
    }
    session_control::send(model, SessionCommand::Edit(target, Edit::Actions(vec![action])), effects);
}

/// Opens the text of the field with the focus in the user's editor, in a file with the ending of its language.
pub(super) fn external_editor(form: &mut ActionForm) -> Option<Effect> {
    let (param, text_editor) = form.focused_mut()?;
    let extension = match &param.kind {
        ParamKind::Code { language } => extension(language),
        _ => ".txt",
    };
    Some(Effect::ExternalEditor(text_editor.text().to_owned(), extension))
}

/// The file extension of a language, for editors that use it.
fn extension(language: &str) -> &'static str {
    match language {
        "html" => ".html",
        "css" => ".css",
        "javascript" => ".js",
        "python" => ".py",
        "bash" => ".sh",
        "json" => ".json",
        _ => ".txt",
    }
}
