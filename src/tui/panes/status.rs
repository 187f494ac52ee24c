//! The status: the level, the agent, the next request, the state of the session and the next key.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use super::memory::next_request;
use super::memory::shown_request;
use crate::domain::Cost;
use crate::domain::Setting;
use crate::domain::TokenTotals;
use crate::engine::Distance;
use crate::engine::Mode;
use crate::engine::Waiting;
use crate::tui::command::CommandId;
use crate::tui::format::count_of;
use crate::tui::format::delay;
use crate::tui::format::to_cells;
use crate::tui::model::EpisodeView;
use crate::tui::model::Model;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::truncate;

/// The most columns of an error message.
const FAULT_WIDTH: u16 = 40;

/// Draws the status into one line, or into two on a narrow terminal.
pub(crate) fn status(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, model.style(StyleRole::Status));
    let Some(viewed) = model.episode() else { return };
    let (mode, due) =
        (mode_span(model, viewed), format!("{}{}", breakpoints(viewed), next_key(model, viewed)));
    let place = position(model, viewed, area, &mode, &due);
    if area.height > 1 {
        let lines = [area.rows().next(), area.rows().nth(1)];
        let [Some(first), Some(second)] = lines else { return };
        draw_left_and_right(
            vec![status_span(model, &summary(model, viewed, area.width.saturating_sub(2)))],
            vec![],
            first,
            buf,
        );
        let room = area.width.saturating_sub(to_cells(mode.width() + place.width()) + 2);
        draw_left_and_right(vec![mode, status_span(model, &truncate(&due, room))], vec![place], second, buf);
    } else {
        let fixed = to_cells(mode.width() + place.width());
        let least = to_cells(Span::raw(summary(model, viewed, 0)).width());
        // The number of images has priority over the next key, and both over the rest of the summary.
        let due = status_span(model, &truncate(&due, area.width.saturating_sub(fixed + least + 4)));
        let room = area.width.saturating_sub(fixed + to_cells(due.width()) + 2);
        draw_left_and_right(
            vec![mode, due],
            vec![status_span(model, &summary(model, viewed, room)), place],
            area,
            buf,
        );
    }
}

/// Draws one part on the left and one on the right; the left one is cut if they overlap.
fn draw_left_and_right(left: Vec<Span<'static>>, right: Vec<Span<'static>>, area: Rect, buf: &mut Buffer) {
    let right = Line::from(right);
    let used = to_cells(right.width()).min(area.width);
    Line::from(left).render(Rect { width: area.width - used, ..area }, buf);
    right.render(Rect { x: area.right() - used, width: used, ..area }, buf);
}

fn status_span(model: &Model, text: &str) -> Span<'static> {
    Span::styled(truncate(&format!(" {text} "), u16::MAX), model.style(StyleRole::Status))
}

/// `sokoban/mini/7 · oracle · Online · 0s-CoT · AM 5 OM 1 · 1 image` in so many columns, with tokens and cost
/// where there are any: the level shortens to its set, then the setting and the agent are left out, then more,
/// but never the window nor the count of images.
fn summary(model: &Model, viewed: &EpisodeView, room: u16) -> String {
    let head = &viewed.snapshot.head;
    let (memory, spent) = (window_and_images(viewed), usage(model, viewed));
    // As it will be seen: hidden letters take more columns when they are spelt out.
    let reference = truncate(&head.reference, u16::MAX);
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
fn usage(model: &Model, viewed: &EpisodeView) -> Option<String> {
    let spent: TokenTotals = viewed.snapshot.steps.iter().map(|step| step.spent()).sum();
    let tokens = match (spent.requests, spent.unmetered, spent.total_tokens()) {
        (0, ..) => return None,
        (requests, unmetered, _) if requests == unmetered => "tokens unknown".to_owned(),
        (.., tokens @ 0..10_000) => count_of(usize::try_from(tokens).unwrap_or_default(), "token"),
        (.., tokens) => format!("{}.{}k tokens", tokens / 1000, tokens % 1000 / 100),
    };
    let cost = match model.appearance.prices.cost(viewed.snapshot.head.model(), spent) {
        Cost::Known(amount, currency) => format!("{} {currency}", amount.rounded()),
        Cost::Unknown | Cost::NoRequests => "cost unknown".to_owned(),
    };
    let part = if spent.unmetered > 0 && spent.unmetered < spent.requests { "over " } else { "" };
    Some(format!("{part}{tokens} · {cost}"))
}

/// The window and the images of the next request; once there is none, of the one that is looked at.
fn window_and_images(viewed: &EpisodeView) -> String {
    let request = next_request(viewed).or_else(|| shown_request(viewed));
    let window = request.as_ref().map_or(viewed.window(), |request| request.window);
    let images = request.map_or(0, |request| request.ledger.images());
    format!("AM {} OM {} · {}", window.am(), window.om(), count_of(images, "image"))
}

fn mode_span(model: &Model, viewed: &EpisodeView) -> Span<'static> {
    let words = match (viewed.snapshot.mode, viewed.snapshot.waiting) {
        _ if viewed.snapshot.error.is_some() => "ERROR".into(),
        (Mode::Recorded, _) => "RECORDED".into(),
        (_, Waiting::Ended(ending)) => ending.to_string().to_uppercase(),
        (_, Waiting::Opening) => "OPENING".into(),
        _ if viewed.step().is_none() => "OPENING".into(),
        (Mode::Running { left: Some(left) }, _) => format!("RUNNING {left}"),
        (Mode::Running { left: None }, _) => "RUNNING".into(),
        (Mode::Paused, Waiting::Ask | Waiting::Apply) if viewed.snapshot.break_reason.is_some() => {
            "BREAKPOINT".into()
        }
        (Mode::Paused, Waiting::Reply) => "WAITING".into(),
        (Mode::Paused, _) => "PAUSED".into(),
    };
    Span::styled(format!(" {words} "), model.style(StyleRole::StatusMode))
}

