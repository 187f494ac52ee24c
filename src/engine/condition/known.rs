//! What conditions need to know that is not in the episode itself: prices, and the recordings that they compare with.

use std::collections::BTreeMap;

use crate::episode::Episode;
use crate::head::Head;
use mageyard_domain::{Digest, Prices};

/// What conditions need to know beside the episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The prices of models.
    pub prices: Prices,
    /// The recordings that `differs` names, by that name.
    pub recordings: BTreeMap<String, Vec<RecordedPath>>,
}

/// The states and actions of a recorded episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPath {
    environment: String,
    level: String,
    seed: u64,
    steps: Vec<RecordedStep>,
}

/// The state that a recorded step shows, and its action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordedStep {
    pub(super) state: Digest,
    pub(super) action: Option<String>,
}

impl RecordedPath {
    /// The states and actions of this episode.
    pub fn of(episode: &Episode) -> Self {
        let head = episode.head();
        let steps = episode.steps().iter().map(|step| RecordedStep {
            state: step.state,
            action: step.action.as_ref().map(ToString::to_string),
        });
        Self {
            environment: head.environment.clone(),
            level: head.reference.clone(),
            seed: head.seed,
            steps: steps.collect(),
        }
    }

    /// The step at this index.
    pub(super) fn step(&self, index: usize) -> Option<&RecordedStep> {
        self.steps.get(index)
    }
}

impl Known {
    /// Both together; what both have is that of `other`.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let recordings = self.recordings.iter().chain(&other.recordings);
        let prices = if other.prices.0.is_empty() { &self.prices } else { &other.prices };
        Self {
            prices: prices.clone(),
            recordings: recordings.map(|(name, paths)| (name.clone(), paths.clone())).collect(),
        }
    }

    /// The recording of this session to compare an episode with: of the same level, and of the same seed if there are
    /// several.
    pub(super) fn recording(&self, session: &str, head: &Head) -> Option<&RecordedPath> {
        let all = self.recordings.get(session)?;
        let same_level =
            || all.iter().filter(|path| path.environment == head.environment && path.level == head.reference);
        same_level().find(|path| path.seed == head.seed).or_else(|| same_level().next())
    }
}
