//! How the workshop is opened: from an episode by its command, and at home on a prompt.

use super::sheet::WorkshopSheet;
use crate::model::{Modal, Model};
use crate::requests::{Request, WorkshopOrder, WorkshopPlace};
use crate::update::Effect;

pub(super) fn order(order: WorkshopOrder, effects: &mut Vec<Effect>) {
    effects.push(Effect::Request(Request::Workshop(order)));
}

/// Opens the prompt of the shown episode. The first word of `words` can be a suite, whose states are the pinned ones; the others
/// say what is asked.
pub(crate) fn open(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    if viewed.snapshot.requests.prompts.is_empty() {
        return model.notify("this environment has no prompts");
    }
    let step = viewed.snapshot.journal.clone().zip(viewed.step().map(|step| step.number));
    let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let is_suite = !first.is_empty() && !first.contains('=') && !first.starts_with('-');
    let (suite, words) = if is_suite { (Some(first.to_owned()), rest.trim()) } else { (None, words) };
    let place = WorkshopPlace {
        environment: viewed.snapshot.head.environment.clone(),
        prompt: viewed.snapshot.prompt.clone(),
        step,
        model: viewed.snapshot.head.model().map(str::to_owned),
        suite,
        words: words.to_owned(),
    };
    open_place(model, place, true, effects);
}

/// Opens a prompt of an environment without an episode.
pub(crate) fn open_prompt(model: &mut Model, environment: &str, name: &str, effects: &mut Vec<Effect>) {
    let place = WorkshopPlace {
        environment: environment.to_owned(),
        prompt: name.to_owned(),
        ..WorkshopPlace::default()
    };
    open_place(model, place, false, effects);
}

fn open_place(model: &mut Model, place: WorkshopPlace, is_of_episode: bool, effects: &mut Vec<Effect>) {
    order(WorkshopOrder::Open(place.clone()), effects);
    model.open_over(Modal::Workshop(WorkshopSheet::new(place, is_of_episode).into()));
}
