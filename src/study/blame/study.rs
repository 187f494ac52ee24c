//! Blame by playing as a study, if no solver names the step.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::by_playing::{PlayedBlame, PlayedVerdict, ProbeEvent, blame_by_playing, blame_steps, plan_probe};
use super::by_solver::{SolverVerdict, blame_by_solver};
use super::request::BlameArgs;
use super::text::{plan_lines, played_lines, solver_lines};
use crate::continuations::{columns, study_row};
use crate::study::lock;
use crate::{
    Column, ContinuationPlan, ContinuationRequest, Samples, StoredContinuation, Study, StudyEnd, StudyEvent,
    StudyReport, StudyRow, StudySort, StudyTable,
};
use mageyard_config::Config;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError};

/// What is known before anything is played.
pub enum Judged {
    /// The solver says it.
    BySolver(SolverVerdict),
    /// It has to be played.
    Planned(Box<BlameStudy>),
}

/// An episode that is played on from several steps, to find the one that lost it.
pub struct BlameStudy {
    /// The reference of the episode.
    pub run: String,
    /// How branches of its first step are played.
    pub first: ContinuationPlan,
    /// The steps at which the agent decided, and the most that are tried.
    pub steps: (usize, u32),
    note: Option<String>,
    journal: PathBuf,
    request: ContinuationRequest,
    config: Config,
    /// The episodes at once.
    jobs: usize,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The steps that were tried so far, with their branches.
    probes: BTreeMap<u32, (Arc<ContinuationPlan>, Vec<StoredContinuation>)>,
    result: Option<PlayedBlame>,
}

/// Asks the solver which step lost the episode of this journal, or plans to play on from its steps.
pub async fn judge_blame(
    lab: &Lab,
    journal: &Path,
    (args, given): (&BlameArgs, Vec<String>),
    config: &Config,
) -> Result<Judged, LabError> {
    let run = Store::new(config.store_folder()).reference(journal);
    let mut note = None;
    if !args.play {
        let verdict = blame_by_solver(lab, journal, config).await?;
        if verdict != SolverVerdict::NoSolver {
            return Ok(Judged::BySolver(verdict));
        }
        note = solver_lines(&run, &verdict).into_iter().next();
    }
    let request = args.request(given);
    let (steps, most) = blame_steps(lab, journal).await?;
    let first = steps.first().copied().unwrap_or(1);
    let study = BlameStudy {
        first: plan_probe(lab, journal, first, &request, config).await?,
        run,
        steps: (steps.len(), most),
        note,
        journal: journal.to_owned(),
        request,
        config: config.clone(),
        jobs: args.concurrency.map_or(config.settings().run.jobs, usize::from),
        known: Mutex::default(),
    };
    Ok(Judged::Planned(study.into()))
}

impl BlameStudy {
    /// What playing on has shown; `None` before its end.
    pub fn result(&self) -> Option<PlayedBlame> {
        lock(&self.known).result.clone()
    }

    fn take(&self, plan: &Arc<ContinuationPlan>, event: ProbeEvent<'_>) {
        let mut known = lock(&self.known);
        let (_, stored) = known.probes.entry(plan.request.step).or_insert_with(|| (plan.clone(), Vec::new()));
        match event {
            ProbeEvent::Began(there) => *stored = there.to_vec(),
            ProbeEvent::Ended(one) => one.branch.clone().replace_in(stored),
        }
    }
}

#[async_trait]
impl Study for BlameStudy {
    fn sort(&self) -> StudySort {
        StudySort::Blame
    }

    fn plan_lines(&self) -> Vec<String> {
        plan_lines(&self.run, &self.first, self.steps)
    }

    fn note(&self) -> Option<String> {
        self.note.clone()
    }

    fn counts(&self) -> (usize, usize) {
        let most = (self.steps.1 as usize).saturating_mul(self.request.samples as usize);
        let known = lock(&self.known);
        (known.probes.values().flat_map(|(_, stored)| stored).filter(|one| one.is_over()).count(), most)
    }

    fn left(&self) -> u64 {
        self.counts().1 as u64
    }

    async fn run(
        &self,
        lab: &Lab,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError> {
        let mut probed = |plan: &Arc<ContinuationPlan>, event: ProbeEvent<'_>| {
            self.take(plan, event);
            let event = match event {
                ProbeEvent::Began(_) => StudyEvent::Began,
                ProbeEvent::Ended(one) => StudyEvent::Branch(one),
            };
            report(event, self.counts().0);
        };
        let settings = (&self.config, self.jobs);
        let playing = blame_by_playing(lab, &self.journal, &self.request, settings, stop, &mut probed);
        let result = playing.await?;
        let end = match &result.verdict {
            PlayedVerdict::Unfinished { .. } if stop.is_cancelled() => StudyEnd::Cancelled,
            PlayedVerdict::Unfinished { why } => StudyEnd::Unfinished(why.clone()),
            _ => StudyEnd::Complete,
        };
        lock(&self.known).result = Some(result);
        Ok(end)
    }

    fn table(&self, samples: Samples) -> StudyTable {
        let (done, all) = self.counts();
        let head = self.planned().lines;
        let known = lock(&self.known);
        let verdict = known.result.as_ref().map(|result| &result.verdict);
        let blamed = match verdict {
            Some(PlayedVerdict::Step { step, .. }) => Some(*step),
            _ => None,
        };
        let rows = known.probes.iter();
        StudyTable {
            sort: StudySort::Blame,
            title: self.run.clone(),
            head,
            columns: std::iter::once(Column::apart("from step")).chain(columns()).collect(),
            rows: rows.filter_map(|(step, (plan, stored))| row(*step, (plan, stored), samples)).collect(),
            tail: verdict.map_or_else(Vec::new, |verdict| played_lines(&self.run, verdict)),
            done,
            all,
            blamed,
            ..StudyTable::default()
        }
    }
}

fn row(
    step: u32,
    (plan, stored): (&ContinuationPlan, &[StoredContinuation]),
    samples: Samples,
) -> Option<StudyRow> {
    let row = plan.rows(stored).pop()?;
    let name = std::iter::once(step.to_string());
    let number = usize::try_from(step).ok()?;
    let name_of_row = format!("from step {step}");
    Some(StudyRow { number, name: name_of_row, ..study_row(&row, name, (plan, stored.iter()), samples) })
}
