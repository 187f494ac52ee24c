//! The agent: what it said at this step, which characters were read as what, and what came of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use super::heard;
use super::margin::hanging;
use super::margin::rule;
use super::reply::replies;
use super::scrolled;
use crate::domain::Setting;
use crate::domain::visible;
use crate::engine::Step;
use crate::engine::Waiting;
use crate::tui::figures::cells;
use crate::tui::figures::signed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::pane::Pane;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;
use crate::tui::wrap::wrap;

pub(super) fn info(viewed: &Viewed) -> String {
    let head = &viewed.snapshot.head;
    format!("{} · {}", head.agent, head.rules)
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let [head, body] = split(area);
    let Some(viewed) = model.viewed() else { return };
    Text::from(headline(model, viewed, area.width)).render(head, buf);
    scrolled(model, Pane::Agent, lines(model, viewed, body), body, buf);
}

fn split(area: Rect) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area)
}

pub(super) fn extent(model: &Model, area: Rect) -> (usize, u16) {
    let [_, body] = split(area);
    let lines = model.viewed().map_or(0, |viewed| lines(model, viewed, body).len());
    (lines, body.height)
}

/// The decision in one line that never scrolls away: the action, and what it earned.
fn headline(model: &Model, viewed: &Viewed, width: u16) -> Line<'static> {
    let (sign, words, role) = decision(viewed);
    let reward = viewed.step().and_then(|step| step.effect.as_ref()).map(|effect| effect.reward);
    let right = reward.map(signed).unwrap_or_default();
    let room = width.saturating_sub(cells(right.chars().count()) + 1);
    let left = clip(&format!("{sign} {words}"), room);
    let gap = usize::from(room + 1).saturating_sub(Span::raw(left.as_str()).width());
    let earned = reward.map_or(Role::Dim, |reward| super::earned(viewed, reward));
    Line::from(vec![
        Span::styled(left, model.style(role)),
        Span::raw(" ".repeat(gap)),
        Span::styled(right, model.style(earned)),
    ])
}

fn decision(viewed: &Viewed) -> (&'static str, String, Role) {
    let Some(step) = viewed.step() else { return ("·", "not asked yet".into(), Role::Dim) };
    let newest = !viewed.looks_back();
    match (&step.action, viewed.snapshot.waiting) {
        (Some(action), _) if step.edited => ("▶", format!("{action} ✎ edited by a person"), Role::Action),
        (Some(action), _) => ("▶", action.to_string(), Role::Action),
        _ if step.passed => ("×", "passed without an action".into(), Role::MarkPass),
        (None, Waiting::Ended(ending)) if newest => ("■", format!("the end: {ending}"), Role::Title),
        (None, Waiting::Thinking) if newest => ("…", "thinking".into(), Role::Warn),
        (None, Waiting::Ask) if newest && viewed.is_persons() => ("?", "your move".into(), Role::Key),
        _ => undecided(step),
    }
}

/// What there is of a step without an action.
fn undecided(step: &Step) -> (&'static str, String, Role) {
    match step.attempts.last() {
        None => ("·", "not asked yet".into(), Role::Dim),
        Some(attempt) if attempt.cut => ("✂", "asked, but no whole reply came".into(), Role::Warn),
        Some(_) => ("!", "no reply was read so far".into(), Role::MarkUnread),
    }
}

fn lines(model: &Model, viewed: &Viewed, Rect { width, height, .. }: Rect) -> Vec<Line<'static>> {
    let Some(step) = viewed.step() else { return Vec::new() };
    let mut lines = moves(model, viewed, step, width);
    lines.extend(heard::lines(model, viewed, width, height));
    match spoken(viewed, step) {
        Spoken::Here => lines.extend(account(model, viewed, step, width)),
        Spoken::Before(earlier) => {
            lines.push(rule(model, &format!("before, at step {}", earlier.number), width));
            lines.extend(outcome(model, viewed, earlier));
            lines.extend(account(model, viewed, earlier, width));
        }
        Spoken::Once(first) => {
            lines.extend(effect(model, step, width));
            lines.extend(plan(model, viewed, width));
            lines.extend(replies(model, viewed, first, width));
        }
    }
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    lines
}

