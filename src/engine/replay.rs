//! Replay: restores an episode from its journal. The recorded actions are carried out again, and every state is
//! compared with its recorded digest.

use std::sync::Arc;

use thiserror::Error;

use super::attempt::FailedTry;
use super::episode::Episode;
use super::event::Event;
use super::journal::{
    JournalContents, JournalError, JournalLine, JournalReader, ReadAhead, StoredEvent, StoredObservation,
};
use mageyard_domain::{
    ActProblem, Action, BlobHandle, BlobRef, BlobStore, Digest, Environment, EnvironmentContext,
    EnvironmentError, Opening, Outcome, OverlayBlobStore, Picture, Question, Recovery, Reference, Status,
};

/// Why a journal cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {why}")]
pub struct ReplayError {
    /// The journal's line, from 1.
    pub line: u64,
    /// What differs or failed.
    pub why: String,
}

/// Why an episode cannot be restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal does not fit the environment.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Restores the episode of a journal. The environment must be new. Afterwards it is in the state of the episode, unless
/// the observations are stored: then it is still new.
pub async fn restore(
    recorded: &JournalContents,
    environment: &mut dyn Environment,
) -> Result<Episode, ReplayError> {
    let mut episode = Episode::new(recorded.first_head.clone());
    let blobs = recorded.blobs();
    for line in &recorded.lines {
        apply(&mut episode, line.clone(), environment, &blobs).await?;
    }
    Ok(episode)
}

/// Like [`restore`], from a reader at the first line after the head, which is then at the end. A torn last line is left
/// out.
pub async fn restore_from(
    reader: JournalReader,
    environment: &mut dyn Environment,
) -> Result<(Episode, JournalReader), RestoreError> {
    let mut episode = Episode::new(reader.first_head().clone());
    let blobs = reader.blobs();
    let mut lines = ReadAhead::new(reader)?;
    while let Some(line) = lines.next_line().await? {
        apply(&mut episode, line, environment, &blobs).await?;
    }
    Ok((episode, lines.into_reader()?))
}

/// Like [`restore_from`], up to the start of this step: the reader is then before the first line of its decision. What was
/// set before that decision is included. `None` if the episode has no such step, or is over there.
pub async fn restore_step(
    reader: JournalReader,
    environment: &mut dyn Environment,
    step: u32,
) -> Result<Option<(Episode, JournalReader)>, RestoreError> {
    restore_until(reader, environment, step, Episode::can_branch).await
}

/// Like [`restore_step`], up to the request for the decision of the step: what modules have said of its state is included.
pub async fn restore_decision(
    reader: JournalReader,
    environment: &mut dyn Environment,
    step: u32,
) -> Result<Option<Episode>, RestoreError> {
    let restored = restore_until(reader, environment, step, Episode::awaits_first_reply).await?;
    Ok(restored.map(|(episode, _)| episode))
}

async fn restore_until(
    mut reader: JournalReader,
    environment: &mut dyn Environment,
    step: u32,
    is_reached: impl Fn(&Episode) -> bool,
) -> Result<Option<(Episode, JournalReader)>, RestoreError> {
    let mut episode = Episode::new(reader.first_head().clone());
    let blobs = reader.blobs();
    loop {
        let is_there = is_reached(&episode) && episode.steps().last().is_some_and(|last| last.number == step);
        let next = reader.next_line_unless(|event| is_there && !BEFORE_DECISIONS.contains(&event))?;
        let Some(line) = next else { return Ok(is_there.then_some((episode, reader))) };
        apply(&mut episode, line, environment, &blobs).await?;
    }
}

/// The events that can come between the start of a step and its decision.
const BEFORE_DECISIONS: [&str; 10] = [
    "head",
    "checkpointed",
    "looked",
    "set",
    "prompted",
    "seated",
    "hinted",
    "connected",
    "state_set",
    "frame_set",
];

/// Applies the further lines of the same journal, such as those that another process has written since.
pub async fn extend_from(
    episode: &mut Episode,
    reader: &mut JournalReader,
    environment: &mut dyn Environment,
) -> Result<(), RestoreError> {
    let blobs = reader.blobs();
    while let Some(line) = reader.next_line()? {
        apply(episode, line, environment, &blobs).await?;
    }
    Ok(())
}

