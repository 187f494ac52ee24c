//! The agent that makes every known mistake of a reply, with good replies in between, so that readers,
//! retries, panes and reports can be tried without a model. It says what it is asked to say or spoils it;
//! what a reader makes of that is not known here.

use std::time::Duration;

use async_trait::async_trait;

use super::lots::Lots;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Agent;
use crate::domain::AgentError;
use crate::domain::Answer;
use crate::domain::Ask;
use crate::domain::Form;
use crate::domain::News;

/// A sort of reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Good,
    /// Good, but it comes piece by piece.
    Drip,
    /// The action without the form around it.
    Bare,
    /// Small letters in place of capitals, or the other way round.
    Case,
    /// A sentence where the action should stand.
    Prose,
    /// Two actions in the place of one.
    Two,
    /// An action that does not exist.
    Unknown,
    /// A fence that is opened before the action and never closed.
    Fence,
    Empty,
    /// Very much text and no action.
    Flood,
    /// Characters that would steer a terminal or turn the reading order.
    Steering,
}

/// What is drawn from: about every other reply is spoilt, so that now and then all attempts of a step are.
const SORTS: [Sort; 18] = [
    Sort::Good,
    Sort::Good,
    Sort::Good,
    Sort::Good,
    Sort::Good,
    Sort::Good,
    Sort::Good,
    Sort::Good,
    Sort::Drip,
    Sort::Bare,
    Sort::Case,
    Sort::Prose,
    Sort::Two,
    Sort::Unknown,
    Sort::Fence,
    Sort::Empty,
    Sort::Flood,
    Sort::Steering,
];

/// Steps for which it may get stuck in one action: longer than any usual threshold for repetition.
const STRETCH: u32 = 12;
/// Of so many stretches it is stuck in one.
const STUCK: [bool; 4] = [true, false, false, false];
/// Actions in a list, at most.
const PLAN: u32 = 50;
/// Bytes of a flood.
const FLOOD: usize = 100_000;
/// Pieces of a reply that drips, at most, and the pause before each.
const PIECES: usize = 16;
const PAUSE: Duration = Duration::from_millis(60);

/// What a draw is for, so that no two draws are the same lot.
const FOR_SORT: u32 = 0;
const FOR_ACTION: u32 = 1;
const FOR_STRETCH: u32 = 2;
const FOR_STUCK: u32 = 3;

/// Decides by seed, level, step and attempt alone.
pub(super) struct Faulty {
    lots: Lots,
}

impl Faulty {
    pub(super) fn new(seed: u64, salt: &str) -> Self {
        Self { lots: Lots::new(seed, salt) }
    }

    /// The sort of reply and its actions; `None` when nothing is allowed.
    fn choose(&self, ask: &Ask<'_>) -> Option<(Sort, Vec<Action>)> {
        let (stretch, verbs) = (ask.step.saturating_sub(1) / STRETCH, ask.space.verbs());
        let stuck = *self.lots.pick(&[FOR_STRETCH, stretch], &STUCK)?;
        let action = |index| {
            let own = [FOR_ACTION, ask.step, ask.attempt, index];
            let same = [FOR_STUCK, stretch];
            let verb = self.lots.pick(if stuck { &same } else { &own }, verbs)?;
            Some(Action::plain(verb.name.clone()))
        };
        let count = if ask.form.list { ask.steps_left.clamp(1, PLAN) } else { 1 };
        let actions = (0..count).map(action).collect::<Option<_>>()?;
        let drawn = self.lots.pick(&[FOR_SORT, ask.step, ask.attempt], &SORTS)?;
        Some((if stuck { Sort::Good } else { *drawn }, actions))
    }
}

#[async_trait]
impl Agent for Faulty {
    async fn decide(&mut self, ask: Ask<'_>) -> Result<Answer, AgentError> {
        let Some((sort, actions)) = self.choose(&ask) else { return Ok(Answer::Stood) };
        let text = said(sort, ask.form, &actions, ask.space);
        if sort == Sort::Drip {
            drip(&text, &ask).await;
        }
        Ok(Answer::Said(text.into()))
    }
}

async fn drip(text: &str, ask: &Ask<'_>) {
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(chars.len().div_ceil(PIECES).max(1)) {
        tokio::time::sleep(PAUSE).await;
        ask.line.tell(News::Text(piece.iter().collect()));
    }
}

/// The reply of this sort that these actions make.
fn said(sort: Sort, form: &Form, actions: &[Action], space: &ActionSpace) -> String {
    let spoilt = |reason: &str, change: &dyn Fn(&str) -> String| {
        let actions: Vec<Action> = actions.iter().map(|action| Action::plain(change(&action.name))).collect();
        form.write(reason, &actions)
    };
    match sort {
        Sort::Good => form.write("I keep to the form.", actions),
        Sort::Drip => form.write("I keep to the form, but I take my time over every single word.", actions),
        Sort::Bare => actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", "),
        Sort::Case => spoilt("I do not mind capitals.", &other_case),
        Sort::Prose => {
            spoilt("I say it in a sentence.", &|name| format!("I think it is best to go {name} now"))
        }
        Sort::Two => spoilt("I do two things at once.", &|name| two(name, form.list, space)),
        Sort::Unknown => {
            form.write("I do what nobody has thought of.", &with_unknown(form.list, actions, space))
        }
        Sort::Fence => form.write("I open a fence.", &fenced(actions)),
        Sort::Empty => String::new(),
        Sort::Flood => "The box stands where it stood. ".chars().cycle().take(FLOOD).collect(),
        Sort::Steering => spoilt(STEERING, &|name| format!("\u{1b}[31m{name}\u{1b}[0m")),
    }
}

/// Clears a screen, renames a window, turns the reading order, rings, and hides in a zero width.
const STEERING: &str =
    "\u{1b}[2J\u{1b}]0;faulty\u{7}\u{9b}1mI \u{202e}steer\u{202c} the\u{200b} terminal.\u{8}\r\0";

fn other_case(name: &str) -> String {
    let lower = name.to_lowercase();
    if lower == name { name.to_uppercase() } else { lower }
}

/// The action and another one: in a list, where a comma would part them, with a space between.
fn two(name: &str, list: bool, space: &ActionSpace) -> String {
    let other = space.names().find(|other| *other != name).unwrap_or(name);
    if list { format!("{name} {other}") } else { format!("{name}, {other}") }
}

/// An action that the space does not have, and in a list the others behind it.
fn with_unknown(list: bool, actions: &[Action], space: &ActionSpace) -> Vec<Action> {
    let mut name = "Teleport".to_owned();
    while space.find(&name).is_some() {
        name.push('!');
    }
    let others = if list { actions } else { &[] };
    std::iter::once(Action::plain(name)).chain(others.iter().cloned()).collect()
}

/// The actions, the first one behind a fence.
fn fenced(actions: &[Action]) -> Vec<Action> {
    let opened = |(index, action): (usize, &Action)| match index {
        0 => Action::plain(format!("```\n{}", action.name)),
        _ => action.clone(),
    };
    actions.iter().enumerate().map(opened).collect()
}
