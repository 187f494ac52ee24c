//! The `faulty` agent: it makes every known mistake in its replies, with valid replies in between, so that
//! readers, retries, panes and reports can be tested without a model.

use std::time::Duration;

use async_trait::async_trait;

use super::argument_mistakes::Mistake;
use super::random_arguments::draw_action;
use super::seeded_choice::SeededChoice;
use super::{AgentRow, CreatedAgent};
use mageyard_domain::{
    Action, ActionSpace, Agent, AgentError, AgentEvent, Answer, DecisionInput, Mistakes, ReplyFormat,
};

pub(super) const ROW: AgentRow = AgentRow::new(
    "faulty",
    "makes every known mistake in its replies, by seed, with valid replies in between",
    |context| {
        let agent = FaultyAgent::new(context.seed, &context.salt);
        Ok(CreatedAgent::alone(FaultyAgent { mistakes: context.mistakes, ..agent }))
    },
);

/// A kind of reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyKind {
    Good,
    /// Valid, streamed in chunks.
    Slow,
    /// The action without analysis and delimiters.
    BareAction,
    /// The action in the wrong case.
    WrongCase,
    /// A sentence in place of the action.
    Prose,
    /// Two actions in place of one.
    TwoActions,
    /// An action outside the action space.
    UnknownAction,
    /// A code fence before the action that is never closed.
    OpenFence,
    Empty,
    /// A very long text without an action.
    VeryLong,
    /// Characters that control a terminal or change the reading order.
    ControlCharacters,
    /// A mistake in the arguments of an action with parameters.
    Argument(Mistake),
}

/// The distribution of replies: about half are faulty, so that sometimes all attempts of a step fail.
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

/// What is added to the distribution where actions have parameters.
const MISTAKE_KINDS: [ReplyKind; 6] = [
    ReplyKind::Argument(Mistake::Missing),
    ReplyKind::Argument(Mistake::Unknown),
    ReplyKind::Argument(Mistake::WrongKind),
    ReplyKind::Argument(Mistake::OutOfRange),
    ReplyKind::Argument(Mistake::TwoOfOne),
    ReplyKind::Argument(Mistake::Unclosed),
];

/// The length in steps of a stretch with one repeated action; longer than the usual repetition thresholds.
const STRETCH_STEPS: u32 = 12;
/// The odds of repeating one action for a stretch.
const STUCK_ODDS: [bool; 4] = [true, false, false, false];
/// The maximum number of actions in a list.
const MAX_PLAN_LENGTH: u32 = 50;
/// The length of a very long reply in bytes.
const LONG_REPLY_BYTES: usize = 100_000;
/// The maximum number of chunks of a streamed reply, and the pause before each.
const MAX_CHUNKS: usize = 16;
const CHUNK_PAUSE: Duration = Duration::from_millis(60);

/// The purpose of a random choice, so that all choices are independent.
const DRAW_REPLY_KIND: u32 = 0;
const DRAW_ACTION: u32 = 1;
const DRAW_STUCK: u32 = 2;
const DRAW_STUCK_ACTION: u32 = 3;
const DRAW_ACTION_WITH_PARAMS: u32 = 4;
const DRAW_MISTAKE: u32 = 5;

/// Decides only by seed, level, step and attempt.
struct FaultyAgent {
    choice: SeededChoice,
    /// Mistakes of the environment, which are most of its replies where there are any.
    mistakes: Option<&'static dyn Mistakes>,
}

impl FaultyAgent {
    pub(super) fn new(seed: u64, salt: &str) -> Self {
        Self { choice: SeededChoice::new(seed, salt), mistakes: None }
    }

    /// The kind of reply and its actions; `None` if no action is allowed.
    fn choose(&self, input: &DecisionInput<'_>) -> Option<(ReplyKind, Vec<Action>)> {
        let stretch = input.step.saturating_sub(1) / STRETCH_STEPS;
        let specs = input.space.specs();
        let stuck = *self.choice.pick(&[DRAW_STUCK, stretch], &STUCK_ODDS)?;
        let action = |index| {
            let own = [DRAW_ACTION, input.step, input.attempt, index];
            let same = [DRAW_STUCK_ACTION, stretch];
            let spec = self.choice.pick(if stuck { &same } else { &own }, specs)?;
            Some(draw_action(&self.choice, if stuck { &same } else { &own }, spec))
        };
        let count = if input.form.list { input.steps_left.clamp(1, MAX_PLAN_LENGTH) } else { 1 };
        let actions = (0..count).map(action).collect::<Option<_>>()?;
        let mut kinds = REPLY_KINDS.to_vec();
        kinds.extend(MISTAKE_KINDS.iter().filter(|_| input.space.has_params()));
        let drawn = *self.choice.pick(&[DRAW_REPLY_KIND, input.step, input.attempt], &kinds)?;
        match drawn {
            _ if stuck => Some((ReplyKind::Good, actions)),
            ReplyKind::Argument(_) => Some((drawn, vec![self.draw_with_params(input)?])),
            _ => Some((drawn, actions)),
        }
    }

