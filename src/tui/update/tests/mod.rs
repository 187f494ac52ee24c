//! Tests of key sequences: the model before, the keys, the effects and the model after.

mod actions;
mod annotations;
pub(in crate::tui) mod asked_branches;
pub(in crate::tui) mod asking;
mod blame;
mod branches;
mod comparisons;
mod editing;
mod episodes;
mod finding;
mod found;
mod human;
mod modals;
mod mouse;
mod run;
mod search;
mod seats;
mod sequences;
pub(in crate::tui) mod suites;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyModifiers;
use crossterm::event::MouseButton;
use crossterm::event::MouseEventKind;

use super::*;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Setting;
use crate::domain::Status;
use crate::domain::Window;
use crate::engine::Ending;
use crate::engine::Event;
use crate::engine::Mode;
use crate::engine::Waiting;
use crate::tui::appearance::FrameView;
use crate::tui::command::COMMANDS;
use crate::tui::command::CommandId;
use crate::tui::model::Modal;
use crate::tui::pane::Pane;
use crate::tui::testing;
use crate::tui::testing::ScriptedEpisode;
use crate::tui::testing::key;
use crate::tui::theme::ColorDepth;

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

fn commands(effects: Vec<Effect>) -> Vec<SessionCommand> {
    let order = |effect| match effect {
        Effect::Command(0, order) => order,
        other => panic!("{other:?} is no order to the first session"),
    };
    effects.into_iter().map(order).collect()
}

fn running(model: &Model) -> Arc<Snapshot> {
    Arc::new(Snapshot { mode: Mode::Running { left: None }, ..Snapshot::clone(&model.episodes[0].snapshot) })
}

fn person(setting: Setting) -> Model {
    testing::model_of(ScriptedEpisode::new("human", setting, (5, 1)).snapshot(), 120, 40)
}
