//! Exports recorded episodes as results in the files of another program, in a form that their environment offers.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::conversation::{ExportedEpisode, role_name};
use super::folder::DraftFolder;
use crate::prompt_cache::prompts_of;
use crate::rejudge::stored_episode;
use crate::{Lab, LabError, RecordedEpisode, RestoredEpisode};
use mageyard_agents::request_reader;
use mageyard_config::{Config, Problem};
use mageyard_domain::{
    EnvironmentSpec, Message, MessagePart, ResultEpisode, ResultFile, ResultFormat, ResultPart, ResultReply,
    ResultTurn, SentRequest, Turn, TurnPart,
};
use mageyard_engine::{Attempt, Step};

/// What was exported, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct ExportedResults {
    /// The names of the files in the folder.
    pub files: Vec<String>,
    /// Exported episodes.
    pub episodes: usize,
    /// Their replies.
    pub replies: usize,
    /// Episodes that a person changed, exported or not.
    pub mixed: usize,
    /// Episodes that are unfinished or have no verdict; they have no result.
    pub unfinished: usize,
    /// Episodes that were left out.
    pub left_out: usize,
}

/// Entries of episodes of one environment.
struct Entries {
    environment: &'static str,
    format: &'static ResultFormat,
    list: Vec<Value>,
}

/// The names of the result formats, each once, with their summaries.
pub fn result_format_names(
    environments: &[&'static dyn EnvironmentSpec],
) -> Vec<(&'static str, &'static str)> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for format in environments.iter().flat_map(|spec| spec.capabilities().results) {
        if !names.iter().any(|(name, _)| *name == format.name) {
            names.push((format.name, format.summary));
        }
    }
    names
}

/// Exports the results of these episodes to a new folder, in the format of this name. Episodes without a result are left
/// out, with `clean` also those that a person changed. An episode whose environment does not have the format is an error.
pub async fn export_results(
    lab: &Lab,
    recordings: impl Iterator<Item = Result<RecordedEpisode, LabError>>,
    format: &str,
    folder: &Path,
    clean: bool,
    config: &Config,
) -> Result<ExportedResults, LabError> {
    let names = result_format_names(lab.environments());
    let names: Vec<&str> = names.into_iter().map(|(name, _)| name).collect();
    if !names.contains(&format) {
        let problem = Problem::new(format!("there is no result format {format:?}"));
        return Err(problem.with_help(format!("formats: {}", names.join(", "))).into());
    }
    let folder = DraftFolder::create(folder)?;
    let mut results = ExportedResults::default();
    let mut kinds: Vec<Entries> = Vec::new();
    for recording in recordings {
        let recording = recording?;
        let restored = recording.restore().await?;
        let format = find_format(lab, &recording, restored.spec, format)?;
        if let Some(entry) = entry(lab, &recording, &restored, format, clean, config, &mut results)? {
            add(&mut kinds, restored.spec.name(), format, entry);
        }
    }
    write_files(&folder, &kinds, &mut results)?;
    folder.finish()?;
    Ok(results)
}

fn find_format(
    lab: &Lab,
    recording: &RecordedEpisode,
    spec: &'static dyn EnvironmentSpec,
    name: &str,
) -> Result<&'static ResultFormat, LabError> {
    let of =
        |spec: &dyn EnvironmentSpec| spec.capabilities().results.iter().find(|format| format.name == name);
    of(spec).ok_or_else(|| {
        let having = lab.environments().iter().filter(|spec| of(**spec).is_some()).map(|spec| spec.name());
        let journal = recording.path().display();
        let problem = Problem::new(format!("{journal}: {} has no results of the form {name}", spec.name()));
        let having: Vec<&str> = having.collect();
        problem.with_help(format!("{name} is written for episodes of {}", having.join(", "))).into()
    })
}

fn add(kinds: &mut Vec<Entries>, environment: &'static str, format: &'static ResultFormat, entry: Value) {
    match kinds.iter_mut().find(|kind| kind.environment == environment) {
        Some(kind) => kind.list.push(entry),
        None => kinds.push(Entries { environment, format, list: vec![entry] }),
    }
}

