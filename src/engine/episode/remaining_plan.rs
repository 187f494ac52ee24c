//! The rest of a Global plan. Clones share the actions, so that a snapshot does not copy them.

use std::ops::Deref;
use std::sync::Arc;

use mageyard_domain::Action;

/// The actions of a plan that are not due yet.
#[derive(Clone, Debug, Default)]
pub struct RemainingPlan {
    actions: Arc<[Action]>,
    next: usize,
}

impl RemainingPlan {
    /// A plan of which no action is due yet.
    pub fn new(actions: Vec<Action>) -> Self {
        Self { actions: actions.into(), next: 0 }
    }

    /// Takes the next action.
    pub(super) fn next_action(&mut self) -> Option<Action> {
        let action = self.first()?.clone();
        self.next += 1;
        Some(action)
    }

    /// Puts the action that was taken last back.
    pub(super) fn put_back(&mut self) {
        self.next = self.next.saturating_sub(1);
    }
}

impl Deref for RemainingPlan {
    type Target = [Action];

    fn deref(&self) -> &[Action] {
        self.actions.get(self.next..).unwrap_or_default()
    }
}
