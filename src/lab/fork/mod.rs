//! Makes branches: restores an episode to a step, and begins a journal there.
//!
//! The state is proven before anything is written. In a pure world every observation is compared on the way
//! (*exact*); an environment with checkpoints goes back to the newest one and repeats the actions since then
//! (*replayed*); a surface that can only be opened again is refused, unless a person allows it (*unsafe*). A kill
//! between folder and head leaves an empty folder, which is left out.

mod changes;
mod edits;
mod picked;
mod settings;
mod text;

pub(crate) use self::picked::with_picked_reply;
pub use self::settings::branch_head;
pub(crate) use self::settings::refuse_other_settings;
pub use self::text::{fork_plan_lines, meeting_text};
use crate::browser::shared_resources;
use crate::open::check_head;
use crate::restore::new_environment;
use crate::resume::continue_episode;
use crate::{read_condition, recorded_episode};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::changes::read_changes;
pub use self::changes::{ForkArgs, ForkChanges, fork_change_names};
use self::edits::REPLY;
pub use self::edits::StepEdits;
pub use self::settings::FORK_SETTINGS;
use self::settings::{at_step, changes};
use super::recordings::RestoredEpisode;
use super::restore::restore_error;
use super::{EpisodeId, Lab, LabError, PreparedEpisode, check_prompt_setting};
use crate::AnswerReference;
use mageyard_config::{Config, Problem};
use mageyard_domain::{Checkpoint, Environment, EnvironmentContext, EnvironmentSpec, Recovery};
use mageyard_engine::{
    Change, Continuation, Episode, Event, ForkPoint, Head, Journal, JournalReader, Parent, RecordedAgent,
    Restored, RewindError, Seat, branch_journal, branch_name, create_branch_folder, episode_folder,
    repeated_actions, restore_step, rewind,
};

/// What a person asks of a branch.
#[derive(Clone, Debug, Default)]
pub struct ForkRequest {
    /// The step that it begins with, from 1.
    pub step: u32,
    /// The names of the settings that are taken from the configuration; all others are those of the parent at this step.
    pub given: Vec<String>,
    /// What else changes at the step.
    pub edits: StepEdits,
    /// The call of an ask whose reply the step has, with the settings of its variant.
    pub answer: Option<AnswerReference>,
    /// The hypothesis, if there is one.
    pub why: Option<String>,
    /// The condition that tests it, if there is one.
    pub expect: Option<String>,
    /// Whether a live surface may be opened again, although its state cannot be proven.
    pub allow_unsafe: bool,
}

/// A branch before it is made.
pub struct ForkPlan {
    spec: &'static dyn EnvironmentSpec,
    environment: Box<dyn Environment>,
    episode: Episode,
    shared: JournalReader,
    head: Head,
    /// The changes of seat of the parent that go on in the branch.
    seats: Vec<Seat>,
    edits: StepEdits,
    /// How the environment reached the step.
    pub restored: Restored,
    /// What differs from the parent.
    pub changes: Vec<Change>,
    /// The requests before the step, which are not sent again.
    pub saved_requests: usize,
    /// The actions that will be carried out again outside of this process before the branch begins.
    pub repeated_actions: usize,
}

/// A branch that was made.
pub struct Fork {
    /// Its journal.
    pub journal: PathBuf,
    /// Its episode, ready to be continued.
    pub episode: PreparedEpisode,
}

impl ForkPlan {
    /// The state of the environment at the step as a text that can be edited, if it offers that.
    pub fn state(&self) -> Option<String> {
        self.spec.capabilities().tools.state_editor?.state(&self.episode.steps().last()?.observation)
    }

    /// The settings that the branch would begin with.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The episode at the start of the step.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The agent that would decide there: that of the head, or one that was seated later.
    pub fn agent(&self) -> &RecordedAgent {
        self.seats.last().map_or(&self.head.agent, |seat| &seat.agent)
    }

