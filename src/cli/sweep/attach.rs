//! `sweep attach`: the dashboard of a sweep that is finished or that other processes run, read only.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::cell_screen::{AfterEpisode, show_episode};
use super::dashboard_sources::dashboard_sources;
use super::initial_view;
use super::recorded::RecordedSweep;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::runtime::multi_thread_runtime;
use crate::{appearance, play};
use mageyard_config::Config;
use mageyard_lab::Lab;
use mageyard_screen::{DashboardExit, DashboardState, SweepView};
use mageyard_sweep::SweepPlan;

/// How often the files are read again, at most.
const INTERVAL: Duration = Duration::from_secs(2);

/// The remark until the episodes were read for the first time.
const READING: &str = "reading the episodes …";

/// The remark while the files cannot be read.
const UNREADABLE: &str = "the files of the sweep cannot be read now; `mageyard sweep status` says why";

/// Show the dashboard of a sweep that is finished or that other processes run
///
/// It opens on the map of AM and OM; Enter opens a cell, and then one of its episodes step by step, while they are played
/// or afterwards. It only reads: quitting stops nothing. `mageyard view SWEEP` does the same.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of a sweep in the store, or its folder
    #[arg(value_name = "SWEEP")]
    sweep: String,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    show_sweep(&args.sweep, context, &context.config()?)
}

/// Shows the dashboard of the sweep with this name in the store, or in this folder.
pub(crate) fn show_sweep(sweep: &str, context: &Context, config: &Config) -> Result<Exit, Failure> {
    if !appearance::is_linear(config) {
        play::require_terminal(config)?;
    }
    let RecordedSweep { plan, folder } = RecordedSweep::open(sweep, context, config)?;
    multi_thread_runtime()?.block_on(show(plan.into(), folder, context, config))
}

async fn show(
    plan: Arc<SweepPlan>,
    folder: PathBuf,
    context: &Context,
    config: &Config,
) -> Result<Exit, Failure> {
    let look = appearance::load(context.folders(), config)?;
    let first = SweepView {
        is_run: false,
        note: READING.to_owned(),
        ..initial_view::without_results(&plan, &folder)?
    };
    // Lines are read in their order, so the first ones must have everything.
    let first = if look.settings.linear {
        SweepView { note: String::new(), ..view(&plan, &folder, &context.lab, &first)? }
    } else {
        first
    };
    let (shown, views) = watch::channel(Arc::new(first));
    let mut sources = dashboard_sources(views, &plan, folder.clone(), &context.lab, config)?;
    let reading = tokio::spawn(follow(plan.clone(), folder.clone(), context.lab.clone(), shown));
    let mut state = DashboardState::default();
    let exit = loop {
        match mageyard_screen::run_dashboard(&mut sources, &mut state, &look).await {
            Ok(DashboardExit::Show(cell, episode)) => {
                let name = plan.cells.get(cell).map(|cell| cell.name.as_str()).unwrap_or_default();
                match show_episode(&folder, (name, &episode), context, config).await {
                    AfterEpisode::Dashboard(remark) => state.say(remark.unwrap_or_default()),
                    AfterEpisode::Leave(exit) => break Ok(play::exit_code(exit)),
                }
            }
            Ok(DashboardExit::Exit(exit)) => break Ok(play::exit_code(exit)),
            Err(error) => break Err(play::screen_failure(&error)),
        }
    };
    reading.abort();
    exit
}

/// Reads the files again and again, and shows what has changed. It waits as long as the reading took, if that is longer.
async fn follow(plan: Arc<SweepPlan>, folder: PathBuf, lab: Lab, shown: watch::Sender<Arc<SweepView>>) {
    loop {
        let began = tokio::time::Instant::now();
        let plan = plan.clone();
        let folder = folder.clone();
        let lab = lab.clone();
        let before = shown.borrow().clone();
        let read = tokio::task::spawn_blocking(move || view(&plan, &folder, &lab, &before)).await;
        shown.send_if_modified(|there| {
            let newer = match read {
                Ok(Ok(newer)) => newer,
                // What was read last stays, with a remark.
                _ => SweepView { note: UNREADABLE.to_owned(), ..(**there).clone() },
            };
            let changed = **there != newer;
            *there = Arc::new(newer);
            changed
        });
        tokio::time::sleep(INTERVAL.max(began.elapsed())).await;
    }
}

fn view(
    plan: &SweepPlan,
    folder: &std::path::Path,
    lab: &Lab,
    before: &SweepView,
) -> Result<SweepView, Failure> {
    let view = initial_view::newer(plan, folder, lab, before)?;
    Ok(SweepView { is_run: false, ..view })
}
