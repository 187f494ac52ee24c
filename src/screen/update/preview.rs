//! Previews: what a request would be with another window or prompt, in an episode that takes no more changes.
//! Nothing here reaches a session or a journal.

use crate::command::CommandId;
use crate::model::{Model, Preview};
use mageyard_domain::Window;

/// Whether changes of window and prompt are previews: the episode is over, or a recording.
pub(super) fn applies(model: &Model) -> bool {
    model.episode().is_some_and(|viewed| viewed.can_preview() && viewed.step().is_some())
}

/// Previews this window.
pub(super) fn window(model: &mut Model, window: Window) {
    if let Some(viewed) = model.episode_mut() {
        viewed.preview.window = Some(window);
    }
    explain(model, &format!("AM {} OM {}", window.am(), window.om()));
}

/// Previews the prompt variant of this name.
pub(super) fn prompt(model: &mut Model, name: &str) {
    if let Some(viewed) = model.episode_mut() {
        viewed.preview.prompt = Some(name.to_owned());
    }
    explain(model, name);
}

/// Ends the preview; false if there is none.
pub(super) fn end(model: &mut Model) -> bool {
    let Some(viewed) = model.episode_mut().filter(|viewed| viewed.previews()) else { return false };
    viewed.preview = Preview::default();
    model.notify("the preview is over");
    true
}

fn explain(model: &mut Model, what: &str) {
    let request = model.key_or_name(CommandId::Request);
    let cancel = model.key_or_name(CommandId::Cancel);
    model.notify(format!("preview of {what}: {request} shows the request, {cancel} ends the preview; nothing is sent or recorded"));
}
