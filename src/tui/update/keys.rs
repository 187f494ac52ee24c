//! Keys: to the sheet that is open, to the count, or to the command they are bound to.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyEventKind;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::editing;
use super::finding;
use super::looking;
use super::orders;
use super::typed;
use crate::engine::Breaks;
use crate::engine::Extract;
use crate::engine::Order;
use crate::tui::command::Deed;
use crate::tui::copy::To;
use crate::tui::keymap::spelt;
use crate::tui::model::Model;
use crate::tui::panes::Pane;
use crate::tui::sheets::Copying;
use crate::tui::sheets::Fault;
use crate::tui::sheets::Palette;
use crate::tui::sheets::Sheet;
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
        Some(sheet) if !hidden && !is_everywhere(key, deed) => on_sheet(model, sheet, key, effects),
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
        (_, Some(deed)) => perform(model, deed, effects),
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

/// Does what a command says, with the count that was typed before it.
pub(super) fn perform(model: &mut Model, deed: Deed, effects: &mut Vec<Effect>) {
    let count = model.count.take();
    let times = count.unwrap_or(1);
    match deed {
        Deed::Step => orders::step(model, times, effects),
        Deed::Run => orders::run(model, count, effects),
        Deed::Faster => orders::faster(model, effects),
        Deed::Slower => orders::slower(model, effects),
        Deed::Cancel => cancel(model, count, effects),
        Deed::LessActions => orders::reshape(model, -1, 0, times, effects),
        Deed::MoreActions => orders::reshape(model, 1, 0, times, effects),
        Deed::LessFrames => orders::reshape(model, 0, -1, times, effects),
        Deed::MoreFrames => orders::reshape(model, 0, 1, times, effects),
        Deed::Up | Deed::Down | Deed::Left | Deed::Right => arrow(model, deed, times, effects),
        Deed::Help => model.sheet = Some(Sheet::Help(0)),
        Deed::Palette => model.sheet = Some(Sheet::Palette(Palette::default())),
        Deed::Request => model.sheet = Some(Sheet::Request(0)),
        Deed::Copy => model.sheet = Some(Sheet::Copy(Copying::default())),
        Deed::Prompt => orders::offer_prompts(model, None),
        Deed::Edit => editing::open(model, None, effects),
        Deed::NextMarked => finding::go_on(model, times, true),
        Deed::PreviousMarked => finding::go_on(model, times, false),
        Deed::OnlyMarked => finding::turn_only(model),
        Deed::Verdict => model.sheet = Some(Sheet::Verdict(0)),
        Deed::Open | Deed::Act | Deed::Plan | Deed::Theme | Deed::GoTo | Deed::Find => ask(model, deed),
        Deed::Break => orders::offer_breaks(model),
        Deed::Abandon => orders::ask_to_abandon(model),
        Deed::Redraw => effects.push(Effect::Redraw),
        Deed::Suspend => effects.push(Effect::Suspend),
        Deed::Quit => quit(model, effects),
        Deed::Leave => effects.push(Effect::Leave),
        _ => looking::perform(model, deed, times),
    }
}

/// A command that wants an argument opens the palette with its name typed.
fn ask(model: &mut Model, deed: Deed) {
    model.sheet = Some(Sheet::Palette(Palette::with(format!("{} ", deed.command().name))));
}

/// Esc takes back the nearest thing: the count, the work under way, the zoom.
fn cancel(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let busy = model.viewed().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if count.is_some() {
    } else if busy {
        orders::send(model, Order::Cancel, effects);
    } else {
        model.zoomed = false;
    }
}

fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    let written = matches!(&model.sheet, Some(Sheet::Edit(editor)) if editor.has_changed());
    if written && !model.cancelled {
        model.cancelled = true;
        return model.remark("the text is not taken yet; Ctrl-C again leaves and loses it");
    }
    let busy = model.viewed().is_some_and(|viewed| viewed.live && viewed.is_busy());
    if busy && !model.cancelled {
        model.cancelled = true;
        orders::send(model, Order::Cancel, effects);
        model.remark("cancelled; Ctrl-C again leaves");
    } else {
        effects.push(Effect::Leave);
    }
}

fn arrow(model: &mut Model, deed: Deed, times: u32, effects: &mut Vec<Effect>) {
    let name = match deed {
        Deed::Up => "Up",
        Deed::Down => "Down",
        Deed::Left => "Left",
        _ => "Right",
    };
    if model.viewed().is_some_and(|viewed| viewed.is_persons() && !viewed.is_over()) {
        return orders::play(model, name, times, effects);
    }
    let across = matches!(deed, Deed::Left | Deed::Right) && model.focus == Pane::Frame;
    if across && looking::sideways(model, deed, times) {
        return;
    }
    let instead = match deed {
        Deed::Up => Deed::ScrollUp,
        Deed::Down => Deed::ScrollDown,
        Deed::Left => Deed::Back,
        _ => Deed::Forward,
    };
    looking::perform(model, instead, times);
}

pub(super) fn paste(model: &mut Model, text: &str) {
    match &mut model.sheet {
        Some(Sheet::Palette(palette)) => palette.write(text),
        Some(Sheet::Edit(_)) => editing::paste(model, text),
        _ => {}
    }
}

/// The sheet was taken out of the model: whoever wants it to stay puts it back.
fn on_sheet(model: &mut Model, sheet: Sheet, key: KeyEvent, effects: &mut Vec<Effect>) {
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
    let extent = crate::tui::sheets::help_extent(model);
    let to = model.look.keys.deed(key).and_then(|deed| scrolled(deed, scroll, extent));
    model.sheet = to.map(Sheet::Help);
}

fn on_verdict(model: &mut Model, scroll: u16, key: KeyEvent) {
    let extent = crate::tui::sheets::verdict_extent(model);
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
    let extent = crate::tui::sheets::request_extent(model);
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
            perform(model, deed, effects);
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
    let offers = palette.offers(model);
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

/// The pane that a deed of focus leads to.
pub(super) fn beside(focus: Pane, step: isize) -> Pane {
    let all = Pane::ALL;
    let at = all.iter().position(|pane| *pane == focus).unwrap_or(0);
    let to = at.saturating_add_signed(step + all.len().cast_signed()) % all.len();
    all[to]
}
