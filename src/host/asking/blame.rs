//! A search for the step that lost an episode on the screen: by the solver, or planned and then played on.

use mageyard_study::{blame_by_playing, blame_by_solver, blame_steps, plan_probe};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::asking::to_end::unfinished;
use crate::asking::{Asker, lock, problem, with_reports};
use crate::blame_view::Probes;
use mageyard_cli::blame::{plan_lines, solver_lines};
use mageyard_config::{Config, Problem};
use mageyard_engine::Store;
use mageyard_lab::{WrittenArgs, read_written_args};
use mageyard_screen::{AskAnswer, AskSort, BlameVerdict, PlannedAsk, PlannedBlame};
use mageyard_study::{BlameArgs, BlameRequest, ContinuationPlan, PlayedVerdict, ProbeEvent, SolverVerdict};

/// What is known before anything is played.
pub(crate) enum Judged {
    Verdict(BlameVerdict),
    Planned(Box<Blame>),
}

/// An episode that is played on from several steps.
pub(crate) struct Blame {
    /// The reference of the episode.
    run: String,
    wanted: PlannedBlame,
    request: BlameRequest,
    lines: Vec<String>,
    /// The most branches that are needed.
    most: usize,
    config: Config,
    /// The episodes at once.
    jobs: usize,
}

impl Blame {
    pub(crate) async fn plan(asker: &Asker, wanted: &PlannedBlame) -> Result<Judged, Problem> {
        let written: WrittenArgs<BlameArgs> = read_written_args(&asker.lab, &wanted.words)?;
        let request = written.args.request(written.given_names());
        let WrittenArgs { args, given } = written;
        let mut sources = asker.sources.clone();
        sources.overrides.extend(given);
        let config = sources.read()?;
        let lab = &asker.lab;
        let journal = &wanted.journal;
        let run = Store::new(config.store_folder()).reference(journal);
        let mut lines = Vec::new();
        if !args.play {
            let verdict = blame_by_solver(lab, journal, &config).await.map_err(problem)?;
            lines = solver_lines(&run, &verdict);
            if verdict != SolverVerdict::NoSolver {
                return Ok(Judged::Verdict(BlameVerdict { lines, step: lost_step(&verdict) }));
            }
        }
        let (steps, most) = blame_steps(lab, journal).await.map_err(problem)?;
        let first = steps.first().copied().unwrap_or(1);
        let plan = plan_probe(lab, journal, first, &request, &config).await.map_err(problem)?;
        lines.extend(plan_lines(&run, &plan, (steps.len(), most)));
        let most = (most as usize).saturating_mul(request.samples as usize);
        let jobs = args.concurrency.map_or(config.settings().run.jobs, usize::from);
        let wanted = wanted.clone();
        Ok(Judged::Planned(Box::new(Self { run, wanted, request, lines, most, config, jobs })))
    }

    pub(crate) fn planned(&self) -> PlannedAsk {
        PlannedAsk { sort: AskSort::Blame, lines: self.lines.clone(), calls_left: self.most as u64 }
    }

    /// Plays on and reports how branches ended, several at a time.
    pub(crate) async fn make(
        &self,
        asker: &Asker,
        number: u64,
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let show = |probes: &Probes, verdict: Option<&PlayedVerdict>| {
            let view = probes.view(&self.run, (&self.lines, self.most), verdict);
            asker.send(AskAnswer::Arrived(number, Arc::new(view)));
        };
        let shown = Mutex::new((Probes::default(), true));
        let mut report = |plan: &Arc<ContinuationPlan>, event: ProbeEvent<'_>| {
            let (probes, is_new) = &mut *lock(&shown);
            probes.take(plan, event);
            *is_new = true;
        };
        let journal = &self.wanted.journal;
        let settings = (&self.config, self.jobs);
        let playing = blame_by_playing(&asker.lab, journal, &self.request, settings, stop, &mut report);
        let blame = with_reports(Box::pin(playing), || {
            let (probes, is_new) = &mut *lock(&shown);
            if std::mem::take(is_new) {
                show(probes, None);
            }
        });
        let verdict = blame.await.map_err(problem)?.verdict;
        show(&lock(&shown).0, Some(&verdict));
        match verdict {
            PlayedVerdict::Unfinished { why } if !stop.is_cancelled() => Err(unfinished(&why)),
            _ => Ok(()),
        }
    }
}

fn lost_step(verdict: &SolverVerdict) -> Option<u32> {
    match verdict {
        SolverVerdict::Lost { step, .. } => Some(*step),
        _ => None,
    }
}
