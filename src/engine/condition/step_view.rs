//! What a condition sees of a step: its numbers and texts.

use std::borrow::Cow;

use super::asker::Asker;
use super::expression::{Match, Quantity, TextField};
use super::known::Known;
use crate::annotations::StepAnnotations;
use crate::attempt::Attempt;
use crate::distance::{Distance, Distances};
use crate::error_analysis::{ErrorAnalysis, FinishedStep};
use crate::head::Head;
use crate::step::{Step, Steps};
use mageyard_domain::{Cost, TokenTotals, Usage};

/// The longest part of a text that a reason repeats, in characters.
const MAX_QUOTE: usize = 60;

/// Why a condition is unknown that needs a distance.
pub const UNKNOWN_DISTANCE: &str = "the distance is unknown";

/// A step of an episode, with what is known about it.
#[derive(Clone, Copy)]
pub struct StepView<'a> {
    /// The head of the episode.
    pub head: &'a Head,
    /// The steps of the episode.
    pub steps: &'a Steps,
    /// The prompt of the next request.
    pub prompt: &'a str,
    /// The step and its marks. A mark that continues counts only if it is not among those.
    pub step: FinishedStep,
    /// Whether the step is finished, so that its distance is that of the state after it.
    pub is_finished: bool,
    /// The errors of the episode so far.
    pub errors: &'a ErrorAnalysis,
    /// The distances that are known.
    pub distances: &'a Distances,
    /// What is known beside the episode.
    pub known: &'a Known,
    /// The tags and comments of the step, if it has some and the condition asks for them.
    pub annotations: Option<&'a StepAnnotations>,
}

/// A number of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    Exact(f64),
    /// At least this much, because a part is unknown.
    AtLeast(f64),
    /// The goal is out of reach: more than any number of moves.
    Endless,
    /// Not known before a distance is.
    NeedsDistance,
    /// Unknown, for this reason.
    Unknown(String),
}

impl<'a> StepView<'a> {
    /// The step; `None` if there is none at this index.
    pub(super) fn shown(&self) -> Option<&'a Step> {
        self.steps.get(self.step.index).map(AsRef::as_ref)
    }

    /// Its number, from 1.
    pub fn number(&self) -> u32 {
        u32::try_from(self.step.index + 1).unwrap_or(u32::MAX)
    }

    pub(super) fn number_of(&self, quantity: Quantity) -> Reading {
        let Some(step) = self.shown() else { return Reading::Unknown("there is no such step".to_owned()) };
        match quantity {
            Quantity::Step => Reading::Exact(step.number.into()),
            Quantity::Reward => Reading::Exact(step.effect.as_ref().map_or(0.0, |effect| effect.reward)),
            Quantity::Sum => Reading::Exact(step.returns.sum),
            Quantity::RewardDrop => Reading::Exact((self.sum_before() - step.returns.sum).max(0.0)),
            Quantity::Tokens(asker) => tokens(asker.spent(step), Usage::total),
            Quantity::TokensIn(asker) => tokens(asker.spent(step), |usage| usage.input),
            Quantity::TokensOut(asker) => tokens(asker.spent(step), |usage| usage.output),
            Quantity::Attempts => {
                Reading::Exact(whole(step.attempts.iter().filter(|attempt| attempt.counts()).count()))
            }
            Quantity::Dropped => Reading::Exact(whole(step.dropped())),
            Quantity::Distance => self.distance(),
            Quantity::Cost(asker) => self.cost(step, asker),
            Quantity::Latency => latency(step),
            Quantity::Am => Reading::Exact(step.window.am().into()),
            Quantity::Om => Reading::Exact(step.window.om().into()),
        }
    }

    fn sum_before(&self) -> f64 {
        let before = self.step.index.checked_sub(1).and_then(|index| self.steps.get(index));
        before.map_or(0.0, |step| step.returns.sum)
    }

    fn distance(&self) -> Reading {
        let index = self.step.index + usize::from(self.is_finished);
        match self.distances.at(index) {
            Some(Distance::Exact(moves)) => Reading::Exact((*moves).into()),
            Some(Distance::Unreachable) => Reading::Endless,
            Some(Distance::Unknown(_)) => Reading::Unknown(UNKNOWN_DISTANCE.to_owned()),
            None if self.distances.is_pending(index) => Reading::NeedsDistance,
            None => Reading::Unknown(UNKNOWN_DISTANCE.to_owned()),
        }
    }

    fn cost(&self, step: &Step, asker: Asker) -> Reading {
        let prices = &self.known.prices;
        let is_priced = |model: Option<&str>| model.is_some_and(|model| prices.find(model).is_some());
        match asker.cost(step, self.head, prices) {
            Cost::NoRequests => Reading::Exact(0.0),
            Cost::Known { amount, unknown, .. } => {
                let amount = amount.to_string().parse().unwrap_or(f64::INFINITY);
                if unknown == 0 { Reading::Exact(amount) } else { Reading::AtLeast(amount) }
            }
            Cost::Unknown => {
                Reading::Unknown(match asker.models(step, self.head).find(|model| !is_priced(*model)) {
                    Some(model) => format!("no price of {} is known", model.unwrap_or("the model")),
                    None => "the tokens of its requests are unknown".to_owned(),
                })
            }
        }
    }

    fn tags(&self) -> impl Iterator<Item = Cow<'a, str>> {
        self.annotations.into_iter().flat_map(StepAnnotations::tag_names).map(Cow::Borrowed)
    }

    fn comments(&self) -> impl Iterator<Item = Cow<'a, str>> {
        let all = self.annotations.into_iter().flat_map(|own| &own.comments);
        all.map(|comment| Cow::Borrowed(comment.text.as_str()))
    }

    /// The texts of this field, of which one must match; none if the step has none.
    pub(super) fn texts(&self, field: TextField) -> Vec<Cow<'a, str>> {
        let Some(step) = self.shown() else { return Vec::new() };
        let one = |text: &'a str| vec![Cow::Borrowed(text)];
        match field {
            TextField::Action => step.action.iter().map(|action| Cow::Owned(action.to_string())).collect(),
            TextField::Text => {
                let replies = step.attempts.iter().filter(|attempt| attempt.counts());
                replies.map(|attempt| Cow::Borrowed(&*attempt.reply)).collect()
            }
            TextField::Seen => one(step.observation.text()),
            TextField::Url => {
                let url = step.observation.facts().get("url").and_then(serde_json::Value::as_str);
                url.map(Cow::Borrowed).into_iter().collect()
            }
            TextField::Note => {
                step.effect.iter().filter_map(|effect| effect.note.as_deref()).map(Cow::Borrowed).collect()
            }
            TextField::Agent => one(&step.agent.name),
            TextField::Model => step.agent.model.as_deref().map(Cow::Borrowed).into_iter().collect(),
            TextField::Prompt => {
                let sent = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
                vec![Cow::Borrowed(sent.map_or(self.prompt, |version| version.prompt.as_str()))]
            }
            TextField::Environment => one(&self.head.environment),
            TextField::Level => one(&self.head.reference),
            TextField::Reader => one(self.head.rules.name()),
            TextField::Role => step.side.iter().map(|one| Cow::Borrowed(one.role().name())).collect(),
            TextField::Tag => self.tags().collect(),
            TextField::Comment => self.comments().collect(),
        }
    }
}

