//! Everything that the dashboard shows, and where newer versions of it come from.

use std::sync::Arc;

use tokio::sync::watch;

use super::cell_episodes::CellEpisodes;
use super::score_map::{CellDifference, ScoreMap, SweepScores};
use super::view::SweepView;

/// Everything that the dashboard shows now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    pub(super) view: Arc<SweepView>,
    pub(super) scores: Arc<SweepScores>,
    pub(super) episodes: Arc<CellEpisodes>,
}

impl Content {
    /// The maps of AM and OM.
    pub(super) fn maps(&self) -> &[ScoreMap] {
        &self.scores.maps
    }

    /// The difference of this cell from its reference, if it is known.
    pub(super) fn difference(&self, cell: usize) -> Option<CellDifference> {
        self.scores.differences.get(cell).copied().flatten()
    }

    /// The episodes of this cell, if they are known.
    pub(super) fn episodes_of(&self, cell: usize) -> Option<&CellEpisodes> {
        Some(&*self.episodes).filter(|episodes| episodes.cell == Some(cell))
    }
}

/// Where the dashboard takes its content from. Each part is made elsewhere, so keys never wait for files or statistics.
#[derive(Debug)]
pub struct DashboardSources {
    /// The states of the cells.
    pub views: watch::Receiver<Arc<SweepView>>,
    /// The maps of AM and OM, and what cells differ by.
    pub scores: watch::Receiver<Arc<SweepScores>>,
    /// The episodes of the cell that is open.
    pub episodes: watch::Receiver<Arc<CellEpisodes>>,
    /// The index of the cell whose episodes are to be listed.
    pub open: watch::Sender<Option<usize>>,
}

impl DashboardSources {
    /// The newest content.
    pub(crate) fn newest(&mut self) -> Content {
        Content {
            view: self.views.borrow_and_update().clone(),
            scores: self.scores.borrow_and_update().clone(),
            episodes: self.episodes.borrow_and_update().clone(),
        }
    }

    /// Waits until a part has changed, for ever if none can change any more.
    pub(crate) async fn changed(&mut self) {
        let Self { views, scores, episodes, .. } = self;
        tokio::select! {
            () = changed(views) => {}
            () = changed(scores) => {}
            () = changed(episodes) => {}
        }
    }
}

/// Waits for a new value, for ever if none can come.
async fn changed<T>(values: &mut watch::Receiver<T>) {
    if values.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}
