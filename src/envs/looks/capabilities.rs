//! What questions about pictures offer beyond what every environment has.

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

use super::check::RecordCheck;
use super::levels::Records;
use super::observation::size_seen;
use super::question::FULL_SCORE;
use super::{Critic, Ground, Idm, Kind, figures, inspector, levels, oracle, question_of, results};
use mageyard_domain::{
    Action, Capabilities, EpisodeRules, Judging, Level, LevelFiles, Observation, Options, Policies,
    Presentation, PublishedFigures, PublishedTable, Reference, Scoring, SetMeasure, StoredEpisode, Verdict,
};

/// As in the paper: one step, one attempt, temperature 0, no system turn.
const DEFAULTS: &[(&str, &str)] = &[
    ("play.max_steps", "1"),
    ("play.attempts", "1"),
    ("play.on_unreadable", "end"),
    ("play.reader", "looks"),
    ("play.prompt", "0s"),
    ("model.temperature", "0"),
    ("model.system_role", "false"),
];

pub(super) static GROUND: Capabilities = capabilities::<Ground>(
    &Of(PhantomData),
    &RecordCheck(PhantomData),
    &Records(PhantomData),
    figures::GROUND,
);
pub(super) static IDM: Capabilities =
    capabilities::<Idm>(&Of(PhantomData), &RecordCheck(PhantomData), &Records(PhantomData), figures::IDM);
pub(super) static CRITIC: Capabilities = capabilities::<Critic>(
    &Of(PhantomData),
    &RecordCheck(PhantomData),
    &Records(PhantomData),
    figures::CRITIC,
);

const fn capabilities<K: Kind>(
    of: &'static Of<K>,
    check: &'static RecordCheck<K>,
    records: &'static Records<K>,
    tables: &'static [PublishedTable],
) -> Capabilities {
    Capabilities {
        scoring: of,
        judging: Some(of),
        published: PublishedFigures { tables, deviations: figures::DEVIATIONS, ..PublishedFigures::NONE },
        files: LevelFiles { check: Some(check), records: Some(records), ..LevelFiles::NONE },
        policies: Policies {
            oracle: Some(|| Box::new(oracle::Oracle)),
            mistakes: Some(&oracle::WrongAnswers),
            ..Policies::NONE
        },
        episodes: EpisodeRules { setting_defaults: DEFAULTS, ..EpisodeRules::NONE },
        presentation: Presentation { inspector: Some(&inspector::Inspector), ..Presentation::NONE },
        results: results::formats::<K>(),
        ..Capabilities::NONE
    }
}

/// Scores and verdicts of a kind of question.
struct Of<K>(PhantomData<K>);

impl<K: Kind> Scoring for Of<K> {
    fn reference(&self, _: &Level, _: &Options, _: &AtomicBool) -> Option<Reference> {
        Some(Reference { best: FULL_SCORE, steps: 1 })
    }

    fn score_range(&self) -> Option<[f64; 2]> {
        Some([0.0, FULL_SCORE])
    }

    /// The platform.
    fn level_group(&self, level: &Level) -> Option<String> {
        question_of::<K>(level, &Options::new()).ok()?.about.platform
    }

    fn level_properties(&self, level: &Level) -> Vec<(&'static str, String)> {
        levels::object(level.text()).map(|record| K::properties(&record)).unwrap_or_default()
    }

    fn set_measures(&self) -> &'static [SetMeasure] {
        K::MEASURES
    }

    fn metrics(&self) -> &'static [&'static str] {
        K::METRICS
    }
}

impl<K: Kind> Judging for Of<K> {
    fn judge_again(&self, episode: &StoredEpisode<'_>) -> Option<Result<Verdict, String>> {
        let first = episode.conclusion.steps.first();
        let seen = first.map(|step| &step.observation);
        Some(verdict::<K>(episode.level, episode.options, seen, first.and_then(|step| step.action.as_ref())))
    }

    fn judge_answer(
        &self,
        level: &Level,
        options: &Options,
        seen: &Observation,
        answer: Option<&Action>,
    ) -> Option<Result<Verdict, String>> {
        Some(verdict::<K>(level, options, Some(seen), answer))
    }
}

fn verdict<K: Kind>(
    level: &Level,
    options: &Options,
    seen: Option<&Observation>,
    answer: Option<&Action>,
) -> Result<Verdict, String> {
    let question = question_of::<K>(level, options).map_err(|error| error.to_string())?;
    Ok(question.verdict(answer, size_seen(seen)))
}