/// The part of the tokens of requests that `count` gives.
fn tokens(spent: TokenTotals, count: impl Fn(Usage) -> u64) -> Reading {
    #[expect(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^53")]
    let known = count(spent.usage) as f64;
    match spent.unmetered {
        0 => Reading::Exact(known),
        _ if spent.is_unknown() => Reading::Unknown("the tokens of its requests are unknown".to_owned()),
        _ => Reading::AtLeast(known),
    }
}

/// The longest time that a reply of a step took.
fn latency(step: &Step) -> Reading {
    let is_complete = |attempt: &&Attempt| attempt.sent.is_some() && !attempt.cancelled;
    let mut replies = step.attempts.iter().filter(is_complete).map(|attempt| attempt.latency_ms).peekable();
    if replies.peek().is_none() {
        return Reading::Exact(0.0);
    }
    let (known, unknown): (Vec<_>, Vec<_>) = replies.partition(Option::is_some);
    let longest = known.into_iter().flatten().max().map(f64::from);
    match longest {
        Some(longest) if unknown.is_empty() => Reading::Exact(longest),
        Some(longest) => Reading::AtLeast(longest),
        None => Reading::Unknown("the recording does not have the times of its replies".to_owned()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of steps are far below 2^53")]
pub(super) fn whole(count: usize) -> f64 {
    count as f64
}

/// A number as a reason says it, without the noise of sums of decimal fractions.
pub(super) fn figure(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    let noise = (value - rounded).abs() < 1e-9;
    format!("{}", if noise { rounded + 0.0 } else { value })
}

impl Match {
    /// Whether one of these texts matches. `names` also match as a whole.
    pub(super) fn holds(&self, texts: &[Cow<'_, str>], is_action: bool) -> bool {
        let equal = |wanted: &str| {
            texts.iter().any(|text| {
                let name = text.split(['(', ' ']).next().unwrap_or_default();
                same(text, wanted) || (is_action && same(name, wanted))
            })
        };
        match self {
            Self::Equal(wanted) => equal(wanted),
            Self::Unequal(wanted) => !equal(wanted),
            Self::Contains(part) => {
                let part = part.to_lowercase();
                texts.iter().any(|text| text.to_lowercase().contains(&part))
            }
            Self::Pattern(pattern) => texts.iter().any(|text| pattern.find(text).is_some()),
        }
    }

    /// What the texts say about it, as a sentence.
    pub(super) fn words(&self, field: TextField, texts: &[Cow<'_, str>], holds: bool) -> String {
        let name = match field {
            TextField::Text => "reply",
            TextField::Seen => "observation",
            TextField::Url => "address",
            field => field.name(),
        };
        let is_long =
            matches!(field, TextField::Text | TextField::Seen | TextField::Note | TextField::Comment);
        match (self, texts.first()) {
            (_, None) => format!("there is no {name}"),
            (Self::Pattern(pattern), _) if holds => {
                let found = texts.iter().find_map(|text| pattern.find(text)).unwrap_or_default();
                format!("the {name} has {:?}", shortened(found))
            }
            (Self::Contains(part), _) if is_long => {
                format!("the {name} {} {:?}", if holds { "has" } else { "does not have" }, shortened(part))
            }
            (Self::Pattern(_), _) if is_long => format!("the {name} does not match"),
            (_, Some(_)) if matches!(field, TextField::Tag | TextField::Role) && texts.len() > 1 => {
                format!("the {name}s are {}", shortened(&texts.join(", ")))
            }
            (_, Some(text)) => format!("the {name} is {}", shortened(text)),
        }
    }
}

/// Whether both are the same text, apart from upper and lower case and spaces around it.
fn same(text: &str, wanted: &str) -> bool {
    text.trim().to_lowercase() == wanted.trim().to_lowercase()
}

fn shortened(text: &str) -> String {
    let mut letters = text.trim().chars();
    let start: String = letters.by_ref().take(MAX_QUOTE).collect();
    if letters.next().is_some() { format!("{start}…") } else { start }
}
