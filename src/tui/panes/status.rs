//! The status: what is played, what the next request will hold, and which half of a step is due.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use super::memory::next;
use super::memory::request;
use crate::domain::Cost;
use crate::domain::Setting;
use crate::domain::Spent;
use crate::engine::Distance;
use crate::engine::Mode;
use crate::engine::Waiting;
use crate::tui::command::Deed;
use crate::tui::figures::cells;
use crate::tui::figures::many;
use crate::tui::figures::pause;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;

/// Columns that a fault may take.
const FAULT: u16 = 40;

/// Draws the status into one line, or into two where the terminal is narrow.
pub(crate) fn status(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, model.style(Role::Status));
    let Some(viewed) = model.viewed() else { return };
    let (mode, due) = (mode(model, viewed), format!("{}{}", breaks(viewed), due(model, viewed)));
    let place = place(model, viewed, area, &mode, &due);
    if area.height > 1 {
        let lines = [area.rows().next(), area.rows().nth(1)];
        let [Some(first), Some(second)] = lines else { return };
        both(vec![words(model, &what(model, viewed, area.width.saturating_sub(2)))], vec![], first, buf);
        let room = area.width.saturating_sub(cells(mode.width() + place.width()) + 2);
        both(vec![mode, words(model, &clip(&due, room))], vec![place], second, buf);
    } else {
        let fixed = cells(mode.width() + place.width());
        let least = cells(Span::raw(what(model, viewed, 0)).width());
        // What is due gives way to the count of images, and everything else of `what` to both.
        let due = words(model, &clip(&due, area.width.saturating_sub(fixed + least + 4)));
        let room = area.width.saturating_sub(fixed + cells(due.width()) + 2);
        both(vec![mode, due], vec![words(model, &what(model, viewed, room)), place], area, buf);
    }
}

/// One part to the left, one to the right; the left one gives way.
fn both(left: Vec<Span<'static>>, right: Vec<Span<'static>>, area: Rect, buf: &mut Buffer) {
    let right = Line::from(right);
    let used = cells(right.width()).min(area.width);
    Line::from(left).render(Rect { width: area.width - used, ..area }, buf);
    right.render(Rect { x: area.right() - used, width: used, ..area }, buf);
}

fn words(model: &Model, text: &str) -> Span<'static> {
    Span::styled(clip(&format!(" {text} "), u16::MAX), model.style(Role::Status))
}

/// `sokoban/mini/7 · oracle · Online · 0s-CoT · AM 5 OM 1 · 1 image` in so many columns, with tokens and cost
/// where there are any: the level shortens to its set, then the setting and the agent are left out, then more,
/// but never the window nor the count of images.
fn what(model: &Model, viewed: &Viewed, room: u16) -> String {
    let head = &viewed.snapshot.head;
    let (memory, spent) = (memory(viewed), spent(model, viewed));
    // As it will be seen: hidden letters take more columns when they are spelt out.
    let reference = clip(&head.reference, u16::MAX);
    let mut places = reference.rmatch_indices('/').map(|(at, _)| &reference[at + 1..]);
    let two = places.nth(1).unwrap_or(&reference);
    let (setting, agent) = (head.setting.to_string(), head.agent.as_str());
    // The prompt outlasts the agent, whose pane has its name as well.
    let (words, fewer) = match viewed.snapshot.prompt.as_str() {
        _ if viewed.snapshot.prompts.is_empty() => (setting.clone(), vec![agent.to_owned()]),
        prompt => (format!("{setting} · {prompt}"), vec![format!("{agent} · {prompt}"), prompt.to_owned()]),
    };
    let asked = std::iter::once(format!("{agent} · {words}")).chain(fewer);
    let long = asked.flat_map(|asked| [&reference, two].map(|level| format!("{level} · {asked} · {memory}")));
    let full = spent.iter().flat_map(|spent| {
        let short = format!("{two} · {memory}");
        long.clone().chain([short]).map(move |words| format!("{words} · {spent}"))
    });
    let rest = [format!("{agent} · {words} · {memory}"), format!("{words} · {memory}")];
    let mut fitting = full.chain(long.clone()).chain(rest);
    fitting.find(|way| Span::raw(way).width() <= usize::from(room)).unwrap_or_else(|| memory.clone())
}

/// What the requests of the episode took: `12.3k tokens · 0.0123 USD`.
fn spent(model: &Model, viewed: &Viewed) -> Option<String> {
    let spent: Spent = viewed.snapshot.steps.iter().map(|step| step.spent()).sum();
    let tokens = match (spent.requests, spent.unmetered, spent.tokens()) {
        (0, ..) => return None,
        (requests, unmetered, _) if requests == unmetered => "tokens unknown".to_owned(),
        (.., tokens @ 0..10_000) => many(usize::try_from(tokens).unwrap_or_default(), "token"),
        (.., tokens) => format!("{}.{}k tokens", tokens / 1000, tokens % 1000 / 100),
    };
    let cost = match model.look.prices.cost(viewed.snapshot.head.model(), spent) {
        Cost::Known(amount, currency) => format!("{} {currency}", amount.short()),
        Cost::Unknown | Cost::Nothing => "cost unknown".to_owned(),
    };
    let part = if spent.unmetered > 0 && spent.unmetered < spent.requests { "over " } else { "" };
    Some(format!("{part}{tokens} · {cost}"))
}

