//! What the orders of a sweep say together.

use super::given::{GivenOrder, Order};
use mageyard_domain::shell_quote;

/// Whether the workers of a sweep start episodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ControlState {
    /// They do.
    #[default]
    Running,
    /// They start none until `resume`.
    Paused {
        /// The order that paused it.
        by: GivenOrder,
    },
    /// They have ended, or end after their steps.
    Cancelled {
        /// The order that cancelled it.
        by: GivenOrder,
    },
}

/// The state after these orders, in their sequence. A second `pause` leaves the first one in force, and one after `cancel`
/// changes nothing.
pub fn control_state(orders: &[GivenOrder]) -> ControlState {
    orders.iter().fold(ControlState::default(), ControlState::after)
}

impl ControlState {
    /// The state after one more order.
    pub(super) fn after(self, given: &GivenOrder) -> Self {
        match (&given.order, self) {
            (Order::Resume, _) => Self::Running,
            (Order::Cancel, Self::Running | Self::Paused { .. }) => Self::Cancelled { by: given.clone() },
            (Order::Pause, Self::Running) => Self::Paused { by: given.clone() },
            (_, state) => state,
        }
    }

    /// Its name: `running`, `paused` or `cancelled`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused { .. } => "paused",
            Self::Cancelled { .. } => "cancelled",
        }
    }

    /// The order that paused or cancelled the sweep.
    pub fn order(&self) -> Option<&GivenOrder> {
        match self {
            Self::Running => None,
            Self::Paused { by } | Self::Cancelled { by } => Some(by),
        }
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        matches!(self, Self::Paused { .. })
    }

    /// The state of this sweep in two lines, such as `paused by ada@node1: WHY`, and since when it is and what resumes it; none
    /// while it is running.
    pub fn lines(&self, sweep: &str) -> Vec<String> {
        let Some(order) = self.order() else { return Vec::new() };
        let time = order.time();
        let resume = format!("`mageyard sweep resume {}`", shell_quote(sweep));
        let rest = if self.is_paused() {
            format!("since {time}; {resume} goes on")
        } else {
            format!("at {time}; {resume} lets workers start, or run it again")
        };
        vec![format!("{} by {}", self.name(), order.person_and_reason()), rest]
    }
}
