//! The frozen state: an episode at the start of a step, with what is needed to compose requests there.

use mageyard_lab::{branch_head, new_environment, prompts_of, recorded_episode};
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::error::AskFileError;
use mageyard_config::{Config, Problem};
use mageyard_dialog::Prompt;
use mageyard_domain::{Digest, EnvironmentSpec, Recovery, ReplyFormat};
use mageyard_engine::{Episode, Head, JournalReader, Need, RecordedAgent, Step, restore_decision};
use mageyard_lab::{Lab, LabError, reply_format, restore_error};

/// A state that is asked about.
pub(crate) struct FrozenState {
    /// The journal, which is only read.
    pub(super) journal: PathBuf,
    pub(super) spec: &'static dyn EnvironmentSpec,
    /// How the episode comes back after its process has ended.
    pub(crate) recovery: Recovery,
    /// The settings at the step, with those that were replaced.
    pub(crate) head: Head,
    /// Who decides there.
    pub(super) agent: RecordedAgent,
    /// The episode up to the start of the step.
    pub(crate) episode: Episode,
    /// The step, not decided.
    pub(crate) step: Arc<Step>,
    /// The step as it was recorded, if it is over.
    pub(crate) taken: Option<Arc<Step>>,
    pub(super) prompts: Arc<[Prompt]>,
    pub(super) form: ReplyFormat,
    /// The next part of a right plan, searched for when it is first needed.
    pub(super) plan_hint: OnceLock<Result<String, String>>,
}

impl FrozenState {
    /// The state with these prompts in place of those of their names.
    pub(super) fn with_drafts(self, drafts: &[Prompt]) -> Self {
        if drafts.is_empty() {
            return self;
        }
        let is_kept = |prompt: &&Prompt| drafts.iter().all(|draft| draft.name != prompt.name);
        let drafts = drafts.iter().map(|draft| self.with_words(draft));
        let prompts = self.prompts.iter().filter(is_kept).cloned().chain(drafts).collect();
        Self { prompts, ..self }
    }

    /// A prompt with what it says of the states of this environment.
    pub(super) fn with_words(&self, prompt: &Prompt) -> Prompt {
        prompt.clone().with_state_words(&self.spec.capabilities().state_words(&self.head.options))
    }
}

/// An episode that was restored up to the start of a step.
struct EpisodeAt {
    spec: &'static dyn EnvironmentSpec,
    recovery: Recovery,
    episode: Episode,
}

/// The episode of a journal at the start of a step. The settings with the names in `given` are those of `config`.
pub(crate) async fn frozen_state(
    lab: &Lab,
    journal: &Path,
    number: u32,
    given: &[String],
    config: &Config,
) -> Result<FrozenState, LabError> {
    let EpisodeAt { spec, recovery, episode } = episode_at(lab, journal, number).await?;
    if !matches!(episode.need(), Need::Decide { .. }) {
        let what = format!("{}: the agent was not asked at step {number}", journal.display());
        return Err(Problem::new(what).with_help("its action is part of a plan; ask at step 1").into());
    }
    let (head, seats) = branch_head(lab, &episode, given, config)?;
    let agent = seats.last().map_or(&head.agent, |seat| &seat.agent).clone();
    let Some(step) = episode.steps().last().cloned() else { return Err(no_step(journal, number).into()) };
    // What follows the step may be damaged, or not be there yet.
    let whole = recorded_episode(lab, journal).restore().await.ok();
    let taken = whole.and_then(|whole| whole.episode.steps().numbered(number).cloned());
    Ok(FrozenState {
        journal: journal.to_owned(),
        spec,
        recovery,
        form: head.rules.reply_format(&reply_format(spec, &head)?),
        prompts: prompts_of(lab, spec, config.folders(), &head.options)?,
        head,
        agent,
        episode,
        step,
        taken: taken.filter(|step| step.is_done()),
        plan_hint: OnceLock::new(),
    })
}

/// The digest of the state that a step begins with, read from the journal.
pub(crate) async fn state_at(lab: &Lab, journal: &Path, number: u32) -> Result<Digest, LabError> {
    let EpisodeAt { episode, .. } = episode_at(lab, journal, number).await?;
    episode.steps().last().map(|step| step.state).ok_or_else(|| no_step(journal, number).into())
}

async fn episode_at(lab: &Lab, journal: &Path, number: u32) -> Result<EpisodeAt, LabError> {
    let reader = JournalReader::open(journal)?;
    let (spec, mut environment) = new_environment(lab, journal, reader.head())?;
    let head = reader.head().clone();
    let restored = restore_decision(reader, environment.as_mut(), number).await;
    let restored = restored.map_err(|error| restore_error(journal, &head, error))?;
    let recovery = environment.recovery();
    let found = restored.map(|episode| EpisodeAt { spec, recovery, episode });
    found.ok_or_else(|| no_step(journal, number).into())
}

fn no_step(journal: &Path, number: u32) -> Problem {
    let what = format!("{}: nothing can be asked at step {number}", journal.display());
    Problem::new(what)
        .with_help("name a step at which the agent is asked: `mageyard view SESSION --json` lists them")
}

/// The digest of the first bytes of a journal: all of them now, or as many as there were. It may grow meanwhile.
pub(super) fn journal_digest(path: &Path, length: Option<u64>) -> Result<(u64, Digest), AskFileError> {
    let disk = AskFileError::disk(path);
    let file = File::open(path).map_err(&disk)?;
    let length = match length {
        Some(length) => length,
        None => file.metadata().map_err(&disk)?.len(),
    };
    let mut hasher = blake3::Hasher::new();
    let read = io::copy(&mut file.take(length), &mut hasher).map_err(&disk)?;
    Ok((read, Digest::from(&hasher)))
}