async fn apply(
    episode: &mut Episode,
    JournalLine { n, stored, .. }: JournalLine,
    environment: &mut dyn Environment,
    blobs: &Arc<dyn BlobStore>,
) -> Result<(), ReplayError> {
    let fail = |why: String| ReplayError { line: n + 1, why };
    if let StoredEvent::Retried { why: Some(why), refused } = &stored {
        let failed = Event::Failed(FailedTry::of_old_journal(why, *refused));
        episode.apply(failed).map_err(|error| fail(error.to_string()))?;
    }
    let event = match stored {
        StoredEvent::Opened { state, status, reference, shown: None, .. } => {
            replay_open(environment, state, status, reference, blobs).await
        }
        StoredEvent::Acted { action, reward, status, state, problem, questions, shown: None } => {
            let outcome = RecordedOutcome { reward, status, state, problem, questions };
            replay_act(environment, action, &outcome, blobs).await
        }
        StoredEvent::StateSet { text, state, status, shown: None } => {
            replay_state_set(environment, text, state, status, blobs).await
        }
        stored => stored_event(stored, blobs),
    };
    episode.apply(event.map_err(fail)?).map_err(|error| fail(error.to_string()))
}

/// The event of a line that has all of it.
fn stored_event(stored: StoredEvent, blobs: &Arc<dyn BlobStore>) -> Result<Event, String> {
    if let Some(side) = stored.side_event() {
        return Ok(Event::Side(side));
    }
    if let Some(reply) = stored.person_reply() {
        return Ok(Event::Person(reply.into()));
    }
    Ok(match stored {
        StoredEvent::Head { head, .. } => Event::Branched(Arc::new(*head)),
        StoredEvent::Opened { state, status, reference, points, shown } => {
            let opening = opening(whole(shown.as_deref())?, state, status, blobs)?;
            Event::Opened(Opening { points, ..opening }, reference)
        }
        StoredEvent::Acted { action, reward, status, state, problem, questions, shown } => {
            let recorded = RecordedOutcome { reward, status, state, problem, questions };
            Event::Acted(action, outcome(whole(shown.as_deref())?, recorded, blobs)?)
        }
        StoredEvent::Looked { state, status, shown } => {
            Event::Looked(opening(whole(shown.as_deref())?, state, status, blobs)?)
        }
        StoredEvent::Acting { action } => Event::Acting(action),
        StoredEvent::Interrupted => Event::Interrupted,
        StoredEvent::Checkpointed { blob } => Event::Checkpointed(blob),
        StoredEvent::Asked => Event::Asked,
        StoredEvent::Sent { asking, request } => Event::Sent(request, asking),
        StoredEvent::Failed { why, class, outcome, usage } => {
            Event::Failed(FailedTry { why: why.into(), class: class.into(), outcome, usage })
        }
        StoredEvent::Retried { .. } => Event::Retried,
        StoredEvent::Replied(reply) => Event::Replied(reply),
        StoredEvent::Prompted { prompt } => Event::PromptSet(prompt),
        StoredEvent::Stood => Event::GaveUp,
        StoredEvent::Cut(reply) => Event::Cancelled(reply),
        StoredEvent::Accepted { action, marks } => Event::Accepted(action, marks),
        StoredEvent::Planned { actions, marks } => Event::Planned(actions, marks),
        StoredEvent::Refused { failure, marks } => Event::Refused(failure, marks),
        StoredEvent::Passed => Event::Skipped,
        StoredEvent::Edited { edit } => Event::Edited(edit),
        StoredEvent::Set { window } => Event::WindowSet(window),
        StoredEvent::Seated { seat } => Event::Seated(Arc::new(seat)),
        StoredEvent::Hinted { hint } => Event::HintSet(hint),
        StoredEvent::Connected { settings } => Event::ConnectionSet(settings),
        StoredEvent::AskedAgain => Event::AskedAgain,
        StoredEvent::StateSet { text, state, status, shown } => {
            Event::StateSet(text, opening(whole(shown.as_deref())?, state, status, blobs)?)
        }
        StoredEvent::FrameSet { blob, size } => Event::FrameSet(stored_frame(blob, size, blobs)?),
        StoredEvent::Expired => Event::Expired,
        StoredEvent::Exhausted => Event::Exhausted,
        StoredEvent::Settled(settlement) => Event::Settled(settlement),
        StoredEvent::Questioned { questions } => Event::Questioned(questions),
        StoredEvent::SideSent { .. }
        | StoredEvent::SideFailed { .. }
        | StoredEvent::SideRetried
        | StoredEvent::SideReplied { .. }
        | StoredEvent::SideCut(_)
        | StoredEvent::SideReused { .. }
        | StoredEvent::Person { .. } => return Err("not an event of a question".to_owned()),
        StoredEvent::Judged { judgement } => Event::Judged(judgement),
        StoredEvent::Abandoned => Event::Abandoned,
    })
}

