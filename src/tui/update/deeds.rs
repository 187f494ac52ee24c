//! What each command does. The table of commands says what they are called.

use super::Effect;
use super::editing;
use super::finding;
use super::looking;
use super::orders;
use crate::engine::Order;
use crate::tui::command::Deed;
use crate::tui::model::Copying;
use crate::tui::model::Model;
use crate::tui::model::Palette;
use crate::tui::model::Sheet;
use crate::tui::pane::Pane;

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
