//! Keys while a sheet is open.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::deeds;
use super::editing;
use super::looking;
use super::orders;
use super::typed;
use crate::engine::Breaks;
use crate::engine::Extract;
use crate::engine::Order;
use crate::tui::command::Deed;
use crate::tui::model::Copying;
use crate::tui::model::Fault;
use crate::tui::model::Model;
use crate::tui::model::Palette;
use crate::tui::model::Sheet;
use crate::tui::model::To;
use crate::tui::offers::offers;
use crate::tui::sheets;

pub(super) fn paste(model: &mut Model, text: &str) {
    match &mut model.sheet {
        Some(Sheet::Palette(palette)) => palette.write(text),
        Some(Sheet::Edit(_)) => editing::paste(model, text),
        _ => {}
    }
}

/// The sheet was taken out of the model: whoever wants it to stay puts it back.
pub(super) fn press(model: &mut Model, sheet: Sheet, key: KeyEvent, effects: &mut Vec<Effect>) {
    match sheet {
        Sheet::Palette(palette) => on_palette(model, palette, key, effects),
        Sheet::Edit(editor) => editing::press(model, editor, key, effects),
        Sheet::Help(scroll) => on_help(model, scroll, key),
        Sheet::Verdict(scroll) => on_verdict(model, scroll, key),
        Sheet::Request(scroll) => on_request(model, scroll, key, effects),
        Sheet::Prompts(over) => on_prompts(model, over, key, effects),
        Sheet::Copy(copying) => on_copy(model, copying, key, effects),
        Sheet::Abandon => orders::answer_abandon(model, key.code == KeyCode::Char('y'), effects),
        Sheet::Breaks(breaks) => on_breaks(model, breaks, key, effects),
        Sheet::Fault(fault) => on_fault(model, fault, key),
    }
}

/// A fault is closed on purpose: a key typed before it was seen does nothing.
fn on_fault(model: &mut Model, fault: Fault, key: KeyEvent) {
    model.sheet = match (key.code, model.look.keys.deed(key)) {
        (KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q'), _) => None,
        (_, Some(Deed::Palette)) => Some(Sheet::Palette(Palette::default())),
        _ => Some(Sheet::Fault(fault)),
    };
}

fn on_help(model: &mut Model, scroll: u16, key: KeyEvent) {
    let extent = sheets::help_extent(model);
    let to = model.look.keys.deed(key).and_then(|deed| scrolled(deed, scroll, extent));
    model.sheet = to.map(Sheet::Help);
}

fn on_verdict(model: &mut Model, scroll: u16, key: KeyEvent) {
    let extent = sheets::verdict_extent(model);
    let to = model.look.keys.deed(key).and_then(|deed| scrolled(deed, scroll, extent));
    model.sheet = to.map(Sheet::Verdict);
}

/// Where a sheet stands after this deed; `None` if it does not scroll.
fn scrolled(deed: Deed, at: u16, (most, page): (u16, u16)) -> Option<u16> {
    let to = match deed {
        Deed::ScrollDown | Deed::Down => at.saturating_add(1),
        Deed::ScrollUp | Deed::Up => at.saturating_sub(1),
        Deed::PageDown | Deed::Run => at.saturating_add(page),
        Deed::PageUp => at.saturating_sub(page),
        Deed::Top | Deed::First => 0,
        Deed::Bottom | Deed::Newest => most,
        _ => return None,
    };
    Some(to.min(most))
}

/// The request scrolls, and stays open while window and prompt change below it.
fn on_request(model: &mut Model, scroll: u16, key: KeyEvent, effects: &mut Vec<Effect>) {
    let extent = sheets::request_extent(model);
    model.sheet = Some(Sheet::Request(scroll.min(extent.0)));
    match model.look.keys.deed(key) {
        Some(Deed::Cancel | Deed::Leave | Deed::Request) => model.sheet = None,
        Some(Deed::Palette) => model.sheet = Some(Sheet::Palette(Palette::default())),
        Some(Deed::Copy) => {
            model.sheet = Some(Sheet::Copy(Copying { over: Some(scroll), ..Copying::default() }));
        }
        Some(Deed::Prompt) => orders::offer_prompts(model, Some(scroll)),
        Some(Deed::Edit) => editing::open(model, Some("prompt"), effects),
        Some(deed @ (Deed::PreviousReply | Deed::NextReply)) => looking::turn_request(model, deed),
        Some(deed @ (Deed::LessActions | Deed::MoreActions | Deed::LessFrames | Deed::MoreFrames)) => {
            deeds::perform(model, deed, effects);
        }
        Some(deed) => {
            let to = scrolled(deed, scroll, extent).unwrap_or(scroll);
            model.sheet = Some(Sheet::Request(to));
        }
        None => {}
    }
}

/// A digit chooses; the request that lay below comes back.
fn on_prompts(model: &mut Model, over: Option<u16>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let below = over.map(Sheet::Request);
    let number = match key.code {
        KeyCode::Char(c @ '1'..='9') => c.to_digit(10),
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return model.sheet = below,
        _ => None,
    };
    let chosen = number.and_then(|number| {
        let prompts = &model.viewed()?.snapshot.prompts;
        prompts.get(usize::try_from(number).ok()?.checked_sub(1)?).map(|prompt| prompt.name.clone())
    });
    match chosen {
        Some(name) => {
            model.sheet = below;
            orders::prompt(model, &name, effects);
        }
        None => model.sheet = Some(Sheet::Prompts(over)),
    }
}

/// A digit switches one over at once, and the sheet stays.
fn on_breaks(model: &mut Model, breaks: Breaks, key: KeyEvent, effects: &mut Vec<Effect>) {
    let breaks = match key.code {
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'b') => return,
        KeyCode::Char('0') => Breaks::default(),
        KeyCode::Char(c @ '1'..='9') => {
            let number = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
            breaks.switched(number.saturating_sub(1))
        }
        _ => return model.sheet = Some(Sheet::Breaks(breaks)),
    };
    orders::send(model, Order::Break(breaks), effects);
    model.sheet = Some(Sheet::Breaks(breaks));
}

