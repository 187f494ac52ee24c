//! Distances to the goal along a recorded episode.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use mageyard_config::Config;
use mageyard_domain::{EnvironmentSpec, SearchLimits};
use mageyard_engine::{Distance, DistanceSearch, Distances, Episode, Head};

/// Searches the distance of every state of an episode, within the solver limits of its environment and the
/// `screen.distance_time` setting; `None` if there is no solver.
pub async fn search_distances(
    spec: &'static dyn EnvironmentSpec,
    episode: &Episode,
    config: &Config,
) -> Option<Distances> {
    let mut distance_search = DistanceSearch::new(spec, Some(search_limits(spec, episode.head(), config)));
    distance_search.add_steps(episode.steps());
    let distances = distance_search.search_all().await.clone();
    distance_search.is_enabled().then_some(distances)
}

/// The limits of a distance search: the solver limits of the episode's environment and the
/// `screen.distance_time` setting.
pub fn search_limits(spec: &dyn EnvironmentSpec, head: &Head, config: &Config) -> SearchLimits {
    let seconds = config.settings().screen.distance_time;
    let limits =
        spec.capabilities().tools.solver.map_or(SearchLimits::NONE, |solver| solver.limits(&head.options));
    SearchLimits { time: (seconds > 0).then(|| Duration::from_secs(seconds)), ..limits }
}

/// With `--distance`, the distance to the goal after a step.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DistanceAfter {
    /// Length of a shortest solution after the step; null if none or unknown.
    pub remaining: Option<u32>,
    /// Extra moves so far, compared with a shortest solution.
    pub wasted: Option<u32>,
    /// Extra moves of this step; 0 on a shortest path.
    pub off_path: Option<u32>,
    /// Whether the state is proven dead.
    pub lost: bool,
    /// Why the distance is unknown.
    pub unknown: Option<String>,
}

impl DistanceAfter {
    /// The distance after this many steps, at least one.
    pub fn after(distances: &Distances, steps: usize) -> Self {
        let (remaining, unknown) = match distances.at(steps) {
            Some(Distance::Exact(actions)) => (Some(*actions), None),
            Some(Distance::Unknown(why)) => (None, Some(why.to_string())),
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
            (Some(left), Some(wasted)) => {
                let moves = if wasted == 1 { "extra move" } else { "extra moves" };
                write!(f, "distance {left}, {wasted} {moves}")
            }
            (Some(left), None) => write!(f, "distance {left}"),
            _ if self.lost => f.write_str("dead state"),
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
    fn an_unknown_distance_says_why() {
        let found =
            vec![Some(Distance::Exact(2)), Some(Distance::Unknown("gave up after 9 states".into())), None];
        let way = |steps| DistanceAfter::after(&Distances::new(found.clone(), false), steps);
        assert_eq!(way(1).to_string(), "distance unknown: gave up after 9 states");
        assert_eq!((way(1).remaining, way(1).lost, way(1).unknown.is_some()), (None, false, true));
        assert_eq!(way(2).to_string(), "distance unknown");
    }
}
