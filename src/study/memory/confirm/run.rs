//! Plays the episodes of each look as cells of the sweep, until nothing is left to play.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::study::MemoryConfirm;
use super::text::{confirm_table, plan_lines};
use crate::{Samples, Study, StudyEnd, StudyEvent, StudyReport, StudySort, StudyTable};
use mageyard_lab::{Lab, LabError, RunEvent};
use mageyard_sweep::claims::End;
use mageyard_sweep::{PreparedSweep, SweepEnd, SweepEvent, SweepPlan, SweepRun, leave_shared_permits};

#[async_trait]
impl Study for MemoryConfirm {
    fn sort(&self) -> StudySort {
        StudySort::ToEnd
    }

    fn plan_lines(&self) -> Vec<String> {
        plan_lines(self)
    }

    fn counts(&self) -> (usize, usize) {
        (self.lock().len(), self.plan.cells.len())
    }

    fn left(&self) -> u64 {
        let next = self.evaluate().next;
        let played = self.lock();
        next.iter().filter(|cell| !played.contains_key(cell)).count() as u64
    }

    async fn run(
        &self,
        lab: &Lab,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError> {
        let mut before = None;
        loop {
            let next = self.evaluate().next;
            let missing = self.missing(&next);
            if missing.is_empty() {
                return Ok(StudyEnd::Complete);
            }
            if before.as_ref() == Some(&missing) {
                return Ok(StudyEnd::Unfinished("an episode has no summary".to_owned()));
            }
            let ended = self.play(lab, &missing, stop, report).await?;
            report(StudyEvent::Began, self.read(lab));
            if let Some(end) = ended {
                return Ok(end);
            }
            before = Some(missing);
        }
    }

    fn table(&self, _: Samples) -> StudyTable {
        confirm_table(self)
    }
}

impl MemoryConfirm {
    fn missing(&self, cells: &[usize]) -> Vec<usize> {
        let played = self.lock();
        cells.iter().copied().filter(|cell| !played.contains_key(cell)).collect()
    }

    /// Plays these cells; how the study ends, if it does not go on.
    async fn play(
        &self,
        lab: &Lab,
        cells: &[usize],
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<Option<StudyEnd>, LabError> {
        let cells = cells.iter().filter_map(|cell| self.plan.cells.get(*cell).cloned()).collect();
        let plan = SweepPlan { cells, reference_cells: Vec::new(), ..self.plan.clone() };
        let mut prepared = PreparedSweep::open(plan, self.config.clone(), &self.plan.name, &self.label)?;
        self.keep_design()?;
        prepared.queue_all()?;
        let (run, _) = prepared.begin(lab, stop).await?;
        let ended = self.follow(run, report).await;
        leave_shared_permits(lab).await;
        ended
    }

    async fn follow(
        &self,
        mut run: SweepRun,
        report: &mut StudyReport<'_>,
    ) -> Result<Option<StudyEnd>, LabError> {
        let mut done = self.lock().len();
        let mut failed = None;
        while let Some(event) = run.next().await {
            match event {
                SweepEvent::Episode(_, event) if matches!(event.event, RunEvent::Finished(_)) => {
                    done += 1;
                    report(StudyEvent::Began, done);
                }
                SweepEvent::Ended(_, End::Failed(reason) | End::Parked(reason)) => {
                    failed = failed.or(Some(reason.text));
                }
                _ => {}
            }
        }
        Ok(match run.end().await? {
            SweepEnd::Complete => failed.map(StudyEnd::Unfinished),
            SweepEnd::Stopped => Some(StudyEnd::Cancelled),
            SweepEnd::Limit(why) | SweepEnd::Cancelled(why) | SweepEnd::Mismatch(why) => {
                Some(StudyEnd::Unfinished(why))
            }
            SweepEnd::Endpoint(failure) => Some(StudyEnd::Failing(failure.last.to_string())),
        })
    }
}
