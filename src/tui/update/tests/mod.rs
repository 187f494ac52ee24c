//! Stories of keys: what was there, what was pressed, what came of it.

mod editing;
mod episodes;
mod finding;
mod mouse;
mod person;
mod run;
mod sheets;

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
use crate::tui::command::COMMANDS;
use crate::tui::command::Deed;
use crate::tui::look::View;
use crate::tui::model::Sheet;
use crate::tui::pane::Pane;
use crate::tui::testing;
use crate::tui::testing::Told;
use crate::tui::testing::key;
use crate::tui::theme::Depth;

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

fn orders(effects: Vec<Effect>) -> Vec<Order> {
    let order = |effect| match effect {
        Effect::Order(0, order) => order,
        other => panic!("{other:?} is no order to the first session"),
    };
    effects.into_iter().map(order).collect()
}

fn running(model: &Model) -> Arc<Snapshot> {
    Arc::new(Snapshot { mode: Mode::Running { left: None }, ..Snapshot::clone(&model.episodes[0].snapshot) })
}

fn person(setting: Setting) -> Model {
    testing::on(Told::new("human", setting, (5, 1)).snapshot(), 120, 40)
}
