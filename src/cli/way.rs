//! How far the goal was along an episode, for the verbs that search it when they are asked to.

use std::fmt;

use serde::Serialize;

use super::stage;
use crate::config::Config;
use crate::domain::Kind;
use crate::engine::Distance;
use crate::engine::Distances;
use crate::engine::Episode;
use crate::engine::Gauge;

/// Searches every state of an episode, within the limits that its environment has for its solver and the clock
/// of the screen; `None` where there is no solver.
pub(super) async fn searched(
    kind: &'static dyn Kind,
    episode: &Episode,
    config: &Config,
) -> Option<Distances> {
    let mut gauge = Gauge::new(kind, Some(stage::allowance(episode.head(), config)));
    let distances = gauge.all(episode.steps()).await;
    gauge.is_on().then_some(distances)
}

/// What is told of the way after a step.
#[derive(Serialize)]
pub(super) struct Way {
    /// Actions of a shortest way home; `None` where there is none or a limit came before it.
    pub(super) remaining: Option<u32>,
    /// Actions so far that a best play would not have needed.
    pub(super) wasted: Option<u32>,
    /// Those of this step alone; 0 for one that kept to the best path.
    pub(super) off_path: Option<u32>,
    /// Whether no way home is left, which is proven.
    pub(super) lost: bool,
}

impl Way {
    /// The way after so many steps, at least one.
    pub(super) fn after(distances: &Distances, steps: usize) -> Self {
        let remaining = match distances.at(steps) {
            Some(Distance::ToGo(actions)) => Some(*actions),
            _ => None,
        };
        Self {
            remaining,
            wasted: distances.wasted(steps),
            off_path: steps.checked_sub(1).and_then(|index| distances.waste(index)),
            lost: distances.at(steps) == Some(&Distance::Lost),
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.remaining, self.wasted) {
            (Some(left), Some(wasted)) => write!(f, "{left} left, {wasted} wasted"),
            (Some(left), None) => write!(f, "{left} left"),
            _ if self.lost => f.write_str("lost"),
            _ => f.write_str("distance unknown"),
        }
    }
}