/// Where the words stand that belong to a step.
enum Spoken<'a> {
    /// At the step itself.
    Here,
    /// Nothing is said yet: at the one before, so that a run at speed can be read.
    Before(&'a Step),
    /// At the first step: a plan is said once and stays what is carried out.
    Once(&'a Step),
}

fn spoken<'a>(viewed: &'a Viewed, step: &Step) -> Spoken<'a> {
    let steps = &viewed.snapshot.steps;
    let before = viewed.index().checked_sub(1).and_then(|index| steps.get(index));
    match (viewed.snapshot.head.setting, steps.first(), before) {
        (Setting::Global, Some(first), _) => Spoken::Once(first),
        (_, _, Some(before)) if step.attempts.is_empty() && step.action.is_none() => Spoken::Before(before),
        _ => Spoken::Here,
    }
}

/// The step whose replies are shown.
pub(super) fn speaking(viewed: &Viewed) -> Option<&Step> {
    let step = viewed.step()?;
    Some(match spoken(viewed, step) {
        Spoken::Here => step,
        Spoken::Before(other) | Spoken::Once(other) => other,
    })
}

/// What a step brought, and what was said at it.
fn account(model: &Model, viewed: &Viewed, step: &Step, width: u16) -> Vec<Line<'static>> {
    let mut lines = effect(model, step, width);
    lines.extend(replies(model, viewed, step, width));
    lines
}

/// The action of an earlier step and what it earned, in a line.
fn outcome(model: &Model, viewed: &Viewed, step: &Step) -> Option<Line<'static>> {
    let action = Span::styled(format!("▶ {}", visible(&step.action.as_ref()?.name)), model.style(Role::Text));
    let reward = step.effect.as_ref()?.reward;
    let earned = Span::styled(format!("  {}", signed(reward)), model.style(super::earned(viewed, reward)));
    Some(Line::from(vec![action, earned]))
}

/// What a person may do at this step, while it is the person's turn.
fn moves(model: &Model, viewed: &Viewed, step: &Step, width: u16) -> Vec<Line<'static>> {
    let theirs = viewed.is_persons() && !viewed.looks_back() && viewed.snapshot.waiting == Waiting::Ask;
    let verbs = step.space.verbs().iter().filter(|_| theirs);
    let rows = verbs.flat_map(|verb| {
        let gutter = Span::raw("  ");
        let mut lines =
            wrap(&format!("{}: {}", verb.name, verb.help), width, &gutter, model.style(Role::Text));
        lines.iter_mut().take(1).for_each(|line| line.spans[0] = Span::styled("· ", model.style(Role::Key)));
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
        lines.extend(hanging(model, "= the frame did not change", Role::MarkUnchanged, width));
    }
    if let Some(note) = &effect.note {
        lines.extend(hanging(model, &format!("• {note}"), Role::Text, width));
    }
    lines.extend((!lines.is_empty()).then(Line::default));
    lines
}

/// The whole plan of the Global setting: done, due, to come.
fn plan(model: &Model, viewed: &Viewed, width: u16) -> Vec<Line<'static>> {
    let steps = &viewed.snapshot.steps;
    if viewed.snapshot.head.setting != Setting::Global || steps.iter().all(|step| step.action.is_none()) {
        return Vec::new();
    }
    let here = viewed.index();
    let taken = steps.iter().enumerate().filter_map(|(index, step)| Some((index, step.action.as_ref()?)));
    let coming = viewed.snapshot.plan.iter().map(|action| (usize::MAX, action));
    let actions: Vec<_> = taken.chain(coming).collect();
    let words = actions.iter().map(|(index, action)| {
        let name = visible(&action.name).into_owned();
        match *index {
            index if index == here => (format!("▶{name}"), Role::Action),
            index if steps.get(index).is_some_and(|step| step.is_done()) => (name, Role::Dim),
            _ => (name, Role::Text),
        }
    });
    let mut lines =
        vec![Line::styled(format!("the plan: {} actions", actions.len()), model.style(Role::Heading))];
    lines.extend(flowed(model, words, width));
    lines.push(Line::default());
    lines
}

/// Words of different looks, laid into lines.
fn flowed(model: &Model, words: impl Iterator<Item = (String, Role)>, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    for (word, role) in words {
        let span = Span::styled(clip(&word, width), model.style(role));
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
