//! The participants of an episode: environment, agent, and what both need.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::error::DriverError;
use super::roles::RoleSeats;
use mageyard_dialog::Prompt;
use mageyard_domain::{Agent, CancelOnDrop, Environment, Reference, ReplyFormat};

/// The participants of an episode.
pub struct Participants {
    /// The environment, in the state of the episode.
    pub environment: Box<dyn Environment>,
    /// The agent that decides.
    pub agent: Box<dyn Agent>,
    /// The environment's own reply format.
    pub form: ReplyFormat,
    /// The prompt variants.
    pub prompts: Arc<[Prompt]>,
    /// Finds the optimum when the episode is opened.
    pub reference_search: Option<ReferenceSearch>,
    /// Those who answer side requests.
    pub roles: RoleSeats,
}

/// A search for the optimum on a blocking thread; it stops when the flag is set.
pub type ReferenceSearch = Box<dyn FnOnce(&AtomicBool) -> Option<Reference> + Send>;

impl Participants {
    /// Whether the agent asks its server to cache what the next request repeats.
    pub(super) fn asks_for_caching(&self) -> bool {
        self.agent.request_encoder().is_some_and(|encoder| encoder.asks_for_caching())
    }

    /// The prompt variant of this name.
    pub(super) fn prompt(&self, name: &str) -> Result<&Prompt, DriverError> {
        let found = self.prompts.iter().find(|prompt| prompt.name == name);
        found.ok_or_else(|| DriverError::NoPrompt {
            name: name.to_owned(),
            there: self.prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Adds a prompt variant; one with the same name is replaced.
    pub(super) fn add_prompt(&mut self, prompt: Prompt) {
        let mut prompts = self.prompts.to_vec();
        match prompts.iter_mut().find(|other| other.name == prompt.name) {
            Some(other) => *other = prompt,
            None => prompts.push(prompt),
        }
        self.prompts = prompts.into();
    }

    /// Searches the optimum, once; `None` if there is no search or it finds nothing.
    pub(super) async fn find_reference(&mut self) -> Option<Reference> {
        search_reference(self.reference_search.take()?).await
    }
}

/// Runs the search until it ends or the future is dropped. A search that panics finds nothing.
async fn search_reference(search: ReferenceSearch) -> Option<Reference> {
    let wanted = CancelOnDrop::default();
    let stop = wanted.flag();
    tokio::task::spawn_blocking(move || search(&stop)).await.ok().flatten()
}
