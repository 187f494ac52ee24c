//! From a journal back to an episode: the recorded actions are played again, and every state is held
//! against its recorded fingerprint.

use std::sync::Arc;

use thiserror::Error;

use super::episode::Episode;
use super::event::Event;
use super::journal::Recorded;
use super::stored::Line;
use super::stored::Slot;
use super::stored::Stored;
use crate::domain::Action;
use crate::domain::Blob;
use crate::domain::Digest;
use crate::domain::Environment;
use crate::domain::EnvironmentError;
use crate::domain::Reference;
use crate::domain::Reply;
use crate::domain::Resume;
use crate::domain::Sent;
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
pub async fn restore(recorded: &Recorded, environment: &mut dyn Environment) -> Result<Episode, ReplayError> {
    if environment.resume() != Resume::Replay {
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
    lines: &[Line],
    environment: &mut dyn Environment,
) -> Result<(), ReplayError> {
    for line in lines {
        let fail = |why: String| ReplayError { line: line.n + 1, why };
        let event = relive(line.stored.clone(), environment).await.map_err(fail)?;
        episode.apply(event).map_err(|error| fail(error.to_string()))?;
    }
    Ok(())
}

async fn relive(stored: Stored, environment: &mut dyn Environment) -> Result<Event, String> {
    Ok(match stored {
        Stored::Head { .. } => return Err("a second head".into()),
        Stored::Opened { state, status, reference } => reopen(environment, state, status, reference).await?,
        Stored::Acted { action, reward, status, state } => {
            react(environment, action, reward, status, state).await?
        }
        Stored::Asked => Event::Asked,
        Stored::Sent { asking, images, pictures, outline, body } => {
            let pictures = pictures.into_iter().map(blob).collect();
            Event::Sent(Arc::new(Sent { body, outline, pictures, images }), asking)
        }
        Stored::Replied(reply) => Event::Replied(reply),
        Stored::Prompted { prompt } => Event::Prompted(prompt),
        Stored::Stood => Event::Stood,
        Stored::Cut { text, usage } => Event::Cut(Reply { text, usage, ..Reply::default() }),
        Stored::Accepted { action, marks } => Event::Accepted(action, marks),
        Stored::Planned { actions, marks } => Event::Planned(actions, marks),
        Stored::Refused { failure, marks } => Event::Refused(failure, marks),
        Stored::Passed => Event::Passed,
        Stored::Edited { edit } => Event::Edited(edit),
        Stored::Set { window } => Event::Set(window),
        Stored::Expired => Event::Expired,
        Stored::Exhausted => Event::Exhausted,
        Stored::Abandoned => Event::Abandoned,
    })
}

/// The bytes stay in their file.
fn blob(slot: Slot) -> Blob {
    Blob { digest: slot.digest, media: slot.media, size: slot.size, step: slot.step, bytes: Arc::default() }
}

async fn reopen(
    environment: &mut dyn Environment,
    state: Digest,
    status: Status,
    reference: Option<Reference>,
) -> Result<Event, String> {
    let opening = environment.open().await.map_err(failed)?;
    same("first state", &state, &opening.observation.digest())?;
    same("first status", &status, &opening.status)?;
    Ok(Event::Opened(opening, reference))
}

async fn react(
    environment: &mut dyn Environment,
    action: Action,
    reward: f64,
    status: Status,
    state: Digest,
) -> Result<Event, String> {
    let outcome = environment.act(&action).await.map_err(failed)?;
    let what = format!("state after {action}");
    same(&what, &state, &outcome.observation.digest())?;
    same("status", &status, &outcome.status)?;
    same("reward", &reward, &outcome.reward)?;
    Ok(Event::Acted(action, outcome))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn failed(error: EnvironmentError) -> String {
    error.to_string()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, recorded: &T, now: &T) -> Result<(), String> {
    if recorded == now {
        return Ok(());
    }
    Err(format!(
        "the {what} was {recorded:?} when it was recorded and is {now:?} now: the environment has changed"
    ))
}
