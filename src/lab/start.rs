//! Episodes that begin where recorded ones have ended.

use std::path::Path;

use super::{Lab, LabError, RecordedEpisode, RestoredEpisode};
use crate::{branch_head, known_environment, read_recordings, recorded_episode};
use mageyard_config::{Config, Problem};
use mageyard_domain::{Options, Setting};
use mageyard_engine::{Head, Store};

/// Gives every Online head whose environment has a setting with a session (`EpisodeRules::start`) what
/// the Global episode of the same level and repeat in that session has left. Other heads lose the setting.
pub async fn assign_starts(lab: &Lab, store: &Store, heads: &mut [Head]) -> Result<(), LabError> {
    for head in heads {
        let spec = known_environment(lab, &head.environment)?;
        let Some(rule) = spec.capabilities().episodes.start else { continue };
        let given = head.options.get(rule.setting).and_then(|value| value.as_str()).unwrap_or_default();
        if given.is_empty() {
            continue;
        }
        if head.setting == Setting::Global {
            head.options.remove(rule.setting);
            continue;
        }
        let start = recorded_start(lab, store, given, head)?;
        head.options.extend(options_after(&start.restore().await?, start.path())?);
    }
    Ok(())
}

/// The options of an episode that begins where this one has ended.
fn options_after(ended: &RestoredEpisode, journal: &Path) -> Result<Options, Problem> {
    let problem = |why: &str| Problem::new(format!("{}: {why}", journal.display()));
    let rule = ended.spec.capabilities().episodes.start;
    let rule =
        rule.ok_or_else(|| problem("no episode of this environment begins where another has ended"))?;
    let last = ended.episode.steps().last().ok_or_else(|| problem("the episode has no state"))?;
    (rule.options)(&last.observation).map_err(|why| problem(&why))
}

/// The head of a new Online episode that begins where this Global one has ended, with its settings and those of `config`
/// that have one of the names in `given`; `None` unless the episode has ended, is a Global one of an environment with
/// such a start, and this is its last state.
///
/// # Errors
///
/// The journal cannot be read, a given setting cannot be replaced, or the last state has nothing to begin with.
pub async fn online_head(
    lab: &Lab,
    journal: &Path,
    step: u32,
    given: &[String],
    config: &Config,
) -> Result<Option<Head>, LabError> {
    let recorded = recorded_episode(lab, journal);
    let head = recorded.head()?;
    let spec = known_environment(lab, &head.environment)?;
    if head.setting != Setting::Global || spec.capabilities().episodes.start.is_none() {
        return Ok(None);
    }
    let ended = recorded.restore().await?;
    let is_last = ended.episode.steps().last().is_some_and(|last| last.number == step && !last.is_done());
    if ended.episode.ending().is_none() || !is_last {
        return Ok(None);
    }
    let (mut head, _) = branch_head(lab, &ended.episode, given, config)?;
    head.setting = Setting::Online;
    head.options.extend(options_after(&ended, journal)?);
    Ok(Some(head))
}

/// The setting that would name a recording to start from, if Online episodes of this environment can have one and this
/// one has none.
pub fn missing_start(lab: &Lab, head: &Head) -> Option<String> {
    let spec = known_environment(lab, &head.environment).ok()?;
    let name = spec.capabilities().episodes.start_setting()?;
    let given = head.options.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    let is_missing = head.setting == Setting::Online && given.is_empty();
    is_missing.then(|| format!("{}.{name}", spec.name()))
}

/// The finished Global episode of the same level and repeat.
fn recorded_start(lab: &Lab, store: &Store, session: &str, head: &Head) -> Result<RecordedEpisode, LabError> {
    let sessions = [session.to_owned()];
    for recording in read_recordings(lab, store, &sessions) {
        let recording = recording?;
        let found = recording.head()?;
        let same =
            (&found.environment, &found.level, found.repeat) == (&head.environment, &head.level, head.repeat);
        if same && found.setting == Setting::Global {
            return Ok(recording);
        }
    }
    let level = &head.reference;
    let repeat = head.repeat.unwrap_or(1);
    let what = format!("{session} has no Global episode of {level}, repeat {repeat}, to start from");
    Err(Problem::new(what).with_help("play it first with --setting global and the same repeats").into())
}
