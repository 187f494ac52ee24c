//! The agent pane: the replies of a step, how the reader parsed them, and the effect of the action.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::paragraph::{hanging_indent, titled_rule};
use super::reply::reply_lines;
use super::scrolling::draw_scrolled;
use super::{annotations, code, plan, side, streaming, transcript};
use crate::empty::{self, Empty};
use crate::keymap::action_key_name;
use crate::model::{CodeView, EpisodeView, Model, StepCode};
use crate::pane::Pane;
use mageyard_domain::{Setting, sanitize};
use mageyard_engine::{Attempt, Step, Waiting};
use mageyard_terminal::{StyleRole, signed, to_cells, truncate, wrap};

pub(super) fn info(viewed: &EpisodeView) -> String {
    let snapshot = &viewed.snapshot;
    let agent = viewed.step().map_or(snapshot.agent(), |step| &step.agent);
    format!("{} · {}", agent.display_name(), snapshot.head.rules)
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let [head, body] = split(area);
    let Some(viewed) = model.episode() else { return };
    let head_lines = vec![headline(model, viewed, area.width), second_line(model, viewed, body)];
    Text::from(head_lines).render(head, buf);
    let lines = lines(model, viewed, body);
    let split = transcript::split(model, viewed, lines.len(), body);
    transcript::draw(model, viewed, &split, buf);
    draw_scrolled(model, Pane::Agent, &lines, split.rest, buf);
}

fn split(area: Rect) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area)
}

pub(super) fn scroll_extent(model: &Model, area: Rect) -> (usize, u16) {
    let [_, body] = split(area);
    let lines = model.episode().map_or(0, |viewed| lines(model, viewed, body).len());
    (lines, body.height)
}

/// The lines that scroll, all of them.
pub(super) fn shown_lines(model: &Model, area: Rect) -> Vec<Line<'static>> {
    let [_, body] = split(area);
    model.episode().map_or_else(Vec::new, |viewed| lines(model, viewed, body))
}

/// The index of the step whose row of the transcript is at this cell.
pub(super) fn step_at(model: &Model, area: Rect, at: Position) -> Option<usize> {
    let [_, body] = split(area);
    let viewed = model.episode()?;
    transcript::split(model, viewed, lines(model, viewed, body).len(), body).step_at(at)
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

/// The second line of the pane, which does not scroll: what belongs to the step before, if its replies are all that follows.
/// So they keep their rows when a step ends, which saves bytes.
fn second_line(model: &Model, viewed: &EpisodeView, body: Rect) -> Line<'static> {
    let Some(step) = viewed.step().filter(|_| shown_code(model).is_none()) else { return Line::default() };
    match shown_replies(viewed, step) {
        ShownReplies::Previous(earlier) if above_replies(model, viewed, step, body).is_empty() => {
            previous_step(model, viewed, earlier, body.width)
        }
        _ => Line::default(),
    }
}

fn decision(viewed: &EpisodeView) -> (&'static str, String, StyleRole) {
    let Some(step) = viewed.step() else { return ("·", "no reply yet".into(), StyleRole::Dim) };
    let newest = !viewed.looks_back();
    match (&step.action, viewed.snapshot.run.waiting) {
        (Some(action), _) if step.over_limit => {
            ("■", format!("refused (repetition limit): {}", action.label()), StyleRole::MarkRepeat)
        }
        (Some(action), _) if step.effect.as_ref().is_some_and(|effect| effect.withheld) => {
            ("×", format!("refused by a person: {}", action.label()), StyleRole::MarkInvalid)
        }
        (Some(action), _) if step.edited => {
            ("▶", format!("{} ✎ edited by a person", action.label()), StyleRole::Action)
        }
        (Some(action), _) => ("▶", format!("{}{}", action.label(), odds_words(step)), StyleRole::Action),
        _ if step.skipped => ("×", "skipped: no valid action".into(), StyleRole::MarkInvalid),
        (None, Waiting::Ended(ending)) if newest => {
            ("■", format!("episode over: {ending}"), StyleRole::Title)
        }
        (None, Waiting::Reply) if newest => ("…", "waiting for a reply".into(), StyleRole::Warn),
        (None, Waiting::Ask) if newest && viewed.is_human() => ("?", "your move".into(), StyleRole::Key),
        _ => missing_action(step),
    }
}

