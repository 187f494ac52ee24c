//! What an agent may do: one discrete act, and the acts that are allowed now.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

/// One discrete act, erased: each environment keeps its own enum and translates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Action {
    /// The name as the action space spells it, such as `Left`.
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

/// One row of an action space: a name and what it does, in a line for people and prompts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSpec {
    /// The exact name an agent must write.
    pub name: String,
    /// What the action does, as a short sentence.
    pub help: String,
}

/// The actions allowed now, in their canonical order. Cheap to clone; may change from step to step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSpace(Arc<[ActionSpec]>);

impl ActionSpace {
    /// A space from pairs of name and help.
    pub fn new(rows: &[(&str, &str)]) -> Self {
        let verb = |&(name, help): &(&str, &str)| ActionSpec { name: name.into(), help: help.into() };
        Self(rows.iter().map(verb).collect())
    }

    /// The rows in order.
    pub fn specs(&self) -> &[ActionSpec] {
        &self.0
    }

    /// The action written exactly so, or `None` when the space has no such action.
    pub fn find(&self, written: &str) -> Option<Action> {
        let verb = self.0.iter().find(|verb| verb.name == written)?;
        Some(Action::plain(verb.name.clone()))
    }

    /// Whether this action is allowed now.
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