/// The window and the images of the next request; once there is none, of the one that is looked at.
fn memory(viewed: &Viewed) -> String {
    let request = next(viewed).or_else(|| request(viewed));
    let window = request.as_ref().map_or(viewed.window(), |request| request.window);
    let images = request.map_or(0, |request| request.ledger.images());
    format!("AM {} OM {} · {}", window.am(), window.om(), many(images, "image"))
}

fn mode(model: &Model, viewed: &Viewed) -> Span<'static> {
    let words = match (viewed.snapshot.mode, viewed.snapshot.waiting) {
        _ if viewed.snapshot.fault.is_some() => "FAULT".into(),
        (Mode::Recorded, _) => "RECORDED".into(),
        (_, Waiting::Ended(ending)) => ending.to_string().to_uppercase(),
        (_, Waiting::Opening) => "OPENING".into(),
        _ if viewed.step().is_none() => "OPENING".into(),
        (Mode::Running { left: Some(left) }, _) => format!("RUNNING {left}"),
        (Mode::Running { left: None }, _) => "RUNNING".into(),
        (Mode::Standing, Waiting::Ask | Waiting::Apply) if viewed.snapshot.stopped.is_some() => {
            "STOPPED".into()
        }
        (Mode::Standing, Waiting::Thinking) => "ASKING".into(),
        (Mode::Standing, _) => "STANDING".into(),
    };
    Span::styled(format!(" {words} "), model.style(Role::StatusMode))
}

/// What makes a run stand, while anything does.
fn breaks(viewed: &Viewed) -> String {
    let breaks = viewed.snapshot.breaks;
    if breaks.is_empty() { String::new() } else { format!("break {breaks} · ") }
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
        _ if viewed.step().is_none() => format!("{} cancels", key(Deed::Cancel)),
        Waiting::Thinking => format!("{} cancels the thought", key(Deed::Cancel)),
        _ if viewed.is_running() => format!("{} stands, {}", key(Deed::Run), pause(viewed.pace())),
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

/// How far the goal is from the state that is looked at: `14 to go · `; nothing where nobody searches it.
fn distance(viewed: &Viewed) -> String {
    let (distances, index) = (&viewed.snapshot.distances, viewed.index());
    let words = match (distances.at(index), distances.lost()) {
        (None, _) if viewed.step().is_some() && distances.is_awaited(index) => "… to go".to_owned(),
        (None, _) => return String::new(),
        (Some(Distance::Lost), Some(0)) => "lost from the start".to_owned(),
        (Some(Distance::Lost), Some(step)) => format!("lost by step {step}"),
        (Some(Distance::Unknown(_)), _) => "? to go".to_owned(),
        (Some(distance), _) => distance.to_string(),
    };
    format!("{words} · ")
}

/// Where the person looks: set apart as soon as it is not the newest step. How far the goal is stands before it;
/// at the newest step it gives way to what is due, and to everything but the first part of the level where that
/// stands in the same line.
fn place(model: &Model, viewed: &Viewed, area: Rect, mode: &Span<'_>, due: &str) -> Span<'static> {
    let (far, last) = (distance(viewed), viewed.last());
    if let Some(step) = viewed.step().filter(|_| viewed.looks_back()) {
        let back = model.look.keys.keys(Deed::Newest).first().cloned().unwrap_or_default();
        let words = format!(" {far}looking at step {} of {last}, {back} returns ", step.number);
        return Span::styled(words, model.style(Role::StatusBack));
    }
    let words = format!(" {far}{} ", viewed.place());
    let others = cells(mode.width() + Span::raw(due).width() + Span::raw(&words).width()) + 4;
    let room = area.width.checked_sub(others);
    let fits =
        room.is_some_and(|room| area.height > 1 || is_whole(model, viewed, &what(model, viewed, room)));
    let words = if fits { words } else { format!(" {} ", viewed.place()) };
    Span::styled(words, model.style(Role::StatusDim))
}

/// Whether nothing but a part of the level is missing.
fn is_whole(model: &Model, viewed: &Viewed, what: &str) -> bool {
    let (head, snapshot) = (&viewed.snapshot.head, &viewed.snapshot);
    let prompt = if snapshot.prompts.is_empty() { "" } else { &snapshot.prompt };
    what.contains(&format!("{} · {}", head.agent, head.setting))
        && what.contains(prompt)
        && spent(model, viewed).is_none_or(|spent| what.ends_with(&spent))
}