/// The odds of the action of a step, if the server sent them.
fn odds_words(step: &Step) -> String {
    // The odds of a plan are not those of one of its actions.
    let gives_one = |attempt: &&Attempt| matches!(&attempt.verdict, Some(Ok(actions)) if actions.len() == 1);
    let read = step.attempts.iter().rfind(gives_one);
    let odds = read.and_then(Attempt::action_odds);
    odds.map_or_else(String::new, |odds| format!(" · p {:.2}", odds.logprob.probability()))
}

/// The headline of a step without an action.
fn missing_action(step: &Step) -> (&'static str, String, StyleRole) {
    match step.attempts.last() {
        None => ("·", "no reply yet".into(), StyleRole::Dim),
        Some(attempt) if attempt.cancelled => ("✂", "no complete reply received".into(), StyleRole::Warn),
        Some(attempt) if attempt.is_unread() => {
            ("!", format!("{}, no action yet", attempt.ending.label()), StyleRole::MarkUnread)
        }
        Some(_) => ("!", "parse error, no action yet".into(), StyleRole::MarkUnread),
    }
}

pub(super) fn lines(model: &Model, viewed: &EpisodeView, area: Rect) -> Vec<Line<'static>> {
    let Some(step) = viewed.step() else { return empty::lines(model, Empty::Agent, area.width) };
    if let Some(code) = shown_code(model) {
        let mut lines = available_actions(model, viewed, step, area.width);
        let rule = || titled_rule(model, &previous(code.number), area.width);
        lines.extend((code.number != step.number).then(rule));
        lines.extend(code::lines(model, code, area.width));
        return lines;
    }
    let mut lines = above_replies(model, viewed, step, area);
    match shown_replies(viewed, step) {
        ShownReplies::Own => lines.extend(effect_and_replies(model, viewed, step, area.width)),
        ShownReplies::Previous(earlier) => {
            // Otherwise the second line of the pane has it.
            let heading = (!lines.is_empty()).then(|| previous_step(model, viewed, earlier, area.width));
            lines.extend(heading);
            lines.extend(intervention_lines(model, earlier, area.width));
            lines.extend(effect_and_replies(model, viewed, earlier, area.width));
        }
        ShownReplies::First(first) => {
            lines.extend(effect(model, step, area.width));
            lines.extend(plan::lines(model, viewed, area.width));
            lines.extend(reply_lines(model, viewed, first, area.width));
        }
    }
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    if lines.is_empty() {
        lines = empty::lines(model, Empty::Agent, area.width);
    }
    lines
}

/// The code that is shown in place of the replies.
fn shown_code(model: &Model) -> Option<&StepCode> {
    model.agent.code.as_ref().filter(|_| model.agent.code_view != CodeView::Replies)
}

/// What comes before the replies: actions to choose from, tags and comments, what a person changed at the step, a summary of
/// the code, the reply in flight.
fn above_replies(model: &Model, viewed: &EpisodeView, step: &Step, area: Rect) -> Vec<Line<'static>> {
    let mut lines = available_actions(model, viewed, step, area.width);
    lines.extend(annotations::lines(model, viewed, area.width));
    lines.extend(intervention_lines(model, step, area.width));
    lines.extend(unfinished_sides(model, viewed, step, area.width));
    lines.extend(code::summary(model, area.width));
    lines.extend(streaming::lines(model, viewed, area.width, area.height));
    lines
}

fn previous(number: u32) -> String {
    format!("previous step, {number}")
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
    lines.extend(ended(side::before_decision(model, step, width)));
    lines.extend(reply_lines(model, viewed, step, width));
    lines
}

