//! The dashboard in lines: says what has changed, first everything.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::dashboard::Dashboard;
use super::lines;
use super::view::SweepView;

/// How long a script waits for maps, which a sweep may not have.
const MAP_TIMEOUT: Duration = Duration::from_secs(3);

/// What was said of a sweep.
#[derive(Debug)]
pub(crate) struct SweepNarrator {
    begun: Instant,
    /// The view that was said last.
    told: Option<Arc<SweepView>>,
}

impl Default for SweepNarrator {
    fn default() -> Self {
        Self { begun: Instant::now(), told: None }
    }
}

impl SweepNarrator {
    /// What is new.
    pub(crate) fn news(&mut self, dashboard: &mut Dashboard) -> Vec<String> {
        let view = &dashboard.content.view;
        let mut said = match self.told.replace(view.clone()) {
            None => std::iter::once(lines::HELP.to_owned()).chain(lines::status(view)).collect(),
            Some(before) => lines::news(&before, view),
        };
        let remark = std::mem::take(&mut dashboard.state.remark);
        said.extend((!remark.is_empty()).then(|| format!("Note: {remark}")));
        said.append(&mut dashboard.said);
        if dashboard.lists
            && let Some(listed) = lines::episodes(&dashboard.state, &dashboard.content)
        {
            dashboard.lists = false;
            said.extend(listed);
        }
        said
    }

    /// Until when a script waits before this line: it is about maps that are not made yet.
    pub(crate) fn waits_for_map(&self, dashboard: &Dashboard, line: Option<&String>) -> Option<Instant> {
        let wants = line.is_some_and(|line| line.trim().starts_with("map"));
        let due = self.begun + MAP_TIMEOUT;
        (wants && dashboard.content.maps().is_empty() && due > Instant::now()).then_some(due)
    }
}
