//! Resumes unfinished episodes from their journals.

use std::path::Path;

use super::EpisodeId;
use super::Lab;
use super::LabError;
use super::open::PreparedEpisode;
use super::open::reference_search;
use super::prompts;
use super::replay_source::recording_for;
use super::reply_format;
use super::restore::ReplayedJournal;
use crate::config::Config;
use crate::config::Problem;
use crate::domain::Recovery;
use crate::engine::Driver;
use crate::engine::JournalLock;
use crate::engine::Participants;
use crate::engine::check_guard;

impl Lab {
    /// Resumes an unfinished episode from its journal.
    pub async fn resume(&self, path: &Path, config: &Config) -> Result<PreparedEpisode, LabError> {
        let (lock, reader) = JournalLock::take_when_free(path).await?;
        let ReplayedJournal { spec, episode, environment, reader } = self.restore_from(reader).await?;
        let head = reader.head().clone();
        if environment.recovery() == Recovery::StoredOnly {
            let what = format!("{}: the state of this {} episode is lost", path.display(), spec.name());
            return Err(Problem::new(what).with_help("view the recording with `mageyard view`").into());
        }
        let form = reply_format(spec, &head)?;
        let seat =
            self.seat(spec, &head, recording_for(&head)?).map_err(|error| Problem::new(error.to_string()))?;
        let (earlier, torn) = (reader.elapsed(), reader.torn());
        let prompts = prompts(spec, config.folders(), &head.options)?.into();
        let reference_search = Some(reference_search(spec, &head));
        let cast = Participants { environment, agent: seat.agent, form, prompts, reference_search };
        let stored = cast.environment.recovery() != Recovery::Replay;
        check_guard(self.guard.as_deref(), path)?;
        let journal = lock.resume(reader)?.with_summary(spec).storing_observations(stored);
        let journal = journal.guarded_by(self.guard.clone());
        let driver = Driver::new(episode, cast, Box::new(journal), earlier).sharing(self.resources(config));
        let note = torn.map(|torn| {
            format!("{}: the last line is incomplete ({} bytes) and is dropped", path.display(), torn.bytes)
        });
        let id = EpisodeId::of_journal(path);
        Ok(PreparedEpisode { driver, spec, person: seat.human_actions, id, note })
    }
}
