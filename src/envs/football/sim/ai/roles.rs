//! What a role means to the AI.

use crate::PlayerRole;

/// How much a role thinks of attack: 0 keeper and centre back, 1 centre forward.
pub(super) fn mindset(role: PlayerRole) -> f64 {
    match role {
        PlayerRole::Gk | PlayerRole::Cb => 0.0,
        PlayerRole::Lb | PlayerRole::Rb | PlayerRole::Dm => 0.25,
        PlayerRole::Lm | PlayerRole::Cm | PlayerRole::Rm => 0.5,
        PlayerRole::Am => 0.75,
        PlayerRole::Cf => 1.0,
    }
}

/// The line of a role, which sets how it weighs its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Defence,
    Midfield,
    Attack,
}

/// The line of a role; keepers have tasks of their own and count as defence.
pub(super) fn line(role: PlayerRole) -> Line {
    match role {
        PlayerRole::Gk | PlayerRole::Cb | PlayerRole::Lb | PlayerRole::Rb => Line::Defence,
        PlayerRole::Dm | PlayerRole::Cm | PlayerRole::Lm | PlayerRole::Rm | PlayerRole::Am => Line::Midfield,
        PlayerRole::Cf => Line::Attack,
    }
}

/// Numbers by which a line weighs its tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// How much a player far from the ball sticks to his own slot rather than to the one he fills.
    pub(super) own_slot: f64,
    /// The moods (less 0.5) between which support in attack grows from nothing to all.
    pub(super) support: [f64; 2],
    /// Support above this allows a run.
    pub(super) run: f64,
    /// Marking counts by this less mindset and mood.
    pub(super) marking: f64,
    /// Whether the line is held level.
    pub(super) level: bool,
}

impl Line {
    pub(super) const fn weights(self) -> Weights {
        match self {
            Self::Defence => {
                Weights { own_slot: 1.0, support: [0.2, 0.9], run: 2.0, marking: 1.9, level: true }
            }
            Self::Midfield => {
                Weights { own_slot: 0.9, support: [0.1, 0.7], run: 0.9, marking: 1.5, level: true }
            }
            Self::Attack => {
                Weights { own_slot: 0.8, support: [0.1, 0.6], run: 0.7, marking: 1.3, level: false }
            }
        }
    }
}
