//! What web pages offer beyond what every environment has.

use std::sync::atomic::AtomicBool;

use super::{
    WebUi, figures, files, inspector, live, mistakes, options, oracle, perception, prompt_import, task,
};
use mageyard_domain::{
    Capabilities, EpisodeRules, Level, LevelFiles, LevelFormat, Loss, Options, Perception, Policies,
    Presentation, PublishedFigures, Reference, Scoring, StartFromEpisode, Window,
};

/// The score of a page that is like its target in everything.
const FULL_SCORE: f64 = 100.0;

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &WebUi,
    published: PublishedFigures {
        order: 1,
        scores: figures::FIGURES,
        errors: &[],
        deviations: figures::DEVIATIONS,
        tables: &[],
        prompts: Some(&prompt_import::PROMPTS),
    },
    files: LevelFiles {
        formats: &[LevelFormat {
            name: "webui",
            summary: "packs of pages: the files of each page in one text",
            matches: task::is_pack,
            read: task::import,
            comment: None,
            write: Some(task::export),
        }],
        check: Some(&live::Check),
        checkout_import: Some(&WebUi),
        ..LevelFiles::NONE
    },
    policies: Policies {
        oracle: Some(|| Box::new(oracle::Oracle)),
        mistakes: Some(&mistakes::PageMistakes),
        ..Policies::NONE
    },
    episodes: EpisodeRules {
        setting_defaults: &[
            ("play.max_steps", "4"),
            ("play.reader", "lenient"),
            ("model.resolution", "1920"),
        ],
        // The newest observation has the files, so no request has a history.
        fixed_window: Some(Window::NEWEST),
        continues_replies: true,
        start: Some(StartFromEpisode {
            setting: options::START,
            data: options::START_FILES,
            options: |last| inspector::files(last).map(|files| options::with_start_files(&files)),
        }),
        ..EpisodeRules::NONE
    },
    presentation: Presentation {
        inspector: Some(&inspector::Inspector),
        constant_space: Some(files::action_space),
        picture_legend: |options| options::view(options).unwrap_or_default().legend(),
        ..Presentation::NONE
    },
    perception: Perception {
        views: perception::VIEWS,
        show: perception::show,
        probes: Some(&perception::PageProbes),
    },
    ..Capabilities::NONE
};

impl Scoring for WebUi {
    fn score_range(&self) -> Option<[f64; 2]> {
        Some([0.0, FULL_SCORE])
    }

    /// One write that gives a page like the target.
    fn reference(&self, _level: &Level, _options: &Options, _stop: &AtomicBool) -> Option<Reference> {
        Some(Reference { best: FULL_SCORE, steps: 1 })
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["targets", "matched", "zero", "dropped"]
    }

    fn losses(&self) -> &'static [Loss] {
        figures::LOSSES
    }

    fn finds_errors(&self) -> bool {
        true
    }

    fn has_score_by_step(&self) -> bool {
        true
    }
}
