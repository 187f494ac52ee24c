//! What a branch changes at its first step besides settings: the hint, the state of the environment, the frame, the
//! reply.

use std::sync::Arc;

use crate::LabError;
use mageyard_config::Problem;
use mageyard_domain::{
    BlobStore, Digest, Environment, EnvironmentContext, EnvironmentSpec, MemoryBlobStore, Picture,
};
use mageyard_engine::{Change, Driver, DriverError, Edit, EditTarget, Episode, PickedReply};

/// The name of the change that is a reply.
pub(super) const REPLY: &str = "reply";

/// What a person changes at the step that a branch begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepEdits {
    /// The hint that requests have in addition to the prompt; an empty one removes it.
    pub hint: Option<String>,
    /// The state of the environment, in its notation.
    pub state: Option<String>,
    /// A PNG or JPEG file that the agent is shown in place of the frame.
    pub frame: Option<Vec<u8>>,
    /// The reply that the step has, in place of one of its agent.
    pub reply: Option<PickedReply>,
}

impl StepEdits {
    /// What differs from the step of the parent. The state is tried on the environment, which is at the step.
    pub(super) async fn changes(
        &self,
        spec: &dyn EnvironmentSpec,
        environment: &mut dyn Environment,
        episode: &Episode,
    ) -> Result<Vec<Change>, Problem> {
        let mut changes = Vec::new();
        if let Some(hint) = &self.hint {
            let from = episode.hint().map_or("-", |hint| hint);
            changes.push(change("hint", from, if hint.trim().is_empty() { "-" } else { hint.trim() }));
        }
        if let Some(state) = &self.state {
            changes.push(state_change(state, spec, environment, episode).await?);
        }
        if let Some(frame) = &self.frame {
            let shows_frame = episode.steps().last().is_some_and(|step| step.observation.picture().is_some());
            if !shows_frame {
                return Err(Problem::new(
                    "the agent is shown no frame at this step, so none can be replaced",
                ));
            }
            let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
            Picture::of_file(frame, &store)
                .map_err(|error| Problem::new(format!("the frame cannot be replaced: {error}")))?;
            changes.push(change("frame", "the environment's", &format!("image {}", Digest::of(frame))));
        }
        changes.extend(self.reply.as_ref().map(|picked| change(REPLY, "-", &picked.from)));
        Ok(changes)
    }

    /// Makes the changes, in a branch that has no other line yet.
    pub(super) async fn make(&self, driver: &mut Driver) -> Result<(), LabError> {
        self.try_make(driver).await.map_err(LabError::failed)
    }

    async fn try_make(&self, driver: &mut Driver) -> Result<(), DriverError> {
        if let Some(state) = &self.state {
            driver.set_state(state).await?;
        }
        if let Some(frame) = &self.frame {
            driver.set_frame(frame)?;
        }
        if let Some(hint) = &self.hint {
            driver.set_hint(Some(hint))?;
        }
        if let Some(picked) = &self.reply {
            let step = driver.episode().steps().last().map(|step| EditTarget::of(step));
            let target = step.unwrap_or(EditTarget { step: 0, replies: 0 });
            driver.edit(target, Edit::Picked(picked.clone().into()))?;
        }
        Ok(())
    }
}

async fn state_change(
    state: &str,
    spec: &dyn EnvironmentSpec,
    environment: &mut dyn Environment,
    episode: &Episode,
) -> Result<Change, Problem> {
    if spec.capabilities().tools.state_editor.is_none() {
        let what = format!("the state of the environment {} cannot be edited", spec.name());
        return Err(Problem::new(what));
    }
    let opening = environment.set_state(state, &EnvironmentContext::default()).await;
    let now = opening.map_err(|error| Problem::new(error.to_string()))?.observation.state();
    match episode.steps().last().map(|step| step.state) {
        Some(before) if before == now => Err(Problem::new("the edited state is the one of the step")),
        before => {
            let before = before.map_or("-".to_owned(), |before| before.to_string());
            Ok(change("state", &before, &now.to_string()))
        }
    }
}

fn change(name: &str, from: &str, to: &str) -> Change {
    Change { name: name.to_owned(), from: from.to_owned(), to: to.to_owned() }
}
