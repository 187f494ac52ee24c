//! The screen without a terminal: for documents, and for whoever wants to see what would be drawn.

use std::sync::Arc;

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyModifiers;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::layout::Size;

use super::look::Look;
use super::model::Model;
use super::model::Viewed;
use super::picture::Gallery;
use super::shot;
use super::update::Effect;
use super::update::Msg;
use super::update::update;
use super::view;
use crate::engine::Mode;
use crate::engine::Snapshot;

/// The screen on this snapshot, after these keys, each a letter or a name, with spaces between them. They can
/// look and open sheets; a key that would act on the session or the program is an error in words.
pub fn still(
    snapshot: Arc<Snapshot>,
    look: &Look,
    (width, height): (u16, u16),
    keys: &str,
) -> Result<Buffer, String> {
    let live = snapshot.mode != Mode::Recorded;
    let mut model = Model::new(look.clone(), Size::new(width, height), vec![Viewed::new(snapshot, live)]);
    for name in keys.split_whitespace() {
        press(&mut model, name)?;
    }
    Ok(picture(&model))
}

fn press(model: &mut Model, name: &str) -> Result<(), String> {
    let key = key(name).ok_or_else(|| format!("there is no key {name:?}; keys are spelt as in keys.toml"))?;
    for effect in update(model, Msg::Key(key)) {
        if effect != Effect::Develop {
            return Err(format!("the key {name} acts, and a picture only looks"));
        }
        let developed = shot::develop(model).map(Box::new);
        update(model, Msg::Developed(developed));
    }
    Ok(())
}

/// A key as `keys.toml` spells it, or one letter.
pub(crate) fn key(name: &str) -> Option<KeyEvent> {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Some(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)),
        _ => crokey::parse(name).ok().map(Into::into),
    }
}

/// What this model looks like.
pub(crate) fn picture(model: &Model) -> Buffer {
    let whole = Rect::new(0, 0, model.size.width, model.size.height);
    let mut gallery = Gallery::default();
    view::prepare(model, whole, &mut gallery);
    let mut buffer = Buffer::empty(whole);
    view::draw(model, &gallery, whole, &mut buffer);
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    fn drawn(keys: &str) -> Result<String, String> {
        let snapshot = testing::asking().episodes[0].snapshot.clone();
        let buffer = still(snapshot, &testing::look("dark"), (120, 40), keys)?;
        Ok(buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect())
    }

    #[test]
    fn keys_look_and_never_act() {
        assert!(drawn("").unwrap().contains("step 7 of 50"));
        assert!(drawn("0 l R").unwrap().contains("Request of step 2, never sent"));
        assert!(drawn("s").unwrap().contains("nothing was sent at this step:"));
        for (keys, says) in
            [("R esc enter", "the key enter acts"), ("q", "the key q acts"), ("nokey", "no key")]
        {
            let why = drawn(keys).unwrap_err();
            assert!(why.contains(says), "{why}");
        }
    }
}
