//! An episode as a JSON line: its steps with replies, the turns that led to them, and rewards.

use serde::Serialize;
use serde_json::Value;

use super::conversation::{ExportedEpisode, RequestOrigin};
use super::folder::ExportFolder;
use super::rewards;
use super::rewards::Rewards;
use crate::{EpisodeId, LabError};
use mageyard_config::Problem;
use mageyard_dialog::ReaderRules;
use mageyard_domain::{Reference, RepetitionThresholds, RewardTerms, Setting, SideRole, TrainingRewards};
use mageyard_engine::{Attempt, Ending, Mark, Step, analyze, branch_name, episode_folder};

/// An episode.
#[derive(Serialize)]
pub(super) struct EpisodeRecord {
    session: String,
    episode: String,
    /// The repetition of the level in its session; `None` in old journals.
    repeat: Option<u32>,
    /// The name of the branch, such as `b1`; `None` for the episode itself.
    branch: Option<String>,
    program: String,
    environment: String,
    level: String,
    title: Option<String>,
    agent: String,
    /// The name of the model; `None` for other agents.
    model: Option<String>,
    setting: Setting,
    prompt: String,
    am: u16,
    om: u16,
    seed: u64,
    /// Whether the episode has ended.
    finished: bool,
    ending: Option<Ending>,
    solved: bool,
    /// Whether a person changed anything.
    mixed: bool,
    score: Option<f64>,
    optimum: Option<Reference>,
    thresholds: RepetitionThresholds,
    repeating: Option<String>,
    /// Replies cancelled by a person; they are not listed in the steps.
    cut: usize,
    /// The rewards of the complete episode.
    rewards: Rewards,
    /// The sum of the step costs in units of the environment; not included in `rewards`.
    step_cost: f64,
    steps: Vec<StepRecord>,
    /// The side requests after the last step: those of the verdict, and of a module that ended the episode.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    side: Vec<SideRecord>,
}

/// A step.
#[derive(Serialize)]
struct StepRecord {
    step: u32,
    action: Option<String>,
    edited: bool,
    unchanged: bool,
    repeating: bool,
    /// The reward in points of the environment.
    points: f64,
    /// The terms of the reward, in points, where the environment names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    reward_terms: Option<RewardTerms>,
    rewards: Rewards,
    step_cost: f64,
    replies: Vec<ReplyRecord>,
    /// The side requests of its decision and of its outcome.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    side: Vec<SideRecord>,
}

/// A side request.
#[derive(Serialize)]
struct SideRecord {
    role: SideRole,
    /// The number of the try, from 1.
    number: u32,
    /// The turns of the request as they were sent; empty if nothing was sent.
    messages: Vec<Value>,
    reply: String,
    /// The answer as it was read.
    answer: Option<Value>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
    /// Whether the answer to an equal request was used again.
    reused: bool,
}

/// A reply.
#[derive(Serialize)]
struct ReplyRecord {
    attempt: usize,
    request: RequestOrigin,
    messages: Vec<Value>,
    /// The agent's reply before any edit.
    reply: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    /// The actions read with the episode's rules; `None` on a parse error.
    actions: Option<Vec<String>>,
    format: f64,
    length: f64,
}

impl EpisodeRecord {
    /// The number of replies.
    pub(super) fn replies(&self) -> usize {
        self.steps.iter().map(|step| step.replies.len()).sum()
    }
}

/// Builds the record of an episode; its pictures go into the folder.
pub(super) fn episode_record(
    source: &ExportedEpisode<'_>,
    units: TrainingRewards,
    folder: &mut ExportFolder,
) -> Result<EpisodeRecord, LabError> {
    let episode = source.episode;
    let head = source.episode.head();
    let faults = analyze(episode, source.spec, head.conduct.thresholds);
    let rules = ReaderRules::named(rewards::RULES)
        .ok_or_else(|| Problem::new(format!("the reader rules {} are missing", rewards::RULES)))?;
    let mut steps = Vec::new();
    for (index, step) in episode.steps().iter().enumerate().filter(|(_, step)| step.is_done()) {
        let repeats = faults.at(index).has(Mark::RepeatedAction);
        let mut record = step_record(source, step, (units, repeats), &rules, folder)?;
        let next = episode.steps().get(index + 1);
        record.reward_terms = next.and_then(|next| {
            let scoring = source.spec.capabilities().scoring;
            RewardTerms::between(scoring, &step.observation, &next.observation)
        });
        steps.push(record);
    }
    let cut =
        episode.steps().iter().flat_map(|step| &step.attempts).filter(|attempt| attempt.cancelled).count();
    let shown_only = episode.steps().last().filter(|step| !step.is_done());
    let side = shown_only.map(|step| side_records(source, step, folder)).transpose()?.unwrap_or_default();
    let id = EpisodeId::of_journal(source.journal);
    let (folder, _) = episode_folder(source.journal);
    Ok(EpisodeRecord {
        session: id.session_name(),
        episode: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        repeat: head.repeat,
        branch: id.branch.map(branch_name),
        program: head.program.clone(),
        environment: head.environment.clone(),
        level: head.reference.clone(),
        title: head.title.clone(),
        agent: head.agent.name.clone(),
        model: head.model().map(str::to_owned),
        setting: head.setting,
        prompt: head.prompt.clone(),
        am: head.window.am(),
        om: head.window.om(),
        seed: head.seed,
        finished: episode.ending().is_some(),
        ending: episode.ending(),
        solved: episode.is_solved(),
        mixed: episode.is_mixed(),
        score: episode.score(source.spec),
        optimum: episode.reference().cloned(),
        thresholds: head.conduct.thresholds,
        repeating: faults.repeating,
        cut,
        rewards: episode_rewards(&steps),
        step_cost: rewards::rounded(steps.iter().map(|step| step.step_cost).sum()),
        steps,
        side,
    })
}

