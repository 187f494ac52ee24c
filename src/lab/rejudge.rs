//! Judges recorded episodes again from what is stored of them. No environment is opened and no journal is changed.

use std::sync::Arc;

use super::replay_source::is_flag;
use super::{EpisodeFields, LabError, RecordedEpisode};
use mageyard_config::Config;
use mageyard_domain::{Conclusion, Judgement, Options, StoredEpisode, StoredStep, Verdict};
use mageyard_engine::{Episode, Step};

/// A recorded episode that was judged again.
#[derive(Clone, Debug)]
pub struct Rejudged {
    /// The fields that identify the episode.
    pub identity: EpisodeFields,
    /// The recorded judgement; `None` if the episode has none, because it is not over or its environment does not judge.
    pub before: Option<Judgement>,
    /// The verdict now; an error is why there is none.
    pub now: Result<Verdict, String>,
}

impl Rejudged {
    /// Whether score, success or feedback differ from the recorded verdict.
    pub fn is_changed(&self) -> bool {
        let before = self.before.as_ref().and_then(Judgement::verdict);
        self.now.as_ref().is_ok_and(|now| before != Some(now))
    }
}

impl RecordedEpisode {
    /// Judges the episode again, with the options of its environment that flags set in place of the recorded ones.
    pub async fn rejudge(&self, config: &Config) -> Result<Rejudged, LabError> {
        let restored = self.restore().await?;
        let episode = &restored.episode;
        let identity = EpisodeFields::of(&self.id(), episode.head());
        let before = episode.judgement().cloned();
        let Some(judging) = restored.spec.capabilities().judging else {
            let now = Err(format!("the environment {} does not judge episodes", restored.spec.name()));
            return Ok(Rejudged { identity, before, now });
        };
        let now = stored_episode(episode, config, |stored| judging.judge_again(stored));
        let only_live = || Err("only the environment itself can judge it".to_owned());
        Ok(Rejudged { identity, before, now: now.unwrap_or_else(only_live) })
    }
}

/// What a function makes of an episode as it is stored.
fn stored_episode(
    episode: &Episode,
    config: &Config,
    judge: impl FnOnce(&StoredEpisode<'_>) -> Option<Result<Verdict, String>>,
) -> Option<Result<Verdict, String>> {
    let Some(ending) = episode.end_of_play() else {
        return Some(Err("the episode is not over".to_owned()));
    };
    let head = episode.head();
    let steps: Vec<StoredStep> = episode.steps().iter().map(stored_step).collect();
    let last_reply = episode.steps().iter().rev().find_map(|step| step.output().cloned());
    judge(&StoredEpisode {
        level: &head.to_level(),
        options: &options(&head.environment, &head.options, config),
        steps: &steps,
        conclusion: &Conclusion { ending, last_reply, answers: episode.answers().to_vec() },
        verdict: episode.judgement().and_then(Judgement::verdict),
    })
}

fn stored_step(step: &Arc<Step>) -> StoredStep {
    StoredStep {
        observation: step.observation.clone(),
        action: step.action.clone(),
        problem: step.problem().cloned(),
        reward: step.effect.as_ref().map_or(0.0, |effect| effect.reward),
    }
}

/// The recorded options, with those that flags set.
fn options(environment: &str, recorded: &Options, config: &Config) -> Options {
    let mut options = recorded.clone();
    let given = config.settings().options(environment);
    options.extend(given.into_iter().filter(|(name, _)| is_flag(config, &format!("{environment}.{name}"))));
    options
}
