//! Resumes unfinished episodes from their journals.

use crate::browser::shared_resources;
use crate::connection::{changed_connection, connection_note};
use crate::prompt_cache::prompts_of;
use crate::restore::restore_journal;
use crate::roles::role_seats;
use crate::seat::seat_agent;
use std::path::Path;

use super::open::{PreparedEpisode, reference_search};
use super::recordings::RestoredEpisode;
use super::replay_source::recording_for;
use super::restore::ReplayedJournal;
use super::{EpisodeId, Lab, LabError, reply_format};
use mageyard_config::{Config, Problem};
use mageyard_domain::{Options, Recovery};
use mageyard_engine::{Driver, Journal, JournalLock, Participants, RecordedAgent, check_guard};

/// Resumes an unfinished episode from its journal. The settings of the connection that `config` gives decide for all
/// further requests, and the note of the episode says so.
pub async fn resume_episode(lab: &Lab, path: &Path, config: &Config) -> Result<PreparedEpisode, LabError> {
    let (lock, reader) = JournalLock::take_when_free(path).await?;
    let ReplayedJournal { spec, episode, environment, reader } = restore_journal(lab, reader).await?;
    if environment.recovery() == Recovery::StoredOnly {
        let what = format!("{}: the state of this {} episode is lost", path.display(), spec.name());
        return Err(Problem::new(what).with_help("view the recording with `mageyard view`").into());
    }
    let elapsed = reader.elapsed();
    let torn = reader.torn();
    check_guard(lab.guard.as_deref(), path)?;
    let restored = RestoredEpisode { spec, episode, environment, elapsed };
    let recorded = restored.episode.connected_agent();
    let changed = match restored.episode.ending() {
        None => changed_connection(lab, &recorded, config)?,
        Some(_) => Options::new(),
    };
    let agent = recorded.connected(&changed);
    let journal = || Ok(lock.resume(reader)?);
    let id = EpisodeId::of_journal(path);
    let mut prepared = continue_episode(lab, restored, &agent, journal, id, config)?;
    let torn = torn.map(|torn| {
        format!("{}: the last line is incomplete ({} bytes) and is dropped", path.display(), torn.bytes)
    });
    let moved = (!changed.is_empty()).then(|| connection_note(&recorded, &changed));
    if moved.is_some() {
        prepared.driver.set_connection(changed).map_err(LabError::failed)?;
    }
    let notes: Vec<String> = torn.into_iter().chain(moved).collect();
    Ok(PreparedEpisode { note: (!notes.is_empty()).then(|| notes.join("; ")), ..prepared })
}

/// Prepares a restored episode, in which this agent decides next, to continue in its journal, which is opened once
/// everything else is there.
pub(crate) fn continue_episode(
    lab: &Lab,
    restored: RestoredEpisode,
    agent: &RecordedAgent,
    journal: impl FnOnce() -> Result<Journal, LabError>,
    id: EpisodeId,
    config: &Config,
) -> Result<PreparedEpisode, LabError> {
    let RestoredEpisode { spec, episode, environment, elapsed } = restored;
    let head = episode.head().clone();
    let form = reply_format(spec, &head)?;
    let seat = seat_agent(lab, spec, &head, agent, recording_for(agent)?);
    let seat = seat.map_err(|error| Problem::new(error.to_string()))?;
    let prompts = prompts_of(lab, spec, config.folders(), &head.options)?;
    let reference_search = Some(reference_search(spec, &head));
    let roles = role_seats(lab, spec, &head)?;
    let cast = Participants { environment, agent: seat.agent, form, prompts, reference_search, roles };
    let stored = cast.environment.recovery() != Recovery::Replay;
    let journal = journal()?.with_summary(spec).storing_observations(stored);
    let journal = journal.guarded_by(lab.guard.clone());
    let driver =
        Driver::new(episode, cast, Box::new(journal), elapsed).sharing(shared_resources(lab, config));
    Ok(PreparedEpisode { driver, spec, person: seat.human_actions, id, note: None })
}
