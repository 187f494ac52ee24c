//! From a journal back to an episode: the recorded actions are played again, and every state is held
//! against its recorded fingerprint.

use std::sync::Arc;

use thiserror::Error;

use super::episode::Episode;
use super::event::Event;
use super::journal::JournalContents;
use super::stored_event::JournalLine;
use super::stored_event::StoredBlob;
use super::stored_event::StoredEvent;
use crate::domain::Action;
use crate::domain::Blob;
use crate::domain::Digest;
use crate::domain::Environment;
use crate::domain::EnvironmentError;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::ResumeMode;
use crate::domain::SentRequest;
use crate::domain::Status;

/// Why a journal does not lead back to its episode.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {why}")]
pub struct ReplayError {
    /// The journal's line, from 1.
    pub line: u64,
    /// What differs or failed.
    pub why: String,
}

/// The episode that a journal holds. The environment must be fresh; afterwards it stands where the
/// episode stands.
pub async fn restore(
    recorded: &JournalContents,
    environment: &mut dyn Environment,
) -> Result<Episode, ReplayError> {
    if environment.resume_mode() != ResumeMode::Replay {
        let why = format!("{} cannot be played again from its actions", recorded.head.environment);
        return Err(ReplayError { line: 1, why });
    }
    let mut episode = Episode::new(recorded.head.clone().into());
    extend(&mut episode, &recorded.lines, environment).await?;
    Ok(episode)
}

/// Takes further lines of the same journal, as they are written by somebody else.
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
        StoredEvent::Asked => Event::Asked,
        StoredEvent::Sent { asking, images, pictures, outline, body } => {
            let pictures = pictures.into_iter().map(blob).collect();
            Event::Sent(Arc::new(SentRequest { body, segments: outline, frames: pictures, images }), asking)
        }
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
fn blob(slot: StoredBlob) -> Blob {
    Blob {
        digest: slot.digest,
        media_type: slot.media,
        size: slot.size,
        step: slot.step,
        bytes: Arc::default(),
    }
}

async fn replay_open(
    environment: &mut dyn Environment,
    state: Digest,
    status: Status,
    reference: Option<Reference>,
) -> Result<Event, String> {
    let opening = environment.open().await.map_err(error_text)?;
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
    let outcome = environment.act(&action).await.map_err(error_text)?;
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
    Err(format!(
        "the {what} was {recorded:?} when it was recorded and is {now:?} now: the environment has changed"
    ))
}
