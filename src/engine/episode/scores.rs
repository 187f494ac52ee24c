//! What an episode scores. One that ran out of its budget has no score: that says nothing of the agent.

use super::Episode;
use crate::domain::EnvironmentSpec;
use crate::domain::PublishedScore;
use crate::engine::event::Ending;

impl Episode {
    /// Its score; `None` where the best that can be reached is unknown, and where the budget ended it.
    pub fn score(&self, kind: &dyn EnvironmentSpec) -> Option<f64> {
        self.has_score().then(|| kind.score(self.returns(), self.reference())).flatten()
    }

    /// What was published of its level, and the score by it, where it may have one.
    pub fn published(&self, kind: &dyn EnvironmentSpec) -> Option<PublishedScore> {
        self.has_score().then(|| kind.published_score(&self.head().to_level(), self.returns())).flatten()
    }

    fn has_score(&self) -> bool {
        self.ending() != Some(Ending::Budget)
    }
}
