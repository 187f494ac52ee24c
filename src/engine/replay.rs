//! Replay: restores an episode from its journal. The recorded actions are carried out again, and every state is
//! compared with its recorded digest.

use std::sync::Arc;

use thiserror::Error;

use super::episode::Episode;
use super::event::Event;
use super::journal::JournalContents;
use super::journal::JournalLine;
use super::journal::StoredBlob;
use super::journal::StoredEvent;
use super::step::FailedTry;
use crate::domain::Action;
use crate::domain::BlobRef;
use crate::domain::Digest;
use crate::domain::Environment;
use crate::domain::EnvironmentContext;
use crate::domain::EnvironmentError;
use crate::domain::PartId;
use crate::domain::Recovery;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::SentImage;
use crate::domain::SentRequest;
use crate::domain::Status;

/// Why a journal cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {why}")]
pub struct ReplayError {
    /// The journal's line, from 1.
    pub line: u64,
    /// What differs or failed.
    pub why: String,
}

/// Restores the episode of a journal. The environment must be new; afterwards it is in the state of the episode.
pub async fn restore(
    recorded: &JournalContents,
    environment: &mut dyn Environment,
) -> Result<Episode, ReplayError> {
    if environment.recovery() != Recovery::Replay {
        let why = format!("{} episodes cannot be replayed from their actions", recorded.head.environment);
        return Err(ReplayError { line: 1, why });
    }
    let mut episode = Episode::new(recorded.head.clone().into());
    extend(&mut episode, &recorded.lines, environment).await?;
    Ok(episode)
}

/// Applies further lines of the same journal, such as those that another process has written since.
pub async fn extend(
    episode: &mut Episode,
    lines: &[JournalLine],
    environment: &mut dyn Environment,
) -> Result<(), ReplayError> {
    for line in lines {
        let fail = |why: String| ReplayError { line: line.n + 1, why };
        let event = replay_event(line.stored.clone(), environment).await.map_err(fail)?;
        episode.apply(event).map_err(|error| fail(error.to_string()))?;
    }
    Ok(())
}

async fn replay_event(stored: StoredEvent, environment: &mut dyn Environment) -> Result<Event, String> {
    Ok(match stored {
        StoredEvent::Head { .. } => return Err("a second head".into()),
        StoredEvent::Opened { state, status, reference } => {
            replay_open(environment, state, status, reference).await?
        }
        StoredEvent::Acted { action, reward, status, state } => {
            replay_act(environment, action, reward, status, state).await?
        }
        StoredEvent::Acting { action } => Event::Acting(action),
        StoredEvent::Interrupted => Event::Interrupted,
        StoredEvent::Looked { .. } => return Err("the observation of a look is not stored".into()),
        StoredEvent::Checkpointed { blob } => Event::Checkpointed(blob),
        StoredEvent::Asked => Event::Asked,
        StoredEvent::Sent { asking, images, pictures, outline, body } => {
            let pictures = pictures.into_iter().map(blob).collect();
            Event::Sent(Arc::new(SentRequest::from_version_1(body, outline, pictures, images)), asking)
        }
        StoredEvent::Retried { why, refused } => Event::Retried(FailedTry { why: why.into(), refused }),
        StoredEvent::Replied(reply) => Event::Replied(reply),
        StoredEvent::Prompted { prompt } => Event::PromptSet(prompt),
        StoredEvent::Stood => Event::GaveUp,
        StoredEvent::Cut { text, usage } => Event::Cancelled(Reply { text, usage, ..Reply::default() }),
        StoredEvent::Accepted { action, marks } => Event::Accepted(action, marks),
        StoredEvent::Planned { actions, marks } => Event::Planned(actions, marks),
        StoredEvent::Refused { failure, marks } => Event::Refused(failure, marks),
        StoredEvent::Passed => Event::Skipped,
        StoredEvent::Edited { edit } => Event::Edited(edit),
        StoredEvent::Set { window } => Event::WindowSet(window),
        StoredEvent::Expired => Event::Expired,
        StoredEvent::Exhausted => Event::Exhausted,
        StoredEvent::Abandoned => Event::Abandoned,
    })
}

/// The bytes stay in their file.
fn blob(stored: StoredBlob) -> SentImage {
    SentImage {
        part: PartId { step: stored.step, index: stored.index },
        blob: BlobRef { digest: stored.digest, media_type: stored.media.into(), length: 0 },
        size: stored.size,
        bytes: Arc::default(),
    }
}

async fn replay_open(
    environment: &mut dyn Environment,
    state: Digest,
    status: Status,
    reference: Option<Reference>,
) -> Result<Event, String> {
    let opening = environment.open(&EnvironmentContext::default()).await.map_err(error_text)?;
    expect_same("first state", &state, &opening.observation.digest())?;
    expect_same("first status", &status, &opening.status)?;
    Ok(Event::Opened(opening, reference))
}

async fn replay_act(
    environment: &mut dyn Environment,
    action: Action,
    reward: f64,
    status: Status,
    state: Digest,
) -> Result<Event, String> {
    let outcome = environment.act(&action, &EnvironmentContext::default()).await.map_err(error_text)?;
    let what = format!("state after {action}");
    expect_same(&what, &state, &outcome.observation.digest())?;
    expect_same("status", &status, &outcome.status)?;
    expect_same("reward", &reward, &outcome.reward)?;
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
