//! What web tasks offer beyond what every environment has.

use std::sync::atomic::AtomicBool;

use mageyard_domain::{
    Capabilities, EpisodeRules, Level, LevelFiles, LevelLimits, Options, Policies, Presentation,
    PublishedFigures, Reference, Scoring, SetMeasure,
};

use crate::task::Task;
use crate::{
    Web, actions, check, figures, inspector, judging, levels, measures, policies, results, scores, task,
};

/// The score of a task whose nodes are all met.
const FULL_SCORE: f64 = 100.0;

/// As the paper: the reader of the released code, temperature 0.7, three attempts.
const DEFAULTS: &[(&str, &str)] = &[
    ("play.prompt", "planning"),
    ("play.reader", "webcanvas"),
    ("model.temperature", "0.7"),
    // The width of the viewport: smaller, the numbers could not be read.
    ("model.resolution", "1080"),
];

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &Web,
    judging: Some(&Web),
    questions: Some(&Web),
    published: PublishedFigures {
        tables: figures::TABLES,
        deviations: figures::DEVIATIONS,
        ..PublishedFigures::NONE
    },
    files: LevelFiles {
        formats: levels::FORMATS,
        check: Some(&check::TaskCheck),
        records: Some(&levels::Records),
        ..LevelFiles::NONE
    },
    results: results::FORMATS,
    policies: Policies {
        oracle: Some(|| Box::new(policies::Oracle)),
        mistakes: Some(&policies::WrongActs),
        narrowed: Some(policies::narrowed),
        ..Policies::NONE
    },
    episodes: EpisodeRules {
        setting_defaults: DEFAULTS,
        level_limits: limits,
        last_look: true,
        ..EpisodeRules::NONE
    },
    presentation: Presentation {
        inspector: Some(&inspector::Inspector),
        constant_space: Some(actions::action_space),
        ..Presentation::NONE
    },
    ..Capabilities::NONE
};

/// 1.2 steps for each of the reference, rounded up (`WebCanvas`, section 3.2).
fn limits(level: &Level) -> LevelLimits {
    let Ok(task) = Task::of_level(level) else { return LevelLimits::NONE };
    LevelLimits { steps: Some((task.reference_length.saturating_mul(6)).div_ceil(5)), ..LevelLimits::NONE }
}

impl Scoring for Web {
    fn reference(&self, level: &Level, _: &Options, _: &AtomicBool) -> Option<Reference> {
        let task = Task::of_level(level).ok()?;
        Some(Reference { best: FULL_SCORE, steps: task.reference_length })
    }

    fn score_range(&self) -> Option<[f64; 2]> {
        Some([0.0, FULL_SCORE])
    }

    fn level_properties(&self, level: &Level) -> Vec<(&'static str, String)> {
        Task::of_level(level).map(|task| task::properties(&task)).unwrap_or_default()
    }

    fn set_measures(&self) -> &'static [SetMeasure] {
        measures::MEASURES
    }

    fn metrics(&self) -> &'static [&'static str] {
        METRICS
    }
}

const METRICS: &[&str] = &{
    let mut names = [""; scores::METRICS.len() + 1];
    let mut index = 0;
    while index < scores::METRICS.len() {
        names[index] = scores::METRICS[index];
        index += 1;
    }
    names[index] = judging::CUT_TREES;
    names
};
