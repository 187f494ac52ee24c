//! The ways that were gone, held against the best ones: wasted moves of what was solved, and the step that
//! lost the rest.

use serde_json::Value;
use serde_json::json;

use crate::engine::Distances;
use crate::engine::Ending;
use crate::engine::Episode;

/// Finished episodes of a group by their distances.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Solved ones, each with its level and the actions it took beyond the fewest.
    wasted: Vec<(String, u32)>,
    /// Lost ones, each with its level and the step that lost it; 0 for a level that was lost from the start.
    lost: Vec<(String, u32)>,
    /// Those that ended elsewhere with the goal still in reach.
    within: usize,
    /// Those in which a limit came before the proof.
    unknown: usize,
}

impl Ways {
    pub(super) fn add(&mut self, episode: &Episode, ending: Ending, distances: &Distances) {
        let level = || episode.head().reference.clone();
        let steps = usize::try_from(episode.steps_done()).unwrap_or(usize::MAX);
        match (distances.wasted(steps), distances.lost()) {
            (Some(wasted), _) if ending == Ending::Won => self.wasted.push((level(), wasted)),
            (_, Some(step)) => self.lost.push((level(), step)),
            (Some(_), None) => self.within += 1,
            (None, None) => self.unknown += 1,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wasted.len() + self.lost.len() + self.within + self.unknown == 0
    }

    /// The mean over the solved ones.
    fn mean(&self) -> Option<f64> {
        let wasted: Vec<f64> = self.wasted.iter().map(|(_, wasted)| f64::from(*wasted)).collect();
        super::sum::mean(&wasted)
    }

    pub(super) fn object(&self) -> Value {
        let wasted = self.wasted.iter().map(|(level, wasted)| json!({ "level": level, "wasted": wasted }));
        let lost = self.lost.iter().map(|(level, step)| json!({ "level": level, "step": step }));
        json!({
            "wasted_mean": self.mean(), "solved": wasted.collect::<Vec<_>>(),
            "lost": lost.collect::<Vec<_>>(), "within_reach": self.within, "unknown": self.unknown,
        })
    }

    pub(super) const TITLES: [&'static str; 4] = ["solved", "wasted moves", "lost by a step", "others"];

    /// The cells of a row.
    pub(super) fn cells(&self) -> [String; 4] {
        let each = self.wasted.iter().map(|(_, wasted)| wasted.to_string()).collect::<Vec<_>>().join(" ");
        let wasted = self.mean().map_or_else(|| "–".to_owned(), |mean| format!("mean {mean:.2}: {each}"));
        let lost = self.lost.iter().map(|(level, step)| match step {
            0 => format!("{level} from the start"),
            step => format!("{level} at step {step}"),
        });
        let lost = lost.collect::<Vec<_>>().join(", ");
        let others = [(self.within, "still in reach"), (self.unknown, "unknown")];
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others = others.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ");
        [self.wasted.len().to_string(), wasted, if lost.is_empty() { "–".to_owned() } else { lost }, others]
    }
}
