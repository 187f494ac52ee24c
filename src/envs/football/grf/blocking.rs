//! The real engine for work on threads of its own: baselines and measurements.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::super::{EngineAction, FrameState, GameEngine, Program, Scene};
use super::failure::EngineFailure;
use super::process::{EngineReport, Process};
use super::wire::Order;

/// What a process has used since it was started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineUsage {
    /// Processor time.
    pub cpu: Duration,
    /// The most memory, in bytes.
    pub memory: u64,
}

/// A game of the real engine. Every call waits for the process.
pub struct RealGame {
    // Dropped before the runtime, which reaps it.
    process: Process,
    state: FrameState,
    runtime: Runtime,
}

impl RealGame {
    /// Starts the engine and a scene.
    ///
    /// # Errors
    ///
    /// Why it does not play.
    pub fn start(program: &Program, scene: &Scene, seed: u64) -> Result<Self, EngineFailure> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| EngineFailure::not_started(program, &error))?;
        let started = runtime.block_on(async {
            let mut process = Process::start(program).await?;
            let state = process.state(&Order::load(scene, seed)).await?;
            Ok((process, state))
        });
        started.map(|(process, state)| Self { process, state, runtime })
    }

    /// Begins another scene.
    ///
    /// # Errors
    ///
    /// What is wrong with the engine.
    pub fn load(&mut self, scene: &Scene, seed: u64) -> Result<(), EngineFailure> {
        self.order(&Order::load(scene, seed)).map(drop)
    }

    /// What its process has used so far.
    ///
    /// # Errors
    ///
    /// What is wrong with the engine.
    pub fn usage(&mut self) -> Result<EngineUsage, EngineFailure> {
        let answer = self.runtime.block_on(self.process.ask(&Order::Usage))?;
        let cpu = answer.cpu.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let missing = || EngineFailure::unreadable("it has no usage");
        let memory = answer.memory.ok_or_else(missing)?.saturating_mul(1024);
        Ok(EngineUsage { cpu: cpu.ok_or_else(missing)?, memory })
    }

    /// Which engine plays.
    #[must_use]
    pub fn report(&self) -> &EngineReport {
        &self.process.report
    }

    fn order(&mut self, order: &Order) -> Result<FrameState, EngineFailure> {
        self.state = self.runtime.block_on(self.process.state(order))?;
        Ok(self.state)
    }
}

impl GameEngine for RealGame {
    type Failure = EngineFailure;

    fn state(&self) -> FrameState {
        self.state
    }

    fn frame(&mut self, action: EngineAction) -> Result<FrameState, EngineFailure> {
        self.order(&Order::step(action))
    }
}
