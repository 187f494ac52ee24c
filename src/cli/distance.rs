//! How far the goal was along an episode, for the verbs that search it when they are asked to.

use std::fmt;

use serde::Serialize;

use super::episode_builder;
use crate::config::Config;
use crate::domain::EnvironmentSpec;
use crate::engine::Distance;
use crate::engine::DistanceSearch;
use crate::engine::Distances;
use crate::engine::Episode;

/// Searches every state of an episode, within the limits that its environment has for its solver and the clock
/// of the screen; `None` where there is no solver.
pub(super) async fn search_distances(
    kind: &'static dyn EnvironmentSpec,
    episode: &Episode,
    config: &Config,
) -> Option<Distances> {
    let mut gauge = DistanceSearch::new(kind, Some(episode_builder::search_limits(episode.head(), config)));
    let distances = gauge.search_all(episode.steps()).await;
    gauge.is_enabled().then_some(distances)
}

/// What is told of the way after a step.
#[derive(Serialize)]
pub(super) struct DistanceAfter {
    /// Actions of a shortest way home; `None` where there is none or a limit came before it.
    pub(super) remaining: Option<u32>,
    /// Actions so far that a best play would not have needed.
    pub(super) wasted: Option<u32>,
    /// Those of this step alone; 0 for one that kept to the best path.
    pub(super) off_path: Option<u32>,
    /// Whether no way home is left, which is proven.
    pub(super) lost: bool,
    /// Why neither is known, where a limit came first.
    pub(super) unknown: Option<String>,
}

impl DistanceAfter {
    /// The way after so many steps, at least one.
    pub(super) fn after(distances: &Distances, steps: usize) -> Self {
        let (remaining, unknown) = match distances.at(steps) {
            Some(Distance::Exact(actions)) => (Some(*actions), None),
            Some(Distance::Unknown(why)) => (None, Some(why.clone())),
            Some(Distance::Unreachable) | None => (None, None),
        };
        Self {
            remaining,
            wasted: distances.total_extra_moves(steps),
            off_path: steps.checked_sub(1).and_then(|index| distances.extra_moves(index)),
            lost: distances.at(steps) == Some(&Distance::Unreachable),
            unknown,
        }
    }
}

impl fmt::Display for DistanceAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.remaining, self.wasted) {
            (Some(left), Some(wasted)) => write!(f, "{left} left, {wasted} wasted"),
            (Some(left), None) => write!(f, "{left} left"),
            _ if self.lost => f.write_str("lost"),
            _ => match &self.unknown {
                Some(why) => write!(f, "distance unknown: {why}"),
                None => f.write_str("distance unknown"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_says_why() {
        let found =
            vec![Some(Distance::Exact(2)), Some(Distance::Unknown("gave up after 9 states".into())), None];
        let way = |steps| DistanceAfter::after(&Distances::new(found.clone(), false), steps);
        assert_eq!(way(1).to_string(), "distance unknown: gave up after 9 states");
        assert_eq!((way(1).remaining, way(1).lost, way(1).unknown.is_some()), (None, false, true));
        assert_eq!(way(2).to_string(), "distance unknown");
    }
}
