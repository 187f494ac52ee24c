//! Opens the states of a suite: each at its address in the store, or else by playing its actions into an ordinary session, so
//! that everything that works on a recording works on it.

use crate::suite::{play_state, recorded_state, suite_head};
use mageyard_lab::recorded_episode;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::file::{Suite, SuiteState};
use super::head::is_same_start;
use mageyard_config::Config;
use mageyard_domain::Digest;
use mageyard_engine::{Head, Step, Store};
use mageyard_lab::{Lab, LabError};

/// A state that can be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedState {
    /// The journal of its recording.
    pub journal: PathBuf,
    /// The step that begins with it.
    pub step: u32,
    /// Whether it was played just now.
    pub is_new: bool,
}

/// An episode that was played for a suite before.
struct PlayedEpisode {
    journal: PathBuf,
    head: Head,
    actions: Vec<Option<String>>,
    states: Vec<Digest>,
}

/// Opens all states, in order. What has to be played becomes an episode of the session `suite-NAME`, once.
pub async fn open_suite(
    lab: &Lab,
    suite: &Suite,
    store: &Store,
    config: &Config,
) -> Result<Vec<OpenedState>, LabError> {
    let found = recorded_states(lab, suite, store).await?;
    if found.iter().all(Option::is_some) {
        return Ok(found.into_iter().flatten().collect());
    }
    let session = store.create_named_session(&session_name(suite))?;
    let _lock = lock(&session)?;
    let mut played = played_episodes(lab, store, &session).await?;
    let mut opened: Vec<OpenedState> = Vec::new();
    for (index, found) in found.into_iter().enumerate() {
        let state = if let Some(found) = found {
            found
        } else {
            let known = (&mut played, opened.as_slice());
            opened_state(lab, (suite, index), (store, &session), known, config).await?
        };
        opened.push(state);
    }
    Ok(opened)
}

/// The states that can be opened without playing: those that are recorded, and those that were played before. Nothing
/// is written.
pub(crate) async fn known_states(
    lab: &Lab,
    suite: &Suite,
    store: &Store,
    config: &Config,
) -> Result<Vec<Option<OpenedState>>, LabError> {
    let found = recorded_states(lab, suite, store).await?;
    let session = store.root().join(session_name(suite));
    if found.iter().all(Option::is_some) || !session.is_dir() {
        return Ok(found);
    }
    let played = played_episodes(lab, store, &session).await?;
    let mut opened: Vec<OpenedState> = Vec::new();
    let mut known = Vec::new();
    for (index, found) in found.into_iter().enumerate() {
        let state = match found {
            Some(found) => Some(found),
            None => played_state(lab, (suite, index), &played, &opened, config)?,
        };
        opened.extend(state.clone());
        known.push(state);
    }
    Ok(known)
}

async fn recorded_states(
    lab: &Lab,
    suite: &Suite,
    store: &Store,
) -> Result<Vec<Option<OpenedState>>, LabError> {
    let mut found = Vec::new();
    for index in 0..suite.states.len() {
        found.push(recorded_state(lab, suite, index, store).await?);
    }
    Ok(found)
}

/// A state that was played before, in an episode that opens no other state.
fn played_state(
    lab: &Lab,
    (suite, index): (&Suite, usize),
    played: &[PlayedEpisode],
    opened: &[OpenedState],
    config: &Config,
) -> Result<Option<OpenedState>, LabError> {
    let state = suite.states.get(index).filter(|state| state.actions.is_some());
    let Some(state) = state else { return Ok(None) };
    let head = suite_head(lab, suite, index, config)?;
    let is_free = |known: &OpenedState| opened.iter().all(|other| other.journal != known.journal);
    Ok(played.iter().filter_map(|episode| episode.shows(state, &head)).find(is_free))
}

/// The digest of a state that is reached by its actions, played without a journal.
pub(crate) async fn reached_digest(
    lab: &Lab,
    suite: &Suite,
    index: usize,
    config: &Config,
) -> Result<Digest, LabError> {
    let head = suite_head(lab, suite, index, config)?;
    Ok(play_state(lab, (suite, index), head, None, config).await?.digest)
}

/// Checks a state: its recording, if the store has it, and where its actions lead. The text says what was checked.
pub async fn check_suite_state(
    lab: &Lab,
    suite: &Suite,
    index: usize,
    store: &Store,
    config: &Config,
) -> Result<&'static str, LabError> {
    let recorded = recorded_state(lab, suite, index, store).await?;
    let has_actions = suite.states.get(index).is_some_and(|state| state.actions.is_some());
    if has_actions {
        reached_head(lab, suite, index, config).await?;
    }
    match (recorded, has_actions) {
        (Some(_), true) => Ok("recorded and played"),
        (Some(_), false) => Ok("recorded"),
        (None, true) => Ok("played"),
        (None, false) => Err(not_here(suite, index)),
    }
}

