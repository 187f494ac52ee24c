//! Plans that the search tries: something at first, then the game's own player until the end. What is left of a plan after
//! its first decision is a plan of the next search again, so the best value never falls.

use std::fmt;

use crate::world::Play;
use crate::{EngineAction, FRAME_LIMIT};

/// Runs end at frames that are multiples of this.
const STRIDE: u32 = 20;
/// How many ends of a run are tried.
const ENDS: u32 = 3;
/// The directions that are tried: not back.
const DIRECTIONS: [EngineAction; 5] = [
    EngineAction::Right,
    EngineAction::TopRight,
    EngineAction::BottomRight,
    EngineAction::Top,
    EngineAction::Bottom,
];
/// The buttons of a kick.
const KICKS: [EngineAction; 4] =
    [EngineAction::ShortPass, EngineAction::LongPass, EngineAction::HighPass, EngineAction::Shot];

/// A plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Plan {
    /// The game's own player.
    Builtin,
    /// Sprint in this direction until a frame.
    Run { direction: EngineAction, until: u32 },
    /// Kick, first held in this direction.
    Kick { direction: Option<EngineAction>, button: EngineAction },
}

impl Plan {
    /// The plans at this moment, the game's own player first.
    pub(super) fn all(play: &Play) -> Vec<Self> {
        let directions = DIRECTIONS.into_iter();
        let first = play.frames() / STRIDE + 1;
        let ends = (first..first + ENDS).map(|end| end * STRIDE).filter(|until| *until <= FRAME_LIMIT);
        let runs = directions
            .clone()
            .flat_map(|direction| ends.clone().map(move |until| Self::Run { direction, until }));
        let aims = std::iter::once(None).chain(directions.map(Some));
        let kicks = KICKS
            .into_iter()
            .flat_map(|button| aims.clone().map(move |direction| Self::Kick { direction, button }));
        std::iter::once(Self::Builtin).chain(runs).chain(kicks).collect()
    }

    /// The next decision, and what is left of the plan after it.
    pub(super) fn next(self, play: &Play) -> (EngineAction, Self) {
        let sticky = play.state().sticky;
        match self {
            Self::Run { until, .. } if play.frames() < until && !sticky.sprint() => {
                (EngineAction::Sprint, self)
            }
            Self::Run { direction, until } if play.frames() < until => (direction, self),
            Self::Kick { direction: Some(direction), button } => {
                (direction, Self::Kick { direction: None, button })
            }
            Self::Kick { direction: None, button } => (button, Self::Builtin),
            Self::Builtin | Self::Run { .. } => (EngineAction::BuiltinAi, Self::Builtin),
        }
    }

    /// The reward of the plan from this moment to the end of the episode.
    pub(super) fn value(self, play: &Play) -> f64 {
        let mut play = play.clone();
        let mut rest = self;
        let mut sum = 0.0;
        while play.ending().is_none() {
            let (action, after) = rest.next(&play);
            sum += play.decide(action, |_| {}).reward();
            rest = after;
        }
        sum
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |action: &EngineAction| action.name().trim_start_matches("action_").replace('_', " ");
        match self {
            Self::Builtin => f.write_str("let the game's own player decide"),
            Self::Run { direction, until } => write!(f, "sprint {} until frame {until}", words(direction)),
            Self::Kick { direction: Some(direction), button } => {
                write!(f, "turn {} and play a {}", words(direction), words(button))
            }
            Self::Kick { direction: None, button } => write!(f, "play a {}", words(button)),
        }
    }
}
