//! Claims cells and prepares their episodes.

use crate::cell_heads;
use std::collections::VecDeque;
use std::path::Path;

use tokio::time::Instant;

use super::active_cell::{ActiveCell, WaitingEpisode};
use super::adopt::{Adopted, adopt_episodes};
use super::event::SweepEvent;
use super::scheduler::{Scheduler, Search};
use crate::claims::{Claim, End, Next};
use mageyard_engine::Head;
use mageyard_lab::{EpisodeSpent, LabError, PlannedEpisode, RunEnds, RunOptions, Shared};

impl Scheduler {
    /// Claims a cell; whether there is a new one to take episodes from.
    pub(super) async fn claim_next(&mut self) -> Result<bool, LabError> {
        // Episodes that wait to be tried again keep their cells; not too many of them.
        let due = match self.search {
            Search::Now => true,
            Search::At(at) => at <= Instant::now(),
            Search::Over => false,
        };
        if !due || self.active.len() >= self.jobs().saturating_mul(2) {
            return Ok(false);
        }
        self.observed = Instant::now();
        match self.claims.claim_next().map_err(LabError::failed)? {
            Next::Claimed(claim) => {
                self.search = Search::Now;
                self.begin(claim).await?;
                Ok(true)
            }
            Next::Wait(delay) => {
                self.search = Search::At(Instant::now() + delay);
                if self.active.is_empty() {
                    self.send(SweepEvent::Waiting).await;
                }
                Ok(false)
            }
            Next::Ended => {
                self.search = Search::Over;
                Ok(false)
            }
        }
    }

    async fn begin(&mut self, claim: Claim) -> Result<(), LabError> {
        let taken_over = claim.taken_over;
        let Some(index) = self.indexes.get(claim.cell()).copied() else {
            let what = format!("the cell {} is not in the plan", claim.cell());
            claim.finish(&End::Release).map_err(LabError::failed)?;
            return Err(LabError::failed(what));
        };
        let ends = self.ends.child();
        self.heartbeats.add(claim.lease(), ends.stop.clone());
        let session = self.store.create_named_session(claim.cell())?;
        let heads = self.heads(index, &session).await?;
        let episodes = heads.len();
        self.adopt(&session, &heads)?;
        let waiting = self.waiting_episodes(&session, heads);
        let runner = self.runner(index, &claim, ends.clone());
        self.active.insert(index, ActiveCell::new(claim, runner, ends, waiting));
        self.send(SweepEvent::Claimed { cell: index, episodes, taken_over }).await;
        Ok(())
    }

    /// Copies what cells with other repeats have played. It counts as spent by the sweep, as it would in that cell.
    fn adopt(&self, session: &Path, heads: &[Head]) -> Result<(), LabError> {
        let is_planned = |name: &str| self.indexes.contains_key(name);
        let adopted = adopt_episodes(&self.lab, &self.store, session, heads, &is_planned)?;
        let model = heads.first().and_then(Head::model);
        for Adopted { journal, summary } in adopted {
            tracing::info!(journal = %journal.display(), "an episode of a cell with other repeats is copied");
            self.options.spending.end(&journal, EpisodeSpent::of_summary(model, &summary));
        }
        Ok(())
    }

    /// The heads of the episodes of a cell: those of its plan on disk, which is written first if there is none.
    async fn heads(&self, index: usize, session: &Path) -> Result<Vec<Head>, LabError> {
        if let Some(heads) = self.store.read_plan(session)? {
            return Ok(heads);
        }
        let heads = cell_heads(&self.lab, &self.plan.cells[index], &self.store).await?;
        self.store.write_plan(session, &heads)?;
        Ok(heads)
    }

    fn waiting_episodes(&self, session: &Path, heads: Vec<Head>) -> VecDeque<WaitingEpisode> {
        let journal = |number: usize| self.store.journal_path(session, number);
        let planned = heads.into_iter().enumerate().map(|(index, head)| {
            WaitingEpisode::new(index, PlannedEpisode { journal: journal(index + 1), head: Some(head) })
        });
        planned.collect()
    }

    fn runner(&self, index: usize, claim: &Claim, ends: RunEnds) -> Shared {
        let options = RunOptions {
            config: self.plan.cells[index].config.clone(),
            store: self.store.clone(),
            breakpoints: self.options.breakpoints.clone(),
            jobs: self.jobs(),
            // Failures that may pass are tried again later, for each cell.
            failure_limit: 0,
            spending: Some(self.options.spending.clone()),
            has_person: false,
        };
        let lab = self.lab.guarded_by(claim.guard());
        Shared::new(&lab, options, ends, self.opening.clone())
    }
}
