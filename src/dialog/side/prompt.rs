//! The prompt of a role: what a model is told that answers side requests.

use std::sync::Arc;

use crate::prompt::{PromptError, SideTemplates};
use mageyard_domain::{Digest, SideRole};

/// The prompt of a role.
#[derive(Clone, Debug, PartialEq)]
pub struct SidePrompt {
    text: Arc<str>,
    pub(super) templates: SideTemplates,
}

impl SidePrompt {
    /// Parses the prompt file of a role: front matter as in other prompts, then `## system` (may be missing) and `## task`, with
    /// the variables of the role.
    pub fn parse(role: SideRole, text: &str) -> Result<Self, PromptError> {
        Ok(Self { text: text.into(), templates: SideTemplates::parse(role, text)? })
    }

    /// The text of the prompt that the program ships for a role.
    pub fn shipped(role: SideRole) -> &'static str {
        match role {
            SideRole::Judge => include_str!("prompts/judge.md"),
            SideRole::Reward => include_str!("prompts/reward.md"),
            SideRole::Person => include_str!("prompts/person.md"),
        }
    }

    /// The file as it was written.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The digest of the file.
    pub fn digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}
