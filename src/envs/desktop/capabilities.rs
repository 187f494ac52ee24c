//! What tasks on a computer offer beyond what every environment has.

use std::sync::atomic::AtomicBool;

use mageyard_domain::{
    Capabilities, EpisodeRules, Level, LevelFiles, LevelLimits, Options, Persons, Policies, Presentation,
    PublishedFigures, Reference, RetryWithFeedback, Scoring, Seconds, SetMeasure, Tools,
};

use crate::judging::{FULL_SCORE, METRICS};
use crate::task::{Stage, Task};
use crate::{Desktop, actions, figures, inspector, levels, live, options, policies, program_checks, results};

/// As the paper: one attempt, the third equal action is refused, time is checked between halves, and the settings of appendix A.
const DEFAULTS: &[(&str, &str)] = &[
    ("play.prompt", "direct"),
    ("play.reader", "cell"),
    ("play.attempts", "1"),
    ("play.on_unreadable", "end"),
    ("play.on_repeating", "refuse"),
    ("play.time_checked", "between"),
    ("faults.same", "3"),
    ("model.temperature", "0"),
    ("model.max_tokens", "4096"),
    // A task that this machine cannot play is left out with the reason.
    ("run.keep_going", "true"),
    // Every past cell with its result. They are texts: it is pictures of which the paper and its code send only the newest.
    ("memory.am", "50"),
    ("memory.om", "50"),
];

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &Desktop,
    judging: Some(&Desktop),
    persons: Some(&Desktop),
    published: PublishedFigures {
        tables: figures::TABLES,
        deviations: figures::DEVIATIONS,
        ..PublishedFigures::NONE
    },
    results: results::FORMATS,
    files: LevelFiles { records: Some(&levels::Records), needs: Some(&Desktop), ..LevelFiles::NONE },
    policies: Policies {
        oracle: Some(|| Box::new(policies::Oracle)),
        mistakes: Some(&policies::WrongCells),
        ..Policies::NONE
    },
    episodes: EpisodeRules {
        setting_defaults: DEFAULTS,
        task_once: true,
        level_limits: limits,
        retry: Some(RetryWithFeedback {
            number: options::TRY,
            data: options::SENTENCES,
            tries: |given| options::further_tries(given).unwrap_or_default(),
        }),
        ..EpisodeRules::NONE
    },
    presentation: Presentation {
        inspector: Some(&inspector::Inspector),
        constant_space: Some(actions::action_space),
        ..Presentation::NONE
    },
    tools: Tools { programs: &[&program_checks::SandboxForm, &program_checks::PythonKernel], ..Tools::NONE },
    ..Capabilities::NONE
};

/// The limits of the task.
fn limits(level: &Level) -> LevelLimits {
    let Ok(task) = Task::of_level(level) else { return LevelLimits::NONE };
    let time = Seconds::try_from(task.max_time.as_secs_f64()).ok();
    LevelLimits { steps: Some(task.max_steps), time }
}

impl Scoring for Desktop {
    fn reference(&self, _: &Level, _: &Options, _: &AtomicBool) -> Option<Reference> {
        Some(Reference { best: FULL_SCORE, steps: 1 })
    }

    fn score_range(&self) -> Option<[f64; 2]> {
        Some([0.0, FULL_SCORE])
    }

    /// The column of the paper.
    fn level_group(&self, level: &Level) -> Option<String> {
        Task::of_level(level).ok().map(|task| figures::group(&task).to_owned())
    }

    fn level_properties(&self, level: &Level) -> Vec<(&'static str, String)> {
        Task::of_level(level).map(|task| figures::properties(&task)).unwrap_or_default()
    }

    fn set_measures(&self) -> &'static [SetMeasure] {
        MEASURES
    }

    fn metrics(&self) -> &'static [&'static str] {
        METRICS
    }
}

macro_rules! share {
    ($name:literal, $title:literal) => {
        SetMeasure::percentage($name, $title, |verdict| Some((*verdict.figures.get($name)?, 1.0)))
    };
}

/// The share of failed episodes with a failure mode (section 4.2).
macro_rules! failure {
    ($name:literal, $title:literal) => {
        SetMeasure::percentage($name, $title, |verdict| {
            let failed = verdict.score == Some(0.0);
            failed.then(|| verdict.figures.get($name).map(|mode| (*mode, 1.0))).flatten()
        })
    };
}

const MEASURES: &[SetMeasure] = &[
    SetMeasure::percentage("success", "success %", |verdict| {
        verdict.score.map(|_| (f64::from(u8::from(verdict.success)), 1.0))
    }),
    share!("active_finish", "active finish %"),
    failure!("false_finish", "false finish %"),
    failure!("parse_error", "parse error %"),
    failure!("step_limit", "step limit %"),
    failure!("time_limit", "time limit %"),
    failure!("repetition", "repetition %"),
];

impl Persons for Desktop {
    /// Where nothing keeps the programs of an episode apart, and the user has not said that they may do everything.
    fn must_confirm(&self, _: &Level, options: &Options) -> bool {
        live::needs_confirmation(options)
    }

    fn instead_of_confirming(&self) -> Option<&'static str> {
        Some(
            "no sandbox keeps its programs apart: install bubblewrap (`mageyard doctor` says what this machine has), or let them do everything that you may with desktop.trust = true",
        )
    }

    /// Where no sandbox is: resets and cleanups that destroy, and without trust all that starts programs, also to judge.
    fn destroys(&self, level: &Level, options: &Options) -> Vec<String> {
        let Ok(task) = Task::of_level(level) else { return Vec::new() };
        if live::is_apart(options) {
            return Vec::new();
        }
        let trusts = !live::needs_confirmation(options);
        let stages: &[_] = if trusts { &[Stage::Reset, Stage::Cleanup] } else { &Stage::ALL };
        let procedures = stages.iter().flat_map(|stage| task.written(*stage));
        let asking = procedures.filter(|procedure| {
            procedure.handler().is_some_and(|handler| {
                let destroys = handler.destroys && reaches_outside(&procedure.params);
                destroys || (!trusts && handler.starts_programs())
            })
        });
        asking.map(|procedure| format!("runs {} on this machine", procedure.name())).collect()
    }

    fn asks(&self, level: &Level, _: &Options) -> bool {
        Task::of_level(level)
            .is_ok_and(|task| task.evaluation.iter().any(|procedure| procedure.evaluator == "human"))
    }
}

/// Whether a parameter is not a path in the folders of the episode.
fn reaches_outside(params: &serde_json::Map<String, serde_json::Value>) -> bool {
    params.values().filter_map(serde_json::Value::as_str).any(|text| {
        let own = text.starts_with("${AS_ROOT}/") || text.starts_with("${AS_HOME}/");
        !own || text.contains("..")
    })
}
