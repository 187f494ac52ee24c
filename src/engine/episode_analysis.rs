//! The analysis of an episode while it is played or followed: its errors and its distances to the goal, kept up to date
//! together. An update costs what is new, not what the episode has already.

use super::distance::Distances;
use super::distance_search::DistanceSearch;
use super::episode::Episode;
use super::error_analysis::{ErrorAnalysis, ErrorAnalyzer, FinishedStep};
use mageyard_domain::{EnvironmentSpec, RepetitionThresholds, SearchLimits};

/// The errors and distances of one episode.
pub struct EpisodeAnalysis {
    spec: &'static dyn EnvironmentSpec,
    errors: ErrorAnalyzer,
    search: DistanceSearch,
}

impl EpisodeAnalysis {
    /// The analysis of an episode of this environment with these thresholds; without limits no distance is searched.
    pub fn new(
        spec: &'static dyn EnvironmentSpec,
        thresholds: RepetitionThresholds,
        limits: Option<SearchLimits>,
    ) -> Self {
        let errors = ErrorAnalyzer::new(thresholds).with_errors_of(spec);
        Self { spec, errors, search: DistanceSearch::new(spec, limits) }
    }

    /// The errors at the last update, with what the distances say about them.
    pub fn errors(&self) -> &ErrorAnalysis {
        self.errors.analysis()
    }

    /// The distances that are known.
    pub fn distances(&self) -> &Distances {
        self.search.distances()
    }

    /// The last finished step.
    pub fn newest(&self) -> Option<FinishedStep> {
        self.errors.newest()
    }

    /// Adds what happened in the episode since the last update. It must always be the same episode.
    pub fn update(&mut self, episode: &Episode) {
        let spec = self.spec;
        self.errors
            .update(episode, &|observation| spec.capabilities().scoring.dead_state_reason(observation));
        self.search.add_steps(episode.steps());
        self.add_distances();
    }

    /// Starts the search for the newest state whose distance is not known. Must be called within a Tokio runtime.
    pub fn start_search(&mut self) {
        self.search.start_next();
    }

    /// Waits for the next distance, for ever if none is searched. Cancel safe.
    pub async fn next_distance(&mut self) {
        self.search.next_result().await;
        self.add_distances();
    }

    /// Searches until the distance of every state is known or cannot be.
    pub async fn search_all(&mut self) {
        self.search.search_all().await;
        self.add_distances();
    }

    fn add_distances(&mut self) {
        let changed = self.search.take_changed();
        self.errors.add_distances(changed, self.search.distances());
    }
}