fn entry(
    lab: &Lab,
    recording: &RecordedEpisode,
    restored: &RestoredEpisode,
    format: &ResultFormat,
    clean: bool,
    config: &Config,
    results: &mut ExportedResults,
) -> Result<Option<Value>, LabError> {
    let episode = &restored.episode;
    let judged = restored.spec.capabilities().judging.is_none()
        || episode.judgement().is_some_and(|judgement| judgement.verdict().is_some());
    let unfinished = episode.ending().is_none() || !judged;
    results.mixed += usize::from(episode.is_mixed());
    results.unfinished += usize::from(unfinished);
    if unfinished || clean && episode.is_mixed() {
        results.left_out += 1;
        return Ok(None);
    }
    let head = episode.head();
    let prompts = prompts_of(lab, restored.spec, config.folders(), &head.options)?;
    let source = ExportedEpisode::of(recording.path(), restored.spec, episode, &prompts)?;
    let replies = replies(&source)?;
    let made = stored_episode(episode, &head.to_level(), &head.options, episode.answers(), |stored| {
        (format.entry)(&ResultEpisode {
            stored: *stored,
            reference: &head.reference,
            title: head.title.as_deref(),
            agent: head.model().unwrap_or(&head.agent.name),
            seconds: restored.elapsed.as_secs_f64(),
            replies: &replies,
        })
    });
    let Some(made) = made else { return Ok(None) };
    let entry = made.map_err(|why| LabError::failed(format!("{}: {why}", recording.path().display())))?;
    results.episodes += 1;
    results.replies += replies.len();
    Ok(Some(entry))
}

fn replies(source: &ExportedEpisode<'_>) -> Result<Vec<ResultReply>, LabError> {
    let mut replies = Vec::new();
    for step in source.episode.steps() {
        for (index, attempt) in step.attempts.iter().enumerate().filter(|(_, attempt)| attempt.counts()) {
            let own = attempt.original();
            let turns = turns(source, step, index)?;
            replies.push(ResultReply { step: step.number, turns, text: own.reply.clone(), usage: own.usage });
        }
    }
    Ok(replies)
}

fn turns(source: &ExportedEpisode<'_>, step: &Step, index: usize) -> Result<Vec<ResultTurn>, LabError> {
    match step.attempts.get(index).map(Attempt::original).and_then(|attempt| attempt.sent.as_ref()) {
        Some(sent) => sent_turns(sent).ok_or_else(|| source.unsupported_part()),
        None => Ok(source.composed_messages(step, index)?.iter().map(composed_turn).collect()),
    }
}

/// The turns as they were sent; `None` if one has a part that this program never sends.
fn sent_turns(sent: &SentRequest) -> Option<Vec<ResultTurn>> {
    let part = |part: TurnPart| match part {
        TurnPart::Text(_, text) => Some(ResultPart::Text(text)),
        TurnPart::Image { image: Some(image), .. } => Some(ResultPart::Picture(image.part)),
        TurnPart::Image { image: None, .. } | TurnPart::Unknown(_) => None,
    };
    let turns = sent.read_turns(request_reader()).into_iter().map(Turn::as_sent);
    let turn = |turn: Turn| {
        let parts = turn.parts.into_iter().map(part).collect::<Option<_>>()?;
        Some(ResultTurn { role: turn.role, parts })
    };
    turns.map(turn).collect()
}

fn composed_turn(message: &Message) -> ResultTurn {
    let parts = message.parts.iter().map(|part| match part {
        MessagePart::Text(_, text) => ResultPart::Text(text.to_string()),
        MessagePart::Image(part, _) => ResultPart::Picture(*part),
    });
    ResultTurn { role: role_name(message.role).to_owned(), parts: parts.collect() }
}

fn write_files(
    folder: &DraftFolder,
    kinds: &[Entries],
    results: &mut ExportedResults,
) -> Result<(), LabError> {
    let files: Vec<ResultFile> = kinds.iter().flat_map(|kind| (kind.format.files)(&kind.list)).collect();
    if files.is_empty() {
        let what = "none of these episodes has a result: they are unfinished, without a verdict or left out";
        return Err(Problem::new(what).into());
    }
    let mut names = BTreeSet::new();
    for file in files {
        if !names.insert(file.name.clone()) {
            let problem = Problem::new(format!("two environments write the file {}", file.name));
            return Err(problem.with_help("export their episodes one after the other").into());
        }
        folder.write(&file.name, &file.text)?;
        results.files.push(file.name);
    }
    Ok(())
}
