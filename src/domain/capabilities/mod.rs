//! What an environment can offer beyond [`EnvironmentSpec`](super::EnvironmentSpec): one table of capabilities, grouped
//! by who asks for them. Data and functions are fields; what has several functions is a trait. Callers ask for a
//! capability and never for an environment by name.

mod engines;
mod episode_rules;
mod level_files;
mod perception;
mod persons;
mod policies;
mod presentation;
mod published_figures;
mod questions;
mod scoring;
mod tools;

pub use engines::Engines;
pub use episode_rules::{EpisodeRules, RetryWithFeedback, StartFromEpisode};
pub use level_files::LevelFiles;
pub use perception::Perception;
pub use persons::Persons;
pub use policies::{NarrowedSpace, Policies};
pub use presentation::Presentation;
pub use published_figures::PublishedFigures;
pub use questions::Questions;
pub use scoring::{NoScoring, Scoring};
pub use tools::Tools;

use crate::{Judging, Options, ResultFormat, StateWords};

/// The optional parts of an environment. An environment declares them in one table and fills the rest from
/// [`Capabilities::NONE`].
#[derive(Clone, Copy)]
pub struct Capabilities {
    /// The optimum of a level, and figures about an episode beside its score.
    pub scoring: &'static dyn Scoring,
    /// Verdicts on episodes that are over; `None` if the rewards are the score.
    pub judging: Option<&'static dyn Judging>,
    /// Questions to models about outcomes and for verdicts; `None` if the environment asks none.
    pub questions: Option<&'static dyn Questions>,
    /// What persons are asked; `None` if nothing.
    pub persons: Option<&'static dyn Persons>,
    /// Published results to compare with.
    pub published: PublishedFigures,
    /// Level files: other formats, comments, checks, and import from checkouts.
    pub files: LevelFiles,
    /// The solver, the generator and other tools for levels and states.
    pub tools: Tools,
    /// Agents without a model that only this environment has.
    pub policies: Policies,
    /// How episodes differ from those of other environments.
    pub episodes: EpisodeRules,
    /// How states are shown to people and described in prompts.
    pub presentation: Presentation,
    /// What can be seen of states, and asked about it.
    pub perception: Perception,
    /// The forms in which its results are written for other programs.
    pub results: &'static [ResultFormat],
    /// The engines, if there are several.
    pub engines: Option<Engines>,
}

impl Capabilities {
    /// No capability.
    pub const NONE: Self = Self {
        scoring: &NoScoring,
        judging: None,
        questions: None,
        persons: None,
        published: PublishedFigures::NONE,
        files: LevelFiles::NONE,
        tools: Tools::NONE,
        policies: Policies::NONE,
        episodes: EpisodeRules::NONE,
        presentation: Presentation::NONE,
        perception: Perception::NONE,
        results: &[],
        engines: None,
    };

    /// What prompts say of how states are given with these options.
    pub fn state_words(&self, options: &Options) -> StateWords {
        let picture = (self.presentation.picture_legend)(options);
        let view = self.perception.view(options);
        let shown = if view.is_none_or(|view| view.is_picture) { "image" } else { "state" };
        let words = view.map(|view| view.filled(picture)).unwrap_or_default();
        StateWords { picture: picture.into(), view: words.into(), shown: shown.into() }
    }
}
