//! The agent that makes every known mistake of a reply, with good replies in between, so that readers,
//! retries, panes and reports can be tried without a model. It says what it is asked to say or spoils it;
//! what a reader makes of that is not known here.

use std::time::Duration;

use async_trait::async_trait;

use super::seeded_choice::SeededChoice;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::Answer;
use crate::domain::DecisionInput;
use crate::domain::ReplyFormat;

/// A sort of reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyKind {
    Good,
    /// Good, but it comes piece by piece.
    Slow,
    /// The action without the form around it.
    BareAction,
    /// Small letters in place of capitals, or the other way round.
    WrongCase,
    /// A sentence where the action should stand.
    Prose,
    /// Two actions in the place of one.
    TwoActions,
    /// An action that does not exist.
    UnknownAction,
    /// A fence that is opened before the action and never closed.
    OpenFence,
    Empty,
    /// Very much text and no action.
    VeryLong,
    /// Characters that would steer a terminal or turn the reading order.
    ControlCharacters,
}

/// What is drawn from: about every other reply is spoilt, so that now and then all attempts of a step are.
const REPLY_KINDS: [ReplyKind; 18] = [
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Good,
    ReplyKind::Slow,
    ReplyKind::BareAction,
    ReplyKind::WrongCase,
    ReplyKind::Prose,
    ReplyKind::TwoActions,
    ReplyKind::UnknownAction,
    ReplyKind::OpenFence,
    ReplyKind::Empty,
    ReplyKind::VeryLong,
    ReplyKind::ControlCharacters,
];

/// Steps for which it may get stuck in one action: longer than any usual threshold for repetition.
const STRETCH_STEPS: u32 = 12;
/// Of so many stretches it is stuck in one.
const STUCK_ODDS: [bool; 4] = [true, false, false, false];
/// Actions in a list, at most.
const MAX_PLAN_LENGTH: u32 = 50;
/// Bytes of a flood.
const LONG_REPLY_BYTES: usize = 100_000;
/// Pieces of a reply that drips, at most, and the pause before each.
const MAX_CHUNKS: usize = 16;
const CHUNK_PAUSE: Duration = Duration::from_millis(60);

/// What a draw is for, so that no two draws are the same lot.
const DRAW_REPLY_KIND: u32 = 0;
const DRAW_ACTION: u32 = 1;
const DRAW_STUCK: u32 = 2;
const DRAW_STUCK_ACTION: u32 = 3;

/// Decides by seed, level, step and attempt alone.
pub(super) struct FaultyAgent {
    choice: SeededChoice,
}

impl FaultyAgent {
    pub(super) fn new(seed: u64, salt: &str) -> Self {
        Self { choice: SeededChoice::new(seed, salt) }
    }

    /// The sort of reply and its actions; `None` when nothing is allowed.
    fn choose(&self, ask: &DecisionInput<'_>) -> Option<(ReplyKind, Vec<Action>)> {
        let (stretch, verbs) = (ask.step.saturating_sub(1) / STRETCH_STEPS, ask.space.specs());
        let stuck = *self.choice.pick(&[DRAW_STUCK, stretch], &STUCK_ODDS)?;
        let action = |index| {
            let own = [DRAW_ACTION, ask.step, ask.attempt, index];
            let same = [DRAW_STUCK_ACTION, stretch];
            let verb = self.choice.pick(if stuck { &same } else { &own }, verbs)?;
            Some(Action::plain(verb.name.clone()))
        };
        let count = if ask.form.list { ask.steps_left.clamp(1, MAX_PLAN_LENGTH) } else { 1 };
        let actions = (0..count).map(action).collect::<Option<_>>()?;
        let drawn = self.choice.pick(&[DRAW_REPLY_KIND, ask.step, ask.attempt], &REPLY_KINDS)?;
        Some((if stuck { ReplyKind::Good } else { *drawn }, actions))
    }
}

#[async_trait]
impl Agent for FaultyAgent {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let Some((sort, actions)) = self.choose(&ask) else { return Ok(Answer::GaveUp) };
        let text = reply_text(sort, ask.form, &actions, ask.space);
        if sort == ReplyKind::Slow {
            stream_slowly(&text, &ask).await;
        }
        Ok(Answer::Replied(text.into()))
    }
}

async fn stream_slowly(text: &str, ask: &DecisionInput<'_>) {
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(chars.len().div_ceil(MAX_CHUNKS).max(1)) {
        tokio::time::sleep(CHUNK_PAUSE).await;
        ask.observer.notify(AgentEvent::TextReceived(piece.iter().collect()));
    }
}

/// The reply of this sort that these actions make.
fn reply_text(sort: ReplyKind, form: &ReplyFormat, actions: &[Action], space: &ActionSpace) -> String {
    let spoilt = |reason: &str, change: &dyn Fn(&str) -> String| {
        let actions: Vec<Action> = actions.iter().map(|action| Action::plain(change(&action.name))).collect();
        form.write(reason, &actions)
    };
    match sort {
        ReplyKind::Good => form.write("I keep to the form.", actions),
        ReplyKind::Slow => {
            form.write("I keep to the form, but I take my time over every single word.", actions)
        }
        ReplyKind::BareAction => actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", "),
        ReplyKind::WrongCase => spoilt("I do not mind capitals.", &swap_case),
        ReplyKind::Prose => {
            spoilt("I say it in a sentence.", &|name| format!("I think it is best to go {name} now"))
        }
        ReplyKind::TwoActions => {
            spoilt("I do two things at once.", &|name| two_actions(name, form.list, space))
        }
        ReplyKind::UnknownAction => {
            form.write("I do what nobody has thought of.", &with_unknown_action(form.list, actions, space))
        }
        ReplyKind::OpenFence => form.write("I open a fence.", &with_open_fence(actions)),
        ReplyKind::Empty => String::new(),
        ReplyKind::VeryLong => {
            "The box stands where it stood. ".chars().cycle().take(LONG_REPLY_BYTES).collect()
        }
        ReplyKind::ControlCharacters => {
            spoilt(CONTROL_CHARACTERS, &|name| format!("\u{1b}[31m{name}\u{1b}[0m"))
        }
    }
}

/// Clears a screen, renames a window, turns the reading order, rings, and hides in a zero width.
const CONTROL_CHARACTERS: &str =
    "\u{1b}[2J\u{1b}]0;faulty\u{7}\u{9b}1mI \u{202e}steer\u{202c} the\u{200b} terminal.\u{8}\r\0";

fn swap_case(name: &str) -> String {
    let lower = name.to_lowercase();
    if lower == name { name.to_uppercase() } else { lower }
}

/// The action and another one: in a list, where a comma would part them, with a space between.
fn two_actions(name: &str, list: bool, space: &ActionSpace) -> String {
    let other = space.names().find(|other| *other != name).unwrap_or(name);
    if list { format!("{name} {other}") } else { format!("{name}, {other}") }
}

/// An action that the space does not have, and in a list the others behind it.
fn with_unknown_action(list: bool, actions: &[Action], space: &ActionSpace) -> Vec<Action> {
    let mut name = "Teleport".to_owned();
    while space.find(&name).is_some() {
        name.push('!');
    }
    let others = if list { actions } else { &[] };
    std::iter::once(Action::plain(name)).chain(others.iter().cloned()).collect()
}

/// The actions, the first one behind a fence.
fn with_open_fence(actions: &[Action]) -> Vec<Action> {
    let opened = |(index, action): (usize, &Action)| match index {
        0 => Action::plain(format!("```\n{}", action.name)),
        _ => action.clone(),
    };
    actions.iter().enumerate().map(opened).collect()
}
