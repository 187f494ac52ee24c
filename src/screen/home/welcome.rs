//! The first start: what one sees, an agent that plays beside it, and what one can do next.

use std::sync::Arc;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use crate::model::{Model, View};
use crate::models;
use crate::panes::analysis;
use crate::requests::{Player, Request};
use crate::update::{Effect, open_lesson};
use mageyard_engine::Snapshot;
use mageyard_terminal::{StyleRole, wrap};

/// The agent that plays.
const AGENT: &str = "demo";

/// What one sees, in three sentences.
const SENTENCES: [&str; 3] = [
    "An agent looks at the frame of an environment, such as the picture of a board.",
    "It writes an analysis and an action; the environment answers with a reward and the next frame.",
    "What it remembers is its memory window: which of its earlier outputs and frames are in the next request.",
];

/// The keys and what they open.
const CHOICES: [(&str, &str, &str); 4] = [
    (
        "Enter",
        "watch and step",
        "the same level, a step at a time: look at each request, change it, ask again",
    ),
    ("m", "connect a model", "a model of your own, on this machine or at a server"),
    ("t", "learn", "lessons, each a few keys long"),
    ("Tab", "everything else", "levels, suites, prompts, models"),
];

/// The state of the first start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Welcome {
    /// The episode that plays beside the text, once it has begun.
    pub(super) episode: Option<Arc<Snapshot>>,
}

/// Who plays.
pub(super) fn player() -> Player {
    Player::Agent(AGENT.to_owned())
}

/// Handles a key; false if it does nothing here.
pub(super) fn press(model: &mut Model, code: KeyCode, effects: &mut Vec<Effect>) -> bool {
    match code {
        KeyCode::Enter => {
            model.notify("opening a level …");
            effects.push(Effect::Request(Request::PlayWith { level: None, player: player() }));
        }
        KeyCode::Char('m') => models::open(model, effects),
        KeyCode::Char('t') => open_lesson(model, "", effects),
        KeyCode::Tab | KeyCode::Esc => {}
        _ => return false,
    }
    leave(model, effects);
    true
}

/// Shows the tree in place of the first start.
pub(super) fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.home.as_deref_mut().is_some_and(|home| home.welcome.take().is_some()) {
        effects.push(Effect::Request(Request::Welcome(None)));
    }
}

/// A snapshot of the episode that plays. Once home is left it is stopped.
pub(crate) fn played(model: &mut Model, snapshot: Arc<Snapshot>, effects: &mut Vec<Effect>) {
    if model.view() != View::Home {
        return leave(model, effects);
    }
    if let Some(welcome) = model.home.as_deref_mut().and_then(|home| home.welcome.as_mut()) {
        welcome.episode = Some(snapshot);
    }
}

/// Draws the text and the choices. In few rows what is said of the choices is left out, then the text.
pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let forms = [(true, true), (true, false), (false, true), (false, false)];
    let drawn = forms.map(|(has_text, is_explained)| {
        let mut lines = if has_text { sentence_lines(model, area.width) } else { Vec::new() };
        lines.extend(choice_lines(model, area.width, is_explained));
        lines
    });
    let fits = |lines: &&Vec<Line<'static>>| lines.len() <= area.height.into();
    let lines = drawn.iter().find(fits).or(drawn.last()).cloned().unwrap_or_default();
    Text::from(lines).render(area, buf);
}

fn sentence_lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    for sentence in SENTENCES {
        lines.extend(wrap(sentence, width, &Span::raw(" "), model.style(StyleRole::Text)));
        lines.push(Line::default());
    }
    lines
}

fn choice_lines(model: &Model, width: u16, is_explained: bool) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (key, name, what) in CHOICES {
        lines.push(Line::from(vec![
            Span::styled(format!(" {key:<6}"), model.style(StyleRole::Key)),
            Span::styled(name, model.style(StyleRole::Heading)),
        ]));
        if is_explained {
            lines.extend(wrap(what, width, &Span::raw("       "), model.style(StyleRole::Dim)));
        }
    }
    lines
}

/// What the agent wrote last, and what came of it.
pub(super) fn episode_lines(snapshot: &Snapshot) -> Vec<String> {
    let Some(step) = snapshot.steps.last() else { return Vec::new() };
    let shown =
        if step.attempts.is_empty() { snapshot.steps.iter().rev().nth(1).unwrap_or(step) } else { step };
    let mut lines = vec![format!("step {} of {}", shown.number, snapshot.head.max_steps)];
    lines.extend(analysis(shown).map(|analysis| format!("analysis: {analysis}")));
    lines.extend(shown.action.as_ref().map(|action| format!("action: {}", action.label())));
    lines.extend(shown.effect.as_ref().map(|effect| format!("reward: {:+}", effect.reward)));
    lines
}

/// The first start in lines.
pub(super) fn lines() -> impl Iterator<Item = String> {
    let choices = "Three ways to begin: a number plays a level, model connects a model of your own, tutor starts a lesson.";
    SENTENCES.into_iter().chain([choices]).map(str::to_owned)
}
