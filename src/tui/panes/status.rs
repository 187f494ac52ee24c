//! The status: what is played, what the next request will hold, and which half of a step is due.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use super::memory::request;
use crate::domain::Setting;
use crate::engine::Mode;
use crate::engine::Waiting;
use crate::tui::command::Deed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::update::spoken;
use crate::tui::wrap::clip;

/// Columns that a fault may take.
const FAULT: u16 = 40;

/// Draws the status into one line, or into two where the terminal is narrow.
pub(crate) fn status(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, model.style(Role::Status));
    let Some(viewed) = model.viewed() else { return };
    let (what, mode, due) = (what(viewed), mode(model, viewed), due(model, viewed));
    let place = place(model, viewed);
    if area.height > 1 {
        let lines = [area.rows().next(), area.rows().nth(1)];
        let [Some(first), Some(second)] = lines else { return };
        both(vec![words(model, &what)], vec![], first, buf);
        both(vec![mode, words(model, &due)], vec![place], second, buf);
    } else {
        let left = vec![mode, words(model, &due)];
        let taken = left.iter().chain([&place]).map(Span::width).sum::<usize>();
        let room = area.width.saturating_sub(super::cells(taken));
        both(left, vec![words(model, &clip(&what, room.saturating_sub(2))), place], area, buf);
    }
}

/// One part to the left, one to the right; the left one gives way.
fn both(left: Vec<Span<'static>>, right: Vec<Span<'static>>, area: Rect, buf: &mut Buffer) {
    let right = Line::from(right);
    let used = super::cells(right.width()).min(area.width);
    Line::from(left).render(Rect { width: area.width - used, ..area }, buf);
    right.render(Rect { x: area.right() - used, width: used, ..area }, buf);
}

fn words(model: &Model, text: &str) -> Span<'static> {
    Span::styled(clip(&format!(" {text} "), u16::MAX), model.style(Role::Status))
}

/// `sokoban/mini/7 · oracle · Online · AM 5 OM 1 · 1 image`.
fn what(viewed: &Viewed) -> String {
    let head = &viewed.snapshot.head;
    let window = viewed.window();
    let images = request(viewed).map_or(0, |request| request.ledger.images());
    let plural = if images == 1 { "" } else { "s" };
    format!(
        "{} · {} · {} · AM {} OM {} · {images} image{plural}",
        head.reference,
        head.agent,
        head.setting,
        window.am(),
        window.om(),
    )
}

fn mode(model: &Model, viewed: &Viewed) -> Span<'static> {
    let words = match (viewed.snapshot.mode, viewed.snapshot.waiting) {
        _ if viewed.snapshot.fault.is_some() => "FAULT".into(),
        (Mode::Recorded, _) => "RECORDED".into(),
        (_, Waiting::Ended(ending)) => ending.to_string().to_uppercase(),
        (_, Waiting::Opening) => "OPENING".into(),
        (Mode::Running { left: Some(left) }, _) => format!("RUNNING {left}"),
        (Mode::Running { left: None }, _) => "RUNNING".into(),
        (Mode::Standing, Waiting::Thinking) => "ASKING".into(),
        (Mode::Standing, _) => "STANDING".into(),
    };
    Span::styled(format!(" {words} "), model.style(Role::StatusMode))
}

/// Which half of a step is due, and the key that does it.
fn due(model: &Model, viewed: &Viewed) -> String {
    let key = |deed| model.look.keys.keys(deed).first().cloned().unwrap_or_else(|| "a command".into());
    let recorded = viewed.snapshot.mode == Mode::Recorded;
    if let Some(fault) = &viewed.snapshot.fault {
        return clip(fault, FAULT);
    }
    match viewed.snapshot.waiting {
        _ if recorded => String::new(),
        Waiting::Ended(_) => format!("{} opens another level", key(Deed::Palette)),
        Waiting::Opening => String::new(),
        Waiting::Thinking => format!("{} cancels the thought", key(Deed::Cancel)),
        _ if viewed.is_running() => format!("{} stands, {}", key(Deed::Run), spoken(viewed.pace())),
        Waiting::Ask if viewed.is_persons() => match viewed.snapshot.head.setting {
            Setting::Online => "your move".into(),
            Setting::Global => "your plan: :plan Up,Left,…".into(),
        },
        Waiting::Ask => format!("{} asks the agent", key(Deed::Step)),
        Waiting::Apply => {
            let action = viewed.snapshot.steps.last().and_then(|step| step.action.as_ref());
            let name = action.map(|action| clip(&action.to_string(), 20)).unwrap_or_default();
            format!("{} applies {name}", key(Deed::Step))
        }
    }
}

/// Where the person looks: set apart as soon as it is not the newest step.
fn place(model: &Model, viewed: &Viewed) -> Span<'static> {
    let back = model.look.keys.keys(Deed::Newest).first().cloned().unwrap_or_default();
    let newest = viewed.snapshot.steps.last().map_or(0, |step| step.number);
    match viewed.step() {
        Some(step) if viewed.looks_back() => {
            let words = format!(" looking at step {} of {newest}, {back} returns ", step.number);
            Span::styled(words, model.style(Role::StatusBack))
        }
        _ => Span::styled(format!(" {} ", viewed.place()), model.style(Role::StatusDim)),
    }
}
