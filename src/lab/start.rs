//! Episodes that begin where recorded ones have ended.

use super::{Lab, LabError, RecordedEpisode};
use crate::{known_environment, read_recordings};
use mageyard_config::Problem;
use mageyard_domain::Setting;
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
        let restored = start.restore().await?;
        let last = restored.episode.steps().last().map(|step| step.observation.clone());
        let missing = || Problem::new(format!("{}: the episode has no state", start.path().display()));
        let options = (rule.options)(&last.ok_or_else(missing)?)
            .map_err(|why| Problem::new(format!("{}: {why}", start.path().display())))?;
        head.options.extend(options);
    }
    Ok(())
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
