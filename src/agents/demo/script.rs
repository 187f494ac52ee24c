//! What happens when: all draws of the model, each by seed, level, step and attempt, so that an episode that goes on after a
//! stop is the same as one that never stopped.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::decision::Sight;
use super::settings::{DemoSettings, Shares};
use crate::seeded_choice::SeededChoice;

/// The length in steps of a stretch with one repeated action.
const STRETCH: u32 = 6;

/// The part of the skill that is left without a frame.
const BLIND: f64 = 0.5;

/// The purposes of draws, so that all are independent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    Fate,
    Shape,
    Right,
    Slip,
    Loop,
    LoopAction,
    Words,
    Server,
    Length,
}

/// What becomes of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Readable,
    /// The right decision in a wrong form.
    ParseError(Shape),
    /// An action that does not exist.
    InvalidAction,
    Refused,
    /// It ends at a limit of tokens.
    Cut,
}

/// A wrong form of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    MissingBlock,
    ProseAround,
    WrongVerb,
    TwoActions,
    CodeFence,
    OtherCase,
}

/// All wrong forms.
pub(super) const SHAPES: [Shape; 6] = [
    Shape::MissingBlock,
    Shape::ProseAround,
    Shape::WrongVerb,
    Shape::TwoActions,
    Shape::CodeFence,
    Shape::OtherCase,
];

/// What the server does with a try of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServerMood {
    Answers,
    /// Status 429.
    LimitsRate,
    /// The connection breaks.
    Breaks,
}

/// The draws of one attempt of a step.
#[derive(Clone, Copy)]
pub(super) struct Script<'a> {
    pub(super) choice: &'a SeededChoice,
    pub(super) settings: &'a DemoSettings,
    pub(super) step: u32,
    pub(super) attempt: u32,
}

impl Script<'_> {
    /// What becomes of the reply.
    pub(super) fn fate(&self) -> Fate {
        let Shares { parse_errors, invalid_actions, refusals, cuts, .. } = self.settings.shares;
        let drawn = self.fraction(Purpose::Fate, 0);
        let bounds = [parse_errors, invalid_actions, refusals, cuts];
        match place(drawn, &bounds) {
            Some(0) => Fate::ParseError(self.pick(Purpose::Shape, 0, &SHAPES).unwrap_or(Shape::MissingBlock)),
            Some(1) => Fate::InvalidAction,
            Some(2) => Fate::Refused,
            Some(3) => Fate::Cut,
            _ => Fate::Readable,
        }
    }

    /// What the server does with this try, from 1.
    pub(super) fn server_mood(&self, number: u32) -> ServerMood {
        let Shares { rate_limits, lost_connections, .. } = self.settings.shares;
        match place(self.fraction(Purpose::Server, number), &[rate_limits, lost_connections]) {
            Some(0) => ServerMood::LimitsRate,
            Some(1) => ServerMood::Breaks,
            _ => ServerMood::Answers,
        }
    }

    /// Whether the decision is that of the expert, which it is less often without a frame, and never without one that is needed.
    pub(super) fn is_right(&self, sight: Sight) -> bool {
        let skill = self.settings.skill;
        let share = match sight {
            Sight::Whole => skill,
            Sight::Blind => skill * BLIND,
            Sight::Lost => 0.0,
        };
        self.fraction(Purpose::Right, 0) < share
    }

    /// The purpose of the action that is repeated at this step; `None` if none is.
    pub(super) fn repeated(&self) -> Option<[u32; 2]> {
        let stretch = self.step.saturating_sub(1) / STRETCH;
        let drawn = fraction(self.choice.below(&[Purpose::Loop as u32, stretch], 1 << 32));
        (drawn < self.settings.shares.loops).then_some([Purpose::LoopAction as u32, stretch])
    }

    /// The numbers that make a draw.
    pub(super) fn over(&self, purpose: Purpose, number: u32) -> [u32; 4] {
        [purpose as u32, self.step, self.attempt, number]
    }

    /// One of these.
    pub(super) fn pick<T: Copy>(&self, purpose: Purpose, number: u32, from: &[T]) -> Option<T> {
        self.choice.pick(&self.over(purpose, number), from).copied()
    }

    /// A number from 0 up to 1.
    pub(super) fn fraction(&self, purpose: Purpose, number: u32) -> f64 {
        fraction(self.choice.below(&self.over(purpose, number), 1 << 32))
    }
}

/// The fraction of 2^32.
pub(super) fn fraction(drawn: u64) -> f64 {
    f64::from(u32::try_from(drawn).unwrap_or(u32::MAX)) / (f64::from(u32::MAX) + 1.0)
}

/// The index of the share in which the number lies, if these shares are put one after the other from 0.
pub(super) fn place(drawn: f64, shares: &[f64]) -> Option<usize> {
    let mut bound = 0.0;
    shares.iter().position(|share| {
        bound += share;
        drawn < bound
    })
}
