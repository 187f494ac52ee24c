//! Keys: to the sheet that is open, to the count, or to the command they are bound to.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyEventKind;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::deeds;
use super::sheets;
use crate::tui::command::Deed;
use crate::tui::keymap::spelt;
use crate::tui::model::Model;
use crate::tui::view;

/// Counts end here: nobody means more, and nothing overflows.
const MOST: u32 = 9999;

pub(super) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    model.notice = None;
    let deed = model.look.keys.deed(key);
    if deed != Some(Deed::Quit) {
        model.cancelled = false;
    }
    // A sheet that a small terminal does not show takes no keys: there, q leaves.
    let hidden = !view::fits(model.size);
    match model.sheet.take() {
        Some(sheet) if !hidden && !is_everywhere(key, deed) => sheets::press(model, sheet, key, effects),
        sheet => {
            model.sheet = sheet;
            plain(model, key, deed, effects);
        }
    }
}

/// Commands that work whatever is open, unless somebody gave them to a letter.
fn is_everywhere(key: KeyEvent, deed: Option<Deed>) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    control && matches!(deed, Some(Deed::Quit | Deed::Redraw | Deed::Suspend))
}

fn plain(model: &mut Model, key: KeyEvent, deed: Option<Deed>, effects: &mut Vec<Effect>) {
    match (key.code, deed) {
        (KeyCode::Char(c @ '0'..='9'), _) if counts(model, c, key.modifiers) => count(model, c),
        (_, Some(deed)) => deeds::perform(model, deed, effects),
        (_, None) => unbound(model, key),
    }
}

/// A key that nobody bound is answered too.
fn unbound(model: &mut Model, key: KeyEvent) {
    model.count = None;
    let help = model.look.keys.keys(Deed::Help).into_iter().next().unwrap_or_else(|| ":help".into());
    model.remark(format!("{} does nothing here; {help} lists the keys", spelt(key)));
}

/// A digit is a count, but a 0 with nothing before it is a key like others.
fn counts(model: &Model, digit: char, modifiers: KeyModifiers) -> bool {
    modifiers.is_empty() && (digit != '0' || model.count.is_some())
}

fn count(model: &mut Model, digit: char) {
    let value = digit.to_digit(10).unwrap_or(0);
    model.count = Some((model.count.unwrap_or(0) * 10 + value).min(MOST));
}