    /// A mistake of the environment with its reason, in most replies.
    fn mistake(&self, input: &DecisionInput<'_>) -> Option<(Action, String)> {
        let mistakes = self.mistakes?;
        let over = |part| [DRAW_MISTAKE, input.step, input.attempt, part];
        let number = self.choice.below(&over(1), 1 << 32);
        Some(()).filter(|()| self.choice.below(&over(0), 4) > 0)?;
        mistakes.make(number, input.observation)
    }

    /// An action with parameters.
    fn draw_with_params(&self, input: &DecisionInput<'_>) -> Option<Action> {
        let specs: Vec<_> = input.space.specs().iter().filter(|spec| !spec.params.is_empty()).collect();
        let purpose = [DRAW_ACTION_WITH_PARAMS, input.step, input.attempt];
        let spec = self.choice.pick(&purpose, &specs)?;
        Some(draw_action(&self.choice, &purpose, spec))
    }
}

#[async_trait]
impl Agent for FaultyAgent {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        if let Some((action, reason)) = self.mistake(&input) {
            return Ok(Answer::Replied(input.form.write(&reason, &[action], input.space).into()));
        }
        let Some((kind, actions)) = self.choose(&input) else { return Ok(Answer::GaveUp) };
        let text = reply_text(kind, input.form, &actions, input.space);
        if kind == ReplyKind::Slow {
            stream_slowly(&text, &input).await;
        }
        Ok(Answer::Replied(text.into()))
    }
}

async fn stream_slowly(text: &str, input: &DecisionInput<'_>) {
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(chars.len().div_ceil(MAX_CHUNKS).max(1)) {
        tokio::time::sleep(CHUNK_PAUSE).await;
        input.observer.notify(AgentEvent::TextReceived(piece.iter().collect()));
    }
}

/// The text of a reply of this kind with these actions.
fn reply_text(kind: ReplyKind, form: &ReplyFormat, actions: &[Action], space: &ActionSpace) -> String {
    let altered = |reason: &str, change: &dyn Fn(&str) -> String| {
        let changed = actions.iter().map(|action| Action::plain(change(&action.to_string())));
        form.write(reason, &changed.collect::<Vec<_>>(), space)
    };
    match kind {
        ReplyKind::Good => form.write("This reply is in the asked form.", actions, space),
        ReplyKind::Slow => form.write("This reply is in the asked form and streams slowly.", actions, space),
        ReplyKind::BareAction => actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", "),
        ReplyKind::WrongCase => altered("I ignore the case of letters.", &swap_case),
        ReplyKind::Prose => {
            altered("I answer in a sentence.", &|name| format!("I think it is best to go {name} now"))
        }
        ReplyKind::TwoActions => {
            altered("I choose two actions at once.", &|name| two_actions(name, form.list, space))
        }
        ReplyKind::UnknownAction => form.write(
            "I choose an action that does not exist.",
            &with_unknown_action(form.list, actions, space),
            space,
        ),
        ReplyKind::OpenFence => form.write("I open a code fence.", &with_open_fence(actions), space),
        ReplyKind::Empty => String::new(),
        ReplyKind::VeryLong => {
            "Nothing has changed since then. ".chars().cycle().take(LONG_REPLY_BYTES).collect()
        }
        ReplyKind::ControlCharacters => {
            altered(CONTROL_CHARACTERS, &|name| format!("\u{1b}[31m{name}\u{1b}[0m"))
        }
        ReplyKind::Argument(mistake) => {
            let wrong = |action: &Action| mistake.make(action, space.spec(&action.name)?);
            form.write(mistake.reason(), &actions.iter().filter_map(wrong).collect::<Vec<_>>(), space)
        }
    }
}

/// Clears the screen, sets the window title, changes the reading order, rings the bell, has a zero-width space.
const CONTROL_CHARACTERS: &str =
    "\u{1b}[2J\u{1b}]0;faulty\u{7}\u{9b}1mI \u{202e}steer\u{202c} the\u{200b} terminal.\u{8}\r\0";

fn swap_case(name: &str) -> String {
    let lower = name.to_lowercase();
    if lower == name { name.to_uppercase() } else { lower }
}

/// The action and another one, separated by a comma; in a list by a space.
fn two_actions(name: &str, list: bool, space: &ActionSpace) -> String {
    let other = space.specs().iter().map(|spec| spec.example().to_string()).find(|other| other != name);
    let other = other.unwrap_or_else(|| name.to_owned());
    if list { format!("{name} {other}") } else { format!("{name}, {other}") }
}

/// An action outside the space, in a list followed by the others.
fn with_unknown_action(list: bool, actions: &[Action], space: &ActionSpace) -> Vec<Action> {
    let mut name = "Teleport".to_owned();
    while space.find(&name).is_some() {
        name.push('!');
    }
    let others = if list { actions } else { &[] };
    std::iter::once(Action::plain(name)).chain(others.iter().cloned()).collect()
}

/// The actions, the first one after a code fence.
fn with_open_fence(actions: &[Action]) -> Vec<Action> {
    let opened = |(index, action): (usize, &Action)| match index {
        0 => Action::plain(format!("```\n{action}")),
        _ => action.clone(),
    };
    actions.iter().enumerate().map(opened).collect()
}
