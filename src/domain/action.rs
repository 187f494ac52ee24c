//! Actions and action spaces.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

/// One discrete action by name. Each environment converts it to its own type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Action {
    /// The name as listed in the action space, such as `Left`.
    pub name: String,
    /// Arguments by name; empty for an action that takes none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
}

impl Action {
    /// An action without arguments.
    pub fn plain(name: impl Into<String>) -> Self {
        Self { name: name.into(), args: BTreeMap::new() }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (key, value) in &self.args {
            write!(f, " {key}={value}")?;
        }
        Ok(())
    }
}

/// One entry of an action space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSpec {
    /// The exact name that an agent must write.
    pub name: String,
    /// What the action does, in a short phrase for people and prompts.
    pub help: String,
}

/// The actions allowed at a step, in canonical order. Cheap to clone; may change from step to step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSpace(Arc<[ActionSpec]>);

impl ActionSpace {
    /// Creates a space from pairs of name and help.
    pub fn new(rows: &[(&str, &str)]) -> Self {
        let verb = |&(name, help): &(&str, &str)| ActionSpec { name: name.into(), help: help.into() };
        Self(rows.iter().map(verb).collect())
    }

    /// The entries in order.
    pub fn specs(&self) -> &[ActionSpec] {
        &self.0
    }

    /// The action with exactly this name, or `None` if the space has none.
    pub fn find(&self, written: &str) -> Option<Action> {
        let verb = self.0.iter().find(|verb| verb.name == written)?;
        Some(Action::plain(verb.name.clone()))
    }

    /// Whether this action is allowed.
    pub fn allows(&self, action: &Action) -> bool {
        action.args.is_empty() && self.0.iter().any(|verb| verb.name == action.name)
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|verb| verb.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_found_only_by_its_exact_name() {
        let space = ActionSpace::new(&[("Left", "walk left"), ("Up", "walk up")]);
        assert_eq!(space.find("Left"), Some(Action::plain("Left")));
        assert_eq!(space.find("left"), None);
        assert_eq!(space.find(""), None);
        assert!(space.allows(&Action::plain("Up")));
        assert!(!space.allows(&Action::plain("Down")));
    }
}
