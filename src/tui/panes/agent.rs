//! The agent pane: the replies of a step, how the reader parsed them, and the effect of the action.

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use super::code;
use super::paragraph::hanging_indent;
use super::paragraph::titled_rule;
use super::reply::reply_lines;
use super::scrolling::draw_scrolled;
use super::streaming;
use crate::domain::Setting;
use crate::domain::sanitize;
use crate::engine::Step;
use crate::engine::Waiting;
use crate::tui::format::count_of;
use crate::tui::format::signed;
use crate::tui::format::to_cells;
use crate::tui::keymap::action_key_name;
use crate::tui::model::CodeView;
use crate::tui::model::EpisodeView;
use crate::tui::model::Model;
use crate::tui::pane::Pane;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::truncate;
use crate::tui::wrap::wrap;

pub(super) fn info(viewed: &EpisodeView) -> String {
    let head = &viewed.snapshot.head;
    format!("{} · {}", head.agent.display_name(), head.rules)
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let [head, body] = split(area);
    let Some(viewed) = model.episode() else { return };
    Text::from(headline(model, viewed, area.width)).render(head, buf);
    draw_scrolled(model, Pane::Agent, &lines(model, viewed, body), body, buf);
}

fn split(area: Rect) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area)
}

pub(super) fn scroll_extent(model: &Model, area: Rect) -> (usize, u16) {
    let [_, body] = split(area);
    let lines = model.episode().map_or(0, |viewed| lines(model, viewed, body).len());
    (lines, body.height)
}

/// The first line of the pane, which does not scroll: the action and its reward.
fn headline(model: &Model, viewed: &EpisodeView, width: u16) -> Line<'static> {
    let (sign, words, role) = decision(viewed);
    let reward = viewed.step().and_then(|step| step.effect.as_ref()).map(|effect| effect.reward);
    let right = reward.map(signed).unwrap_or_default();
    let room = width.saturating_sub(to_cells(right.chars().count()) + 1);
    let left = truncate(&format!("{sign} {words}"), room);
    let gap = usize::from(room + 1).saturating_sub(Span::raw(left.as_str()).width());
    let earned = reward.map_or(StyleRole::Dim, |reward| super::reward_role(viewed, reward));
    Line::from(vec![
        Span::styled(left, model.style(role)),
        Span::raw(" ".repeat(gap)),
        Span::styled(right, model.style(earned)),
    ])
}

fn decision(viewed: &EpisodeView) -> (&'static str, String, StyleRole) {
    let Some(step) = viewed.step() else { return ("·", "no reply yet".into(), StyleRole::Dim) };
    let newest = !viewed.looks_back();
    match (&step.action, viewed.snapshot.waiting) {
        (Some(action), _) if step.edited => {
            ("▶", format!("{} ✎ edited by a person", action.label()), StyleRole::Action)
        }
        (Some(action), _) => ("▶", action.label(), StyleRole::Action),
        _ if step.skipped => ("×", "skipped: no valid action".into(), StyleRole::MarkInvalid),
        (None, Waiting::Ended(ending)) if newest => {
            ("■", format!("episode over: {ending}"), StyleRole::Title)
        }
        (None, Waiting::Reply) if newest => ("…", "waiting for a reply".into(), StyleRole::Warn),
        (None, Waiting::Ask) if newest && viewed.is_human() => ("?", "your move".into(), StyleRole::Key),
        _ => missing_action(step),
    }
}

/// The headline of a step without an action.
fn missing_action(step: &Step) -> (&'static str, String, StyleRole) {
    match step.attempts.last() {
        None => ("·", "no reply yet".into(), StyleRole::Dim),
        Some(attempt) if attempt.cancelled => ("✂", "no complete reply received".into(), StyleRole::Warn),
        Some(attempt) if !attempt.ending.is_readable() => {
            ("!", format!("{}, no action yet", attempt.ending.label()), StyleRole::MarkUnread)
        }
        Some(_) => ("!", "parse error, no action yet".into(), StyleRole::MarkUnread),
    }
}

pub(super) fn lines(
    model: &Model,
    viewed: &EpisodeView,
    Rect { width, height, .. }: Rect,
) -> Vec<Line<'static>> {
    let Some(step) = viewed.step() else { return Vec::new() };
    let mut lines = available_actions(model, viewed, step, width);
    match &model.code {
        Some(code) if model.code_view != CodeView::Replies => {
            lines.extend((code.number != step.number).then(|| previous_rule(model, code.number, width)));
            lines.extend(code::lines(model, code, width));
            return lines;
        }
        _ => lines.extend(code::summary(model, width)),
    }
    lines.extend(streaming::lines(model, viewed, width, height));
    match shown_replies(viewed, step) {
        ShownReplies::Own => lines.extend(effect_and_replies(model, viewed, step, width)),
        ShownReplies::Previous(earlier) => {
            lines.push(previous_rule(model, earlier.number, width));
            lines.extend(action_and_reward(model, viewed, earlier, width));
            lines.extend(effect_and_replies(model, viewed, earlier, width));
        }
        ShownReplies::First(first) => {
            lines.extend(effect(model, step, width));
            lines.extend(plan(model, viewed, width));
            lines.extend(reply_lines(model, viewed, first, width));
        }
    }
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    lines
}

/// A rule above what belongs to the step before.
fn previous_rule(model: &Model, number: u32, width: u16) -> Line<'static> {
    titled_rule(model, &format!("previous step, {number}"), width)
}

