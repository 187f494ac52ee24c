//! Runs one episode of a batch to its end, or leaves it in a state that can be resumed.

use std::pin::pin;

use tokio_util::sync::CancellationToken;

use super::Batch;
use super::StopSignal;
use crate::cli::diagnostics::print_problem;
use crate::cli::episode_output;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::session::store_flag;
use crate::config::Problem;
use crate::domain::AgentError;
use crate::engine::BreakVerdict;
use crate::engine::DriverError;
use crate::engine::EpisodeAnalysis;
use crate::engine::StepReport;
use crate::lab;
use crate::lab::PreparedEpisode;

impl Batch<'_> {
    /// Runs an episode to its end and prints each completed step.
    pub(super) async fn play(
        &mut self,
        mut staged: PreparedEpisode,
        stop: &mut StopSignal,
    ) -> Result<(), Failure> {
        let mut printed = staged.driver.episode().steps_done();
        let head = staged.driver.episode().head();
        let limits = Some(lab::search_limits(staged.spec, head, self.config));
        let mut analysis = EpisodeAnalysis::new(staged.spec, head.conduct.thresholds, limits);
        while staged.driver.episode().ending().is_none() {
            match meet_unless_stopped(&mut staged, stop).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return self.fail(error, staged).await,
                Err(exit) => return self.interrupted(exit, staged).await,
            }
            let known = printed;
            printed = self.print_new_steps(&staged, known)?;
            let on_its_way = printed > known && staged.driver.episode().ending().is_none();
            if on_its_way
                && !self.breaks.is_empty()
                && let Some(why) = self.breakpoint_reached(&staged, &mut analysis).await
            {
                return self.park(staged, &why).await;
            }
        }
        staged.driver.close().await;
        let seconds = staged.driver.elapsed().as_secs_f64();
        let result =
            episode_output::EpisodeResult::of(staged.spec, staged.driver.episode(), seconds, &staged.id);
        self.tally.count(&result);
        Ok(self.lines.print_episode(&result)?)
    }

    /// Prints the steps completed after the first `known` ones; returns how many are completed.
    fn print_new_steps(&mut self, staged: &PreparedEpisode, known: u32) -> Result<u32, Failure> {
        let episode = staged.driver.episode();
        let done = episode.steps_done();
        for number in known + 1..=done {
            if let Some(step) = episode.steps().numbered(number) {
                self.lines.print_step(&staged.id, episode, step, None)?;
            }
        }
        Ok(done)
    }

    /// Reports and counts an error that concerns only this episode; any other error ends the batch.
    async fn fail(&mut self, error: DriverError, mut staged: PreparedEpisode) -> Result<(), Failure> {
        staged.driver.close().await;
        let reference = &staged.driver.episode().head().reference;
        let problem = Problem::new(format!("{reference}: {error}"));
        if let DriverError::Agent(AgentError::MemoryMismatch(_) | AgentError::ReplayMismatch(_)) = error {
            return Err(Failure::Problem(Exit::Mismatch, problem));
        }
        self.tally.faults += 1;
        print_problem(&problem);
        Ok(())
    }

    /// Why the episode stops after its newest step, if that hits a breakpoint.
    async fn breakpoint_reached(
        &self,
        staged: &PreparedEpisode,
        analysis: &mut EpisodeAnalysis,
    ) -> Option<String> {
        analysis.update(staged.driver.episode());
        let step = analysis.newest()?;
        analysis.search_all().await;
        let report =
            StepReport { finished: step, errors: analysis.errors(), distances: analysis.distances() };
        match self.breaks.verdict(&report) {
            BreakVerdict::Stop(why) => Some(why),
            BreakVerdict::Continue | BreakVerdict::NeedsDistance => None,
            BreakVerdict::Unknown => {
                let said = format!(
                    "off_path was not checked at step {}: the distance to the goal is unknown",
                    step.index + 1
                );
                print_problem(&Problem::new(said));
                None
            }
        }
    }

    /// Parks the episode at a breakpoint and prints how to resume it.
    async fn park(&mut self, mut staged: PreparedEpisode, why: &str) -> Result<(), Failure> {
        let settled = staged.driver.flush();
        staged.driver.close().await;
        settled.map_err(Failure::running)?;
        self.tally.parked += 1;
        let reference = &staged.driver.episode().head().reference;
        let name = session_name(&staged);
        let store = store_flag(self.config);
        let problem = Problem::new(format!("{reference}: parked at a breakpoint: {why}"));
        print_problem(&problem.with_help(format!(
            "resume with `mageyard run --resume {name}{store}`, or on the screen with `mageyard play --resume {name}{store}`"
        )));
        Ok(())
    }

    /// Leaves the episode after a signal: the reply so far is kept, and the message says how to resume.
    async fn interrupted(&self, exit: Exit, mut staged: PreparedEpisode) -> Result<(), Failure> {
        let kept = staged.driver.flush();
        staged.driver.close().await;
        kept.map_err(Failure::running)?;
        let name = session_name(&staged);
        let problem = Problem::new("stopped; the log is complete up to the last event");
        Err(Failure::Problem(
            exit,
            problem
                .with_help(format!("resume with `mageyard run --resume {name}{}`", store_flag(self.config))),
        ))
    }
}

/// Handles the current need. A signal ends a request at once, and an action within the grace time of the environment;
/// both are recorded.
async fn meet_unless_stopped(
    staged: &mut PreparedEpisode,
    stop: &mut StopSignal,
) -> Result<Result<(), DriverError>, Exit> {
    let token = CancellationToken::new();
    let mut advance = pin!(staged.driver.advance_until(&token));
    let exit = tokio::select! {
        biased;
        exit = &mut *stop => exit,
        met = &mut advance => return Ok(met.map(drop)),
    };
    token.cancel();
    if let Err(error) = advance.await {
        tracing::warn!(%error, "the episode stopped with an error");
    }
    Err(exit)
}

/// The name of the session.
fn session_name(staged: &PreparedEpisode) -> String {
    staged.id.session_name()
}
