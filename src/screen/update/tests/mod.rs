//! Tests of key sequences: the model before, the keys, the effects and the model after.

mod actions;
mod annotations;
pub(crate) mod asked_branches;
pub(crate) mod asking;
mod blame;
mod branches;
mod comparisons;
pub(crate) mod diagnosis;
mod editing;
mod episodes;
mod finding;
mod found;
mod human;
mod modals;
mod mouse;
mod persons;
mod run;
mod search;
mod seats;
mod sequences;
mod set;
pub(crate) mod suites;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyModifiers, MouseButton, MouseEventKind};

use super::*;
use crate::appearance::FrameView;
use crate::command::{CommandId, ScreenView, commands_in};
use crate::model::Modal;
use crate::pane::Pane;
use crate::testing;
use crate::testing::{ScriptedEpisode, key};
use mageyard_domain::{Action, ActionSpace, Setting, Status, Window};
use mageyard_engine::{Ending, Event, Mode, RunState, Waiting};
use mageyard_terminal::ColorDepth;

/// Presses keys with a blank between them; `:words` types a line and presses Enter.
fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for name in keys.split_whitespace() {
        effects.extend(update(model, Msg::Key(key(name))));
    }
    effects
}

fn command(model: &mut Model, line: &str) -> Vec<Effect> {
    let mut effects = update(model, Msg::Key(key(":")));
    effects.extend(update(model, Msg::Paste(line.into())));
    effects.extend(update(model, Msg::Key(key("enter"))));
    effects
}

/// Recordings were read: they get the places of unread ones with their journals, or new ones.
fn read_recordings(
    model: &mut Model,
    unread: Vec<PathBuf>,
    snapshots: impl IntoIterator<Item = Arc<Snapshot>>,
) -> Vec<Effect> {
    let places =
        model.episodes.iter().map(|episode| episode.unread.as_ref().map(|unread| unread.journal.clone()));
    let places: Vec<_> = places.chain(unread.iter().cloned().map(Some)).collect();
    let mut next = places.len();
    let place = |snapshot: Arc<Snapshot>| {
        let journal = snapshot.journal.as_ref();
        let at = places.iter().position(|place| place.is_some() && place.as_ref() == journal);
        let number = at.unwrap_or(next);
        next += usize::from(at.is_none());
        (number, snapshot)
    };
    let read = snapshots.into_iter().map(place).collect();
    update(model, Msg::Recorded(Ok(OpenedRecordings { unread, read })))
}

fn commands(effects: Vec<Effect>) -> Vec<SessionCommand> {
    let order = |effect| match effect {
        Effect::Command(0, order) => order,
        other => panic!("{other:?} is no order to the first session"),
    };
    effects.into_iter().map(order).collect()
}

fn running(model: &Model) -> Arc<Snapshot> {
    Arc::new({
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        Snapshot { run: RunState { mode: Mode::Running { left: None }, ..base.run.clone() }, ..base }
    })
}

fn person(setting: Setting) -> Model {
    testing::model_of(ScriptedEpisode::new("human", setting, (5, 1)).snapshot(), 120, 40)
}
