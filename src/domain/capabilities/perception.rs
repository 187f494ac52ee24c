//! What can be seen of the states of an environment, and asked about it.

use std::fmt;

use crate::{Observation, Options, Probes, VIEW_OPTION, View};

/// Views and questions of an environment.
#[derive(Clone, Copy)]
pub struct Perception {
    /// The renderings of a state, the default first; empty if there is only one. The option
    /// [`VIEW_OPTION`](crate::VIEW_OPTION) names one.
    pub views: &'static [View],
    /// An observation as the view of these options shows it: the same state with other parts. An error is the reason why a recorded
    /// observation cannot be shown so.
    pub show: fn(&Observation, &Options) -> Result<Observation, String>,
    /// Questions about states; `None` if there are none.
    pub probes: Option<&'static dyn Probes>,
}

impl Perception {
    /// One view, and no questions.
    pub const NONE: Self = Self { views: &[], show: |seen, _| Ok(seen.clone()), probes: None };

    /// The view with this name.
    pub fn named(&self, name: &str) -> Option<&'static View> {
        self.views.iter().find(|view| view.name == name)
    }

    /// The view of these options: the default if they name none. `None` if there are no views.
    pub fn view(&self, options: &Options) -> Option<&'static View> {
        let named = options.get(VIEW_OPTION).and_then(|name| self.named(name.as_str()?));
        named.or(self.views.first())
    }
}

impl fmt::Debug for Perception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let probes =
            self.probes.map(|probes| probes.kinds().iter().map(|kind| kind.name).collect::<Vec<_>>());
        f.debug_struct("Perception")
            .field("views", &self.views)
            .field("probes", &probes)
            .finish_non_exhaustive()
    }
}