/// The step whose replies are shown for the step in view.
enum ShownReplies<'a> {
    /// The step itself.
    Own,
    /// The step before, while the step in view has no reply: a fast run stays readable.
    Previous(&'a Step),
    /// The first step: in the Global setting its reply holds the plan for all steps.
    First(&'a Step),
}

fn shown_replies<'a>(viewed: &'a EpisodeView, step: &Step) -> ShownReplies<'a> {
    let steps = &viewed.snapshot.steps;
    let before = viewed.index().checked_sub(1).and_then(|index| steps.get(index));
    match (viewed.snapshot.head.setting, steps.first(), before) {
        (Setting::Global, Some(first), _) => ShownReplies::First(first),
        (_, _, Some(before)) if step.attempts.is_empty() && step.action.is_none() => {
            ShownReplies::Previous(before)
        }
        _ => ShownReplies::Own,
    }
}

/// The step whose replies are shown.
pub(super) fn step_with_replies(viewed: &EpisodeView) -> Option<&Step> {
    let step = viewed.step()?;
    Some(match shown_replies(viewed, step) {
        ShownReplies::Own => step,
        ShownReplies::Previous(other) | ShownReplies::First(other) => other,
    })
}

/// The effect of a step's action, then its replies.
fn effect_and_replies(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Vec<Line<'static>> {
    let mut lines = effect(model, step, width);
    lines.extend(reply_lines(model, viewed, step, width));
    lines
}

/// One line with the action and the reward of an earlier step.
fn action_and_reward(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Option<Line<'static>> {
    let reward = step.effect.as_ref()?.reward;
    let earned = format!("  {}", signed(reward));
    let room = width.saturating_sub(to_cells(Span::raw(&earned).width()));
    let action = truncate(&format!("▶ {}", step.action.as_ref()?.label()), room);
    Some(Line::from(vec![
        Span::styled(action, model.style(StyleRole::Text)),
        Span::styled(earned, model.style(super::reward_role(viewed, reward))),
    ]))
}

/// The actions with their help texts, while a person is to choose one.
fn available_actions(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Vec<Line<'static>> {
    let theirs = viewed.is_human() && !viewed.looks_back() && viewed.snapshot.waiting == Waiting::Ask;
    let verbs = step.space.specs().iter().filter(|_| theirs);
    let keys = viewed.action_keys();
    let room = keys.iter().map(|key| Span::raw(key).width()).max().unwrap_or(1) + 1;
    let rows = verbs.flat_map(|spec| {
        let key = spec.key.as_ref().and_then(|key| action_key_name(key)).unwrap_or_else(|| "·".into());
        let gutter = Span::raw(" ".repeat(room));
        let words = format!("{}: {}", spec.signature(), spec.help);
        let mut lines = wrap(&words, width, &gutter, model.style(StyleRole::Text));
        let gap = " ".repeat(room.saturating_sub(Span::raw(&key).width()));
        let key = Span::styled(format!("{key}{gap}"), model.style(StyleRole::Key));
        lines.iter_mut().take(1).for_each(|line| line.spans[0] = key.clone());
        lines
    });
    let mut rows: Vec<_> = rows.collect();
    rows.extend((!rows.is_empty()).then(Line::default));
    rows
}

fn effect(model: &Model, step: &Step, width: u16) -> Vec<Line<'static>> {
    let Some(effect) = &step.effect else { return Vec::new() };
    let mut lines = Vec::new();
    if effect.unchanged {
        lines.extend(hanging_indent(model, "= the state did not change", StyleRole::MarkUnchanged, width));
    }
    if let Some(note) = &effect.note {
        lines.extend(hanging_indent(model, &format!("• {note}"), StyleRole::Text, width));
    }
    lines.extend((!lines.is_empty()).then(Line::default));
    lines
}

/// All actions of a plan in the Global setting: done, current, remaining.
fn plan(model: &Model, viewed: &EpisodeView, width: u16) -> Vec<Line<'static>> {
    let steps = &viewed.snapshot.steps;
    if viewed.snapshot.head.setting != Setting::Global || steps.iter().all(|step| step.action.is_none()) {
        return Vec::new();
    }
    let here = viewed.index();
    let done = steps.iter().enumerate().filter_map(|(index, step)| Some((index, step.action.as_ref()?)));
    let remaining = viewed.snapshot.plan.iter().map(|action| (usize::MAX, action));
    let actions: Vec<_> = done.chain(remaining).collect();
    let words = actions.iter().map(|(index, action)| {
        let name = sanitize(&action.label()).into_owned();
        match *index {
            index if index == here => (format!("▶{name}"), StyleRole::Action),
            index if steps.get(index).is_some_and(|step| step.is_done()) => (name, StyleRole::Dim),
            _ => (name, StyleRole::Text),
        }
    });
    let mut lines = vec![Line::styled(
        format!("plan: {}", count_of(actions.len(), "action")),
        model.style(StyleRole::Heading),
    )];
    lines.extend(flow(model, words, width));
    lines.push(Line::default());
    lines
}

/// Styled words, wrapped into lines.
fn flow(model: &Model, words: impl Iterator<Item = (String, StyleRole)>, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    for (word, role) in words {
        let span = Span::styled(truncate(&word, width), model.style(role));
        let used = lines.last().map_or(0, Line::width);
        if used > 0 && used + 1 + span.width() > usize::from(width) {
            lines.push(Line::default());
        }
        let Some(line) = lines.last_mut() else { break };
        if line.width() > 0 {
            line.push_span(" ");
        }
        line.push_span(span);
    }
    lines
}