    /// The same branch as one of several, in which this agent plays from the start.
    #[must_use]
    pub fn continuing(mut self, continuation: Continuation, agent: RecordedAgent) -> Self {
        self.seats.clear();
        self.head.agent = agent;
        if let Some(parent) = &mut self.head.parent {
            parent.continuation = Some(continuation);
        }
        self
    }
}

/// Restores an episode to the start of a step and says what a branch there would be. Nothing is written.
pub async fn plan_fork(
    lab: &Lab,
    journal: &Path,
    request: &ForkRequest,
    config: &Config,
) -> Result<ForkPlan, LabError> {
    if let Some(expected) = &request.expect {
        read_condition(lab, expected, "--expect", config).await?;
    }
    let reader = JournalReader::open(journal)?;
    let (spec, mut environment) = new_environment(lab, journal, reader.head())?;
    let own = reader.head().clone();
    let restored = restore_step(reader, environment.as_mut(), request.step).await;
    let restored = restored.map_err(|error| restore_error(journal, &own, error))?;
    let Some((episode, shared)) = restored else {
        return Err(no_step(lab, journal, request.step).await.into());
    };
    let restored = bring_back(lab, environment.as_mut(), &episode, &shared, request, config).await?;
    let parent = at_step(&episode);
    let (request, config) = &with_picked_reply(lab, journal, request, &parent.agent, config)?;
    if request.given.iter().any(|name| name == "play.prompt") {
        check_prompt_setting(spec, config)?;
    }
    let (head, seats) = branch_head(lab, &episode, &request.given, config)?;
    let decided = seats.last().map_or(&head.agent, |seat| &seat.agent);
    let mut changes = changes(&parent, &Head { agent: decided.clone(), ..head.clone() });
    changes.extend(request.edits.changes(spec, environment.as_mut(), &episode).await?);
    // Above the settings of its variant, which may be many.
    changes.sort_by_key(|change| change.name != REPLY);
    let ForkPoint { journal: from, lines, offset, seal } = shared.fork_point();
    let branch = episode_folder(&from).1;
    let ForkRequest { step, why, expect, .. } = request.clone();
    let line = Parent {
        branch,
        step,
        lines,
        offset,
        seal,
        restored,
        changes: changes.clone(),
        why,
        expect,
        continuation: None,
    };
    Ok(ForkPlan {
        saved_requests: episode.steps().iter().flat_map(|step| &step.attempts).count(),
        repeated_actions: match restored {
            Restored::Replayed => {
                let saved = episode.checkpoint().map(|(step, _)| *step);
                repeated_actions(episode.steps(), step, saved)
            }
            Restored::Exact | Restored::Unsafe => 0,
        },
        head: Head { parent: Some(line.into()), ..head },
        seats,
        edits: request.edits.clone(),
        spec,
        environment,
        episode,
        shared,
        restored,
        changes,
    })
}

/// Reads the changes of a branch at this step as a person writes them, such as `prompt=HD-CoT am=1 why it forgets`.
pub fn read_fork_changes(lab: &Lab, changes: &str, step: u32) -> Result<ForkChanges, Problem> {
    read_changes(changes, step, lab.setting_names)
}

/// Makes a branch with changes that a person wrote, and says what it is called.
pub(crate) async fn fork_with_changes(
    lab: &Lab,
    journal: &Path,
    step: u32,
    changes: &str,
    config: &Config,
) -> Result<String, LabError> {
    let ForkChanges { given, request } = read_fork_changes(lab, changes, step)?;
    let config = config.with_overrides(&given)?;
    let plan = plan_fork(lab, journal, &request, &config).await?;
    let mut fork = make_fork(lab, plan, &config).await?;
    fork.episode.driver.flush().map_err(LabError::failed)?;
    let number = EpisodeId::of_journal(&fork.journal).branch;
    Ok(number.map_or_else(|| fork.journal.display().to_string(), branch_name))
}

