//! One episode of a row: played to its end, or left in order.

use super::Row;
use super::Stop;
use crate::cli::complaint::complain;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::lines;
use crate::cli::session::store_flag;
use crate::cli::stage;
use crate::cli::stage::Staged;
use crate::config::Problem;
use crate::domain::AgentError;
use crate::engine::Break;
use crate::engine::DriveError;
use crate::engine::Faults;
use crate::engine::Gauge;
use crate::engine::Need;
use crate::engine::Path;
use crate::engine::faults;

impl Row<'_> {
    /// Plays one episode to its end, printing each step as it is done.
    pub(super) async fn play(&mut self, mut staged: Staged, stop: &mut Stop) -> Result<(), Failure> {
        let mut printed = staged.driver.episode().steps().iter().filter(|step| step.is_done()).count();
        let head = staged.driver.episode().head();
        let mut gauge = Gauge::new(staged.kind, Some(stage::allowance(head, self.config)));
        while staged.driver.episode().ending().is_none() {
            let before = (!self.breaks.is_empty()).then(|| verdict(&staged));
            match meet(&mut staged, stop).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return self.fail(error, staged).await,
                Err(exit) => return self.interrupted(exit, staged).await,
            }
            let known = printed;
            printed += self.print(&staged, known)?;
            let on_its_way = printed > known && staged.driver.episode().ending().is_none();
            if let Some(before) = before.filter(|_| on_its_way)
                && let Some(why) = self.met(&staged, &mut gauge, &before, printed - 1).await
            {
                return self.park(staged, &why).await;
            }
        }
        staged.driver.close().await;
        let seconds = staged.driver.elapsed().as_secs_f64();
        let result = lines::Result::of(staged.kind, staged.driver.episode(), seconds, &staged.session);
        self.tally.count(&result);
        Ok(self.lines.episode(&result)?)
    }

    /// Prints the steps that are done behind so many; how many there were.
    fn print(&mut self, staged: &Staged, known: usize) -> Result<usize, Failure> {
        let episode = staged.driver.episode();
        let done = episode.steps().iter().skip(known).filter(|step| step.is_done());
        let mut printed = 0;
        for step in done {
            self.lines.step(episode, step, None)?;
            printed += 1;
        }
        Ok(printed)
    }

    /// A fault that concerns this episode alone is told and counted; anything else ends the row.
    async fn fail(&mut self, error: DriveError, mut staged: Staged) -> Result<(), Failure> {
        staged.driver.close().await;
        let reference = &staged.driver.episode().head().reference;
        let problem = Problem::new(format!("{reference}: {error}"));
        if let DriveError::Agent(AgentError::Unproven(_) | AgentError::Differs(_)) = error {
            return Err(Failure::Problem(Exit::Mismatch, problem));
        }
        self.tally.faults += 1;
        complain(&problem);
        Ok(())
    }

    /// Why the step at this index is to be the last for now, if it meets a breakpoint.
    async fn met(&self, staged: &Staged, gauge: &mut Gauge, before: &Faults, index: usize) -> Option<String> {
        let met = self.breaks.met(before, &verdict(staged), index);
        if met.is_some() || !self.breaks.has(Break::OffPath) {
            return met;
        }
        match gauge.all(staged.driver.episode().steps()).await.path(index)? {
            Path::Left(off) => Some(off.to_string()),
            Path::Kept => None,
            Path::Unknown => {
                let said = format!("off_path passed step {}: how far the goal is, is unknown", index + 1);
                complain(&Problem::new(said));
                None
            }
        }
    }

    /// Leaves the episode at a breakpoint, and tells how to go on.
    async fn park(&mut self, mut staged: Staged, why: &str) -> Result<(), Failure> {
        let settled = staged.driver.settle();
        staged.driver.close().await;
        settled.map_err(Failure::running)?;
        self.tally.parked += 1;
        let reference = &staged.driver.episode().head().reference;
        let name = name(&staged);
        let store = store_flag(self.config);
        let problem = Problem::new(format!("{reference}: parked at a breakpoint: {why}"));
        complain(&problem.help(format!(
            "mageyard run --resume {name}{store} goes on, mageyard play --resume {name}{store} does on the screen"
        )));
        Ok(())
    }

    /// Leaves in order when asked to stop: what had been said is kept, and how to go on is told.
    async fn interrupted(&self, exit: Exit, mut staged: Staged) -> Result<(), Failure> {
        let kept = staged.driver.cut();
        staged.driver.close().await;
        kept.map_err(Failure::running)?;
        let name = name(&staged);
        let problem = Problem::new("stopped; the log is complete up to the last event");
        Err(Failure::Problem(
            exit,
            problem.help(format!("mageyard run --resume {name}{} goes on", store_flag(self.config))),
        ))
    }
}

/// Meets the present need, unless somebody asks the verb to stop. An act is never dropped half-way.
async fn meet(staged: &mut Staged, stop: &mut Stop) -> Result<Result<(), DriveError>, Exit> {
    if let Need::Act(_) = staged.driver.episode().need() {
        return Ok(staged.driver.meet().await);
    }
    tokio::select! {
        biased;
        exit = &mut *stop => Err(exit),
        met = staged.driver.meet() => Ok(met),
    }
}

/// The session's name, by which it is found again.
fn name(staged: &Staged) -> String {
    staged.session.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is wrong with an episode by now.
fn verdict(staged: &Staged) -> Faults {
    let episode = staged.driver.episode();
    faults(episode, staged.kind, episode.head().conduct.thresholds)
}
