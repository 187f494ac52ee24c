//! The actions that a person can play at the newest step, and their keys.

use crossterm::event::KeyEvent;

use super::EpisodeView;
use crate::keymap::{action_key_name, is_action_key};
use mageyard_domain::ActionSpec;

impl EpisodeView {
    /// The actions at the newest step.
    pub(crate) fn action_specs(&self) -> &[ActionSpec] {
        self.snapshot.steps.last().map_or(&[], |step| step.space.specs())
    }

    /// Whether a line begins with the name of an action.
    pub(crate) fn names_action(&self, line: &str) -> bool {
        let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '(']);
        let names = |spec: &ActionSpec| line.strip_prefix(spec.name.as_str()).is_some_and(ends);
        self.action_specs().iter().any(names)
    }

    /// The action that a person plays with this key.
    pub(crate) fn action_with_key(&self, event: KeyEvent) -> Option<&ActionSpec> {
        let has_key = |spec: &&ActionSpec| spec.key.as_ref().is_some_and(|key| is_action_key(key, event));
        self.action_specs().iter().filter(|_| self.is_human() && !self.is_over()).find(has_key)
    }

    /// The keys of the actions as shown to users, in their order.
    pub(crate) fn action_keys(&self) -> Vec<String> {
        self.action_specs().iter().filter_map(|spec| action_key_name(spec.key.as_ref()?)).collect()
    }

    /// Whether the arrow keys play actions.
    pub(crate) fn has_arrow_actions(&self) -> bool {
        let arrows = ["up", "down", "left", "right"];
        self.action_specs()
            .iter()
            .any(|spec| spec.key.as_ref().is_some_and(|key| arrows.contains(&key.as_str())))
    }

    /// The names of two actions as an example of a plan.
    pub(crate) fn plan_example(&self) -> String {
        self.action_specs()
            .iter()
            .take(2)
            .map(|spec| spec.example().to_string())
            .collect::<Vec<_>>()
            .join(",")
    }
}
