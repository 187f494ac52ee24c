//! Who and what takes part in an episode, and what can be asked of them without the episode.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::error::DriverError;
use crate::dialog::Prompt;
use crate::domain::Agent;
use crate::domain::CancelOnDrop;
use crate::domain::Environment;
use crate::domain::Reference;
use crate::domain::ReplyFormat;

/// Who and what takes part in an episode.
pub struct Participants {
    /// The environment, where the episode stands in it.
    pub environment: Box<dyn Environment>,
    /// Who decides.
    pub agent: Box<dyn Agent>,
    /// The environment's own form of a reply.
    pub form: ReplyFormat,
    /// The prompt variants there are.
    pub prompts: Arc<[Prompt]>,
    /// Finds the best that can be reached, for an episode that is still to be opened.
    pub reference_search: Option<ReferenceSearch>,
}

/// A search that may take long, on a thread of its own; it looks at the flag whether to stop.
pub type ReferenceSearch = Box<dyn FnOnce(&AtomicBool) -> Option<Reference> + Send>;

impl Participants {
    /// The prompt variant of this name.
    pub(super) fn prompt(&self, name: &str) -> Result<&Prompt, DriverError> {
        let found = self.prompts.iter().find(|prompt| prompt.name == name);
        found.ok_or_else(|| DriverError::NoPrompt {
            name: name.to_owned(),
            there: self.prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Adds a prompt variant; one of the same name is replaced.
    pub(super) fn add_prompt(&mut self, prompt: Prompt) {
        let others = self.prompts.iter().filter(|other| other.name != prompt.name);
        let mut prompts: Vec<Prompt> = others.cloned().collect();
        prompts.push(prompt);
        self.prompts = prompts.into();
    }

    /// The best that can be reached, searched for once; nothing where there is no search, or it finds nothing.
    pub(super) async fn find_reference(&mut self) -> Option<Reference> {
        search_reference(self.reference_search.take()?).await
    }
}

/// Searches until it is found or the future is dropped. A search that breaks down finds nothing.
async fn search_reference(search: ReferenceSearch) -> Option<Reference> {
    let wanted = CancelOnDrop::default();
    let stop = wanted.flag();
    tokio::task::spawn_blocking(move || search(&stop)).await.ok().flatten()
}
