//! Judges recorded episodes again from what is stored of them. No environment is opened and no journal is changed.

use super::answering::Answering;
use super::replay_source::is_flag;
use super::{EpisodeFields, LabError, RecordedEpisode, SelectedLevel};
use mageyard_config::Config;
use mageyard_domain::{
    Answered, Conclusion, Judgement, Level, Options, Question, StoredEpisode, Verdict, answer_to, count_noun,
};
use mageyard_engine::Episode;

/// A recorded episode that was judged again.
#[derive(Clone, Debug)]
pub struct Rejudged {
    /// The fields that identify the episode.
    pub identity: EpisodeFields,
    /// The recorded judgement; `None` if the episode has none, because it is not over or its environment does not judge.
    pub before: Option<Judgement>,
    /// The verdict now; an error is why there is none.
    pub now: Result<Verdict, String>,
    /// How many questions to models have no answer.
    pub questions: usize,
    /// A rough estimate of the tokens that go out with them.
    pub tokens: u64,
}

/// What is done with questions that no model was ever asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenQuestions {
    /// They are counted, and nothing is sent.
    Count,
    /// They are sent.
    Ask,
}

impl Rejudged {
    /// Whether score, success or feedback differ from the recorded verdict.
    pub fn is_changed(&self) -> bool {
        let before = self.before.as_ref().and_then(Judgement::verdict);
        self.now.as_ref().is_ok_and(|now| before != Some(now))
    }
}

impl RecordedEpisode {
    /// Judges the episode again, with the options of its environment that flags set in place of the recorded ones. Answers to
    /// questions that were never asked are not recorded. Among the levels, if there are any, the one with the title of the
    /// recorded level replaces it.
    pub async fn rejudge(
        &self,
        config: &Config,
        open: OpenQuestions,
        levels: &[SelectedLevel],
    ) -> Result<Rejudged, LabError> {
        let restored = self.restore().await?;
        let episode = &restored.episode;
        let identity = EpisodeFields::of(&self.id(), episode.head());
        let before = episode.judgement().cloned();
        let Some(judging) = restored.spec.capabilities().judging else {
            let now = Err(format!("the environment {} does not judge episodes", restored.spec.name()));
            return Ok(Rejudged { identity, before, now, questions: 0, tokens: 0 });
        };
        let level = match corrected(&episode.head().to_level(), levels) {
            Ok(level) => level,
            Err(why) => return Ok(Rejudged { identity, before, now: Err(why), questions: 0, tokens: 0 }),
        };
        let mut answers = episode.answers().to_vec();
        let options = options(&episode.head().environment, &episode.head().options, config);
        loop {
            let now =
                stored_episode(episode, &level, &options, &answers, |stored| judging.judge_again(stored));
            let now = now.unwrap_or_else(|| Some(Err("the episode is not over".to_owned())));
            let now = now.unwrap_or_else(|| Err("only the environment itself can judge it".to_owned()));
            let unanswered =
                now.as_ref().map_or_else(|_| Vec::new(), |verdict| unanswered(verdict, &answers));
            if unanswered.is_empty() {
                let now = now.and_then(|verdict| {
                    let again = || "the environment asks the same questions again".to_owned();
                    if verdict.questions.is_empty() { Ok(verdict) } else { Err(again()) }
                });
                return Ok(Rejudged { identity, before, now, questions: 0, tokens: 0 });
            }
            let mut answering = Answering::new(self.lab(), config, restored.spec, episode)?;
            if open == OpenQuestions::Count {
                let tokens = unanswered.iter().map(|question| answering.estimate(question));
                let tokens = tokens.sum::<Result<u64, LabError>>()?;
                let questions = unanswered.len();
                let now = Err(format!("it needs {}", count_noun(questions, "answer", "answers")));
                return Ok(Rejudged { identity, before, now, questions, tokens });
            }
            for question in unanswered {
                answers.push(answering.ask(&question).await?);
            }
        }
    }
}

/// The level by which an episode is judged: the one of these with the title of the recorded level, or that if there are none.
fn corrected(recorded: &Level, levels: &[SelectedLevel]) -> Result<Level, String> {
    if levels.is_empty() {
        return Ok(recorded.clone());
    }
    let is_same = |one: &&SelectedLevel| recorded.title.is_some() && one.level.title == recorded.title;
    let found = levels.iter().find(is_same).map(|selected| selected.level.clone());
    found.ok_or_else(|| "the given levels have none with the title of the recorded one".to_owned())
}

/// The questions of a verdict that have no answer.
fn unanswered(verdict: &Verdict, answers: &[Answered]) -> Vec<Question> {
    let is_open = |question: &&Question| answer_to(answers, question).is_none();
    verdict.questions.iter().filter(is_open).cloned().collect()
}

/// What a function makes of an episode as it is stored; `None` if it is not over.
pub(super) fn stored_episode<T>(
    episode: &Episode,
    level: &Level,
    options: &Options,
    answers: &[Answered],
    read: impl FnOnce(&StoredEpisode<'_>) -> T,
) -> Option<T> {
    let ending = episode.end_of_play()?;
    let last_reply = episode.steps().iter().rev().find_map(|step| step.output().cloned());
    Some(read(&StoredEpisode {
        level,
        options,
        conclusion: &Conclusion {
            ending,
            last_reply,
            answers: answers.to_vec(),
            steps: episode.stored_steps(),
        },
        verdict: episode.judgement().and_then(Judgement::verdict),
    }))
}

/// The recorded options, with those that flags set.
fn options(environment: &str, recorded: &Options, config: &Config) -> Options {
    let mut options = recorded.clone();
    let given = config.settings().options(environment);
    options.extend(given.into_iter().filter(|(name, _)| is_flag(config, &format!("{environment}.{name}"))));
    options
}