/// A digit copies, and the menu stays to say what became of it.
fn on_copy(model: &mut Model, copying: Copying, key: KeyEvent, effects: &mut Vec<Effect>) {
    let deed = model.look.keys.deed(key);
    let to = copying.to;
    match key.code {
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => {
            return model.sheet = copying.over.map(Sheet::Request);
        }
        _ if deed == Some(Deed::Copy) => return model.sheet = copying.over.map(Sheet::Request),
        KeyCode::Char('w') => {
            let to = if to == To::File { To::Clipboard } else { To::File };
            return model.sheet = Some(Sheet::Copy(Copying { to, said: None, ..copying }));
        }
        KeyCode::Char(c @ '1'..='9') => {
            let number = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
            let extract = Extract::ALL.get(number.saturating_sub(1));
            effects.extend(extract.map(|extract| Effect::Copy(*extract, to)));
        }
        _ => {}
    }
    model.sheet = Some(Sheet::Copy(copying));
}

fn on_palette(model: &mut Model, mut palette: Palette, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let offers = offers(model, &palette);
    match key.code {
        KeyCode::Esc => return,
        KeyCode::Enter => return typed::enter(model, &palette, effects),
        KeyCode::Tab => palette.complete(&offers),
        KeyCode::Up | KeyCode::BackTab => palette.choose_before(&offers),
        KeyCode::Down => palette.choose_after(&offers),
        KeyCode::Char('p') if control => palette.choose_before(&offers),
        KeyCode::Char('n') if control => palette.choose_after(&offers),
        KeyCode::Char('u') if control => palette = Palette::default(),
        KeyCode::Char('w') if control => palette.erase_word(),
        KeyCode::Backspace if palette.input().is_empty() => return,
        KeyCode::Backspace => palette.erase(),
        KeyCode::Char(c) if !control => palette.write(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    model.sheet = Some(Sheet::Palette(palette));
}
