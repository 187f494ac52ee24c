//! What an episode scores. One that ran out of its budget has no score: that says nothing of the agent.

use super::Episode;
use crate::domain::Kind;
use crate::domain::Published;
use crate::engine::event::Ending;

impl Episode {
    /// Its score; `None` where the best that can be reached is unknown, and where the budget ended it.
    pub fn score(&self, kind: &dyn Kind) -> Option<f64> {
        self.counts().then(|| kind.score(self.returns(), self.reference())).flatten()
    }

    /// What was published of its level, and the score by it, where it may have one.
    pub fn published(&self, kind: &dyn Kind) -> Option<Published> {
        self.counts().then(|| kind.published_score(&self.head().played(), self.returns())).flatten()
    }

    fn counts(&self) -> bool {
        self.ending() != Some(Ending::Budget)
    }
}
