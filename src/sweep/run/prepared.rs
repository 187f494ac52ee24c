//! A sweep that is ready to run in this process: its folder with the plan, and its cells in the queue.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{SweepRun, SweepRunOptions, run_sweep};
use crate::claims::{Claims, Timing};
use crate::orders::{FollowedOrders, WorkerLimits};
use crate::plan::SweepPlan;
use crate::{count_spending, share_permits};
use mageyard_config::{Config, Problem};
use mageyard_engine::Breakpoints;
use mageyard_lab::{Lab, LabError, Spending, SpendingLimits};

/// A sweep whose cells this process can claim.
pub struct PreparedSweep {
    /// Its plan.
    pub plan: Arc<SweepPlan>,
    /// The settings of this process.
    pub config: Config,
    /// The folder of the sweep.
    pub folder: PathBuf,
    /// Its cells.
    pub claims: Claims,
}

impl PreparedSweep {
    /// Opens the folder of a sweep and keeps its plan there. `given` is the sweep as it was named, for the refusal of one
    /// without a cell; `label` is the part of the name of this worker that says which process it is.
    pub fn open(plan: SweepPlan, config: Config, given: &str, label: &str) -> Result<Self, LabError> {
        if plan.cells.is_empty() {
            let problem = Problem::new(format!("{}: no cell can be played", plan.name));
            return Err(problem.with_help(format!("`mageyard sweep plan {given}` says why")).into());
        }
        let folder = plan.folder(&config.store_folder());
        let settings = &config.settings().sweep;
        let seconds = Duration::from_secs;
        let lease = seconds(settings.lease);
        let timing = Timing { heartbeat: seconds(settings.heartbeat), lease, margin: lease / 3 };
        let mut claims = Claims::open(&folder, label, timing).map_err(LabError::failed)?;
        claims.require(plan.required());
        plan.write_source(&folder).map_err(LabError::failed)?;
        Ok(Self { plan: plan.into(), config, folder, claims })
    }

    /// Queues all cells, also those that failed before.
    pub fn queue_all(&mut self) -> Result<(), LabError> {
        let names: Vec<&str> = self.plan.cells.iter().map(|cell| cell.name.as_str()).collect();
        self.claims.requeue_failed(|cell| names.contains(&cell)).map_err(LabError::failed)?;
        self.claims.add(names).map_err(LabError::failed)?;
        Ok(())
    }

    /// Starts to run the cells without limits of all episodes together, as the settings say, on the current Tokio runtime.
    /// Cancelling `stop` leaves each episode in a state that can be resumed.
    pub async fn begin(
        self,
        lab: &Lab,
        stop: &CancellationToken,
    ) -> Result<(SweepRun, Arc<Spending>), LabError> {
        let Self { plan, config, folder, claims } = self;
        let prices = mageyard_config::load_prices(&config)?;
        let spending = Arc::new(Spending::new(SpendingLimits::default(), prices));
        let settings = config.settings();
        let limits = WorkerLimits { jobs: settings.run.jobs, ..WorkerLimits::default() };
        let orders = FollowedOrders::start(&folder, claims.worker(), limits).map_err(LabError::failed)?;
        let options = SweepRunOptions {
            failure_limit: settings.run.failure_limit,
            breakpoints: Breakpoints::default(),
            retries: settings.sweep.retries,
            retry_delay: Duration::from_secs(settings.sweep.retry_delay),
            spending: spending.clone(),
            orders,
            waits_for_others: true,
        };
        share_permits_of(lab, &config, &claims)?;
        count_spending(lab, &folder, &plan, &spending, claims.worker()).await?;
        let run = run_sweep(lab, plan, folder, claims, options, stop);
        Ok((run, spending))
    }
}

/// Shares the requests at once with other processes, if the settings say so.
pub fn share_permits_of(lab: &Lab, config: &Config, claims: &Claims) -> Result<(), Problem> {
    let setting = config.settings().sweep.permits.as_str();
    if setting.is_empty() {
        return Ok(());
    }
    let shared = share_permits(lab, setting, &config.store_folder(), claims);
    shared.map_err(|error| config.problem_with("sweep.permits", error.to_string()))
}
