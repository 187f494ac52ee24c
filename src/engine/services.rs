//! What the program around an episode does for it: other agents, tags, and branches at its steps.

use std::path::Path;

use async_trait::async_trait;

use super::recorded_agent::RecordedAgent;
use super::seat::{SeatChoice, SeatedAgent};

/// What the program around an episode does for it. An error says why it cannot, in words.
#[async_trait]
pub trait EpisodeServices: Send + Sync {
    /// All agents, each with the reason if it cannot be seated in the episode.
    fn seat_choices(&self) -> Vec<SeatChoice>;
    /// The agent of this name with its settings, which words such as `temperature=0.7` after it change. The agent that is
    /// seated keeps those that it has now.
    fn find_agent(&self, words: &str, seated: &RecordedAgent) -> Result<RecordedAgent, String>;
    /// Creates an agent.
    fn create_agent(&self, agent: &RecordedAgent) -> Result<SeatedAgent, String>;
    /// Adds a tag to a step of this journal, and says so.
    fn tag(&self, journal: &Path, step: u32, name: &str) -> Result<String, String>;
    /// Makes a branch of this journal at a step, with these changes, and says what it is called.
    async fn fork(&self, journal: &Path, step: u32, changes: &str) -> Result<String, String>;
}