/// The breakpoints that are set.
fn breakpoints(viewed: &EpisodeView) -> String {
    let breaks = viewed.snapshot.breakpoints;
    if breaks.is_empty() { String::new() } else { format!("break on {breaks} · ") }
}

/// The next half of a step and the key that runs it.
fn next_key(model: &Model, viewed: &EpisodeView) -> String {
    let key = |deed| model.appearance.keys.keys(deed).first().cloned().unwrap_or_else(|| "a command".into());
    let recorded = viewed.snapshot.mode == Mode::Recorded;
    if let Some(fault) = &viewed.snapshot.error {
        return truncate(fault, FAULT_WIDTH);
    }
    match viewed.snapshot.waiting {
        _ if recorded => String::new(),
        Waiting::Ended(_) => format!("{} opens another level", key(CommandId::Palette)),
        Waiting::Opening => String::new(),
        _ if viewed.step().is_none() => format!("{} cancels", key(CommandId::Cancel)),
        Waiting::Reply => format!("{} cancels the request", key(CommandId::Cancel)),
        _ if viewed.is_running() => format!("{} pauses, {}", key(CommandId::Run), delay(viewed.pace())),
        Waiting::Ask if viewed.is_human() => match viewed.snapshot.head.setting {
            Setting::Online => "your move".into(),
            Setting::Global => "your plan: :plan Up,Left,…".into(),
        },
        Waiting::Ask => format!("{} asks the agent", key(CommandId::Step)),
        Waiting::Apply => {
            let action = viewed.snapshot.steps.last().and_then(|step| step.action.as_ref());
            let name = action.map(|action| truncate(&action.to_string(), 20)).unwrap_or_default();
            format!("{} applies {name}", key(CommandId::Step))
        }
    }
}

/// How far the goal is from the state that is looked at: `distance 14 · `; nothing where nobody searches it.
fn distance(viewed: &EpisodeView) -> String {
    let (distances, index) = (&viewed.snapshot.distances, viewed.index());
    let words = match (distances.at(index), distances.dead_step()) {
        (None, _) if viewed.step().is_some() && distances.is_pending(index) => "distance …".to_owned(),
        (None, _) => return String::new(),
        (Some(Distance::Unreachable), Some(0)) => "dead from the start".to_owned(),
        (Some(Distance::Unreachable), Some(step)) => format!("dead since step {step}"),
        (Some(Distance::Unknown(_)), _) => "distance ?".to_owned(),
        (Some(Distance::Unreachable), None) => "dead".to_owned(),
        (Some(Distance::Exact(moves)), _) => format!("distance {moves}"),
    };
    format!("{words} · ")
}

/// Where the person looks: set apart as soon as it is not the newest step. How far the goal is stands before it;
/// at the newest step it gives way to what is due, and to everything but the first part of the level where that
/// stands in the same line.
fn position(model: &Model, viewed: &EpisodeView, area: Rect, mode: &Span<'_>, due: &str) -> Span<'static> {
    let (far, last) = (distance(viewed), viewed.last_step());
    if let Some(step) = viewed.step().filter(|_| viewed.looks_back()) {
        let back = model.appearance.keys.keys(CommandId::Newest).first().cloned().unwrap_or_default();
        let words = format!(" {far}viewing step {} of {last}, {back} newest ", step.number);
        return Span::styled(words, model.style(StyleRole::StatusBack));
    }
    let words = format!(" {far}{} ", viewed.step_label());
    let others = to_cells(mode.width() + Span::raw(due).width() + Span::raw(&words).width()) + 4;
    let room = area.width.checked_sub(others);
    let fits =
        room.is_some_and(|room| area.height > 1 || is_complete(model, viewed, &summary(model, viewed, room)));
    let words = if fits { words } else { format!(" {} ", viewed.step_label()) };
    Span::styled(words, model.style(StyleRole::StatusDim))
}

/// Whether nothing but a part of the level's name is missing.
fn is_complete(model: &Model, viewed: &EpisodeView, what: &str) -> bool {
    let (head, snapshot) = (&viewed.snapshot.head, &viewed.snapshot);
    let prompt = if snapshot.prompts.is_empty() { "" } else { &snapshot.prompt };
    what.contains(&format!("{} · {}", head.agent, head.setting))
        && what.contains(prompt)
        && usage(model, viewed).is_none_or(|spent| what.ends_with(&spent))
}
