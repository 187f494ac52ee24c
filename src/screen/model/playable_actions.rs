//! The actions that a person can play at the newest step, and their keys.

use crokey::KeyCombination;
use crossterm::event::KeyEvent;

use super::{EpisodeView, Model};
use crate::command::CommandId;
use crate::keymap::{action_key, action_key_name, is_action_key};
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

    /// The keys that play actions now instead of running commands.
    fn taken_keys(&self) -> Vec<KeyCombination> {
        let plays = self.is_human() && !self.is_over();
        let specs = if plays { self.action_specs() } else { &[] };
        specs.iter().filter_map(|spec| action_key(spec.key.as_ref()?)).collect()
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

impl Model {
    /// The keys that run a command in the panes now, as shown to users: without those that play actions of the person.
    pub(crate) fn keys(&self, id: CommandId) -> Vec<String> {
        let taken = self.episode().map(EpisodeView::taken_keys).unwrap_or_default();
        self.appearance.keys.screen().keys_without(id, &taken)
    }

    /// The first key that runs a command in the panes now.
    pub(crate) fn key(&self, id: CommandId) -> Option<String> {
        self.keys(id).into_iter().next()
    }

    /// The first key that runs a command in the panes now, or the command as it is typed.
    pub(crate) fn key_or_name(&self, id: CommandId) -> String {
        self.key(id).unwrap_or_else(|| format!(":{}", id.command().name))
    }
}
