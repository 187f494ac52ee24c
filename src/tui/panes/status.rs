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

/// Draws the status into one line, or into two on a narrow terminal.
pub(crate) fn status(model: &Model, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, model.style(StyleRole::Status));
    let Some(viewed) = model.episode() else { return };
    let mode = mode_span(model, viewed);
    let (next, style) = next_text(model, viewed);
    if area.height > 1 {
        let lines = [area.rows().next(), area.rows().nth(1)];
        let [Some(first), Some(second)] = lines else { return };
        let summary = summary(model, viewed, area.width.saturating_sub(2));
        draw_left_and_right(vec![status_span(model, &summary, StyleRole::Status)], vec![], first, buf);
        let position = position(model, viewed, second.width.saturating_sub(to_cells(mode.width())), &next);
        let room = second.width.saturating_sub(to_cells(mode.width() + position.width()) + 2);
        let next = status_span(model, &truncate(&next, room), style);
        draw_left_and_right(vec![mode, next], vec![position], second, buf);
    } else {
        let position = position(model, viewed, area.width / 3, "");
        let fixed = to_cells(mode.width() + position.width());
        let next = truncate(&next, area.width.saturating_sub(fixed) / 3);
        let next = status_span(model, &next, style);
        let room = area.width.saturating_sub(fixed + to_cells(next.width()) + 2);
        let summary = status_span(model, &summary(model, viewed, room), StyleRole::Status);
        draw_left_and_right(vec![mode, next], vec![summary, position], area, buf);
    }
}

/// Draws one part on the left and one on the right; the left one is cut if they overlap.
fn draw_left_and_right(left: Vec<Span<'static>>, right: Vec<Span<'static>>, area: Rect, buf: &mut Buffer) {
    let right = Line::from(right);
    let used = to_cells(right.width()).min(area.width);
    Line::from(left).render(Rect { width: area.width - used, ..area }, buf);
    right.render(Rect { x: area.right() - used, width: used, ..area }, buf);
}

fn status_span(model: &Model, text: &str, role: StyleRole) -> Span<'static> {
    let style = model.style(StyleRole::Status).patch(model.style(role));
    Span::styled(truncate(&format!(" {text} "), u16::MAX), style)
}

/// The most columns of a part of the summary that is not shortened.
const ANY: u16 = u16::MAX;

/// How far level, agent and prompt are shortened, in this order: the segments of the level, and the most columns of
/// level, agent and prompt.
const SHORTENED: [(usize, u16, u16, u16); 7] = [
    (2, ANY, ANY, ANY),
    (2, ANY, 24, ANY),
    (1, ANY, 24, ANY),
    (1, 24, 16, 12),
    (1, 16, 12, 8),
    (1, 12, 8, 6),
    (1, 8, 6, 6),
];

/// The most columns of a level that is shown in full.
const LONG_LEVEL: usize = 32;