fn step_record(
    source: &ExportedEpisode<'_>,
    step: &Step,
    (units, repeats): (TrainingRewards, bool),
    rules: &ReaderRules,
    folder: &mut ExportFolder,
) -> Result<StepRecord, LabError> {
    let mut replies = Vec::new();
    for (index, attempt) in step.attempts.iter().enumerate().filter(|(_, attempt)| attempt.counts()) {
        let (request, messages) = source.turns(step, index, folder)?;
        let own = attempt.original();
        replies.push(ReplyRecord {
            attempt: index + 1,
            request,
            messages,
            reply: own.reply.as_ref().into(),
            reasoning: Some(own.thinking().into_owned()).filter(|thinking| !thinking.is_empty()),
            actions: actions(own),
            format: rewards::format_reward(rules, &source.native_format, &own.reply, &step.space),
            length: Rewards::of(0.0, 0.0, rewards::length_reward(&own.reply), 0.0).length,
        });
    }
    let points = step.effect.as_ref().map_or(0.0, |effect| effect.reward);
    let acted = step.effect.is_some();
    let (format, length) = replies.last().map_or((0.0, 0.0), |said| (said.format, said.length));
    let task = if acted { units.task(points) } else { 0.0 };
    Ok(StepRecord {
        step: step.number,
        action: step.action.as_ref().map(ToString::to_string),
        edited: step.is_edited(),
        unchanged: step.is_unchanged(),
        repeating: repeats,
        points,
        reward_terms: None,
        rewards: Rewards::of(task, format, length, rewards::repetition_reward(repeats)),
        step_cost: if acted { units.step_cost() } else { 0.0 },
        replies,
        side: side_records(source, step, folder)?,
    })
}

/// The side requests of a step that have an answer, or one that cannot be read.
fn side_records(
    source: &ExportedEpisode<'_>,
    step: &Step,
    folder: &mut ExportFolder,
) -> Result<Vec<SideRecord>, LabError> {
    let mut records = Vec::new();
    for exchange in &step.side {
        let Some(answer) = exchange.answer.clone() else { continue };
        let sent = exchange.attempt.sent.as_ref();
        let (answer, unread) = match answer {
            Ok(answer) => (Some(answer), None),
            Err(why) => (None, Some(why)),
        };
        records.push(SideRecord {
            role: exchange.role(),
            number: exchange.number,
            messages: sent.map(|sent| source.sent(sent, folder)).transpose()?.unwrap_or_default(),
            reply: exchange.attempt.reply.as_ref().into(),
            answer,
            unread,
            reused: exchange.reused,
        });
    }
    Ok(records)
}

fn actions(attempt: &Attempt) -> Option<Vec<String>> {
    let read = attempt.verdict.as_ref()?.as_ref().ok()?;
    Some(read.iter().map(ToString::to_string).collect())
}

/// The rewards of an episode: the sum of the task rewards, the mean of format and length over the steps with
/// a reply (so that a long episode earns no more than a short one), and the repetition penalty of a single
/// step, once.
fn episode_rewards(steps: &[StepRecord]) -> Rewards {
    let sum = steps.iter().fold(Rewards::default(), |sum, step| sum + step.rewards);
    let replied = steps.iter().filter(|step| !step.replies.is_empty()).count();
    let mean = |sum: f64| sum / f64::from(u32::try_from(replied.max(1)).unwrap_or(u32::MAX));
    let repeats = steps.iter().any(|step| step.repeating);
    Rewards::of(sum.task, mean(sum.format), mean(sum.length), rewards::repetition_reward(repeats))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: f64, format: f64, length: f64, repeating: bool, replied: bool) -> StepRecord {
        let said = || ReplyRecord {
            attempt: 1,
            request: RequestOrigin::Composed,
            messages: vec![],
            reply: String::new(),
            reasoning: None,
            actions: None,
            format,
            length,
        };
        StepRecord {
            step: 1,
            action: None,
            edited: false,
            unchanged: false,
            repeating,
            points: 0.0,
            reward_terms: None,
            rewards: Rewards::of(task, format, length, rewards::repetition_reward(repeating)),
            step_cost: -0.1,
            replies: replied.then(said).into_iter().collect(),
            side: vec![],
        }
    }

    #[test]
    fn an_episode_earns_the_task_sum_and_the_format_mean() {
        let steps = [
            row(1.0, 0.5, 0.1, false, true),
            row(-1.0, 0.0, 0.2, true, true),
            row(11.0, 0.0, 0.0, true, false),
        ];
        assert_eq!(
            episode_rewards(&steps),
            Rewards { task: 11.0, format: 0.25, length: 0.15, repetition: -0.2, total: 11.2 }
        );
        assert_eq!(episode_rewards(&[]), Rewards::default());
    }
}
