//! What football offers beyond what every environment has.

use super::environment::Football;
use super::program_check::RealEngine;
use super::world::{self, ActionSet, PitchView, Settings};
use super::{figures, inspector, mistakes, policies, probes, prompt_import, rules, scene};
use mageyard_domain::{
    Capabilities, Engines, EpisodeRules, Level, LevelFiles, Options, Perception, Policies, Presentation,
    PublishedFigures, Scoring, Tools, TrainingRewards,
};

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &Football,
    judging: None,
    questions: None,
    persons: None,
    results: &[],
    published: PublishedFigures {
        order: 3,
        scores: figures::FIGURES,
        errors: figures::ERRORS,
        deviations: figures::DEVIATIONS,
        tables: &[],
        prompts: Some(&prompt_import::PROMPTS),
    },
    files: LevelFiles {
        formats: scene::FORMATS,
        check: Some(&scene::Check),
        checkout_import: Some(&Football),
        ..LevelFiles::NONE
    },
    tools: Tools { generator: Some(&Football), programs: &[&RealEngine], ..Tools::NONE },
    policies: Policies {
        named: policies::POLICIES,
        mistakes: Some(&mistakes::FootballMistakes),
        ..Policies::NONE
    },
    episodes: EpisodeRules {
        setting_defaults: &[
            ("play.max_steps", "400"),
            ("model.resolution", "1280"),
            ("model.max_tokens", "1000"),
        ],
        one_sided_actions: &["action_long_pass", "action_high_pass", "action_short_pass"],
        ..EpisodeRules::NONE
    },
    perception: Perception { views: world::VIEWS, show: world::show, probes: Some(&probes::PitchProbes) },
    presentation: Presentation {
        inspector: Some(&inspector::Inspector),
        picture_legend,
        constant_space: Some(|| world::space(ActionSet::Agent)),
        ..Presentation::NONE
    },
    engines: Some(Engines {
        chosen: |options| Settings::read(options).ok().map(|settings| settings.engine.name()),
        local_settings: world::LOCAL_SETTINGS,
        comparison: &Football,
    }),
};

fn picture_legend(options: &Options) -> &'static str {
    match Settings::read(options).unwrap_or_default().view {
        PitchView::Board | PitchView::List => {
            "the whole pitch is seen from above: discs are players, squares are goalkeepers, and a short nose \
             shows where a player runs. Your team is yellow; a blue ring and a blue name mark the player whom you \
             control. The opponents are dark blue with a white rim. The ball is white with a bright halo; a higher \
             ball is drawn larger, away from its shadow"
        }
        PitchView::Broadcast => {
            "the pitch is seen from a camera beside it, with a small map of the whole pitch at the bottom. Your team \
             plays in yellow, and the name of the player whom you control is blue above his head; the others are \
             opponents"
        }
        PitchView::Engine => {
            "the pitch is seen from a camera beside it, with a small map of the whole pitch at the bottom: light dots \
             are your team, dark dots the opponents, the blue dot is the ball. Your team plays in yellow, the opponents \
             in dark blue; the name of the player whom you control is blue above his head"
        }
    }
}

/// The six terms of the reward (`MageBench`, supplement A.3.3), in the order of the paper.
pub(super) const TERMS: [&str; 6] = ["advance", "passed", "goal", "loss", "received", "shot"];

impl Scoring for Football {
    /// The kind of the scene, the letter in names such as `R5_P-2`.
    fn level_group(&self, level: &Level) -> Option<String> {
        let (_, kind) = level.title.as_deref()?.split_once('_')?;
        kind.chars().next().filter(|kind| "PTR".contains(*kind)).map(String::from)
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["frames"]
    }

    fn reward_terms(&self) -> &'static [&'static str] {
        &TERMS
    }

    /// A step costs nothing, and a goal is one unit.
    fn training_rewards(&self) -> Option<TrainingRewards> {
        Some(TrainingRewards { step: 0.0, per_unit: rules::GOAL })
    }
}