/// `hanoi/first/7 · gpt-4o · Online · 0s-CoT · AM 5 OM 1 · 1 image · 12.3k tokens · 0.0123 USD` in at most `room`
/// columns. Where that does not fit, an unknown cost is left out first, then cost and tokens, and then level, agent
/// and prompt are shortened; an ellipsis marks what is missing.
fn summary(model: &Model, viewed: &EpisodeView, room: u16) -> String {
    let head = &viewed.snapshot.head;
    // Sanitized first, since control characters take more columns when they are made visible.
    let level = truncate(&head.reference, u16::MAX);
    let level = if level.chars().count() > LONG_LEVEL { last_segments(&level, 2) } else { level };
    let agent = head.agent.display_name();
    let prompt = if viewed.snapshot.prompts.is_empty() { "" } else { viewed.prompt() };
    let (setting, memory) = (head.setting.to_string(), window_and_images(viewed));
    let joined = |level: &str, agent: &str, prompt: &str| {
        let parts = [level, agent, &setting, prompt, &memory];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let full = joined(&level, agent, prompt);
    let usage = usage(model, viewed);
    let mark = if usage.is_empty() { "" } else { " · …" };
    let mut texts: Vec<String> = usage.iter().map(|usage| format!("{full} · {usage}")).collect();
    if texts.is_empty() {
        texts.push(full.clone());
    }
    texts.push(format!("{full}{mark}"));
    texts.extend(SHORTENED.into_iter().flat_map(|(segments, level_width, agent_width, prompt_width)| {
        let (agent, prompt) = (truncate(agent, agent_width), truncate(prompt, prompt_width));
        let text = joined(&truncate(&last_segments(&level, segments), level_width), &agent, &prompt);
        [format!("{text}{mark}"), text]
    }));
    let fits = |text: &&String| Span::raw(text.as_str()).width() <= usize::from(room);
    let shortest = || truncate(texts.last().map_or("", String::as_str), room);
    texts.iter().find(fits).cloned().unwrap_or_else(shortest)
}

/// The last segments of a level, after `…/` for those left out.
fn last_segments(level: &str, count: usize) -> String {
    let starts: Vec<usize> = level.match_indices('/').map(|(at, _)| at).collect();
    match starts.len().checked_sub(count).and_then(|at| starts.get(at)) {
        Some(at) if *at > 1 => format!("…{}", &level[*at..]),
        _ => level.to_owned(),
    }
}

/// The tokens of the episode and their cost, such as `12.3k tokens · 0.0123 USD + 2 unknown`, and a shorter text. Empty
/// if there was no request.
fn usage(model: &Model, viewed: &EpisodeView) -> Vec<String> {
    let spent = viewed.snapshot.spent;
    let tokens = match spent.total_tokens() {
        _ if spent.requests == 0 => return Vec::new(),
        _ if spent.is_unknown() => {
            return vec!["tokens unknown · cost unknown".into(), "tokens unknown".into()];
        }
        tokens @ 0..10_000 => count_of(usize::try_from(tokens).unwrap_or_default(), "token"),
        tokens => format!("{}.{}k tokens", tokens / 1000, tokens % 1000 / 100),
    };
    let with_unknown = format!("{tokens}{}", spent.unknown_text());
    match model.appearance.prices.cost(viewed.snapshot.head.model(), spent) {
        cost @ Cost::Known { .. } => vec![format!("{tokens} · {cost}"), format!("{with_unknown} · …")],
        Cost::Unknown | Cost::NoRequests => vec![format!("{with_unknown} · cost unknown"), with_unknown],
    }
}

/// The window and the images of the next request; once there is none, of the one that is looked at.
fn window_and_images(viewed: &EpisodeView) -> String {
    let request = next_request(viewed).or_else(|| shown_request(viewed));
    let window = request.as_ref().map_or(viewed.window(), |request| request.window);
    let images = request.map_or(0, |request| request.ledger.images());
    format!("AM {} OM {} · {}", window.am(), window.om(), count_of(images, "image"))
}

/// The state of the session in capitals. An error and a breakpoint have signs and styles of their own.
fn mode_span(model: &Model, viewed: &EpisodeView) -> Span<'static> {
    let (words, role) = match (viewed.snapshot.mode, viewed.snapshot.waiting) {
        _ if viewed.snapshot.error.is_some() => ("! ERROR".into(), StyleRole::StatusFault),
        _ if viewed.previews() => ("PREVIEW".into(), StyleRole::StatusBack),
        (Mode::Recorded, _) if viewed.playback.is_some() => ("PLAYING".into(), StyleRole::StatusMode),
        (Mode::Recorded, _) => ("RECORDED".into(), StyleRole::StatusMode),
        (_, Waiting::Ended(ending)) => (ending.to_string().to_uppercase(), StyleRole::StatusMode),
        (_, Waiting::Opening) => ("OPENING".into(), StyleRole::StatusMode),
        _ if viewed.step().is_none() => ("OPENING".into(), StyleRole::StatusMode),
        (Mode::Running { left: Some(left) }, _) => (format!("RUNNING {left}"), StyleRole::StatusMode),
        (Mode::Running { left: None }, _) => ("RUNNING".into(), StyleRole::StatusMode),
        (Mode::Paused, Waiting::Ask | Waiting::Apply) if viewed.snapshot.break_reason.is_some() => {
            ("■ BREAKPOINT".into(), StyleRole::StatusBack)
        }
        (Mode::Paused, Waiting::Reply | Waiting::Environment) => ("WAITING".into(), StyleRole::StatusMode),
        (Mode::Paused, _) => ("PAUSED".into(), StyleRole::StatusMode),
    };
    Span::styled(format!(" {words} "), model.style(role))
}

/// The text beside the state: the error, or the breakpoints and the next key.
fn next_text(model: &Model, viewed: &EpisodeView) -> (String, StyleRole) {
    match &viewed.snapshot.error {
        Some(error) => (error.clone(), StyleRole::Fault),
        None => (format!("{}{}", breakpoints(viewed), next_key(model, viewed)), StyleRole::Status),
    }
}

/// The breakpoints that are set.
fn breakpoints(viewed: &EpisodeView) -> String {
    let breaks = &viewed.snapshot.breakpoints;
    if breaks.is_empty() { String::new() } else { format!("break on {breaks} · ") }
}

