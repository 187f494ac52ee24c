//! A sweep that is run in the process of a screen: it stops when its dashboard closes, and the screen waits for its end.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::dashboard_sources::dashboard_sources;
use super::initial_view::{self, SweepFiles};
use super::tracker::Tracker;
use mageyard_cli::exit::Failure;
use mageyard_cli::sweep::run::worker_label;
use mageyard_config::{Config, Problem};
use mageyard_lab::{Lab, LabError};
use mageyard_screen::{DashboardSources, SweepView};
use mageyard_sweep::{
    PreparedSweep, SweepOverrides, leave_shared_permits, lift_cancel, person_at_host, plan_sweep, sweep_file,
};

/// The sweeps that run in this process.
#[derive(Default)]
pub(crate) struct SweepRuns(Vec<(CancellationToken, JoinHandle<()>)>);

impl SweepRuns {
    /// Starts the sweep of this name. Must be called in a runtime, where blocking is allowed.
    pub(crate) fn start(
        &mut self,
        name: &str,
        lab: &Lab,
        config: &Config,
    ) -> Result<DashboardSources, Problem> {
        self.0.retain(|(_, run)| !run.is_finished());
        let stop = CancellationToken::new();
        let (sources, run) = Handle::current().block_on(begin(name, lab, config, &stop))?;
        self.0.push((stop, run));
        Ok(sources)
    }

    /// Stops all of them, and waits until each has left its episodes in a state that can be resumed.
    pub(crate) async fn end(self) {
        for (stop, _) in &self.0 {
            stop.cancel();
        }
        for (_, run) in self.0 {
            if let Err(error) = run.await {
                tracing::warn!(%error, "a sweep did not end in order");
            }
        }
    }
}

async fn begin(
    name: &str,
    lab: &Lab,
    config: &Config,
    stop: &CancellationToken,
) -> Result<(DashboardSources, JoinHandle<()>), Problem> {
    let sheet = sweep_file(config.folders(), name)?;
    let plan = plan_sweep(lab, &sheet, &SweepOverrides::default(), config)?;
    let mut prepared = PreparedSweep::open(plan, config.clone(), name, &worker_label()).map_err(problem)?;
    prepared.queue_all().map_err(problem)?;
    // A person starts it again.
    lift_cancel(&prepared.folder, &person_at_host(&lab.key_lookup))
        .map_err(|error| Problem::new(error.to_string()))?;
    let (plan, folder) = (prepared.plan.clone(), prepared.folder.clone());
    let prices = mageyard_config::load_prices(config)?;
    let address = initial_view::address(&plan, &folder, config);
    let files = SweepFiles { plan: &plan, folder: &folder, lab, prices: &prices };
    let view = SweepView { address, ..files.view().map_err(Failure::into_problem)? };
    let (run, spending) = prepared.begin(lab, stop).await.map_err(problem)?;
    let tracker = Tracker::new(lab.clone(), (spending, prices), view);
    let (shown, views) = watch::channel(Arc::new(tracker.view()));
    let sources = dashboard_sources(views, &plan, folder, lab, config)?;
    let (stop, closed, lab) = (stop.clone(), shown.clone(), lab.clone());
    let run = tokio::spawn(async move {
        let mut following = std::pin::pin!(tracker.follow(run, shown));
        let ended = tokio::select! {
            ended = &mut following => ended,
            () = closed.closed() => {
                stop.cancel();
                following.await
            }
        };
        if ended.is_err() {
            tracing::warn!("a sweep of the screen has failed");
        }
        leave_shared_permits(&lab).await;
    });
    Ok((sources, run))
}

fn problem(error: LabError) -> Problem {
    Problem::from(error)
}