/// The head of a state whose actions lead to it.
async fn reached_head(lab: &Lab, suite: &Suite, index: usize, config: &Config) -> Result<Head, LabError> {
    let head = suite_head(lab, suite, index, config)?;
    let reached = play_state(lab, (suite, index), head.clone(), None, config).await?;
    match suite.states.get(index).filter(|state| state.digest != reached.digest) {
        None => Ok(head),
        Some(state) => {
            let what = format!("its actions lead to the state {}, and not {}", reached.digest, state.digest);
            let help = "the level, the settings or the environment are others than when the suite was made";
            Err(suite.problem(index, what).with_help(help).into())
        }
    }
}

async fn opened_state(
    lab: &Lab,
    (suite, index): (&Suite, usize),
    (store, session): (&Store, &Path),
    (played, opened): (&mut Vec<PlayedEpisode>, &[OpenedState]),
    config: &Config,
) -> Result<OpenedState, LabError> {
    if suite.states.get(index).is_none_or(|state| state.actions.is_none()) {
        return Err(not_here(suite, index));
    }
    if let Some(known) = played_state(lab, (suite, index), played, opened, config)? {
        return Ok(known);
    }
    // It is played twice, so that no wrong state gets into the store.
    let head = reached_head(lab, suite, index, config).await?;
    let number = store.next_episode(session)?;
    let place = Some((store, session, number));
    let reached = play_state(lab, (suite, index), head, place, config).await?;
    let journal = store.journal_path(session, number);
    played.push(played_episode(lab, journal.clone()).await?);
    Ok(OpenedState { journal, step: reached.step, is_new: true })
}

/// The episodes of the session of a suite. Those that a kill has cut short can be read too.
async fn played_episodes(lab: &Lab, store: &Store, session: &Path) -> Result<Vec<PlayedEpisode>, LabError> {
    let last = store.next_episode(session)?;
    let mut episodes = Vec::new();
    for number in 1..last {
        let journal = store.journal_path(session, number);
        if journal.is_file() {
            episodes.extend(played_episode(lab, journal).await.ok());
        }
    }
    Ok(episodes)
}

async fn played_episode(lab: &Lab, journal: PathBuf) -> Result<PlayedEpisode, LabError> {
    let restored = recorded_episode(lab, &journal).restore().await?;
    let steps = restored.episode.steps();
    let action = |step: &Step| step.action.as_ref().filter(|_| step.is_done()).map(ToString::to_string);
    Ok(PlayedEpisode {
        journal,
        head: restored.episode.head().as_ref().clone(),
        actions: steps.iter().map(|step| action(step)).collect(),
        states: steps.iter().map(|step| step.state).collect(),
    })
}

impl PlayedEpisode {
    /// The state, if the episode leads to it by the same actions and with the same settings.
    fn shows(&self, state: &SuiteState, head: &Head) -> Option<OpenedState> {
        let actions = state.actions.as_ref()?;
        // The last step is the one to ask at.
        let same = self.actions.len() == actions.len() + 1
            && self.actions.iter().zip(actions).all(|(own, action)| own.as_ref() == Some(action));
        let shown = *self.states.get(actions.len())? == state.digest;
        let step = u32::try_from(actions.len() + 1).ok()?;
        (same && shown && is_same_start(&self.head, head)).then(|| OpenedState {
            journal: self.journal.clone(),
            step,
            is_new: false,
        })
    }
}

/// The session in which the states of a suite are played.
fn session_name(suite: &Suite) -> String {
    format!("suite-{}", suite.name)
}

/// One process at a time adds to the session of a suite.
fn lock(session: &Path) -> Result<File, LabError> {
    let path = session.join(".lock");
    let failed = |error| {
        LabError::failed(format!(
            "{}: the states of the suite cannot be stored here: {error}",
            path.display()
        ))
    };
    let file = File::create(&path).map_err(failed)?;
    // Some network file systems have no locks.
    let _ = file.lock();
    Ok(file)
}

fn not_here(suite: &Suite, index: usize) -> LabError {
    let address = suite.states.get(index).and_then(|state| state.address.clone()).unwrap_or_default();
    let what = format!("{address} is not in the store, and the state has no actions that lead to it");
    suite.problem(index, what).with_help("copy the recorded session into the store").into()
}