/// A rule above what belongs to the step before, with its action and reward.
fn previous_step(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Line<'static> {
    let (Some(effect), Some(action)) = (&step.effect, &step.action) else {
        return titled_rule(model, &previous(step.number), width);
    };
    let columns = |text: &str| to_cells(Span::raw(text).width());
    let action = format!("▶ {}", action.label());
    let earned = format!("  {} ", signed(effect.reward));
    let long = format!("── {}: ", previous(step.number));
    let is_wide = columns(&long) + columns(&action) + columns(&earned) <= width;
    let start = if is_wide { long } else { format!("── {}: ", step.number) };
    let room = width.saturating_sub(columns(&start) + columns(&earned));
    if room < columns("▶ …") {
        return titled_rule(model, &previous(step.number), width);
    }
    let action = truncate(&action, room);
    // The rest of the rule says nothing that a slow link should carry.
    let rest = if model.device.link.is_slow { 0 } else { room.saturating_sub(columns(&action)) };
    Line::from(vec![
        Span::styled(start, model.style(StyleRole::Dim)),
        Span::styled(action, model.style(StyleRole::Text)),
        Span::styled(earned, model.style(super::reward_role(viewed, effect.reward))),
        Span::styled("─".repeat(rest.into()), model.style(StyleRole::Dim)),
    ])
}

/// The actions with their help texts, while a person is to choose one.
fn available_actions(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Vec<Line<'static>> {
    let theirs = viewed.is_human() && !viewed.looks_back() && viewed.snapshot.run.waiting == Waiting::Ask;
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
        for line in lines.iter_mut().take(1) {
            line.spans[0] = key.clone();
        }
        lines
    });
    let mut rows: Vec<_> = rows.collect();
    rows.extend((!rows.is_empty()).then(Line::default));
    rows
}

/// What a person changed at the step besides replies, as sentences.
pub(crate) fn interventions(step: &Step) -> Vec<String> {
    let hint = step.hint.as_ref().map(|hint| format!("✎ hint: {}", one_line(&sanitize(hint))));
    let state = step.state_set.as_ref().map(|_| "✎ a person changed the state at this step".to_owned());
    let frame = step.frame_set.then(|| "✎ a person replaced the frame that the agent is shown".to_owned());
    state.into_iter().chain(frame).chain(hint).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn intervention_lines(model: &Model, step: &Step, width: u16) -> Vec<Line<'static>> {
    let sentences = interventions(step);
    let lines = sentences.iter().flat_map(|words| hanging_indent(model, words, StyleRole::Warn, width));
    ended(lines.collect())
}

/// The side requests of a step that has no reply and no effect yet, or of the last one, which only shows the end.
fn unfinished_sides(model: &Model, viewed: &EpisodeView, step: &Step, width: u16) -> Vec<Line<'static>> {
    if !matches!(shown_replies(viewed, step), ShownReplies::Previous(_)) {
        return Vec::new();
    }
    let mut lines = side::before_decision(model, step, width);
    lines.extend(side::after_action(model, step, width));
    ended(lines)
}

fn effect(model: &Model, step: &Step, width: u16) -> Vec<Line<'static>> {
    ended(own_effect(model, step, width))
}

/// These lines with an empty one after them, if there are any.
fn ended(mut lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    lines.extend((!lines.is_empty()).then(Line::default));
    lines
}

fn own_effect(model: &Model, step: &Step, width: u16) -> Vec<Line<'static>> {
    let Some(effect) = &step.effect else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(opinion) = model.oracle.opinion(step.state) {
        let words = format!("◦ oracle: {}", sanitize(opinion));
        lines.extend(hanging_indent(model, &words, StyleRole::Dim, width));
    }
    if effect.unchanged {
        lines.extend(hanging_indent(model, "= the state did not change", StyleRole::MarkUnchanged, width));
    }
    if let Some(note) = &effect.note {
        lines.extend(hanging_indent(model, &format!("• {note}"), StyleRole::Text, width));
    }
    lines.extend(side::after_action(model, step, width));
    lines
}