/// Makes a planned branch.
pub async fn make_fork(lab: &Lab, plan: ForkPlan, config: &Config) -> Result<Fork, LabError> {
    let ForkPlan { spec, environment, mut episode, shared, head, seats, edits, .. } = plan;
    check_head(lab, &head, config)?;
    let elapsed = shared.elapsed();
    let head = Arc::new(head);
    episode.apply(Event::Branched(head.clone())).map_err(LabError::failed)?;
    let number = create_branch_folder(shared.episode_folder())?;
    let journal = branch_journal(shared.episode_folder(), Some(number));
    let restored = RestoredEpisode { spec, episode, environment, elapsed };
    let id = EpisodeId::of_journal(&journal);
    let folder = journal.parent().unwrap_or(&journal);
    let created = || Ok(Journal::create_branch(folder, &head, shared)?);
    let agent = restored.episode.connected_agent();
    let mut episode = continue_episode(lab, restored, &agent, created, id, config)?;
    for seat in seats {
        episode.driver.repeat_seat(seat).map_err(LabError::failed)?;
    }
    edits.make(&mut episode.driver).await?;
    Ok(Fork { journal, episode })
}

/// What to do about a branch whose state cannot be proven.
const UNSAFE_HELP: &str = "--unsafe makes the branch all the same, marked as unsafe";

/// Proves that the environment can be at the step, and how.
async fn bring_back(
    lab: &Lab,
    environment: &mut dyn Environment,
    episode: &Episode,
    shared: &JournalReader,
    request: &ForkRequest,
    config: &Config,
) -> Result<Restored, LabError> {
    let context = EnvironmentContext {
        blobs: shared.blobs(),
        resources: shared_resources(lab, config),
        ..EnvironmentContext::default()
    };
    match environment.recovery() {
        Recovery::Replay => Ok(Restored::Exact),
        Recovery::Checkpoint => {
            let saved = episode.checkpoint().map(|(step, blob)| (*step, Checkpoint::Stored(blob.clone())));
            let from = saved.as_ref().map(|(step, saved)| (*step, saved));
            let seen = rewind(environment, &context, episode.steps(), request.step, from).await;
            environment.close().await;
            seen.map_err(|error| LabError::mismatch(shared.path(), &error.to_string()))?;
            let exact = saved.is_some_and(|(step, _)| step == request.step);
            Ok(if exact { Restored::Exact } else { Restored::Replayed })
        }
        Recovery::Repeat => {
            let seen = rewind(environment, &context, episode.steps(), request.step, None).await;
            environment.close().await;
            match seen {
                Ok(_) => Ok(Restored::Replayed),
                Err(RewindError::Environment(error)) => Err(LabError::failed(error)),
                Err(_) if request.allow_unsafe => Ok(Restored::Unsafe),
                Err(differs) => {
                    let what = format!("{}: repeating its actions: {differs}", shared.path().display());
                    Err(Problem::new(what).with_help(UNSAFE_HELP).into())
                }
            }
        }
        Recovery::Reopen if request.allow_unsafe => Ok(Restored::Unsafe),
        Recovery::Reopen => {
            let what = format!(
                "{}: the environment is a live surface: it would be opened again, and what cannot be seen of its state may differ",
                shared.path().display()
            );
            Err(Problem::new(what).with_help(UNSAFE_HELP).into())
        }
        Recovery::StoredOnly => {
            let what = format!("{}: the state of this environment cannot come back", shared.path().display());
            Err(Problem::new(what).with_help("view the recording with `mageyard view`").into())
        }
    }
}

/// Why no branch can begin at this step.
async fn no_step(lab: &Lab, journal: &Path, step: u32) -> Problem {
    let problem = Problem::new(format!("{}: no branch can begin at step {step}", journal.display()));
    let Ok(restored) = recorded_episode(lab, journal).restore().await else { return problem };
    let decided = restored.episode.steps().iter().filter(|step| step.is_done() || !step.attempts.is_empty());
    let last = restored.episode.steps_done().max(decided.count().try_into().unwrap_or(u32::MAX));
    problem.with_help(match last {
        0 => "the episode has no steps yet".to_owned(),
        last => format!("a branch begins at a step that was decided: 1 to {last}"),
    })
}

#[cfg(test)]
mod tests;