/// The next half of a step and the key that runs it.
fn next_key(model: &Model, viewed: &EpisodeView) -> String {
    let key = |deed| model.appearance.keys.keys(deed).first().cloned().unwrap_or_else(|| "a command".into());
    let recorded = viewed.snapshot.mode == Mode::Recorded;
    match viewed.snapshot.waiting {
        _ if viewed.previews() => format!("{} ends the preview", key(CommandId::Cancel)),
        _ if recorded && viewed.playback.is_some() => {
            let pace = viewed.playback_pace.unwrap_or(model.appearance.settings.pace);
            format!("{} pauses, {}", key(CommandId::Run), delay(pace))
        }
        _ if recorded && !viewed.looks_back() && viewed.newest_index() > 0 => {
            format!("at the end: {} plays it, {} first step", key(CommandId::Run), key(CommandId::First))
        }
        _ if recorded => format!("{} plays", key(CommandId::Run)),
        Waiting::Ended(_) => format!("{} restarts", key(CommandId::Restart)),
        Waiting::Opening => String::new(),
        _ if viewed.step().is_none() => format!("{} cancels", key(CommandId::Cancel)),
        Waiting::Reply => {
            let wait = model.wait.as_ref().map(|wait| format!("{}, ", wait.brief())).unwrap_or_default();
            format!("{wait}{} cancels the request", key(CommandId::Cancel))
        }
        Waiting::Environment => format!("{} interrupts the action", key(CommandId::Cancel)),
        _ if viewed.is_running() => format!("{} pauses, {}", key(CommandId::Run), delay(viewed.pace())),
        Waiting::Ask if viewed.is_human() => match viewed.snapshot.head.setting {
            Setting::Online => "your move".into(),
            Setting::Global => "your plan: :plan Up,Left,…".into(),
        },
        Waiting::Look => format!("{} looks at the environment", key(CommandId::Step)),
        Waiting::Ask => format!("{} asks the agent", key(CommandId::Step)),
        Waiting::Apply => {
            let action = viewed.snapshot.steps.last().and_then(|step| step.action.as_ref());
            let name = action.map(|action| truncate(&action.label(), 20)).unwrap_or_default();
            format!("{} applies {name}", key(CommandId::Step))
        }
    }
}

/// The distance from the state in view to the goal, such as `distance 14 · `; empty if it is not searched.
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

/// The step in view and the distance to the goal, which is left out where it does not fit beside the next key. An
/// earlier step is highlighted.
fn position(model: &Model, viewed: &EpisodeView, room: u16, next: &str) -> Span<'static> {
    let (step, role) = match viewed.step().filter(|_| viewed.looks_back()) {
        Some(step) => {
            let back = model.appearance.keys.keys(CommandId::Newest).first().cloned().unwrap_or_default();
            let last = viewed.last_step();
            (format!("viewing step {} of {last}, {back} newest", step.number), StyleRole::StatusBack)
        }
        None => (viewed.step_label(), StyleRole::StatusDim),
    };
    let full = format!(" {}{step} ", distance(viewed));
    let used = Span::raw(next).width() + Span::raw(&full).width() + 2;
    let text = if used <= usize::from(room) { full } else { format!(" {step} ") };
    Span::styled(text, model.style(role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    #[test]
    fn a_level_is_shortened_to_its_last_segments() {
        for (count, short) in [(3, "sokoban/mini/7"), (2, "…/mini/7"), (1, "…/7")] {
            assert_eq!(last_segments("sokoban/mini/7", count), short);
        }
        assert_eq!(last_segments("hall.xsb", 1), "hall.xsb");
    }

    #[test]
    fn the_unknown_cost_is_left_out_first_and_the_model_is_always_named() {
        let model = testing::model_agent("meta/Llama-3.2-90B-Vision-Instruct");
        let viewed = model.episode().unwrap();
        for (room, text) in [
            (
                130,
                "sokoban/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · 1500 tokens · cost unknown",
            ),
            (
                115,
                "sokoban/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · 1500 tokens",
            ),
            (
                100,
                "sokoban/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · …",
            ),
            (90, "…/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · …"),
            (80, "…/mini/7 · meta/Llama-3.2-90B-Visi… · Online · plain · AM 3 OM 2 · 2 images · …"),
            (58, "…/7 · meta/Llama-… · Online · plain · AM 3 OM 2 · 2 images"),
        ] {
            assert_eq!(summary(&model, viewed, room), text, "{room}");
        }
    }
}
