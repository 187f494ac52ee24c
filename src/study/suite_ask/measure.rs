//! What is measured of the answers to a state.

use std::fmt;

use super::state::JudgedState;
use crate::ActionVerdict;

/// A property of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// It is right: one of the accepted actions, else by the verdict of the environment, else optimal, else the action that
    /// was recorded.
    Accepted,
    /// It can be read.
    Readable,
    /// It changes the state.
    Legal,
    /// A shortest way to the goal goes on with it.
    Optimal,
    /// It is legal and not optimal, and the goal is still in reach.
    Wasteful,
    /// The goal is out of reach afterwards.
    Losing,
    /// It is the mistake that the state tempts to.
    Mistake,
}

/// All measures, in the order in which they are shown.
pub const MEASURES: [Measure; 7] = [
    Measure::Accepted,
    Measure::Readable,
    Measure::Legal,
    Measure::Optimal,
    Measure::Wasteful,
    Measure::Losing,
    Measure::Mistake,
];

impl Measure {
    /// The name, as a person writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Readable => "readable",
            Self::Legal => "legal",
            Self::Optimal => "optimal",
            Self::Wasteful => "wasteful",
            Self::Losing => "losing",
            Self::Mistake => "mistake",
        }
    }

    /// Whether an answer has the property; `None` if that cannot be judged in the state. A reply that cannot be read has none.
    pub fn is_met(self, state: &JudgedState, answer: Option<&str>) -> Option<bool> {
        let verdict = || answer.and_then(|answer| state.verdicts.as_ref()?.get(answer).copied());
        let is = |wanted: ActionVerdict| state.has_distances().then(|| verdict() == Some(wanted));
        let is_among =
            |actions: &[String]| answer.is_some_and(|answer| actions.iter().any(|one| one == answer));
        match self {
            Self::Readable => Some(answer.is_some()),
            Self::Legal => state
                .verdicts
                .as_ref()
                .map(|_| verdict().is_some_and(|verdict| verdict != ActionVerdict::Illegal)),
            Self::Optimal => is(ActionVerdict::Optimal),
            Self::Wasteful => is(ActionVerdict::Wasteful),
            Self::Losing => is(ActionVerdict::Losing),
            Self::Accepted => state.accepted.as_ref().map(|accepted| accepted.has(answer)),
            Self::Mistake => (!state.mistake.is_empty()).then(|| is_among(&state.mistake)),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