/// The frame that a person gave, which is loaded when it is needed.
pub(super) fn stored_frame(
    blob: BlobRef,
    size: (u32, u32),
    blobs: &Arc<dyn BlobStore>,
) -> Result<Arc<Picture>, String> {
    let picture = Picture::stored(BlobHandle::new(blob, blobs.clone()), size, 1);
    picture.map(Arc::new).ok_or_else(|| "the frame has an impossible size".to_owned())
}

fn whole(shown: Option<&StoredObservation>) -> Result<&StoredObservation, String> {
    shown.ok_or_else(|| "the observation is not stored".to_owned())
}

fn opening(
    shown: &StoredObservation,
    state: Digest,
    status: Status,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Opening, String> {
    Ok(Opening { observation: shown.observation(state, blobs)?, space: shown.space(), status, points: 0.0 })
}

/// What a line says of the outcome of an action, besides what was shown.
struct RecordedOutcome {
    reward: f64,
    status: Status,
    state: Digest,
    problem: Option<ActProblem>,
    questions: Vec<Question>,
}

fn outcome(
    shown: &StoredObservation,
    recorded: RecordedOutcome,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Outcome, String> {
    let RecordedOutcome { reward, status, state, problem, questions } = recorded;
    let observation = shown.observation(state, blobs)?;
    let note = shown.note().map(str::to_owned);
    Ok(Outcome { observation, space: shown.space(), reward, status, note, problem, questions })
}

/// Only an environment whose actions can be repeated may be asked to.
fn check_replay(environment: &dyn Environment) -> Result<(), String> {
    match environment.recovery() {
        Recovery::Replay => Ok(()),
        _ => Err("the observation is not stored, and its actions cannot be repeated".to_owned()),
    }
}

/// A call of an environment that has the files of its level from the session. Nothing is written to the session.
fn reading(blobs: &Arc<dyn BlobStore>) -> EnvironmentContext {
    EnvironmentContext {
        blobs: Arc::new(OverlayBlobStore::new(blobs.clone())),
        ..EnvironmentContext::default()
    }
}

async fn replay_open(
    environment: &mut dyn Environment,
    state: Digest,
    status: Status,
    reference: Option<Reference>,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Event, String> {
    check_replay(environment)?;
    let opening = environment.open(&reading(blobs)).await.map_err(error_text)?;
    expect_same("first state", &state, &opening.observation.state())?;
    expect_same("first status", &status, &opening.status)?;
    Ok(Event::Opened(opening, reference))
}

async fn replay_state_set(
    environment: &mut dyn Environment,
    text: Arc<str>,
    state: Digest,
    status: Status,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Event, String> {
    check_replay(environment)?;
    let opening = environment.set_state(&text, &reading(blobs)).await.map_err(error_text)?;
    expect_same("edited state", &state, &opening.observation.state())?;
    expect_same("status", &status, &opening.status)?;
    Ok(Event::StateSet(text, opening))
}

async fn replay_act(
    environment: &mut dyn Environment,
    action: Action,
    recorded: &RecordedOutcome,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Event, String> {
    check_replay(environment)?;
    let outcome = environment.act(&action, &reading(blobs)).await.map_err(error_text)?;
    if recorded.state != outcome.observation.state() {
        expect_same(&format!("state after {action}"), &recorded.state, &outcome.observation.state())?;
    }
    expect_same("status", &recorded.status, &outcome.status)?;
    expect_same("reward", &recorded.reward, &outcome.reward)?;
    expect_same("problem of the action", &recorded.problem, &outcome.problem)?;
    expect_same("questions about the action", &recorded.questions, &outcome.questions)?;
    Ok(Event::Acted(action, outcome))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn error_text(error: EnvironmentError) -> String {
    error.to_string()
}

fn expect_same<T: PartialEq + std::fmt::Debug>(what: &str, recorded: &T, now: &T) -> Result<(), String> {
    if recorded == now {
        return Ok(());
    }
    Err(format!("the {what} was recorded as {recorded:?} and is {now:?} now: the environment has changed"))
}
