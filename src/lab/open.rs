//! Opens new episodes: turns a head and a journal into a driver.

use crate::browser::shared_resources;
use crate::known_environment;
use crate::prompt_cache::prompts_of;
use crate::seat::seat_agent;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::level_files::store_level_files;
use super::replay_source::recording_for;
use super::{
    EpisodeId, Lab, LabError, agent_problem, check_prompt_setting, create_environment, reply_format,
};
use mageyard_config::Config;
use mageyard_domain::{
    Action, Agent, BlobStore, Environment, EnvironmentSpec, MemoryBlobStore, OverlayBlobStore, Recovery,
};
use mageyard_engine::{
    Driver, Episode, EpisodeSummary, Event, EventSink, Head, Journal, JournalError, Participants,
    RecordedAgent, ReferenceSearch, SessionBlobs, Store, check_guard,
};

/// The name of the agent that does nothing.
const IDLE: &str = "idle";

/// An episode that is ready to run.
pub struct PreparedEpisode {
    /// Its driver.
    pub driver: Driver,
    /// Its environment.
    pub spec: &'static dyn EnvironmentSpec,
    /// Takes the actions of a person, for an agent that needs one.
    pub person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    /// Its session and number.
    pub id: EpisodeId,
    /// A warning about its journal to show to the user.
    pub note: Option<String>,
}

/// Starts a new episode with this number in a session.
pub fn open_new(
    lab: &Lab,
    store: &Store,
    session: &Path,
    number: usize,
    head: Head,
    config: &Config,
) -> Result<PreparedEpisode, LabError> {
    let head = store_level_files(lab, head, &store.journal_path(session, number))?;
    let parts = episode_parts(lab, &head, config)?;
    let spec = parts.spec;
    let person = parts.person.clone();
    let driver = begin_episode(lab, parts, (store, session, number), head, config)?;
    let id = EpisodeId { session: session.to_owned(), number: u32::try_from(number).ok(), branch: None };
    Ok(PreparedEpisode { driver, spec, person, id, note: None })
}

/// A new episode in which this agent decides and not that of the head: with this number in a session, or without a
/// journal.
pub fn open_scripted(
    lab: &Lab,
    place: Option<(&Store, &Path, usize)>,
    head: Head,
    agent: Box<dyn Agent>,
    config: &Config,
) -> Result<Driver, LabError> {
    let head = match place {
        Some((store, session, number)) => store_level_files(lab, head, &store.journal_path(session, number))?,
        None => head,
    };
    let mut parts = episode_parts(lab, &head, config)?;
    parts.cast.agent = agent;
    match place {
        Some(place) => begin_episode(lab, parts, place, head, config),
        None => Ok(parts.driver(head, NullSink::new()).sharing(shared_resources(lab, config))),
    }
}

/// Creates the journal of an episode, and its driver.
fn begin_episode(
    lab: &Lab,
    parts: EpisodeParts,
    (store, session, number): (&Store, &Path, usize),
    head: Head,
    config: &Config,
) -> Result<Driver, LabError> {
    check_guard(lab.guard.as_deref(), &store.journal_path(session, number))?;
    let folder = store.create_episode(session, number)?;
    let journal = Journal::create(&folder, &head)?.with_summary(parts.spec).guarded_by(lab.guard.clone());
    let journal = journal.storing_observations(parts.cast.environment.recovery() != Recovery::Replay);
    Ok(parts.driver(head, Box::new(journal)).sharing(shared_resources(lab, config)))
}

/// A new episode without a journal.
pub fn open_without_journal(lab: &Lab, head: Head, config: &Config) -> Result<Driver, LabError> {
    Ok(episode_parts(lab, &head, config)?
        .driver(head, NullSink::new())
        .sharing(shared_resources(lab, config)))
}

