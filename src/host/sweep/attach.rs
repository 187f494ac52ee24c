//! The dashboard of a sweep that is finished or that other processes run, read only.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::runtime::multi_thread_runtime;
use mageyard_config::Config;
use mageyard_domain::Prices;
use mageyard_lab::Lab;
use mageyard_screen::{DashboardSources, ScreenSpec, SweepView};
use mageyard_sweep::RecordedSweep;
use mageyard_sweep::SweepPlan;
use mageyard_terminal::surroundings::is_linear;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::block_in_place;

use super::dashboard_sources::dashboard_sources;
use super::initial_view::{self, SweepFiles};
use super::running::RecordedRunning;
use crate::appearance;
use crate::lab_task::LabTask;
use crate::opening::{require_terminal, show_screen};

/// How often the files are read again, at most.
const INTERVAL: Duration = Duration::from_secs(2);

/// The remark until the episodes were read for the first time.
const READING: &str = "reading the episodes …";

/// The remark while the files cannot be read.
const UNREADABLE: &str = "the files of the sweep cannot be read now; `mageyard sweep status` says why";

/// Shows the dashboard of the sweep with this name in the store, or in this folder.
pub(crate) fn attach(sweep: &str, context: &Context, config: &Config) -> Result<Exit, Failure> {
    if !is_linear(config) {
        require_terminal(config)?;
    }
    multi_thread_runtime()?.block_on(async {
        let look = appearance::load(context.folders(), config)?;
        let sources = recorded_sources(sweep, &context.lab, config, look.settings.linear)?;
        let spec = ScreenSpec { sweep: Some(sources), ..ScreenSpec::default() };
        let task = LabTask::new(context.lab.clone(), context.sources.clone(), config.clone());
        Ok(show_screen(task, spec, look, context).await?.0)
    })
}

/// The sources of the dashboard of a sweep that is recorded, with its results at once or as they are read. Must be called in a
/// runtime.
pub(crate) fn recorded_sources(
    sweep: &str,
    lab: &Lab,
    config: &Config,
    has_results: bool,
) -> Result<DashboardSources, Failure> {
    let RecordedSweep { plan, folder } = RecordedSweep::open(sweep, lab, config)?;
    let plan = Arc::new(plan);
    let address = initial_view::address(&plan, &folder, config);
    let states = SweepView { address, ..initial_view::without_results(&plan, &folder)? };
    let prices = mageyard_config::load_prices(config)?;
    let mut follower = Follower {
        plan: plan.clone(),
        folder: folder.clone(),
        lab: lab.clone(),
        prices,
        running: RecordedRunning::default(),
    };
    let first = SweepView { is_run: false, note: READING.to_owned(), ..states };
    // Lines are read in their order, so the first ones must have everything.
    let first = if has_results { SweepView { note: String::new(), ..follower.view(&first)? } } else { first };
    let (shown, views) = watch::channel(Arc::new(first));
    let sources = dashboard_sources(views, &plan, folder.clone(), lab, config)?;
    tokio::spawn(follow(follower, shown));
    Ok(sources)
}

/// What is read again and again.
struct Follower {
    plan: Arc<SweepPlan>,
    folder: PathBuf,
    lab: Lab,
    prices: Prices,
    running: RecordedRunning,
}

impl Follower {
    /// The view after this one, with the running episodes. Must be called in a runtime.
    fn view(&mut self, before: &SweepView) -> Result<SweepView, Failure> {
        let Self { plan, folder, lab, prices, running } = self;
        let view = SweepFiles { plan, folder, lab, prices }.newer(before)?;
        let read = running.read(&view, folder, lab);
        let running = block_in_place(|| Handle::current().block_on(read));
        let spent = initial_view::spent_of(&view);
        Ok(SweepView { is_run: false, address: before.address.clone(), running, spent, ..view })
    }
}

/// Reads the files again and again while they are shown, and reports what has changed. It waits as long as the reading took, if
/// that is longer.
async fn follow(mut follower: Follower, shown: watch::Sender<Arc<SweepView>>) {
    while !shown.is_closed() {
        let began = tokio::time::Instant::now();
        let before = shown.borrow().clone();
        let read = tokio::task::spawn_blocking(move || {
            let view = follower.view(&before);
            (follower, view)
        });
        let Ok((back, read)) = read.await else { return };
        follower = back;
        shown.send_if_modified(|there| {
            let newer = match read {
                Ok(newer) => newer,
                // What was read last stays, with a remark.
                Err(_) => SweepView { note: UNREADABLE.to_owned(), ..(**there).clone() },
            };
            let changed = **there != newer;
            *there = Arc::new(newer);
            changed
        });
        tokio::select! {
            () = tokio::time::sleep(INTERVAL.max(began.elapsed())) => {}
            () = shown.closed() => {}
        }
    }
}
