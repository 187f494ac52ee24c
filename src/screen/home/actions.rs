//! What is done with the selected item of home besides opening it: played again, deleted, its address copied.

use super::view::{open_selected, preview};
use crate::builder;
use crate::model::{Deletion, Fault, Modal, Model};
use crate::requests::{HomeItem, Player, Request, SessionBatch};
use crate::update::Effect;
use mageyard_config::Problem;
use mageyard_domain::shell_quote;

/// Plays what the selected item played, from its start.
pub(super) fn play_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(row) = model.home.as_deref().and_then(|home| home.selected_row()).cloned() else { return };
    let request = match row.item {
        HomeItem::Level(reference) => Request::OpenLevel(reference),
        HomeItem::Unfinished(name) | HomeItem::Session(name) => Request::PlayAgain(name),
        HomeItem::Model(name) => Request::PlayWith { level: None, player: Player::Model(name) },
        HomeItem::Lesson(_) => return open_selected(model, effects),
        HomeItem::Sweep(_) => return builder::open(model, effects),
        HomeItem::Suite(_) => return model.notify("a suite has no beginning: Enter asks about its states"),
        HomeItem::Prompt(..) => {
            return model.notify("a prompt has no beginning: Enter edits it");
        }
        HomeItem::Section(_) | HomeItem::Levels(_) | HomeItem::Prompts(_) => {
            return model.notify("select a level, a session or a model: n plays it again");
        }
    };
    model.notify(format!("starting {} …", row.name));
    effects.push(Effect::Request(request));
}

/// Asks whether the selected session or sweep is to be deleted.
pub(super) fn ask_deletion(model: &mut Model) {
    let Some(home) = &model.home else { return };
    let (name, is_sweep) = match &home.selected {
        HomeItem::Unfinished(name) | HomeItem::Session(name) => (name.clone(), false),
        HomeItem::Sweep(name) => (name.clone(), true),
        HomeItem::Prompt(..) => {
            return model.notify(
                "only sessions and sweeps are deleted here; Enter opens the prompt, and D deletes it there",
            );
        }
        HomeItem::Suite(_) => {
            return model
                .notify("only sessions and sweeps are deleted here; this one is a file that you can remove");
        }
        HomeItem::Section(_)
        | HomeItem::Levels(_)
        | HomeItem::Level(_)
        | HomeItem::Prompts(_)
        | HomeItem::Model(_)
        | HomeItem::Lesson(_) => return model.notify("only sessions and sweeps are deleted here"),
    };
    model.modal = Some(Modal::Delete(Deletion { name, is_sweep }));
}

/// The answer to the question whether something is to be deleted.
pub(crate) fn answer_deletion(model: &mut Model, deletion: Deletion, yes: bool, effects: &mut Vec<Effect>) {
    if yes {
        model.notify(format!("deleting {} …", deletion.name));
        effects.push(Effect::Request(Request::Delete(deletion.name)));
    } else {
        model.notify(format!("the {} was kept", deletion.kind()));
    }
}

/// A session or a sweep was deleted, or why not. The selection goes to the next row.
pub(crate) fn deleted(model: &mut Model, name: &str, answer: Result<(), Problem>, effects: &mut Vec<Effect>) {
    if let Err(problem) = answer {
        model.notice = None;
        return model.open_over(Modal::Fault(Fault::Delete(problem)));
    }
    let batch = SessionBatch { gone: vec![name.to_owned()], ..SessionBatch::default() };
    if let Some(Ok(sessions)) = &mut model.recorded_sessions {
        sessions.apply(&batch);
    }
    if let Some(home) = model.home.as_deref_mut() {
        let place = home.place();
        home.tree.apply(&batch);
        home.select_near(place);
    }
    model.notify(format!("deleted; `mageyard log restore {}` brings it back", shell_quote(name)));
    preview(model, effects);
}

/// Copies the address of the selected item, as verbs take it.
pub(super) fn copy_address(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(home) = &model.home else { return };
    let address = match &home.selected {
        HomeItem::Level(name)
        | HomeItem::Unfinished(name)
        | HomeItem::Session(name)
        | HomeItem::Sweep(name)
        | HomeItem::Suite(name)
        | HomeItem::Model(name) => name.clone(),
        HomeItem::Levels(prefix) => prefix.trim_end_matches('/').to_owned(),
        HomeItem::Prompt(_, name) => name.clone(),
        HomeItem::Prompts(name) => name.clone(),
        HomeItem::Lesson(name) => (*name).to_owned(),
        HomeItem::Section(_) => return model.notify("a section has no address"),
    };
    effects.push(Effect::CopyText("address", address));
}