/// An episode on the level of this recorded one in which nothing is done, without a journal and without a search for the best
/// score; `None` if its environment is live, so that it cannot be played at once.
pub fn open_idle(
    lab: &Lab,
    head: &Head,
    journal: &Path,
    config: &Config,
) -> Result<Option<Driver>, LabError> {
    let head = Head { agent: RecordedAgent::named(IDLE), ..head.clone() };
    let mut parts = episode_parts(lab, &head, config)?;
    parts.cast.reference_search = None;
    let is_pure = parts.cast.environment.recovery() == Recovery::Replay;
    let sink = NullSink::over(Arc::new(SessionBlobs::of_journal(journal)));
    Ok(is_pure.then(|| parts.driver(head, sink)))
}

/// An episode that repeats a recording without a journal. It searches no best score, which the recording has.
/// A branch goes on from the steps that it shares with its parent. The files of the level are in `blobs`.
pub(crate) fn open_for_verification(
    lab: &Lab,
    head: Head,
    blobs: Arc<dyn BlobStore>,
    shared: Option<(Episode, Box<dyn Environment>)>,
    config: &Config,
) -> Result<Driver, LabError> {
    let mut parts = episode_parts(lab, &head, config)?;
    parts.cast.reference_search = None;
    let sink = NullSink::over(blobs);
    let Some((mut episode, environment)) = shared else {
        return Ok(parts.driver(head, sink).sharing(shared_resources(lab, config)));
    };
    episode.apply(Event::Branched(head.into())).map_err(LabError::failed)?;
    let cast = Participants { environment, ..parts.cast };
    Ok(Driver::new(episode, cast, sink, Duration::ZERO).sharing(shared_resources(lab, config)))
}

/// Why an episode with this head cannot be opened.
pub fn check_head(lab: &Lab, head: &Head, config: &Config) -> Result<(), LabError> {
    episode_parts(lab, head, config).map(drop)
}

/// The parts that a head describes. A rejected setting is reported at the place where it was set.
fn episode_parts(lab: &Lab, head: &Head, config: &Config) -> Result<EpisodeParts, LabError> {
    let spec = known_environment(lab, &head.environment)?;
    let form = reply_format(spec, head)?;
    let environment = create_environment(spec, &head.to_level(), &head.options, head.seed)
        .map_err(|(name, why)| config.problem_with(&name, why))?;
    let seat = seat_agent(lab, spec, head, &head.agent, recording_for(&head.agent)?)
        .map_err(|error| agent_problem(&error, config))?;
    let prompts = prompts_of(lab, spec, config.folders(), &head.options)?;
    if head.agent.recording.is_none() {
        check_prompt_setting(spec, config)?;
    }
    let reference_search = Some(reference_search(spec, head));
    let cast = Participants { environment, agent: seat.agent, form, prompts, reference_search };
    Ok(EpisodeParts { spec, person: seat.human_actions, cast })
}

/// The parts of an episode.
struct EpisodeParts {
    spec: &'static dyn EnvironmentSpec,
    person: Option<mpsc::UnboundedSender<Vec<Action>>>,
    cast: Participants,
}

impl EpisodeParts {
    fn driver(self, head: Head, log: Box<dyn EventSink>) -> Driver {
        Driver::new(Episode::new(head.into()), self.cast, log, Duration::ZERO)
    }
}

/// Writes nothing. Its blobs are kept in memory, perhaps over those of a recording.
struct NullSink {
    blobs: Arc<dyn BlobStore>,
}

impl NullSink {
    fn new() -> Box<Self> {
        Box::new(Self { blobs: Arc::new(MemoryBlobStore::default()) })
    }

    fn over(recorded: Arc<dyn BlobStore>) -> Box<Self> {
        Box::new(Self { blobs: Arc::new(OverlayBlobStore::new(recorded)) })
    }
}

impl EventSink for NullSink {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }

    fn blobs(&self) -> Arc<dyn BlobStore> {
        self.blobs.clone()
    }
}

/// The search for the best possible score; it runs when the driver first needs it.
pub(super) fn reference_search(spec: &'static dyn EnvironmentSpec, head: &Head) -> ReferenceSearch {
    let level = head.to_level();
    let options = head.options.clone();
    Box::new(move |stop| spec.capabilities().scoring.reference(&level, &options, stop))
}
