//! Distances to the goal over episodes: extra moves of solved episodes and the step at which others reached a
//! dead state.

use schemars::JsonSchema;
use serde::Serialize;

use mageyard_config::Config;
use mageyard_engine::{Distances, EpisodeSummary, Head};
use mageyard_lab::StoredSession;
use mageyard_statistics::mean;

/// The cell of a missing value.
const NOTHING: &str = "–";

/// Extra moves and dead states, as output has them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "distances")]
pub struct DistanceFields {
    /// Mean extra moves of solved episodes.
    pub wasted_mean: Option<f64>,
    /// Solved episodes.
    pub solved: Vec<ExtraMoves>,
    /// Episodes in a dead state.
    pub lost: Vec<DeadState>,
    /// Unsolved episodes whose goal can still be reached.
    pub within_reach: usize,
    /// Episodes whose distance is unknown.
    pub unknown: usize,
}

/// A solved episode.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "extra_moves")]
pub struct ExtraMoves {
    /// Reference of the level.
    pub level: String,
    /// Extra moves.
    pub wasted: u32,
}

/// An episode in a dead state.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "dead_state")]
pub struct DeadState {
    /// Reference of the level.
    pub level: String,
    /// Step that led there; 0 if the level cannot be solved.
    pub step: u32,
}

/// Distance counts over episodes.
#[derive(Debug, Default)]
pub struct DistanceStats {
    /// Solved episodes: level and extra moves.
    wasted: Vec<(String, u32)>,
    /// Episodes in a dead state: level and the step that led there; 0 if the level cannot be solved at all.
    lost: Vec<(String, u32)>,
    /// Unsolved episodes whose goal can still be reached.
    within: usize,
    /// Episodes in which the search reached a limit, or which cannot be read.
    unknown: usize,
}

impl DistanceStats {
    /// Adds an episode, finished or not.
    pub(crate) fn add(&mut self, head: &Head, summary: &EpisodeSummary, distances: &Distances) {
        let level = || head.reference.clone();
        let steps = usize::try_from(summary.steps).unwrap_or(usize::MAX);
        match (distances.total_extra_moves(steps), distances.dead_step()) {
            (Some(extra_moves), _) if summary.is_solved() => {
                self.wasted.push((level(), extra_moves));
            }
            (_, Some(step)) => self.lost.push((level(), step)),
            (Some(_), None) => self.within += 1,
            (None, None) => self.unknown += 1,
        }
    }

    /// Adds an episode that cannot be read.
    pub(crate) fn add_unreadable(&mut self) {
        self.unknown += 1;
    }

    /// Whether there are no episodes.
    pub fn is_empty(&self) -> bool {
        self.wasted.len() + self.lost.len() + self.within + self.unknown == 0
    }

    /// The mean extra moves of the solved episodes.
    fn mean(&self) -> Option<f64> {
        mean(self.wasted.iter().map(|(_, wasted)| f64::from(*wasted)))
    }

    /// Its fields in output.
    pub fn fields(&self) -> DistanceFields {
        let wasted = |(level, wasted): &(String, u32)| ExtraMoves { level: level.clone(), wasted: *wasted };
        let lost = |(level, step): &(String, u32)| DeadState { level: level.clone(), step: *step };
        DistanceFields {
            wasted_mean: self.mean(),
            solved: self.wasted.iter().map(wasted).collect(),
            lost: self.lost.iter().map(lost).collect(),
            within_reach: self.within,
            unknown: self.unknown,
        }
    }

    /// The titles of the columns that [`Self::cells`] fills.
    pub const TITLES: [&'static str; 4] = ["solved", "extra moves", "dead state", "other"];

    /// The cells of a table row; single levels are listed only in the JSON output.
    pub fn cells(&self) -> [String; 4] {
        let others = [(self.within, "still solvable"), (self.unknown, "unknown")];
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others = others.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ");
        [self.wasted.len().to_string(), self.extra_moves_text(), self.lost_text(), others]
    }

    /// A short text: `2 solved, 3 extra moves · 1 still solvable`; without counts for a single episode.
    pub fn summary(&self) -> String {
        let one = self.wasted.len() + self.lost.len() + self.within + self.unknown == 1;
        let many = |count: usize, what: &str| match count {
            0 => None,
            1 if one => Some(what.to_owned()),
            count => Some(format!("{count} {what}")),
        };
        let wasted: u32 = self.wasted.iter().map(|(_, wasted)| wasted).sum();
        let lost = match self.lost.as_slice() {
            [] => None,
            [(_, step)] if one && *step > 0 => Some(format!("dead state at step {step}")),
            _ => Some(format!("dead state: {}", self.lost_text())),
        };
        let parts = [
            many(self.wasted.len(), &format!("solved, {wasted} extra moves")),
            lost,
            many(self.within, "still solvable"),
            many(self.unknown, "unknown"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// The mean and the maximum of the extra moves.
    fn extra_moves_text(&self) -> String {
        let most = self.wasted.iter().max_by_key(|(_, wasted)| wasted);
        match (self.mean(), most) {
            (Some(mean), Some((level, most))) if *most > 0 => {
                format!("mean {mean:.2}, most {most} in {level}")
            }
            (Some(mean), _) => format!("mean {mean:.2}"),
            (None, _) => NOTHING.to_owned(),
        }
    }

    /// The number of dead states and their median step.
    fn lost_text(&self) -> String {
        let mut steps: Vec<u32> = self.lost.iter().map(|(_, step)| *step).filter(|step| *step > 0).collect();
        steps.sort_unstable();
        let by = match (steps.as_slice(), steps.get(steps.len().saturating_sub(1) / 2)) {
            ([step], _) => Some(format!("1, at step {step}")),
            (several, Some(half)) => Some(format!("{}, median step {half}", several.len())),
            (_, None) => None,
        };
        let start = self.lost.len() - steps.len();
        let start = (start > 0).then(|| format!("{start} from the start"));
        let told = by.into_iter().chain(start).collect::<Vec<_>>().join("; ");
        if told.is_empty() { NOTHING.to_owned() } else { told }
    }
}

/// The distances of the episodes of a session; an episode whose environment has no solver is skipped.
pub async fn session_distances(session: &StoredSession, config: &Config) -> DistanceStats {
    let mut stats = DistanceStats::default();
    for episode in &session.episodes {
        let Ok(restored) = episode.restore().await else {
            stats.add_unreadable();
            continue;
        };
        if let Some(distances) = restored.distances(config).await {
            stats.add(restored.episode.head(), &restored.summary(), &distances);
        }
    }
    stats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(wasted: &[u32], lost: &[u32]) -> DistanceStats {
        let of = |values: &[u32]| {
            (1..).zip(values).map(|(number, value)| (format!("sokoban/mini/{number}"), *value)).collect()
        };
        DistanceStats { wasted: of(wasted), lost: of(lost), within: 2, unknown: 0 }
    }

    #[test]
    fn a_row_has_four_cells_for_any_number_of_episodes() {
        let [solved, wasted, lost, others] = ways(&[0, 7, 2], &[9, 0, 4, 4]).cells();
        assert_eq!((solved.as_str(), others.as_str()), ("3", "2 still solvable"));
        assert_eq!(wasted, "mean 3.00, most 7 in sokoban/mini/2");
        assert_eq!(lost, "3, median step 4; 1 from the start");
        assert_eq!(ways(&[0], &[3]).cells()[1..3], ["mean 0.00", "1, at step 3"]);
        assert_eq!(ways(&[], &[]).cells()[1..3], [NOTHING, NOTHING]);
        assert_eq!(ways(&[], &[0]).cells()[2], "1 from the start");
    }
}
